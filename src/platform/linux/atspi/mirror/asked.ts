import type { Batch } from '../../dbus/index.ts';
import type { EarlyAnswers, Outcome } from './early-answers.ts';
import type { Answers, Slot } from './known-object.ts';
import type { Mirror } from './mirror.ts';
import type { ReadingCall } from './reading-call.ts';
import { isSameAnswer } from './same-answer.ts';

/** What is known of an application, as far as a reading may rest on it. */
export type Known = Pick<Mirror, 'answer'>;

/** Asks things ahead of a reading. */
export interface Asker {
  readonly batch: Batch;
  readonly mirror: Mirror;
  /** What need not be asked. */
  readonly known: Known;
  readonly early: EarlyAnswers;
}

/** A question that a reading asked, because the mirror did not know the answer. */
export interface Asked {
  readonly path: string;
  readonly question: keyof Answers;
  /** Asks it anew, unless the mirror knows the answer since; `then` is called once it is answered. */
  again(asker: Asker, then?: () => void): void;
  /** Whether the answer is the same as in that reading. */
  isUnchanged(now: Pick<Asker, 'early' | 'known'>): boolean;
  /** Whether the mirror knows the answer since. */
  isKept(mirror: Mirror): boolean;
}

export function asked<T>(call: ReadingCall<T>, slot: Slot<T>, path: string, was: Outcome<T>): Asked {
  return {
    path,
    question: slot.question,
    again: ({ batch, mirror, known, early }, then) => {
      if (known.answer(path, slot) !== undefined) {
        then?.();
        return;
      }
      const object = mirror.object(path);
      const askedAt = mirror.now;
      batch.request(call, path, (...outcome) => {
        const [error, answer] = outcome;
        if (error === undefined) mirror.keep(object, slot, answer, askedAt);
        early.note<T>(path, slot, outcome);
        then?.();
      });
    },
    isUnchanged: ({ early, known }) => {
      const answer = known.answer(path, slot);
      if (answer !== undefined) return isSameAnswer(answer, was[1]);
      const is = early.outcome(path, slot);
      return is !== undefined && is[0]?.errorName === was[0]?.errorName && isSameAnswer(is[1], was[1]);
    },
    isKept: (mirror) => mirror.answer(path, slot) !== undefined,
  };
}

/** What one reading asks. */
export class ReadingLog {
  readonly asked: Asked[] = [];
  /** Containers whose children may be too many to ask for: how many there are is asked first. */
  readonly counted = new Set<string>();
  readonly early: EarlyAnswers;
  /** Whether the reading asked nothing but what is noted here, and all was answered. */
  isComplete = true;

  constructor(early: EarlyAnswers) {
    this.early = early;
  }
}

/**
 * Asks again what an earlier reading asked: all at once, since it is known what it will be. The children of what may have too many of them are
 * asked for only if their number is the same as then.
 */
export function askAgain(
  { asked: questions, counted }: Pick<ReadingLog, 'asked' | 'counted'>,
  asker: Asker,
  isSameVersion: boolean,
): void {
  const guarded = new Map<string, Asked>();
  const counts = new Set<string>();
  for (const each of questions) {
    if (each.question === 'children' && counted.has(each.path)) guarded.set(each.path, each);
    if (each.question === 'childCount') counts.add(each.path);
  }
  for (const each of questions) {
    const children = guarded.get(each.path);
    if (children === each) {
      // How many there are is known, and no event has come since.
      if (isSameVersion && !counts.has(each.path)) each.again(asker);
    } else if (children !== undefined && each.question === 'childCount')
      each.again(asker, () => {
        if (each.isUnchanged(asker)) children.again(asker);
      });
    else each.again(asker);
  }
}
