import { coversAll, LONGEST_COMPARED, matches, mayMatch, plain, type Texts } from './pattern.ts';

/** Patterns of one rule, prepared once: those without `*` are looked up. */
export class Patterns {
  private readonly exact = new Map<string, string>();
  private readonly others: { readonly compared: string; readonly written: string }[] = [];
  private readonly first: string | undefined;

  /** @param namesOf what each pattern is compared as, instead of itself alone */
  constructor(patterns: readonly string[], namesOf: (pattern: string) => readonly string[] = (one) => [one]) {
    [this.first] = patterns;
    for (const written of patterns)
      for (const name of namesOf(written)) {
        const compared = plain(name);
        if (compared.includes('*')) this.others.push({ compared, written });
        else if (!this.exact.has(compared)) this.exact.set(compared, written);
      }
  }

  /** Whether one of the patterns is this very text, without `*`. */
  names(text: string): boolean {
    return this.exact.has(text);
  }

  /** A pattern that one of the texts is like. A text that is too long to be compared is like each of a rule that forbids, and like none of one that allows. */
  like(texts: readonly PlainText[], isAllowing: boolean): string | undefined {
    if (this.first === undefined) return undefined;
    for (const text of texts) {
      if (text === TOO_LONG) {
        if (!isAllowing) return this.first;
        continue;
      }
      const exact = this.exact.get(text);
      if (exact !== undefined) return exact;
      for (const { compared, written } of this.others) if (matches(compared, text)) return written;
    }
    return undefined;
  }

  /** A pattern that all of these texts are like. */
  coversAll(texts: Texts): string | undefined {
    if (!texts.isBeginning) return this.like([texts.text], false);
    return this.others.find(({ compared }) => coversAll(compared, texts))?.written;
  }

  /** The texts of these that the patterns name, and whether there may be more. */
  among(texts: Texts): { readonly named: readonly string[]; readonly mayBeMore: boolean } {
    return {
      named: [...this.exact.keys()].filter((one) => mayMatch(one, texts)),
      mayBeMore: this.others.some(({ compared }) => mayMatch(compared, texts)),
    };
  }
}

const TOO_LONG: unique symbol = Symbol('too long');
/** A text as it is compared. */
export type PlainText = string | typeof TOO_LONG;

export function plainText(text: string): PlainText {
  return text.length > LONGEST_COMPARED ? TOO_LONG : plain(text);
}
