/** Longer texts are not compared: they match every pattern of a list that denies, and none of a list that allows. */
export const LONGEST_COMPARED = 4096;

/** Whether a text is like a pattern, both {@link plain}, in which `*` stands for any characters. The time is bounded by the product of the lengths. */
export function matches(wanted: string, given: string): boolean {
  let [at, position, star, resume] = [0, 0, -1, 0];
  while (position < given.length) {
    if (wanted[at] === '*') {
      star = at++;
      resume = position;
    } else if (at < wanted.length && wanted[at] === given[position]) {
      at += 1;
      position += 1;
    } else if (star >= 0) {
      at = star + 1;
      position = ++resume;
    } else return false;
  }
  while (wanted[at] === '*') at += 1;
  return at === wanted.length;
}

/** Different spellings of one name become the same: case, width, composed letters, invisible characters. */
export function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Cc}]/gu, '')
    .trim()
    .toLowerCase();
}

/** Texts that a pattern may be about: one, or all that begin with it. */
export interface Texts {
  /** As {@link plain}. */
  readonly text: string;
  readonly isBeginning: boolean;
}

/** Whether a pattern matches all of these texts. */
export function coversAll(wanted: string, { text, isBeginning }: Texts): boolean {
  if (!isBeginning) return matches(wanted, text);
  // A further character may be one that the pattern does not have.
  return wanted.endsWith('*') && beginnings(text).some((part) => matches(wanted.replace(/\*+$/, ''), part));
}

/** Whether a pattern matches one of these texts. */
export function mayMatch(wanted: string, { text, isBeginning }: Texts): boolean {
  return isBeginning ? beginnings(wanted).some((part) => matches(part, text)) : matches(wanted, text);
}

function beginnings(text: string): string[] {
  return Array.from({ length: text.length + 1 }, (_, length) => text.slice(0, length));
}
