import { DeskterityError } from '../../effects/errors.ts';
import { quoteClipped, unquote } from '../../text/untrusted-text.ts';

/** Reads a locator from left to right and reports where it fails. */
export class Scanner {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Takes what the pattern, which must be sticky, matches here, if anything. */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  /** A text in quotes with the escapes that answers use, or a word without them. */
  takeValue(word: RegExp, expected: string): string {
    const from = this.at;
    const quoted = this.takeQuoted();
    if (quoted !== undefined) return this.unescape(quoted, from);
    const bare = this.take(word);
    if (bare === undefined) throw this.expected(expected);
    return bare;
  }

  /** A pattern in quotes: only the quote itself is escaped, so that backslashes need not be doubled. */
  takePattern(): string {
    const quoted = this.takeQuoted();
    if (quoted === undefined) throw this.expected('a pattern in quotes');
    const mark = quoted.slice(0, 1);
    return quoted
      .slice(1, -1)
      .replaceAll(/\\([\s\S])/g, (pair, next: string) => (next === mark ? next : pair));
  }

  expected(what: string, at = this.at): DeskterityError {
    const found = at >= this.text.length ? 'it ends' : `found ${quoteClipped(this.text.slice(at), 20)}`;
    return this.problem(`expected ${what}, but ${found}`, at);
  }

  /** @param suggestion how to write it; by default an example of each form */
  problem(why: string, at: number, suggestion?: string): DeskterityError {
    return new DeskterityError(
      'INVALID_ARGUMENT',
      `${quoteClipped(this.text)} is neither an element reference like @e7 nor a locator: at character ${at + 1}, ${why}.`,
      { suggestion: suggestion ?? LOCATOR_FORMS },
    );
  }

  private takeQuoted(): string | undefined {
    const mark = this.text[this.at];
    if (mark !== '"' && mark !== "'") return undefined;
    const quoted = this.take(mark === '"' ? /"(?:[^"\\]|\\[\s\S])*"/y : /'(?:[^'\\]|\\[\s\S])*'/y);
    if (quoted === undefined) throw this.problem(`the quote ${mark} is never closed`, this.at);
    return quoted;
  }

  private unescape(quoted: string, from: number): string {
    const inside = quoted.slice(1, -1);
    const text = quoted.startsWith("'")
      ? inside.replaceAll(/\\[\s\S]|"/g, (part) => (part === '"' ? '\\"' : part === "\\'" ? "'" : part))
      : inside;
    try {
      return unquote(`"${text}"`);
    } catch {
      throw this.problem(
        String.raw`the text in quotes has an escape that is not \" \\ \n \r \t or \u{…}`,
        from,
        String.raw`Write a backslash as \\.`,
      );
    }
  }
}

export const LOCATOR_FORMS =
  'Write a reference such as @e7, or role:button[name="Save"], text:"Save as", label:"Name", id:save, path:toolbar/button[2] or cell:B2.';
