/**
 * An answer as a person reads it at a terminal: lines and tables of words with a tone. The surface decides on width and colours, and makes
 * control characters visible, so that a page may contain any text of an application.
 */

/** What a word means to the reader; never a colour. */
export type Tone = 'good' | 'doubtful' | 'bad' | 'quiet' | 'strong' | 'reference' | 'role' | 'name' | 'value';

export interface Span {
  readonly text: string;
  readonly tone?: Tone | undefined;
}

/** Texts and spans in a row. */
export type Words = string | Span | readonly (string | Span)[];

/** How a column gives way when the terminal is narrow; others keep their width. */
export type Narrowing = 'clip' | 'wrap';

export interface Column {
  readonly title: string;
  readonly align?: 'right';
  readonly narrow?: Narrowing;
}

export type Block =
  | {
      readonly kind: 'line';
      readonly words: Words;
      /** Columns before the line and before its continuations. */
      readonly indent: number;
      /** Not broken by us, so that a command in it can be copied. */
      readonly isWhole?: true;
    }
  | {
      readonly kind: 'table';
      readonly columns: readonly Column[];
      readonly rows: readonly (readonly Words[])[];
      readonly indent: number;
      /** Without a row of titles. */
      readonly isBare?: true;
    }
  /** Lines in the grammar of outlines, see `tree/outline.ts`. */
  | { readonly kind: 'outline'; readonly text: string }
  /** Text of another source, as it is. */
  | { readonly kind: 'verbatim'; readonly text: string };

export type Page = readonly Block[];

export function span(text: string, tone: Tone): Span {
  return { text, tone };
}

export function line(words: Words, indent = 0): Block {
  return { kind: 'line', words, indent };
}

/** A line that names a next step: it is not broken, so that a command in it can be copied. */
export function nextStep(text: string, indent = 0): Block {
  return { kind: 'line', words: [span('→ ', 'quiet'), text], indent, isWhole: true };
}

export function table(columns: readonly Column[], rows: readonly (readonly Words[])[], indent = 0): Block {
  return { kind: 'table', columns, rows, indent };
}

/** Pairs of a name and a value, without a row of titles. */
export function facts(pairs: readonly (readonly [name: string, value: Words])[], indent = 0): Block {
  return {
    kind: 'table',
    columns: [{ title: '' }, { title: '', narrow: 'wrap' }],
    rows: pairs.map(([name, value]) => [span(name, 'quiet'), value]),
    indent,
    isBare: true,
  };
}

/** Whether something is as it should be. */
export function mark(isGood: boolean): Span {
  return isGood ? span('✓', 'good') : span('✗', 'bad');
}

export function spansOf(words: Words): readonly Span[] {
  if (typeof words === 'string') return [{ text: words }];
  if ('text' in words) return [words];
  return words.map((word) => (typeof word === 'string' ? { text: word } : word));
}
