import type { ProofRow } from '../row.ts';

const KEPT_FAILURES = 5;

interface Attempt {
  readonly hasArrived: boolean;
  /** Of the receipt, or a sentence. */
  readonly effect: string;
  readonly hasLostKeys: boolean;
  /** What of the user is elsewhere. */
  readonly moved: readonly string[];
}

/** How one act went, over all rounds. */
export class Tally {
  readonly row: string;
  #repeats = 0;
  #passes = 0;
  #falselyConfirmed = 0;
  #lostKeys = 0;
  #moved = 0;
  readonly #failures: string[] = [];

  constructor(row: string) {
    this.row = row;
  }

  note({ hasArrived, effect, hasLostKeys, moved }: Attempt): void {
    this.#repeats++;
    if (!hasArrived && effect === 'confirmed') this.#falselyConfirmed++;
    if (hasLostKeys) this.#lostKeys++;
    if (moved.length > 0) this.#moved++;
    if (hasArrived && !hasLostKeys && moved.length === 0) {
      this.#passes++;
      return;
    }
    if (this.#failures.length === KEPT_FAILURES) return;
    const what = [
      ...(hasArrived ? [] : [`did not arrive (${effect})`]),
      ...(hasLostKeys ? ['keys of the user were lost'] : []),
      ...(moved.length === 0 ? [] : [`elsewhere: ${moved.join(', ')}`]),
    ];
    this.#failures.push(`#${this.#repeats}: ${what.join('; ')}`);
  }

  done(say: (text: string) => void): ProofRow {
    const [first] = this.#failures;
    say(`${this.row}: ${this.#passes} of ${this.#repeats}${first === undefined ? '' : `; ${first}`}`);
    return {
      row: this.row,
      repeats: this.#repeats,
      passes: this.#passes,
      counts: {
        'user moved': this.#moved,
        'keys of the user lost': this.#lostKeys,
        'falsely confirmed': this.#falselyConfirmed,
      },
      ...(first === undefined ? {} : { failures: this.#failures }),
    };
  }
}
