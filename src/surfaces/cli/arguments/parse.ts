import { positionalsFor } from '../../../model/text/positionals.ts';
import { familyOf, findCommand } from './find-command.ts';
import { FORMATS, GLOBAL_FLAGS, isFormat, type Format } from './globals.ts';
import { isSecret, itemsOf, listOf, type ParseStep } from './lists.ts';
import type { Manifest, ManifestCommand, ManifestParameter } from './manifest.ts';
import { secretFlags } from './secret-flags.ts';
import { scan, toValue, type Input, type Piece, type Value } from './scan.ts';
import { UsageError } from './usage-error.ts';
import { usageOf } from './usage-line.ts';

/** The flags that every command accepts. */
export interface Globals {
  /** Default: as configured. */
  readonly format: Format | undefined;
  /** Undefined without --pretty and --no-pretty. */
  readonly pretty: boolean | undefined;
  /** Show the answer in a pager. */
  readonly pager?: boolean | undefined;
  readonly session: string | undefined;
  readonly noDaemon?: boolean | undefined;
  /** Settings given as flags, as their environment variables. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Lowest level of the call's log entries to print. Default: none. */
  readonly logLevel?: 'debug' | 'info' | undefined;
}

export type ParsedLine =
  /** Help for one command, for all whose names start with `family`, or for the whole program. */
  | {
      readonly kind: 'help';
      readonly command: ManifestCommand | undefined;
      readonly family?: string;
      /** Everything about the command, not only what a model needs first. */
      readonly isAll?: boolean;
    }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'run';
      readonly command: ManifestCommand;
      readonly input: Input;
      readonly globals: Globals;
    };

/**
 * Parses a command line. Global flags may appear anywhere before `--`.
 * @throws UsageError
 */
export function parseLine(given: readonly string[], manifest: Manifest): ParsedLine {
  const argv = withoutMcpFlag(given);
  const before = scan(argv, { command: '', parameters: GLOBAL_FLAGS, stopAtBare: true });
  const words = argv.slice(before.used);
  const leading = globalsOf(before.pieces);
  if (leading.get('version') === true) return { kind: 'version' };
  if (words.length === 0) return { kind: 'help', command: undefined };
  if (words[0] === 'help') return helpFor(manifest, words.slice(1));

  if (leading.get('help') === true || asksForHelp(words)) {
    const family = familyOf(manifest, words);
    if (family !== undefined) return { kind: 'help', command: undefined, family };
  }
  const { command, length } = findCommand(manifest, words);
  const isAll = words.includes('--all');
  if (leading.get('help') === true || asksForHelp(words.slice(length)))
    return { kind: 'help', command, ...(isAll ? { isAll } : {}) };

  const parameters = [...flagsAfter(command), ...bareAsFlags(command)];
  const { pieces } = scan(words.slice(length), { command: command.name, parameters });
  const { mine, global } = split(pieces);
  // Bundled with other short flags, as in -ih.
  if (globalsOf(global).get('help') === true) return { kind: 'help', command };
  return {
    kind: 'run',
    command,
    input: inputOf(command, mine, (line) => parseLine(line, manifest)),
    globals: toGlobals([...before.pieces, ...global], command),
  };
}

/** All flags that can follow a command's name: its own take precedence over those of every command. */
export function flagsAfter(command: ManifestCommand): readonly ManifestParameter[] {
  const own = [...command.parameters, ...secretFlags(command)].filter(({ flag }) => flag !== undefined);
  const taken = new Set(own.map(({ flag }) => flag));
  return [...own, ...GLOBAL_FLAGS.filter(({ flag }) => !taken.has(flag) && flag !== 'version')];
}

/** Bare arguments may also be given by their names: `click --ref @e5`, `mouse down --button right`. */
function bareAsFlags(command: ManifestCommand): readonly ManifestParameter[] {
  const taken = new Set(flagsAfter(command).map(({ flag }) => flag));
  return command.parameters
    .filter(({ key, flag }) => flag === undefined && key !== command.rest)
    .map((parameter) => ({ ...parameter, flag: parameter.key.replaceAll('_', '-') }))
    .filter(({ flag }) => !taken.has(flag));
}

/** `--mcp` instead of a command means the command `mcp`. */
function withoutMcpFlag(argv: readonly string[]): readonly string[] {
  const at = argv.indexOf('--mcp');
  if (at === -1) return argv;
  const { used } = scan(argv.slice(0, at), { command: '', parameters: GLOBAL_FLAGS, stopAtBare: true });
  return used === at ? argv.with(at, 'mcp') : argv;
}

/** The output format requested by an invalid command line, if it is recognizable. */
export function formatOf(argv: readonly string[]): Format | undefined {
  const end = argv.indexOf('--');
  const flags = end === -1 ? argv : argv.slice(0, end);
  const asked = flags.map((argument, index) =>
    argument === '--format' ? flags[index + 1] : argument.replace(/^--format=/, ''),
  );
  const given = asked
    .filter((format, index) => flags[index]?.startsWith('--format') === true && isFormat(format))
    .at(-1);
  return isFormat(given) ? given : undefined;
}

function helpFor(manifest: Manifest, words: readonly string[]): ParsedLine {
  const named = words.filter((word) => !word.startsWith('-'));
  const family = familyOf(manifest, named);
  if (family !== undefined) return { kind: 'help', command: undefined, family };
  if (named.length === 0) return { kind: 'help', command: undefined };
  const isAll = words.includes('--all');
  return { kind: 'help', command: findCommand(manifest, named).command, ...(isAll ? { isAll } : {}) };
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).some(
    (argument) => argument === '--help' || argument === '-h',
  );
}

/** A command may have its own --format (for pictures); the value shows which of the two is meant. */
function split(pieces: readonly Piece[]): { mine: Piece[]; global: Piece[] } {
  const isGlobal = (piece: Piece) =>
    piece.kind === 'flag' &&
    (GLOBAL_FLAGS.some((flag) => flag === piece.parameter) ||
      (piece.parameter.flag === 'format' && isFormat(piece.value)));
  return {
    mine: pieces.filter((piece) => !isGlobal(piece)),
    global: pieces.filter((piece) => isGlobal(piece)),
  };
}

function inputOf(command: ManifestCommand, pieces: readonly Piece[], parse: ParseStep): Input {
  const list = listOf(command);
  return list === undefined ? plainInput(command, pieces) : listInput(command, list, pieces, parse);
}

/** The input of a command whose bare arguments make the items of a list. */
function listInput(
  command: ManifestCommand,
  list: ManifestParameter,
  pieces: readonly Piece[],
  parse: ParseStep,
): Input {
  const items = itemsOf(command, list, pieces, parse);
  const input = plainInput(
    command,
    pieces.filter((piece) => piece.kind === 'flag' && !isSecret(piece)),
  );
  if (items !== undefined && input[list.key] !== undefined)
    throw new UsageError(
      command.name,
      `--${list.flag} and bare arguments exclude each other.`,
      `Usage: ${usageOf(command)}.`,
    );
  return items === undefined ? input : { ...input, [list.key]: items };
}

function plainInput(command: ManifestCommand, pieces: readonly Piece[]): Input {
  const input: Input = {};
  const bare: string[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'flag') assign(input, piece.parameter, piece.value, command);
    else if (piece.kind === 'bare') bare.push(piece.text);
    else if (command.rest === undefined) bare.push(...piece.texts);
    else input[command.rest] = [...piece.texts];
  }
  assignBare(input, command, bare);
  return input;
}

function assign(input: Input, parameter: ManifestParameter, value: Value, command: ManifestCommand): void {
  const earlier = input[parameter.key];
  if (parameter.type === 'strings') {
    // Choices contain no commas.
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const added = parameter.values === undefined ? [text] : text.split(',');
    input[parameter.key] = [...(Array.isArray(earlier) ? earlier : []), ...added];
    return;
  }
  if (earlier !== undefined && earlier !== value) {
    throw new UsageError(
      command.name,
      `--${parameter.flag} is given twice, as ${JSON.stringify(earlier)} and ${JSON.stringify(value)}.`,
      'Give it once.',
    );
  }
  input[parameter.key] = value;
}

function assignBare(input: Input, command: ManifestCommand, bare: readonly string[]): void {
  const expected = expectedBare(input, command, bare.length);
  const last = expected.at(-1);
  bare.forEach((text, index) => {
    // If the last one is a list, it takes all remaining arguments.
    const parameter = expected[index] ?? (last?.type === 'strings' ? last : undefined);
    if (parameter === undefined) {
      throw new UsageError(
        command.name,
        `desk ${command.name} does not expect the argument ${JSON.stringify(text.slice(0, 80))}.`,
        `Usage: ${usageOf(command)}. Text with spaces needs quotes.`,
      );
    }
    const value = toValue(parameter, `<${parameter.key}>`, text, command.name);
    const earlier = input[parameter.key];
    input[parameter.key] =
      parameter.type === 'strings' ? [...(Array.isArray(earlier) ? earlier : []), text] : value;
  });
}

/** The parameters that so many bare arguments are for, besides those that flags have given. */
function expectedBare(input: Input, command: ManifestCommand, count: number): readonly ManifestParameter[] {
  const isGiven = (key: string): boolean => input[key] !== undefined;
  const second = command.parameters.filter(
    ({ key, follows }) => follows !== undefined && isGiven(follows) && !isGiven(key),
  );
  const keys = command.positionals ?? (command.bare === undefined ? [] : [command.bare]);
  const all = [...second.map(({ key }) => key), ...keys].flatMap((key) =>
    command.parameters.filter((parameter) => parameter.key === key),
  );
  const isReadElsewhere = secretFlags(command).some(({ key }) => isGiven(key));
  const open = all.filter(
    ({ key, type }) =>
      (type === 'strings' || !isGiven(key)) &&
      // More than one source is an error of its own.
      !(isReadElsewhere && key === command.secret && count < all.length),
  );
  const positionals = open.map((parameter) => ({
    key: parameter.key,
    isRequired: parameter.required === true,
    parameter,
  }));
  return positionalsFor(count, positionals).map(({ parameter }) => parameter);
}

function globalsOf(pieces: readonly Piece[]): ReadonlyMap<string, Value> {
  return new Map(
    pieces.flatMap((piece) => (piece.kind === 'flag' ? [[piece.parameter.key, piece.value]] : [])),
  );
}

function toGlobals(pieces: readonly Piece[], command: ManifestCommand): Globals {
  const given = globalsOf(pieces);
  const format = given.get('json') === true ? 'json' : given.get('format');
  if (format !== undefined && !isFormat(format)) {
    throw new UsageError(
      command.name,
      `--format is ${JSON.stringify(format)}; expected one of ${FORMATS.join(', ')}.`,
      'Leave it out for the usual form.',
    );
  }
  const pretty = given.get('pretty');
  const session = given.get('session');
  return {
    format,
    pretty: typeof pretty === 'boolean' ? pretty : undefined,
    ...(given.get('pager') === true ? { pager: true } : {}),
    session: typeof session === 'string' ? session : undefined,
    noDaemon: given.get('no_daemon') === true,
    ...variablesOf(given),
    logLevel: logLevelOf(given),
  };
}

function variablesOf(given: ReadonlyMap<string, Value>): Pick<Globals, 'variables'> {
  const scope = given.get('sandbox_scope');
  const folder = given.get('tools_dir');
  const variables = {
    ...(typeof scope === 'string' ? { DESKTERITY_SANDBOX_SCOPE: scope } : {}),
    ...(given.get('no_sandbox') === true ? { DESKTERITY_SANDBOX_MODE: 'off' } : {}),
    ...(typeof folder === 'string' ? { DESKTERITY_TOOLS_FOLDER: folder } : {}),
    ...(given.get('sync') === true ? { DESKTERITY_OPERATIONS_SYNCHRONOUS: 'true' } : {}),
  };
  return Object.keys(variables).length === 0 ? {} : { variables };
}

function logLevelOf(given: ReadonlyMap<string, Value>): Globals['logLevel'] {
  if (given.get('verbose') === true) return 'debug';
  return given.get('log_to_stderr') === true ? 'info' : undefined;
}
