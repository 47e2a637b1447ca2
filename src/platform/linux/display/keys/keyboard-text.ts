import { mentionCommand } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';

/** One character to type. */
export interface TextUnit {
  /** A code point, line feed or tab. */
  readonly character: string;
  /** Number of code points of the text up to and including this one. */
  readonly end: number;
}

/**
 * The characters to type in order; each line ending `\n`, `\r` or `\r\n` is one line feed.
 * @throws DeskterityError INVALID_ARGUMENT for what no key can produce: control characters, lone surrogates, noncharacters
 */
export function textUnits(text: string): readonly TextUnit[] {
  checkTypable(text);
  const units: TextUnit[] = [];
  let end = 0;
  let before = '';
  for (const character of text) {
    end += 1;
    if (before === '\r' && character === '\n') units.pop();
    units.push({ character: character === '\r' ? '\n' : character, end });
    before = character;
  }
  return units;
}

/** @throws DeskterityError INVALID_ARGUMENT; see {@link textUnits} */
export function checkTypable(text: string): void {
  const odd = /[\p{Cs}\p{Noncharacter_Code_Point}]|(?![\n\t\r])\p{Cc}/u.exec(text)?.[0];
  if (odd === undefined) return;
  const code = (odd.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  throw new DeskterityError('INVALID_ARGUMENT', `U+${code} cannot be typed: no key produces it.`, {
    suggestion: `Omit it, or press a key by its name: ${mentionCommand('press')} Escape, ${mentionCommand('press')} ctrl+c.`,
    delivered: false,
  });
}
