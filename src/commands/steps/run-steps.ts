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

interface Limits {
  readonly left: () => number;
  readonly limitMs: number;
  readonly judge: Judge;
}

/** Runs steps one after the other, each as if it had been called alone, until one fails or `judge` stops them. */
export async function runSteps(
  ctx: Pick<CommandContext, 'commands' | 'progress' | 'signal'>,
  steps: readonly Step[],
  limits: Limits,
): Promise<Run> {
  const done: DoneStep[] = [];
  for (const [at, step] of steps.entries()) {
    ctx.progress?.({ message: `step ${at + 1} of ${steps.length}: ${step.command.name}` });
    const { output, stop } = await runStep(ctx, step, at, limits);
    if (output !== undefined) done.push({ step, output });
    if (stop !== undefined) return { done, stop: { ...stop, at } };
  }
  return { done, stop: undefined };
}

/** Runs one step as if it had been called alone. */
export async function runStep(
  { commands, signal }: Pick<CommandContext, 'commands' | 'signal'>,
  step: Step,
  at: number,
  { left, limitMs, judge }: Limits,
): Promise<{ readonly output?: Output; readonly stop?: Omit<Stop, 'at'> | undefined }> {
  const { command, input, timeoutMs } = step;
  // A step with no deadline of its own, such as a pause, must not use up the time for the receipts.
  const deadlineMs = Math.max(1, Math.ceil(left() + REPORT_MS));
  const limit = limitedSignal({ deadlineMs, signal });
  let output: Output | undefined;
  try {
    if (signal.aborted) throw cancelled();
    if (left() <= 0) throw outOfTime(limitMs);
    const limited =
      timeoutMs === undefined
        ? input
        : { ...input, timeout_ms: Math.max(1, Math.min(timeoutMs, Math.floor(left()))) };
    output = await commands.run(command.name, limited, { signal: limit.signal });
    const stop = await judge({ step, output }, at);
    // What was judged while the looks were being cancelled proves nothing.
    return { output, stop: signal.aborted ? undefined : stop };
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    const isCutShort = error.code === 'CANCELLED' && limit.isOver() && !signal.aborted;
    const failure = isCutShort ? outOfTime(limitMs, error.delivered) : error;
    return { ...(output === undefined ? {} : { output }), stop: { reason: 'error', error: failure } };
  } finally {
    limit.release();
  }
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
