import type { ManifestCommand } from './manifest.ts';

const BARE = { pairs: '<target> <value> …', lines: '<step> …', file: '<file>' } as const;

/** A command with its bare arguments: `click <ref>`, `wait [ms]`. */
export function synopsisOf({ name, parameters, positionals, bare: flag }: ManifestCommand): string {
  const bare = (positionals ?? (flag === undefined ? [] : [flag])).map((key) => {
    const parameter = parameters.find((one) => one.key === key);
    if (parameter?.bare !== undefined) return BARE[parameter.bare];
    const label = parameter?.type === 'strings' ? `${key}…` : key;
    return parameter?.required === true ? `<${label}>` : `[${label}]`;
  });
  return [name, ...bare].join(' ');
}

/** The usage line of a command: `desk click <ref> [flags]`. */
export function usageOf(command: ManifestCommand): string {
  const rest = command.rest === undefined ? '' : ` [-- ${command.rest}…]`;
  return `desk ${synopsisOf(command)} [flags]${rest}`;
}
