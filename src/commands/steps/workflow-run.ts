import { Effect } from '../../model/effects/effect.ts';
import type { DeskterityError } from '../../model/effects/errors.ts';
import { DeskterityError as Failure } from '../../model/effects/errors.ts';
import type { CommandContext } from '../../registry/define.ts';
import { runStep, type DoneStep, type Stop } from './run-steps.ts';
import type { CommonInput, Step } from './step-list.ts';
import { surpriseAfter } from './surprise.ts';
import { stepNow, type PlannedStep, type Values } from './workflow-plan.ts';
import { isRefusal, pauseMs, whyNotAgain } from './workflow-retry.ts';

type Ctx = Pick<CommandContext, 'commands' | 'progress' | 'signal' | 'clock'>;
type Output = Readonly<Record<string, unknown>>;

/** What became of one step. */
export interface StepResult {
  readonly planned: PlannedStep;
  readonly status: 'done' | 'skipped' | 'failed';
  readonly output?: Output | undefined;
  readonly effect?: StepEffect | undefined;
  readonly error?: DeskterityError | undefined;
  /** Why a failed step was not tried as often as it may be. */
  readonly notAgain?: string | undefined;
  readonly attempts: number;
  readonly durationMs: number;
}

export type StepEffect = Effect | 'refused';

export interface WorkflowRun {
  readonly results: readonly StepResult[];
  /** With their answers, the failed one last if it gave one. */
  readonly done: readonly DoneStep[];
  /** All that were begun. */
  readonly begun: readonly Step[];
  readonly stop: Stop | undefined;
}

export interface RunLimits {
  readonly params: Values['params'];
  readonly common: CommonInput;
  readonly limitMs: number;
  readonly left: () => number;
  readonly strict: boolean;
}

/** Runs the steps in order until one fails that may not be skipped. */
export async function runWorkflow(
  ctx: Ctx,
  plan: readonly PlannedStep[],
  limits: RunLimits,
): Promise<WorkflowRun> {
  const results: StepResult[] = [];
  const done: DoneStep[] = [];
  const begun: Step[] = [];
  const answers = new Map<string, Output | string>();
  for (const planned of plan) {
    const { index, given, command } = planned;
    ctx.progress?.({ message: `Step ${index + 1}/${plan.length}: ${command.name}` });
    const startedAt = ctx.clock.now();
    const values = { params: limits.params, answers };
    const tried = await tryStep(ctx, planned, { ...limits, values, next: nextOf(plan, index) });
    const { output, stop, attempts, step, notAgain } = tried;
    if (step !== undefined) begun.push(step);
    if (output !== undefined && step !== undefined) done.push({ step, output });
    const isSkipped = stop !== undefined && given.on_fail === 'skip' && maySkip(ctx, limits, stop);
    const status = stop === undefined ? 'done' : isSkipped ? 'skipped' : 'failed';
    const durationMs = Math.round(ctx.clock.now() - startedAt);
    const effect = effectOf(planned, output, stop?.error);
    results.push({ planned, status, output, effect, error: stop?.error, notAgain, attempts, durationMs });
    const answer = output ?? `${planned.label} was skipped`;
    answers.set(`step_${index}`, answer);
    if (given.id !== undefined) answers.set(given.id, answer);
    if (stop !== undefined && !isSkipped) return { results, done, begun, stop: { ...stop, at: index } };
    await pause(ctx, Math.min(given.wait_after_ms, Math.max(0, limits.left())));
  }
  return { results, done, begun, stop: undefined };
}

/** When all is cancelled or its time is over, nothing is skipped. */
function maySkip({ signal }: Ctx, { left }: RunLimits, { error }: Omit<Stop, 'at'>): boolean {
  return !signal.aborted && left() > 0 && error.code !== 'CANCELLED';
}

interface Tried {
  readonly output?: Output | undefined;
  readonly stop?: Omit<Stop, 'at'> | undefined;
  readonly step?: Step | undefined;
  readonly attempts: number;
  readonly notAgain?: string | undefined;
}

/** Runs one step, again after a failure if that is allowed and safe. */
async function tryStep(
  ctx: Ctx,
  planned: PlannedStep,
  { values, next, ...limits }: RunLimits & { readonly values: Values; readonly next: readonly Step[] },
): Promise<Tried> {
  const { given, command, index } = planned;
  for (let attempts = 1; ; attempts += 1) {
    let step: Step;
    try {
      step = stepNow(ctx, planned, values, limits.common);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { stop: { reason: 'error', error }, attempts };
    }
    const { output, stop } = await runStep(ctx, step, index, {
      ...limits,
      judge: (done) => surpriseAfter(ctx, done, next, { strict: limits.strict }),
    });
    if (stop === undefined || given.retry === 0) return { output, stop, step, attempts };
    const mayHelp = stop.reason === 'error' || stop.reason === 'expectation';
    const notAgain = mayHelp ? whyNotAgain(command, stop.error) : 'it was done';
    if (notAgain !== undefined) return { output, stop, step, attempts, notAgain };
    const waitMs = pauseMs(attempts);
    if (attempts > given.retry || ctx.signal.aborted || limits.left() <= waitMs)
      return { output, stop, step, attempts };
    ctx.progress?.({ message: `Step ${index + 1}: ${command.name}, try ${attempts + 1}` });
    await pause(ctx, waitMs);
  }
}

/** The steps after one, as far as it is known what they act on. */
function nextOf(plan: readonly PlannedStep[], index: number): readonly Step[] {
  const later = plan.slice(index + 1);
  const unknown = later.findIndex(({ takesAnswers, command }) => takesAnswers && command.kind !== 'read');
  return (unknown === -1 ? later : later.slice(0, unknown)).map(({ ahead }) => ahead);
}

/** Ends early when the workflow is cancelled, which the next step reports. */
async function pause({ clock, signal }: Ctx, ms: number): Promise<void> {
  if (ms <= 0 || signal.aborted) return;
  await clock.sleep(ms, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

function effectOf(
  { command }: PlannedStep,
  output: Output | undefined,
  error: DeskterityError | undefined,
): StepEffect | undefined {
  const seen = Effect.safeParse(output?.['effect'] ?? error?.result?.['effect']).data;
  if (seen !== undefined) return seen;
  return error !== undefined && isRefusal(command, error) ? 'refused' : undefined;
}
