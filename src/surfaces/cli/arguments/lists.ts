import { isRecord } from '../../../model/is-record.ts';
import { FROM_INPUT, parsedJson, type JsonList } from './json-list.ts';
import type { ManifestCommand, ManifestParameter } from './manifest.ts';
import type { Input, Piece } from './scan.ts';
import { FROM_ENV, FROM_STDIN } from './secret-flags.ts';
import { UsageError } from './usage-error.ts';
import { usageOf } from './usage-line.ts';
import { splitWords } from './words.ts';

/** A step as parsed from its command line. */
export interface ParsedStep {
  readonly kind: 'run';
  readonly command: { readonly name: string };
  readonly input: Input;
  /** Flags of every command. */
  readonly globals: object;
}

/** Parses a command line without the program's name. */
export type ParseStep = (words: readonly string[]) => ParsedStep | { readonly kind: 'help' | 'version' };

/** The parameter whose items bare arguments make, if the command has one. */
export function listOf({ parameters }: Pick<ManifestCommand, 'parameters'>): ManifestParameter | undefined {
  return parameters.find(({ bare }) => bare !== undefined);
}

/**
 * The list that these arguments make, apart from those of other parameters; a text is the name of the file that has it. `undefined` if there are
 * none.
 * @throws UsageError
 */
export function itemsOf(
  command: ManifestCommand,
  { bare: form }: ManifestParameter,
  pieces: readonly Piece[],
  parse: ParseStep,
): JsonList | string | undefined {
  const texts = pieces.flatMap((piece) =>
    piece.kind === 'bare' ? [piece.text] : piece.kind === 'rest' ? [...piece.texts] : [],
  );
  if (texts.length === 1 && texts[0] === FROM_INPUT) return FROM_INPUT;
  if (form === 'file') return fileOf(command, texts);
  const items =
    form === 'pairs' ? pairs(command, pieces) : texts.map((text) => stepFrom(command, text, parse));
  return items.length === 0 ? undefined : items;
}

function fileOf(command: ManifestCommand, [file, second]: readonly string[]): string | undefined {
  if (second === undefined) return file;
  throw new UsageError(
    command.name,
    `desk ${command.name} takes one file; ${JSON.stringify(second.slice(0, 80))} is one more argument.`,
    `Usage: ${usageOf(command)}.`,
  );
}

/** TARGET VALUE …, where `--from-env NAME` or `--from-stdin` can stand for a VALUE. */
function pairs(command: ManifestCommand, pieces: readonly Piece[]): JsonList {
  const items: Readonly<Record<string, unknown>>[] = [];
  let target: string | undefined;
  const add = (value: Readonly<Record<string, unknown>>): void => {
    if (target === undefined)
      throw new UsageError(
        command.name,
        'A secret stands where the VALUE of a TARGET would stand.',
        `Write desk ${command.name} TARGET --from-env NAME.`,
      );
    items.push({ target, ...value });
    target = undefined;
  };
  const word = (text: string): void => {
    if (target === undefined) target = text;
    else add({ value: text });
  };
  for (const piece of pieces) {
    if (piece.kind === 'bare') word(piece.text);
    else if (piece.kind === 'rest') piece.texts.forEach((text) => word(text));
    else if (isSecret(piece)) add({ [piece.parameter.key]: piece.value });
  }
  if (target === undefined) return items;
  throw new UsageError(
    command.name,
    `The last target, ${JSON.stringify(target.slice(0, 80))}, has no value.`,
    `Usage: ${usageOf(command)}. An empty value is ''; text with spaces needs quotes.`,
  );
}

/** Whether a flag says where the value of the target before it comes from. */
export function isSecret(piece: Piece): boolean {
  return piece.kind === 'flag' && (piece.parameter.key === FROM_ENV || piece.parameter.key === FROM_STDIN);
}

/** One command line in one argument; a leading "desk" is ignored. */
export function stepFrom(
  command: ManifestCommand,
  text: string,
  parse: ParseStep,
): Readonly<Record<string, unknown>> {
  if (text.trimStart().startsWith('{')) return objectFrom(command.name, text);
  const [first, ...others] = splitWords(text);
  const words = first === undefined || first === 'desk' ? others : [first, ...others];
  const parsed = words.length === 0 ? undefined : parse(words);
  const shown = JSON.stringify(text.slice(0, 80));
  if (parsed?.kind !== 'run')
    throw new UsageError(command.name, `The step ${shown} is not a command.`, EXAMPLE);
  if (Object.values(parsed.globals).some((value) => value !== undefined && value !== false))
    throw new UsageError(
      command.name,
      `The step ${shown} has a flag that belongs to the whole call.`,
      `Write it after desk ${command.name}, outside the step.`,
    );
  return { command: parsed.command.name, ...parsed.input };
}

const EXAMPLE = `Write each step in quotes, as after desk: 'click "role:button[name=Save]"'.`;

function objectFrom(command: string, text: string): Readonly<Record<string, unknown>> {
  const value = parsedJson(command, text);
  if (isRecord(value)) return value;
  throw new UsageError(command, 'A step is neither a command line nor a JSON object.', EXAMPLE);
}
