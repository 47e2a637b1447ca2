import type { ManifestCommand } from './manifest.ts';

/** A command with its bare arguments: `click <ref>`, `wait [ms]`. */
export function synopsisOf({ name, parameters, positionals }: ManifestCommand): string {
  const bare = positionals.map((key) => {
    const isRequired = parameters.some((parameter) => parameter.key === key && parameter.required);
    return isRequired ? `<${key}>` : `[${key}]`;
  });
  return [name, ...bare].join(' ');
}

/** How a command is called: `desk click <ref> [flags]`. */
export function usageOf(command: ManifestCommand): string {
  const rest = command.rest === undefined ? '' : ` [-- ${command.rest}…]`;
  return `desk ${synopsisOf(command)} [flags]${rest}`;
}
