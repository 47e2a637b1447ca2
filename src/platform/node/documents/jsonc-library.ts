import { createScanner, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import type { TextPlace, TextProblem } from '../../../ports/documents.ts';

export type JsonNode = Node;

export type JsonResult =
  /** No root: the text contains only space and comments. */
  | { readonly root: JsonNode | undefined; readonly problem?: undefined }
  | { readonly root?: undefined; readonly problem: TextProblem };

/** A token between values. */
export interface JsonTrivia {
  readonly kind: 'comma' | 'comment' | 'line break' | 'space';
  readonly start: number;
  readonly end: number;
}

/** Deeper than any settings file; the parser is recursive. */
const DEEPEST = 256;

/** The library's token numbers: its enumerations exist only as types. */
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

/** The only import of npm `jsonc-parser`: parses JSON to a tree with offsets. `comments` also allows trailing commas. */
export function parseJson(text: string, { comments }: { readonly comments: boolean }): JsonResult {
  const deep = tooDeep(text);
  if (deep !== undefined) return { problem: { ...positionOf(text, deep), reason: 'nested too deeply' } };
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

/** The commas, comments and space from a place up to the next other token. */
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

function positionOf(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
