import { limitedSignal } from '../../model/limited-signal.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { mentionParameter } from '../../model/text/mention.ts';
import type { CommandContext } from '../../registry/define.ts';
import type { Step } from './step-list.ts';

type Output = Readonly<Record<string, unknown>>;

/** A step that ran, with its whole answer. */
export interface DoneStep {
  readonly step: Step;
  readonly output: Output;
}

/** Why the steps ended before the last, or after it with something to report. */
export interface Stop {
  readonly reason: 'error' | 'dialog' | 'expectation' | 'unverified' | 'window';
  /** Position of the step that stopped it. */
  readonly at: number;
  readonly error: DeskterityError;
  /** The window that was not expected. */
  readonly window?: string | undefined;
}

export interface Run {
  readonly done: readonly DoneStep[];
  readonly stop: Stop | undefined;
}

/** Looks at a step that has just run; what it returns stops the run. */
export type Judge = (done: DoneStep, at: number) => Promise<Omit<Stop, 'at'> | undefined>;

/** Time for a step to report, once the time for all steps is over. */
const REPORT_MS = 1600;

/** Runs steps one after the other, each as if it had been called alone, until one fails or `judge` stops them. */
export async function runSteps(
  { commands, progress, signal }: Pick<CommandContext, 'commands' | 'progress' | 'signal'>,
  steps: readonly Step[],
  { left, limitMs, judge }: { readonly left: () => number; readonly limitMs: number; readonly judge: Judge },
): Promise<Run> {
  const done: DoneStep[] = [];
  for (const [at, step] of steps.entries()) {
    const { command, input, timeoutMs } = step;
    progress?.({ message: `step ${at + 1} of ${steps.length}: ${command.name}` });
    // A step with no deadline of its own, such as a pause, must not use up the time for the receipts.
    const deadlineMs = Math.max(1, Math.ceil(left() + REPORT_MS));
    const limit = limitedSignal({ deadlineMs, signal });
    try {
      if (signal.aborted) throw cancelled();
      if (left() <= 0) throw outOfTime(limitMs);
      const limited =
        timeoutMs === undefined
          ? input
          : { ...input, timeout_ms: Math.max(1, Math.min(timeoutMs, Math.floor(left()))) };
      const last = { step, output: await commands.run(command.name, limited, { signal: limit.signal }) };
      done.push(last);
      const stop = await judge(last, at);
      // What was judged while the looks were being cancelled proves nothing.
      if (signal.aborted) continue;
      if (stop !== undefined) return { done, stop: { ...stop, at } };
    } catch (error) {
      if (!(error instanceof DeskterityError)) throw error;
      const isCutShort = error.code === 'CANCELLED' && limit.isOver() && !signal.aborted;
      const failure = isCutShort ? outOfTime(limitMs, error.delivered) : error;
      return { done, stop: { reason: 'error', at, error: failure } };
    } finally {
      limit.release();
    }
  }
  return { done, stop: undefined };
}

function cancelled(): DeskterityError {
  return new DeskterityError('CANCELLED', 'The steps were cancelled before it.', {
    suggestion: 'Give the steps that were not run again, if you still need them.',
    delivered: false,
  });
}

function outOfTime(limitMs: number, delivered = false): DeskterityError {
  return new DeskterityError('TIMEOUT', `The ${limitMs} ms for all steps are over.`, {
    suggestion: `Give the steps that were not run again, or a longer ${mentionParameter('deadline_ms')}.`,
    delivered,
  });
}
