import { parseGivenJson } from '../../../model/given-json.ts';
import { isRecord } from '../../../model/is-record.ts';
import { nearest } from '../../../model/text/nearest.ts';
import { scopeAdvice } from '../../../model/text/scope-advice.ts';
import { FROM_INPUT, listFrom } from './json-list.ts';
import type { ManifestParameter } from './manifest.ts';
import { UsageError } from './usage-error.ts';

/** A value on the command line. */
export type Value =
  | string
  | number
  | boolean
  | Readonly<Record<string, unknown>>
  | readonly Readonly<Record<string, unknown>>[];

/** The input of a command as parsed from the command line. */
export type Input = Record<string, Value | string[]>;

/** The parsed arguments, in order. */
export type Piece =
  | { readonly kind: 'flag'; readonly parameter: ManifestParameter; readonly value: Value }
  | { readonly kind: 'bare'; readonly text: string }
  /** What follows `--`. */
  | { readonly kind: 'rest'; readonly texts: readonly string[] };

export interface ScanOptions {
  /** For messages. */
  readonly command: string;
  readonly parameters: readonly ManifestParameter[];
  /** Stop before the first bare argument. */
  readonly stopAtBare?: boolean;
}

/** Separates flags, their values and bare arguments. Also returns the number of arguments used. */
export function scan(argv: readonly string[], options: ScanOptions): { pieces: Piece[]; used: number } {
  const pieces: Piece[] = [];
  let index = 0;
  while (index < argv.length) {
    const argument = argv[index] ?? '';
    if (!looksLikeFlag(argument)) {
      if (options.stopAtBare === true) break;
      pieces.push({ kind: 'bare', text: argument });
      index += 1;
    } else if (argument === '--') {
      pieces.push({ kind: 'rest', texts: argv.slice(index + 1) });
      index = argv.length;
    } else {
      const read = argument.startsWith('--') ? readLong : readShorts;
      const { found, used } = read(argument, argv[index + 1], options);
      pieces.push(...found);
      index += used;
    }
  }
  return { pieces, used: index };
}

interface Read {
  readonly found: readonly Piece[];
  readonly used: number;
}

/** `-5`, `-.5` and `-` are bare arguments. */
export function looksLikeFlag(argument: string): boolean {
  return argument.length > 1 && argument.startsWith('-') && !/^-\.?\d/.test(argument);
}

function readLong(argument: string, next: string | undefined, options: ScanOptions): Read {
  const equals = argument.indexOf('=');
  const name = argument.slice(2, equals === -1 ? undefined : equals);
  const given = equals === -1 ? undefined : argument.slice(equals + 1);
  const parameter = options.parameters.find(({ flag }) => flag === name);
  if (parameter !== undefined) return withValue(parameter, `--${name}`, given, next, options);
  const negated = name.startsWith('no-')
    ? options.parameters.find(({ flag, type }) => type === 'boolean' && flag === name.slice(3))
    : undefined;
  if (negated !== undefined && given === undefined)
    return { found: [{ kind: 'flag', parameter: negated, value: false }], used: 1 };
  throw unknownFlag(`--${name}`, options);
}

function readShorts(argument: string, next: string | undefined, options: ScanOptions): Read {
  const found: Piece[] = [];
  for (let at = 1; at < argument.length; at += 1) {
    const letter = argument.charAt(at);
    const parameter = options.parameters.find(({ short }) => short === letter);
    if (parameter === undefined) throw unknownFlag(argument, options);
    if (parameter.type !== 'boolean') {
      const attached = argument.slice(at + 1);
      const { found: last, used } = withValue(
        parameter,
        `-${letter}`,
        attached === '' ? undefined : attached,
        next,
        options,
      );
      return { found: [...found, ...last], used };
    }
    found.push({ kind: 'flag', parameter, value: true });
  }
  return { found, used: 1 };
}

function withValue(
  parameter: ManifestParameter,
  label: string,
  given: string | undefined,
  next: string | undefined,
  options: ScanOptions,
): Read {
  if (parameter.type === 'boolean') {
    if (given !== undefined && given !== 'true' && given !== 'false') {
      throw new UsageError(
        options.command,
        `${label} is ${JSON.stringify(given)}; expected true or false.`,
        `Write just ${label} to enable it.`,
      );
    }
    return { found: [{ kind: 'flag', parameter, value: given !== 'false' }], used: 1 };
  }
  const text = given ?? next;
  if (text === undefined || (given === undefined && looksLikeFlag(text))) {
    throw new UsageError(
      options.command,
      `${label} needs a value.`,
      text === undefined
        ? `Write ${label} VALUE.`
        : `Write a value that starts with a dash as ${label}=${text}`,
    );
  }
  return {
    found: [{ kind: 'flag', parameter, value: toValue(parameter, label, text, options.command) }],
    used: given === undefined ? 2 : 1,
  };
}

/** Converts text to the parameter's type; the command itself checks ranges and choices. */
export function toValue(parameter: ManifestParameter, label: string, text: string, command: string): Value {
  const { type } = parameter;
  if (type === 'string' || type === 'strings') return text;
  if (type === 'object') return toObject(label, text, command);
  if (type === 'objects') return text === FROM_INPUT ? text : listFrom(command, text);
  const expected = type === 'boolean' ? 'true or false' : 'a number';
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (type !== 'boolean' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text)) return Number(text);
  throw new UsageError(
    command,
    `${label} is ${JSON.stringify(text)}; expected ${expected}.`,
    `Run "desk ${command} --help" to see its parameters.`,
  );
}

function toObject(label: string, text: string, command: string): Readonly<Record<string, unknown>> {
  try {
    const value = parseGivenJson(text);
    if (isRecord(value)) return value;
  } catch {
    // Reported below.
  }
  throw new UsageError(
    command,
    `${label} is ${JSON.stringify(text.slice(0, 80))}; expected a JSON object.`,
    `Write it in single quotes, such as '{"name": "value"}'.`,
  );
}

function unknownFlag(given: string, { command, parameters }: ScanOptions): UsageError {
  const flags = parameters.flatMap(({ flag }) => (flag === undefined ? [] : [flag]));
  const name = given.replace(/^-+(no-)?/, '').replace(/=.*/s, '');
  const close = nearest(name, flags);
  const advice = scopeAdvice(
    name,
    parameters.map(({ key }) => key),
  );
  const help = command === '' ? 'desk --help' : `desk ${command} --help`;
  return new UsageError(
    command,
    `${command === '' ? 'desk' : `desk ${command}`} has no flag ${given.slice(0, 80)}.`,
    advice ?? (close === undefined ? `Run "${help}" to see its flags.` : `Did you mean --${close}?`),
  );
}
