import type { ProofRow } from '../row.ts';

const KEPT_FAILURES = 5;
/** An act that failed so often is not proven, however often it is repeated. */
const MOST_FAILURES = 3;

interface Attempt {
  readonly hasArrived: boolean;
  /** Of the receipt, or a sentence. */
  readonly effect: string;
  /** Keys that the user's window did not get as they were typed, as a sentence. */
  readonly lost: string | undefined;
  /** Keys of the user in the application, or ours in the window of the user. */
  readonly strays: number;
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
  #strays = 0;
  readonly #failures: string[] = [];

  constructor(row: string) {
    this.row = row;
  }

  get isDecided(): boolean {
    return this.#repeats - this.#passes >= MOST_FAILURES;
  }

  note({ hasArrived, effect, lost, strays, moved }: Attempt): void {
    this.#repeats++;
    if (!hasArrived && effect === 'confirmed') this.#falselyConfirmed++;
    if (lost !== undefined) this.#lostKeys++;
    this.#strays += strays;
    if (moved.length > 0) this.#moved++;
    if (hasArrived && lost === undefined && strays === 0 && moved.length === 0) {
      this.#passes++;
      return;
    }
    if (this.#failures.length === KEPT_FAILURES) return;
    const what = [
      ...(hasArrived ? [] : [`did not arrive (${effect})`]),
      ...(lost === undefined ? [] : [`keys of the user were lost (${lost})`]),
      ...(strays === 0 ? [] : [`${strays} keys in a wrong place`]),
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
        'keys in a wrong place': this.#strays,
        'falsely confirmed': this.#falselyConfirmed,
      },
      ...(first === undefined ? {} : { failures: this.#failures }),
    };
  }
}
