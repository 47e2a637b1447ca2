import { z } from 'zod';
import { byAnyStrategy } from '../../model/effects/guarantees.ts';
import { Effect } from '../../model/effects/effect.ts';
import type { DeskterityError } from '../../model/effects/errors.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import { MOST_STEPS, stepLabel, WorkflowStep } from '../../model/workflow/step.ts';
import {
  defineCommand,
  flag,
  MAX_TIMEOUT_MS,
  ModeChoice,
  windowScope,
  type CommandContext,
} from '../../registry/define.ts';
import { closingLook, Look } from '../steps/closing-look.ts';
import type { Stop } from '../steps/run-steps.ts';
import { stepLine } from '../steps/step-line.ts';
import { CheckedTarget, checkTargets } from '../steps/workflow-check.ts';
import { workflowParams } from '../steps/workflow-params.ts';
import { planSteps, type PlannedStep } from '../steps/workflow-plan.ts';
import { runWorkflow, type StepResult, type WorkflowRun } from '../steps/workflow-run.ts';

/** What became of one step. */
const WorkflowResult = z
  .object({
    step: z.int().nonnegative().describe('Its position, counted from 0.'),
    id: z.string().optional(),
    command: z.string(),
    status: z.enum(['done', 'skipped', 'failed', 'checked']),
    effect: z.enum([...Effect.options, 'refused']).optional(),
    attempts: z.int().nonnegative(),
    duration_ms: z.number().nonnegative(),
    detail: z.string().describe('What it did or found, or why it failed, on one line.'),
    targets: z.array(CheckedTarget).optional().describe('Of a dry run.'),
    answer: z.record(z.string(), z.unknown()).optional().describe('The whole answer.'),
  })
  .meta({ id: 'WorkflowResult' });
type WorkflowResult = z.output<typeof WorkflowResult>;

const Output = z.object({
  name: z.string().optional(),
  success: z.boolean(),
  dry_run: z.literal(true).optional(),
  steps_completed: z.int().nonnegative().describe('Steps that were done; skipped ones do not count.'),
  steps_total: z.int().nonnegative(),
  results: z.array(WorkflowResult).describe('One per step that was begun.'),
  rolled_back: z.boolean().describe('Whether all reversible steps were reversed.'),
  not_run: z.array(z.string()).optional().describe('In a failure: the steps that did not run.'),
  now: Look.optional().describe('What is on the screen now.'),
  cursor: z.string().optional().describe('A point in time for later questions about changes.'),
  duration_ms: z.number().nonnegative(),
});
type Output = z.output<typeof Output>;

/** Time after the deadline to look at what is there. */
const REPORT_MS = 4500;
const LONGEST_DETAIL = 200;

export default defineCommand({
  name: 'workflow',
  group: 'interaction',
  kind: 'act',
  guarantee: byAnyStrategy('what the command of each step requires'),
  title: 'Run a workflow',
  needs: ['tree'],
  destructive: true,
  alsoRuns: [
    'clear',
    'close-window',
    'collapse',
    'double-click',
    'expand',
    'expect',
    'focus',
    'focus-window',
    'focused',
    'is',
    'menu',
    'right-click',
  ],
  summary: 'Run the steps of a workflow, whose later steps can use the answers of earlier ones.',
  description:
    'Steps may concern several applications. {{step_0.value}}, {{id.value}} and {{param.NAME}} stand for a field of an earlier answer (steps count from 0) or a parameter. Everything is checked before the first step runs. A failed step ends the workflow unless it is tried again (retry) or skipped (on_fail).',
  input: z.object({
    steps: z
      .array(WorkflowStep)
      .min(1)
      .max(MOST_STEPS)
      .describe('Such as {"command":"click","input":{"ref":"role:button[name=OK]"}}.'),
    name: z.string().min(1).max(200).optional().describe('What the workflow is called.'),
    about: z.string().max(1000).optional().describe('What it is for, in one sentence.'),
    params: z.record(z.string(), z.unknown()).optional().describe('Values for {{param.NAME}}.'),
    param: z
      .array(z.string().max(100_000))
      .max(100)
      .optional()
      .describe('NAME=VALUE for {{param.NAME}}; instead of the same one in params.'),
    dry_run: flag('Only check all steps and look for their targets.'),
    ...windowScope,
    mode: ModeChoice.describe('What all acts may use.'),
    timeout_ms: z.int().min(1).max(MAX_TIMEOUT_MS).optional().describe('Deadline of each step.'),
    strict: flag('An unverified effect is a failure.'),
    full: flag('Give the whole answer of each step.'),
    max_tokens: z.int().min(0).max(100_000).optional().describe('Size of the closing outline; 0: none.'),
    deadline_ms: z.int().min(1).max(MAX_TIMEOUT_MS).default(120_000).describe('Deadline of all steps.'),
  }),
  cli: { steps: { bare: 'file' } },
  positionals: ['steps'],
  output: Output,
  examples: [
    {
      about: 'Copy a value from one application into another',
      input: {
        name: 'copy-result',
        steps: [
          { command: 'get', id: 'result', input: { property: 'value', ref: 'app:KCalc >> role:textbox' } },
          { command: 'set-value', input: { ref: 'app:Notes >> role:textbox', value: '{{result.value}}' } },
        ],
      },
    },
    {
      about: 'Try again until a button is there, and only check first',
      input: {
        steps: [{ command: 'click', input: { ref: 'role:button[name=Save]' }, retry: 3 }],
        dry_run: true,
      },
    },
  ],
  deadlineMs: ({ deadline_ms: limit }) => limit + REPORT_MS,
  outline: (output) => report(output),
  run: async (ctx, { steps, name, param, params: given, dry_run: isDryRun, full, ...input }) => {
    const started = ctx.clock.now();
    const { app, window, mode, timeout_ms, deadline_ms: limitMs, strict, max_tokens: maxTokens } = input;
    const common = { app, window, mode, timeout_ms };
    const params = workflowParams(given, param);
    const plan = planSteps(ctx, steps, { params, common });
    const left = (): number => limitMs - (ctx.clock.now() - started);
    const taken = () => ({ duration_ms: Math.round(ctx.clock.now() - started) });
    const named = { ...(name === undefined ? {} : { name }), steps_total: plan.length, rolled_back: false };
    if (isDryRun) {
      const results = await checkAll(ctx, plan, left);
      const output: Output = {
        ...named,
        success: true,
        dry_run: true,
        steps_completed: 0,
        results,
        ...taken(),
      };
      return output;
    }
    const run = await runWorkflow(ctx, plan, { params, common, limitMs, left, strict });
    const now = await lookAt(ctx, run, { app, maxTokens });
    const cursor = now?.cursor ?? cursorOf(run);
    const output: Output = {
      ...named,
      success: run.stop === undefined,
      steps_completed: run.results.filter(({ status }) => status === 'done').length,
      results: run.results.map((result) => resultOf(result, full)),
      ...(now === undefined ? {} : { now }),
      ...(cursor === undefined ? {} : { cursor }),
      ...taken(),
    };
    if (run.stop === undefined) return output;
    throw failed(run.stop, plan, run, output);
  },
});

async function checkAll(
  ctx: CommandContext,
  plan: readonly PlannedStep[],
  left: () => number,
): Promise<WorkflowResult[]> {
  const results: WorkflowResult[] = [];
  for (const planned of plan) {
    ctx.progress?.({ message: `Checking step ${planned.index + 1}/${plan.length}: ${planned.command.name}` });
    const started = ctx.clock.now();
    const targets = await checkTargets(ctx, planned, left);
    const unknown = targets.filter(({ found }) => !found).length;
    results.push({
      ...placeOf(planned),
      status: 'checked',
      attempts: 0,
      duration_ms: Math.round(ctx.clock.now() - started),
      detail: detailOf(targets, unknown),
      ...(targets.length === 0 ? {} : { targets }),
    });
  }
  return results;
}

function detailOf(targets: readonly CheckedTarget[], unknown: number): string {
  if (targets.length === 0) return 'its input is valid';
  const lines = targets.map(({ target, detail }) => `${target}: ${detail}`);
  return clip(unknown === 0 ? `found ${lines.join('; ')}` : lines.join('; '), LONGEST_DETAIL);
}

function lookAt(
  ctx: CommandContext,
  { begun, done, stop }: WorkflowRun,
  { app, maxTokens }: { readonly app: string | undefined; readonly maxTokens: number | undefined },
): Promise<Look | undefined> {
  if (maxTokens === 0 || ctx.signal.aborted) return Promise.resolve(undefined);
  return closingLook(ctx, { steps: begun, done, stop, app, maxTokens });
}

/** The newest point in time that an answer told. */
function cursorOf({ done }: WorkflowRun): string | undefined {
  return done
    .map(({ output }) => output['cursor'])
    .filter((cursor) => typeof cursor === 'string')
    .at(-1);
}

function placeOf({ index, given, command }: PlannedStep): Pick<WorkflowResult, 'step' | 'id' | 'command'> {
  return { step: index, ...(given.id === undefined ? {} : { id: given.id }), command: command.name };
}

function resultOf(result: StepResult, isFull: boolean): WorkflowResult {
  const { planned, status, output, effect, error, attempts, durationMs } = result;
  const answer = output ?? error?.result;
  return {
    ...placeOf(planned),
    status,
    ...(effect === undefined ? {} : { effect }),
    attempts,
    duration_ms: durationMs,
    detail: clip(
      error === undefined ? stepLine(planned.command, output ?? {}) : failureLine(error, result),
      LONGEST_DETAIL,
    ),
    ...(isFull && answer !== undefined ? { answer: { ...answer } } : {}),
  };
}

function failureLine({ code, message }: DeskterityError, { notAgain, planned }: StepResult): string {
  const again = notAgain === undefined || planned.given.retry === 0 ? '' : ` Not tried again: ${notAgain}.`;
  return `${code}: ${message}${again}`;
}

const LONGEST_NAMED = 10;

/** The failure of a workflow, with the record of its steps. */
function failed(
  { at, reason, error }: Stop,
  plan: readonly PlannedStep[],
  run: WorkflowRun,
  output: Output,
): DeskterityError {
  const planned = plan[at];
  const notRun = plan.slice(at + 1).map(({ index, command }) => `${stepLabel(index)} ${command.name}`);
  const shown = notRun.length > LONGEST_NAMED ? [...notRun.slice(0, LONGEST_NAMED), '…'] : notRun;
  const rest = notRun.length === 0 ? '' : ` Not run: ${shown.join(', ')}.`;
  const what =
    reason !== 'error' ? 'ended the workflow' : error.code === 'CANCELLED' ? 'was ended' : 'failed';
  const notAgain = run.results.at(-1)?.notAgain;
  const again = notAgain === undefined ? '' : ` It was not tried again: ${notAgain}.`;
  const step = `${planned?.label ?? stepLabel(at)}, ${planned?.command.name ?? ''}, ${what}`;
  const message = `${step}: ${error.message}${again}${rest}`;
  const result: Output = { ...output, not_run: notRun };
  return error.with({
    message,
    delivered: error.delivered === true || run.done.some(({ output: one }) => one['delivered'] === true),
    retryable: false,
    result: { ...result, ...(error.result === undefined ? {} : { failed: error.result }) },
    report: [error.report, report(output)].filter((part) => part !== undefined).join('\n'),
  });
}

function report({
  name,
  success,
  steps_completed: completed,
  steps_total: total,
  ...output
}: Output): string {
  const title = name === undefined ? 'workflow' : `workflow ${clip(name, 80)}`;
  const heading =
    output.dry_run === true
      ? `${title}: ${total} steps are valid; none was run`
      : `${title}: ${completed} of ${total} steps done${success ? '' : ', then it ended'}`;
  const lines = output.results.map(({ step, command, status, detail }) => {
    const shown = status === 'done' || status === 'checked' ? '' : `${status}: `;
    return `${stepLabel(step)} ${command}: ${shown}${detail}`;
  });
  const answers = output.results.flatMap(({ step, answer }) =>
    answer === undefined ? [] : [`answer of ${stepLabel(step)}: ${JSON.stringify(answer)}`],
  );
  const now = output.now === undefined ? [] : ['now:', output.now.outline];
  const cursor = output.cursor === undefined ? [] : [`cursor ${output.cursor}`];
  return [heading, ...lines, ...answers, ...now, ...cursor].join('\n');
}
