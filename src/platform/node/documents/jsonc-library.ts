import { createScanner, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';

export type JsonNode = Node;

/** What is wrong with a text that is not JSON; lines and columns count from 1. */
export interface JsonProblem {
  readonly reason: string;
  readonly line: number;
  readonly column: number;
}

export type JsonResult =
  /** No root: the text holds nothing but space and comments. */
  | { readonly root: JsonNode | undefined; readonly problem?: undefined }
  | { readonly root?: undefined; readonly problem: JsonProblem };

/** What stands between values. */
export interface JsonTrivia {
  readonly kind: 'comma' | 'comment' | 'line break' | 'space';
  readonly start: number;
  readonly end: number;
}

/** Nesting no settings file needs; the parser calls itself for each. */
const DEEPEST = 256;

/** Of the library, by its numbers: the names of its enumerations exist only for its types. */
const SCANNED: Readonly<Record<number, JsonTrivia['kind'] | 'opening' | 'closing' | 'end'>> = {
  1: 'opening',
  2: 'closing',
  3: 'opening',
  4: 'closing',
  5: 'comma',
  12: 'comment',
  13: 'comment',
  14: 'line break',
  15: 'space',
  17: 'end',
};

/** The door to npm `jsonc-parser`: JSON to a tree with places. With comments come trailing commas. */
export function parseJson(text: string, { comments }: { readonly comments: boolean }): JsonResult {
  const deep = tooDeep(text);
  if (deep !== undefined) return { problem: { ...positionOf(text, deep), reason: 'is nested too deeply' } };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, {
    disallowComments: !comments,
    allowTrailingComma: comments,
    allowEmptyContent: true,
  });
  const [first] = errors;
  if (first === undefined) return { root };
  const reason = printParseErrorCode(first.error)
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
  return { problem: { ...positionOf(text, first.offset), reason } };
}

/** Commas, comments and space from a place on, up to the first thing that is something else. */
export function* triviaFrom(text: string, offset: number): Generator<JsonTrivia> {
  const scanner = createScanner(text, false);
  scanner.setPosition(offset);
  for (;;) {
    const kind = SCANNED[scanner.scan()];
    if (kind === undefined || kind === 'opening' || kind === 'closing' || kind === 'end') return;
    const start = scanner.getTokenOffset();
    yield { kind, start, end: start + scanner.getTokenLength() };
  }
}

function tooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (;;) {
    const kind = SCANNED[scanner.scan()];
    if (kind === 'end') return undefined;
    if (kind === 'opening') depth += 1;
    if (kind === 'closing') depth -= 1;
    if (depth > DEEPEST) return scanner.getTokenOffset();
  }
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
