import { parse, TomlError } from 'smol-toml';

/** What is wrong with a text that is not TOML; lines and columns count from 1. */
export interface TomlProblem {
  readonly reason: string;
  readonly line: number;
  readonly column: number;
}

export type TomlResult =
  | { readonly table: Readonly<Record<string, unknown>>; readonly problem?: undefined }
  | { readonly table?: undefined; readonly problem: TomlProblem };

/** Nesting no settings file needs; the parser calls itself once for each. */
const DEEPEST = 32;

/** The door to npm `smol-toml`: TOML 1.0 text to tables without a prototype. Dates come out as objects, which no setting accepts. */
export function parseToml(text: string): TomlResult {
  try {
    return { table: parse(text, { maxDepth: DEEPEST }) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [first = ''] = error.message.split('\n');
    const reason = first.replace(/^Invalid TOML document: /, '');
    return { problem: { reason, line: error.line, column: error.column } };
  }
}
