import { GLOBAL_FLAGS } from '../../src/cli/globals.ts';
import type { Manifest, ManifestCommand, ManifestParameter } from '../../src/cli/manifest.ts';
import { secretFlags } from '../../src/cli/secrets.ts';
import { page, table } from './markdown.ts';

/** The reference of all commands. */
export function commandsPage(manifest: Manifest): string {
  const lines = [
    'Every command answers with one JSON envelope, `{"version":"1.0","ok":true,"command":…,…}`; a failure has `"ok":false` and an',
    '`error` (see [errors](errors.md)). The JSON Schemas of all inputs and answers are in `schemas/`.',
    '',
  ];
  for (const group of manifest.groups) {
    const commands = manifest.commands.filter((command) => command.group === group.id);
    if (commands.length === 0) continue;
    lines.push(
      `**${group.title}:** ${commands.map(({ name }) => `[${name}](#${anchor(name)})`).join(' · ')}`,
      '',
    );
  }
  lines.push('## Flags of every command', '', ...parameterTable(GLOBAL_FLAGS), '');
  for (const group of manifest.groups) {
    for (const command of manifest.commands.filter((candidate) => candidate.group === group.id))
      lines.push(...section(command));
  }
  return page('Commands', lines);
}

function section(command: ManifestCommand): string[] {
  const lines = [`## ${command.name}`, '', command.summary, '', '```', command.usage, '```', ''];
  if (command.aliases.length > 0)
    lines.push(`Also: ${command.aliases.map((alias) => `\`desk ${alias}\``).join(', ')}.`, '');
  if (command.description !== undefined) lines.push(command.description, '');
  lines.push(...parameterTable([...command.parameters, ...secretFlags(command)]), '', '```sh');
  for (const { about, line } of command.examples) lines.push(`# ${about}`, line);
  return [...lines, '```', ''];
}

function parameterTable(parameters: readonly ManifestParameter[]): string[] {
  if (parameters.length === 0) return ['It takes no arguments.'];
  return table(
    ['', 'accepts', 'default', ''],
    parameters.map((parameter) => [term(parameter), accepts(parameter), fallback(parameter), parameter.help]),
  );
}

function term({ key, flag, short, type }: ManifestParameter): string {
  if (flag === undefined) return type === 'strings' ? `\`-- ${key}…\`` : `\`${key}\``;
  return short === undefined ? `\`--${flag}\`` : `\`--${flag}\`, \`-${short}\``;
}

function accepts({ type, values, minimum, maximum }: ManifestParameter): string {
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ');
  if (type === 'boolean') return 'switch';
  if (type === 'string') return 'text';
  if (type === 'strings') return 'texts';
  const word = type === 'integer' ? 'whole number' : 'number';
  return minimum !== undefined && maximum !== undefined ? `${word}, ${minimum} to ${maximum}` : word;
}

function fallback({ required, default: value, type }: ManifestParameter): string {
  if (required) return 'required';
  if (value === undefined || value === '' || type === 'boolean') return '';
  return `\`${value}\``;
}

function anchor(name: string): string {
  return name.replaceAll(' ', '-');
}
