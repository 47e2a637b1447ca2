import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { DeskterityError, type ErrorCode } from '../../../../model/effects/errors.ts';
import { nearest } from '../../../../model/text/nearest.ts';
import { fieldAt, noSuchField, replaced } from '../../../../model/workflow/references.ts';
import { invalid, shown } from '../invalid-parameter.ts';
import type { AxCall } from './ax-call.ts';
import { axTool, type AxAnswer, type AxTool } from './ax-tool.ts';

const MOST_STEPS = 200;
const MOST_TRIES_AGAIN = 10;
const LONGEST_WAIT_MS = 600_000;
/** All steps together. */
const DEADLINE_MS = 600_000;
const PAUSE_MS = 300;

const Step = z.object({
  tool: z.string().max(80).describe('Tool name (e.g., ax_click, ax_type, ax_wait_idle)'),
  args: z.record(z.string(), z.unknown()).describe('Tool arguments'),
  on_fail: z.enum(['rollback', 'skip', 'abort']).default('abort'),
  wait_after_ms: z.int().min(0).max(LONGEST_WAIT_MS).default(0).describe('Wait after this step (ms)'),
  retry: z.int().min(0).max(MOST_TRIES_AGAIN).default(0).describe('Retry count on failure'),
});
type Step = z.output<typeof Step>;

interface PlannedStep extends Step {
  readonly row: AxTool;
}

const Depth = z.object({ undo_depth: z.int() });
const Undone = z.object({ undone: z.int(), skipped: z.int() });

/** These say that nothing was sent, so that the same step may be tried again. */
const NOTHING_SENT: ReadonlySet<ErrorCode> = new Set([
  'AMBIGUOUS_TARGET',
  'APP_NOT_FOUND',
  'ELEMENT_NOT_FOUND',
  'NOT_ACTIONABLE',
  'STALE_REF',
  'WINDOW_NOT_FOUND',
]);

/** The tool that runs the others: its steps answer in their shapes, which later steps can use as {{step_0.field}}. */
export function axWorkflow(rows: readonly AxTool[]): AxTool {
  return axTool({
    name: 'ax_workflow',
    title: 'Execute composed workflow',
    description:
      "Execute a multi-step workflow. Steps execute sequentially and may use earlier answers ({{step_0.value}}, counted from 0). on_fail: rollback undoes what can be undone. An act that may have been delivered is not tried again. Use for 'click Save, wait for dialog, click OK' patterns.",
    commands: ['undo', 'session info'],
    parameters: z.strictObject({
      steps: z.array(Step).min(1).max(MOST_STEPS),
      name: z.string().max(200).describe('Optional workflow name for logging').optional(),
    }),
    output: z.object({
      success: z.boolean(),
      steps_completed: z.int(),
      steps_total: z.int(),
      results: z.array(z.record(z.string(), z.unknown())).optional(),
      rolled_back: z.boolean().optional(),
      error: z.string().optional(),
    }),
    reads: false,
    mayDestroy: true,
    isLong: true,
    runsOthers: true,
    run: (call, { steps }) => runSteps(call, plan(rows, steps)),
  });
}

/** All tools are known before the first step runs. @throws DeskterityError INVALID_ARGUMENT */
function plan(rows: readonly AxTool[], steps: readonly Step[]): readonly PlannedStep[] {
  const names = rows.map(({ parts }) => parts.name);
  return steps.map((step, index) => {
    const row = rows.find(({ parts }) => parts.name === step.tool);
    if (row !== undefined) return { ...step, row };
    const close = nearest(step.tool, names);
    throw invalid(
      `Step ${index} names the tool ${shown(step.tool)}, which there is not.`,
      close === undefined ? `Tools are ${names.join(', ')}.` : `Did you mean ${close}?`,
    );
  });
}

async function runSteps(call: AxCall, steps: readonly PlannedStep[]): Promise<AxAnswer> {
  const end = performance.now() + DEADLINE_MS;
  const before = steps.some(({ on_fail }) => on_fail === 'rollback') ? await undoDepth(call) : 0;
  const results: Record<string, unknown>[] = [];
  const answers: (Record<string, unknown> | undefined)[] = [];
  let completed = 0;
  for (const step of steps) {
    const outcome = await tryStep(call, step, answers, end);
    answers.push(outcome.failure === undefined ? outcome.fields : undefined);
    results.push({
      tool: step.tool,
      status: outcome.failure === undefined ? 'done' : step.on_fail === 'skip' ? 'skipped' : 'failed',
      ...(outcome.failure === undefined ? outcome.fields : { error: outcome.failure }),
    });
    if (outcome.failure === undefined) completed += 1;
    else if (step.on_fail !== 'skip') {
      const error = `Step ${results.length - 1} (${step.tool}): ${outcome.failure}`;
      const back = step.on_fail === 'rollback' ? await rollBack(call, before) : undefined;
      return {
        data: {
          success: false,
          steps_completed: completed,
          steps_total: steps.length,
          results,
          rolled_back: back?.isWhole ?? false,
          error: back === undefined ? error : `${error} ${back.detail}`,
        },
        isFailure: true,
      };
    }
    if (step.wait_after_ms > 0) await pause(call, step.wait_after_ms);
  }
  return {
    data: {
      success: true,
      steps_completed: completed,
      steps_total: steps.length,
      results,
      rolled_back: false,
    },
  };
}

interface Outcome {
  readonly fields: Record<string, unknown>;
  /** Why it failed. */
  readonly failure?: string;
}

async function tryStep(
  call: AxCall,
  step: PlannedStep,
  answers: readonly (Record<string, unknown> | undefined)[],
  end: number,
): Promise<Outcome> {
  for (let tries = 0; ; tries += 1) {
    if (performance.now() > end) return { fields: {}, failure: 'The time for all steps is over.' };
    const { outcome, mayRepeat } = await runOnce(call, step, answers);
    if (outcome.failure === undefined || !mayRepeat || tries >= step.retry) return outcome;
    await pause(call, PAUSE_MS * (tries + 1));
  }
}

async function runOnce(
  call: AxCall,
  { row, args }: PlannedStep,
  answers: readonly (Record<string, unknown> | undefined)[],
): Promise<{ readonly outcome: Outcome; readonly mayRepeat: boolean }> {
  try {
    const input = z
      .record(z.string(), z.unknown())
      .parse(replaced(args, (reference) => valueOf(reference, answers)));
    const fields = fieldsOf(await row.step(call, input));
    const failure = negative(fields);
    return { outcome: failure === undefined ? { fields } : { fields, failure }, mayRepeat: true };
  } catch (error) {
    if (!(error instanceof DeskterityError) || error.code === 'CANCELLED') throw error;
    const { code, delivered, message, suggestion } = error;
    const isSafe = row.parts.reads || delivered === false || (delivered !== true && NOTHING_SENT.has(code));
    const mayRepeat = isSafe && code !== 'INVALID_ARGUMENT' && code !== 'POLICY_DENIED';
    return { outcome: { fields: {}, failure: `${message} ${suggestion}` }, mayRepeat };
  }
}

function valueOf(
  reference: Parameters<typeof fieldAt>[1],
  answers: readonly (Record<string, unknown> | undefined)[],
): unknown {
  const { head, text } = reference;
  const index = /^step_(\d{1,3})$/.exec(head)?.[1];
  const answer = index === undefined ? undefined : answers[Number(index)];
  if (answer === undefined)
    throw noSuchField(
      text,
      'the workflow',
      answers.flatMap((one, at) => (one === undefined ? [] : [`step_${at}`])),
    );
  return fieldAt(answer, reference, head);
}

function fieldsOf(answer: AxAnswer): Record<string, unknown> {
  if ('data' in answer) return answer.data;
  return 'text' in answer ? { text: answer.text } : { ...answer.said.output };
}

/** An answer that is no error to a caller who reads it, but ends a workflow. */
function negative(fields: Readonly<Record<string, unknown>>): string | undefined {
  if (fields['found'] === false) return 'Element not found.';
  if (fields['passed'] === false) return `Assertion failed: ${JSON.stringify(fields['failures'] ?? [])}.`;
  return undefined;
}

async function undoDepth(call: AxCall): Promise<number> {
  return (await call.read('session info', {}, Depth)).undo_depth;
}

/** Undoes what the steps have done. */
async function rollBack(
  call: AxCall,
  before: number,
): Promise<{ readonly isWhole: boolean; readonly detail: string }> {
  try {
    const count = (await undoDepth(call)) - before;
    if (count <= 0) return { isWhole: true, detail: 'Nothing was to be undone.' };
    const { undone, skipped } = await call.read('undo', { count: Math.min(count, 100) }, Undone);
    const detail = `Undone: ${undone}; not rollbackable: ${skipped}.`;
    return { isWhole: skipped === 0 && count <= 100, detail };
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    return { isWhole: false, detail: `Rollback failed: ${error.message}` };
  }
}

async function pause(call: AxCall, ms: number): Promise<void> {
  try {
    await sleep(ms, undefined, { signal: call.signal });
  } catch {
    throw new DeskterityError('CANCELLED', 'The workflow was cancelled.', {
      suggestion: 'Call again if it is still needed.',
    });
  }
}
