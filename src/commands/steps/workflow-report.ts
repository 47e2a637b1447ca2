import { z } from 'zod';
import { Effect } from '../../model/effects/effect.ts';
import type { DeskterityError } from '../../model/effects/errors.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import { stepLabel } from '../../model/workflow/step.ts';
import { Look } from './closing-look.ts';
import type { Stop } from './run-steps.ts';
import { stepLine } from './step-line.ts';
import { UndoneAct, undoLines } from './undo-acts.ts';
import { CheckedTarget } from './workflow-check.ts';
import type { PlannedStep } from './workflow-plan.ts';
import type { StepResult, WorkflowRun } from './workflow-run.ts';

/** What became of one step. */
export const WorkflowResult = z
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
export type WorkflowResult = z.output<typeof WorkflowResult>;

export const WorkflowOutput = z.object({
  name: z.string().optional(),
  success: z.boolean(),
  dry_run: z.literal(true).optional(),
  steps_completed: z.int().nonnegative().describe('Steps that were done; skipped ones do not count.'),
  steps_total: z.int().nonnegative(),
  results: z.array(WorkflowResult).describe('One per step that was begun.'),
  rolled_back: z
    .boolean()
    .describe('Whether everything that the steps had done was undone; rollback says what was not.'),
  rollback: z
    .object({
      undone: z.int().nonnegative(),
      already: z.int().nonnegative().describe('Acts whose element was as before already.'),
      skipped: z.int().nonnegative(),
      failed: z.int().nonnegative(),
      actions: z.array(UndoneAct),
    })
    .optional()
    .describe('After a failure with on_fail rollback: what became of each act, the newest first.'),
  not_run: z.array(z.string()).optional().describe('In a failure: the steps that did not run.'),
  now: Look.optional().describe('What is on the screen now.'),
  cursor: z.string().optional().describe('A point in time for later questions about changes.'),
  duration_ms: z.number().nonnegative(),
});
export type WorkflowOutput = z.output<typeof WorkflowOutput>;

const LONGEST_DETAIL = 200;

export function placeOf({
  index,
  given,
  command,
}: PlannedStep): Pick<WorkflowResult, 'step' | 'id' | 'command'> {
  return { step: index, ...(given.id === undefined ? {} : { id: given.id }), command: command.name };
}

export function resultOf(result: StepResult, isFull: boolean): WorkflowResult {
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
export function failed(
  { at, reason, error }: Stop,
  plan: readonly PlannedStep[],
  run: WorkflowRun,
  output: WorkflowOutput,
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
  const message = `${step}: ${error.message}${again}${rest}${rolledBack(output)}`;
  const result: WorkflowOutput = { ...output, not_run: notRun };
  return error.with({
    message,
    delivered: error.delivered === true || run.done.some(({ output: one }) => one['delivered'] === true),
    retryable: false,
    result: { ...result, ...(error.result === undefined ? {} : { failed: error.result }) },
    report: [error.report, report(output)].filter((part) => part !== undefined).join('\n'),
  });
}

function rolledBack({ rolled_back: isWhole, rollback }: WorkflowOutput): string {
  if (rollback === undefined) return '';
  const { undone, already, skipped, failed: left } = rollback;
  if (isWhole && already === 0) return ' Everything that was done was undone.';
  const before = already === 0 ? '' : `; as before already: ${already}`;
  return ` Acts undone: ${undone}${before}; not undone: ${skipped + left}.`;
}

export function report({
  name,
  success,
  steps_completed: completed,
  steps_total: total,
  ...output
}: WorkflowOutput): string {
  const title = name === undefined ? 'workflow' : `workflow ${clip(name, 80)}`;
  const heading =
    output.dry_run === true
      ? `${title}: ${total} steps are valid; none was run`
      : `${title}: ${completed} of ${total} steps done${success ? '' : ', then it ended'}`;
  const lines = output.results.map(({ step, command, status, detail }) => {
    const shown = status === 'done' || status === 'checked' ? '' : `${status}: `;
    return `${stepLabel(step)} ${command}: ${shown}${detail}`;
  });
  const undone =
    output.rollback === undefined
      ? []
      : [output.rolled_back ? 'rolled back:' : 'rolled back in part:', ...undoLines(output.rollback.actions)];
  const answers = output.results.flatMap(({ step, answer }) =>
    answer === undefined ? [] : [`answer of ${stepLabel(step)}: ${JSON.stringify(answer)}`],
  );
  const now = output.now === undefined ? [] : ['now:', output.now.outline];
  const cursor = output.cursor === undefined ? [] : [`cursor ${output.cursor}`];
  return [heading, ...lines, ...undone, ...answers, ...now, ...cursor].join('\n');
}
