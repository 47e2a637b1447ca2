import { mentionCommand } from '../../../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../../../model/effects/errors.ts';

/** One thing that a key gives. */
export interface TextUnit {
  /** A code point, line feed, or tabulator. */
  readonly character: string;
  /** Code points of the text up to and with this one. */
  readonly end: number;
}

/**
 * The characters to be typed one after the other; each of the line ends `\n`, `\r` and `\r\n` is one line feed.
 * @throws DeskterityError INVALID_ARGUMENT for what no key can give: control characters, half surrogate pairs, non-characters
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
  throw new DeskterityError('INVALID_ARGUMENT', `U+${code} cannot be typed: no key gives it.`, {
    suggestion: `Leave it out, or press a key by its name: ${mentionCommand('press')} Escape, ${mentionCommand('press')} ctrl+c.`,
    delivered: false,
  });
}
