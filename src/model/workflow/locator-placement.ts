import { DeskterityError } from '../effects/errors.ts';
import { parseRef } from '../refs/ref.ts';
import { quote } from '../text/untrusted-text.ts';
import type { Placement } from './references.ts';

/** Outside of quotes these cannot end a name and begin another part of the locator. */
const PLAIN_WORD = /^[\p{L}\p{N}_.-]+$/u;

/**
 * How values get into locators. Answers contain texts of applications, and such a text must never change which element is meant: between quotes it
 * is escaped, elsewhere it must be a plain word, and alone it must be a reference such as @e7. Parameters are the caller's own.
 */
export const IN_LOCATOR: Placement = {
  inside: (value, before, { text, head }) => {
    const mark = openQuote(before);
    if (mark === undefined) {
      if (head === 'param' || PLAIN_WORD.test(value)) return value;
      throw invalid(`${text} has more than letters and digits, so that it must stand between quotes.`, text);
    }
    if (/~=?\s*["']$/.test(before.slice(0, before.lastIndexOf(mark) + 1)) && head !== 'param')
      throw invalid(`${text} cannot be a part of a pattern.`, text);
    const escaped = quote(value).slice(1, -1);
    return mark === '"' ? escaped : escaped.replaceAll('\\"', '"').replaceAll("'", "\\'");
  },
  alone: (value, { text, head }) => {
    if (head === 'param' || (typeof value === 'string' && parseRef(value) !== undefined)) return value;
    throw invalid(`${text} is not a reference such as @e7.`, text);
  },
};

/** The quote that is open at the end of a part of a locator. */
function openQuote(part: string): '"' | "'" | undefined {
  let open: '"' | "'" | undefined;
  for (let at = 0; at < part.length; at += 1) {
    const character = part.charAt(at);
    if (character === '\\' && open !== undefined) at += 1;
    else if (character === open) open = undefined;
    else if (open === undefined && (character === '"' || character === "'")) open = character;
  }
  return open;
}

function invalid(message: string, reference: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', message, {
    suggestion: `Write it as in role:button[name="${reference}"].`,
    delivered: false,
  });
}
