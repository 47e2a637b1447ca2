import type { BusError } from '../../dbus/index.ts';
import type { Answers, Slot } from './known-object.ts';

/** How a question was answered. */
export type Outcome<T> =
  | readonly [error: undefined, answer: T]
  | readonly [error: BusError, answer: undefined];

/** What objects answered that were asked ahead of a reading, in one go. */
export class EarlyAnswers {
  readonly #answers = new Map<string, Answers>();
  readonly #errors = new Map<string, BusError>();

  note<T>(path: string, slot: Slot<T>, outcome: Outcome<T>): void {
    const [error, answer] = outcome;
    if (error !== undefined) {
      // That it did not answer in time is no answer.
      if (!isLocal(error)) this.#errors.set(`${slot.question} ${path}`, error);
      return;
    }
    const known = this.#answers.get(path);
    const answers = known ?? {};
    if (known === undefined) this.#answers.set(path, answers);
    slot.write(answers, answer);
  }

  /** `undefined` if it was not asked, or did not answer. */
  outcome<T>(path: string, slot: Slot<T>): Outcome<T> | undefined {
    const answers = this.#answers.get(path);
    const answer = answers && slot.read(answers);
    if (answer !== undefined) return [undefined, answer];
    if (this.#errors.size === 0) return undefined;
    const error = this.#errors.get(`${slot.question} ${path}`);
    return error && [error, undefined];
  }
}

/** Of our own side: the call was not answered by the application. */
export function isLocal({ errorName }: BusError): boolean {
  return errorName.startsWith('local.');
}
