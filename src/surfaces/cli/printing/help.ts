import { GLOBAL_FLAGS } from '../arguments/globals.ts';
import type { Manifest, ManifestCommand, ManifestParameter } from '../arguments/manifest.ts';
import type { CommandManual, Manual } from './manual.ts';
import { secretFlags } from '../arguments/secrets.ts';
import { synopsisOf, usageOf } from '../arguments/usage-line.ts';

export interface HelpStyle {
  readonly width: number;
  readonly colour: boolean;
}

/** First command lines for a newcomer; a test parses them. */
export const FIRST_STEPS: readonly (readonly [string, string])[] = [
  ['desk list-apps', 'list running applications'],
  ['desk snapshot --app KCalc -i --format outline', 'show the elements, each with a reference'],
  ['desk click @e2', 'click one; the answer says what changed'],
  ['desk get value @e1 --format text', 'read just one property'],
];

/** Help for the whole program. */
export function generalHelp(manifest: Manifest, manual: Manual, style: HelpStyle): string {
  const title = heading(style);
  const lines = [
    `Deskterity ${manifest.version}: read and control desktop applications through their accessibility trees.`,
    '',
    `${title('Usage:')} desk <command> [arguments] [flags]`,
    '',
    title('First steps'),
    ...columns(FIRST_STEPS, layout(style, 50)),
  ];
  for (const group of manual.groups) {
    const rows = manifest.commands.flatMap((command): [string, string][] => {
      const about = manual.commands[command.name];
      return about?.group === group.id ? [[synopsisOf(command), about.summary]] : [];
    });
    if (rows.length > 0) lines.push('', title(group.title), ...columns(rows, layout(style, 26)));
  }
  lines.push(
    '',
    title('Flags of every command'),
    ...columns(
      GLOBAL_FLAGS.map((parameter) => [flagTerm(parameter), parameter.help ?? '']),
      layout(style, 40),
    ),
  );
  const exits = manual.exitCodes.map(({ code, meaning }): [string, string] => [String(code), meaning]);
  lines.push('', title('Exit codes'), ...columns(exits, layout(style, 4)));
  lines.push('', '"desk <command> --help" shows its parameters and examples.');
  return `${lines.join('\n')}\n`;
}

/** Help for all commands whose names start with one word. */
export function familyHelp(family: string, manifest: Manifest, manual: Manual, style: HelpStyle): string {
  const title = heading(style);
  const rows = manifest.commands
    .filter(({ name }) => name.startsWith(`${family} `))
    .map((command): [string, string] => [synopsisOf(command), manual.commands[command.name]?.summary ?? '']);
  return [
    `${title('Usage:')} desk ${family} <command> [arguments] [flags]`,
    '',
    title('Commands'),
    ...columns(rows, layout(style, 40)),
    '',
    `"desk ${family} <command> --help" shows its parameters and examples.`,
    '',
  ].join('\n');
}

/** Help for one command. */
export function commandHelp(command: ManifestCommand, about: CommandManual, style: HelpStyle): string {
  const title = heading(style);
  const lines = [...wrap(about.summary, style.width), '', `${title('Usage:')} ${usageOf(command)}`];
  if (command.aliases !== undefined)
    lines.push(`${title('Also:')} ${command.aliases.map((alias) => `desk ${alias}`).join(', ')}`);
  if (about.description !== undefined) lines.push('', ...wrap(about.description, style.width));
  const bare = command.parameters.filter(({ flag }) => flag === undefined);
  const flags = [...command.parameters.filter(({ flag }) => flag !== undefined), ...secretFlags(command)];
  if (bare.length > 0)
    lines.push(
      '',
      title('Arguments'),
      ...columns(
        bare.map((parameter) => [parameter.key, explain(parameter, about)]),
        layout(style, 30),
      ),
    );
  if (flags.length > 0)
    lines.push(
      '',
      title('Flags'),
      ...columns(
        flags.map((parameter) => [flagTerm(parameter), explain(parameter, about)]),
        layout(style, 30),
      ),
    );
  lines.push('', title('Examples'));
  for (const example of about.examples) lines.push(`  # ${example.about}`, `  ${example.line}`);
  const global = GLOBAL_FLAGS.map(({ flag }) => `--${flag}`).join(' ');
  lines.push('', ...wrap(`Flags of every command (${global}): see "desk --help".`, style.width));
  return `${lines.join('\n')}\n`;
}

/** Longer lists of choices go into the explanation instead of the flag's term. */
const LONGEST_CHOICES = 60;

function choicesOf({ values = [] }: ManifestParameter): string {
  const choices = values.join('|');
  return choices.length > LONGEST_CHOICES ? '' : choices;
}

function flagTerm(parameter: ManifestParameter): string {
  const { flag, short, type } = parameter;
  const kind = type === 'integer' || type === 'number' ? 'N' : 'TEXT';
  const value = type === 'boolean' ? '' : ` ${choicesOf(parameter) || kind}`;
  return `${short === undefined ? '' : `-${short}, `}--${flag}${value}`;
}

function explain(parameter: ManifestParameter, about: CommandManual): string {
  const { minimum, maximum } = parameter;
  const facts: string[] = [];
  if (parameter.values !== undefined && (parameter.flag === undefined || choicesOf(parameter) === ''))
    facts.push(`One of ${parameter.values.join(', ')}.`);
  if (minimum !== undefined && maximum !== undefined) facts.push(`From ${minimum} to ${maximum}.`);
  if (parameter.default !== undefined && parameter.default !== false && parameter.default !== '')
    facts.push(`Default ${parameter.default}.`);
  return [parameter.help ?? about.parameters[parameter.key], ...facts].join(' ');
}

function heading({ colour }: HelpStyle): (text: string) => string {
  return (text) => (colour ? `\u001B[1m${text}\u001B[22m` : text);
}

function layout(style: HelpStyle, widest: number) {
  return { indent: 2, gap: 2, width: style.width, widest };
}

/** Breaks text into lines of at most `width` characters, at spaces. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Two columns: a term and its wrapped explanation. A term too long for its column gets its own line. */
export function columns(
  rows: readonly (readonly [string, string])[],
  layout: { indent: number; gap: number; width: number; widest: number },
): string[] {
  const longest = Math.max(
    0,
    ...rows.map(([term]) => term.length).filter((length) => length <= layout.widest),
  );
  const start = layout.indent + longest + layout.gap;
  const margin = ' '.repeat(layout.indent);
  return rows.flatMap(([term, explanation]) => {
    const [first = '', ...others] = wrap(explanation, Math.max(20, layout.width - start));
    const rest = others.map((line) => ' '.repeat(start) + line);
    if (term.length > longest) return [margin + term, ' '.repeat(start) + first, ...rest];
    return [(margin + term.padEnd(longest + layout.gap) + first).trimEnd(), ...rest];
  });
}
