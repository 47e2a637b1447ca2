import type { ActNote, Explained, KnownActs } from '../../model/journal/attribute.ts';

const MOST_ACTS = 300;
const MOST_WITHHELD = 2000;

/** What sessions did on one desktop lately, and what is known of its effects. */
export class ActRecord implements KnownActs {
  readonly acts: ActNote[] = [];
  readonly explained: Explained[] = [];
  private readonly withheld = new Set<string>();

  note(act: ActNote): void {
    this.acts.push(act);
    if (this.acts.length > MOST_ACTS) this.acts.shift();
  }

  /** An act was found to have changed these. */
  explain(explained: Explained): void {
    this.explained.push(explained);
    if (this.explained.length > MOST_ACTS) this.explained.shift();
  }

  /** A secret is written into this element. */
  withhold(key: string): void {
    this.withheld.add(key);
    for (const oldest of this.withheld) {
      if (this.withheld.size <= MOST_WITHHELD) break;
      this.withheld.delete(oldest);
    }
  }

  isWithheld(key: string): boolean {
    return this.withheld.has(key);
  }
}
