import { GLOBAL_FLAGS } from '../arguments/globals.ts';
import type { Manifest, ManifestCommand, ManifestParameter } from '../arguments/manifest.ts';
import { estimateTokens } from '../../../model/tree/tokens/estimate-tokens.ts';
import type { CommandManual, Manual } from './manual.ts';
import { secretFlags } from '../arguments/secret-flags.ts';
import { synopsisOf, usageOf } from '../arguments/usage-line.ts';

export interface HelpStyle {
  readonly width: number;
  readonly colour: boolean;
}

/** First command lines for a newcomer; a test parses them. */
export const FIRST_STEPS: readonly Row[] = [
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
    ...section('First steps', FIRST_STEPS, style, 50),
  ];
  for (const group of manual.groups) {
    const rows = manifest.commands.flatMap((command): Row[] => {
      const about = manual.commands[command.name];
      return about?.group === group.id ? [[synopsisOf(command), about.summary]] : [];
    });
    lines.push(...section(group.title, rows, style, 26));
  }
  const flags = GLOBAL_FLAGS.map((parameter): Row => [flagTerm(parameter), parameter.help ?? '']);
  const exits = manual.exitCodes.map(({ code, meaning }): Row => [String(code), meaning]);
  lines.push(
    ...section('Flags of every command', flags, style, 40),
    ...section('Exit codes', exits, style, 4),
  );
  lines.push('', '"desk <command> --help" shows its parameters and examples.');
  return `${lines.join('\n')}\n`;
}

/** Help for all commands whose names start with one word. */
export function familyHelp(family: string, manifest: Manifest, manual: Manual, style: HelpStyle): string {
  const title = heading(style);
  const rows = manifest.commands
    .filter(({ name }) => name.startsWith(`${family} `))
    .map((command): Row => [synopsisOf(command), manual.commands[command.name]?.summary ?? '']);
  return [
    `${title('Usage:')} desk ${family} <command> [arguments] [flags]`,
    ...section('Commands', rows, style, 40),
    '',
    `"desk ${family} <command> --help" shows its parameters and examples.`,
    '',
  ].join('\n');
}

/** Most tokens of the help of one command by our estimate, which is on the safe side: a test counts that none has more than 300. */
const MOST_TOKENS = 330;

/** How much of the help of one command is left out. Each step leaves out what the one before it does, and more. */
const LEFT_OUT = [
  'nothing',
  'examples',
  'explanations',
  'second example',
  'description',
  'flags',
  'arguments',
] as const;
type LeftOut = (typeof LEFT_OUT)[number];

/** Help for one command: what fits into {@link MOST_TOKENS}, or everything. */
export function commandHelp(
  command: ManifestCommand,
  about: CommandManual,
  style: HelpStyle,
  isAll = false,
): string {
  const whole = helpWithout('nothing', command, about, style);
  if (isAll || fits(whole)) return whole;
  const shorter = LEFT_OUT.slice(1).map((leftOut) => helpWithout(leftOut, command, about, style));
  return shorter.find((text) => fits(text)) ?? shorter.at(-1) ?? whole;
}

function fits(text: string): boolean {
  return estimateTokens(text) <= MOST_TOKENS;
}

function helpWithout(
  leftOut: LeftOut,
  command: ManifestCommand,
  whole: CommandManual,
  style: HelpStyle,
): string {
  const title = heading(style);
  const lacks = (what: LeftOut): boolean => LEFT_OUT.indexOf(leftOut) >= LEFT_OUT.indexOf(what);
  const about = lacks('explanations') ? withFirstSentences(whole) : whole;
  const lines = [...wrap(about.summary, style.width), '', `${title('Usage:')} ${usageOf(command)}`];
  if (command.aliases !== undefined)
    lines.push(`${title('Also:')} ${command.aliases.map((alias) => `desk ${alias}`).join(', ')}`);
  if (about.description !== undefined && !lacks('description'))
    lines.push('', ...wrap(about.description, style.width));
  const bare = command.parameters.filter(({ flag }) => flag === undefined);
  const flags = [...command.parameters.filter(({ flag }) => flag !== undefined), ...secretFlags(command)];
  const bareRows = bare.map((parameter): Row => [parameter.key, explain(parameter, about)]);
  const flagRows = flags.map((parameter): Row => [flagTerm(parameter), explain(parameter, about)]);
  if (lacks('arguments'))
    lines.push(
      ...section(
        'Arguments',
        bareRows.map(([term]): Row => [term, '']),
        style,
        30,
      ),
    );
  else lines.push(...section('Arguments', bareRows, style, 30));
  if (lacks('flags') && flagRows.length > 0)
    lines.push('', ...wrap(`${title('Flags:')} ${flagRows.map(([term]) => term).join(', ')}`, style.width));
  else lines.push(...section('Flags', flagRows, style, 30));
  lines.push('', title('Examples'));
  const examples = lacks('second example') ? 1 : lacks('examples') ? 2 : about.examples.length;
  for (const example of about.examples.slice(0, examples))
    lines.push(`  # ${example.about}`, `  ${example.line}`);
  const more =
    leftOut === 'nothing'
      ? 'Flags of every command: "desk --help".'
      : `Shortened; "desk ${command.name} --help --all" shows everything.`;
  return `${[...lines, '', more].join('\n')}\n`;
}

function withFirstSentences({ description, parameters, ...about }: CommandManual): CommandManual {
  return {
    ...about,
    ...(description === undefined ? {} : { description: firstSentence(description) }),
    parameters: Object.fromEntries(
      Object.entries(parameters).map(([key, text]) => [key, firstSentence(text)]),
    ),
  };
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s+[A-Z]|$)/s.exec(text)?.[0] ?? text;
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

/** A term and its explanation. */
type Row = readonly [string, string];

/** A blank line, a heading and its rows; nothing without rows. */
function section(title: string, rows: readonly Row[], style: HelpStyle, widest: number): string[] {
  return rows.length === 0 ? [] : ['', heading(style)(title), ...columns(rows, style.width, widest)];
}

const INDENT = 2;
const GAP = 2;

/** Breaks text into lines of at most `width` characters, at spaces. */
function wrap(text: string, width: number): string[] {
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

/** Two columns: a term and its wrapped explanation. A term longer than `widest` gets its own line. */
function columns(rows: readonly Row[], width: number, widest: number): string[] {
  const longest = Math.max(0, ...rows.map(([term]) => term.length).filter((length) => length <= widest));
  const start = INDENT + longest + GAP;
  const margin = ' '.repeat(INDENT);
  return rows.flatMap(([term, explanation]) => {
    const [first = '', ...others] = wrap(explanation, Math.max(20, width - start));
    const rest = others.map((line) => ' '.repeat(start) + line);
    if (term.length > longest) return [margin + term, ' '.repeat(start) + first, ...rest];
    return [(margin + term.padEnd(longest + GAP) + first).trimEnd(), ...rest];
  });
}
