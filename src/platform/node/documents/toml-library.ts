import { parse, TomlError } from 'smol-toml';
import type { TextProblem } from '../../../ports/documents.ts';

export type TomlResult =
  | { readonly table: Readonly<Record<string, unknown>>; readonly problem?: undefined }
  | { readonly table?: undefined; readonly problem: TextProblem };

/** Deeper than any settings file; the parser is recursive. */
const DEEPEST = 32;

/** The only import of npm `smol-toml`: parses TOML 1.0 to tables without a prototype. Dates become objects, which no setting accepts. */
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
