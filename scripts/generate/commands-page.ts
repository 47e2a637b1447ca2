import { GLOBAL_FLAGS } from '../../src/surfaces/cli/arguments/globals.ts';
import type {
  Manifest,
  ManifestCommand,
  ManifestParameter,
} from '../../src/surfaces/cli/arguments/manifest.ts';
import type { CommandManual, Manual } from '../../src/surfaces/cli/printing/manual.ts';
import { secretFlags } from '../../src/surfaces/cli/arguments/secret-flags.ts';
import { usageOf } from '../../src/surfaces/cli/arguments/usage-line.ts';
import { page, table } from './markdown.ts';

/** The reference of all commands. */
export function commandsPage(manifest: Manifest, manual: Manual): string {
  const lines = [
    'Every command answers with one JSON envelope, `{"version":"1.0","ok":true,"command":…,…}`; a failure has `"ok":false` and an',
    '`error` (see [errors](errors.md)). The JSON Schemas of all inputs and answers are in `schemas/` of the package.',
    '',
  ];
  const groups = manual.groups.map(({ id, title }) => ({
    title,
    members: manifest.commands.flatMap((command) => {
      const about = manual.commands[command.name];
      return about?.group === id ? [{ command, about }] : [];
    }),
  }));
  for (const { title, members } of groups) {
    if (members.length === 0) continue;
    const links = members.map(({ command: { name } }) => `[${name}](#${anchor(name)})`);
    lines.push(`**${title}:** ${links.join(' · ')}`, '');
  }
  lines.push('## Flags of every command', '', ...parameterTable(GLOBAL_FLAGS), '');
  for (const { command, about } of groups.flatMap(({ members }) => members))
    lines.push(...section(command, about));
  return page('Commands', lines);
}

function section(command: ManifestCommand, about: CommandManual): string[] {
  const lines = [`## ${command.name}`, '', about.summary, '', '```', usageOf(command), '```', ''];
  if (command.aliases !== undefined)
    lines.push(`Also: ${command.aliases.map((alias) => `\`desk ${alias}\``).join(', ')}.`, '');
  if (about.description !== undefined) lines.push(about.description, '');
  const parameters = [...command.parameters, ...secretFlags(command)];
  lines.push(...parameterTable(parameters, about.parameters), '', '```sh');
  for (const example of about.examples) lines.push(`# ${example.about}`, example.line);
  return [...lines, '```', ''];
}

function parameterTable(
  parameters: readonly ManifestParameter[],
  helps: CommandManual['parameters'] = {},
): string[] {
  if (parameters.length === 0) return ['It takes no arguments.'];
  return table(
    ['', 'accepts', 'default', ''],
    parameters.map((parameter) => [
      term(parameter),
      accepts(parameter),
      fallback(parameter),
      parameter.help ?? helps[parameter.key] ?? '',
    ]),
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
  if (type === 'object') return 'JSON object';
  if (type === 'objects') return 'JSON list';
  const word = type === 'integer' ? 'whole number' : 'number';
  return minimum !== undefined && maximum !== undefined ? `${word}, ${minimum} to ${maximum}` : word;
}

function fallback({ required, default: value, type }: ManifestParameter): string {
  if (required === true) return 'required';
  if (value === undefined || value === '' || type === 'boolean') return '';
  return `\`${value}\``;
}

function anchor(name: string): string {
  return name.replaceAll(' ', '-');
}
