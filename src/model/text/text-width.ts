import { characterWidth } from './character-width.ts';

const PRINTABLE_ASCII = /^[ -~]*$/;

/** Columns that a text takes in a terminal. */
export function textWidth(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character.codePointAt(0) ?? 0);
  return width;
}

/** The longest beginning of a text that fits into `columns`; never half of a wide character. */
export function beginningOf(text: string, columns: number): string {
  let width = 0;
  let end = 0;
  for (const character of text) {
    width += characterWidth(character.codePointAt(0) ?? 0);
    if (width > columns) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** A text of at most `columns` columns, which ends with … if it was cut. */
export function fitInto(text: string, columns: number): string {
  return textWidth(text) <= columns ? text : `${beginningOf(text, Math.max(columns - 1, 0))}…`;
}
