import { z } from 'zod';
import { byAnyStrategy } from '../../model/effects/guarantees.ts';
import { Effect } from '../../model/effects/effect.ts';
import type { DeskterityError } from '../../model/effects/errors.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import { defineCommand, flag, MAX_TIMEOUT_MS, ModeChoice, windowScope } from '../../registry/define.ts';
import { ALSO_RUNS } from '../steps/also-runs.ts';
import { closingLook, Look } from '../steps/closing-look.ts';
import { runSteps, type DoneStep, type Run, type Stop } from '../steps/run-steps.ts';
import { toSteps, type Step } from '../steps/step-list.ts';
import { stepLine } from '../steps/step-line.ts';
import { planSteps } from '../steps/plan-steps.ts';
import { surpriseAfter } from '../steps/surprise.ts';

/** A command with its parameters, which it checks itself. */
const GivenStep = z.looseObject({ command: z.string() });

/** What one step did. */
const StepReceipt = z
  .object({
    command: z.string(),
    effect: Effect.optional(),
    detail: z.string().describe('What it did or found, on one line.'),
    answer: z.record(z.string(), z.unknown()).optional().describe('The whole answer of a step that reads.'),
  })
  .meta({ id: 'StepReceipt' });
type StepReceipt = z.output<typeof StepReceipt>;

const Output = z.object({
  steps: z.array(StepReceipt).describe('One receipt per step that ran.'),
  now: Look.optional().describe('What is on the screen now.'),
  stopped: z
    .object({
      step: z.int().describe('Counted from 1.'),
      command: z.string(),
      reason: z.enum(['error', 'dialog', 'expectation', 'unverified', 'window']),
    })
    .optional()
    .describe('In a failure: where it stopped, and why.'),
  not_run: z
    .array(z.string())
    .optional()
    .describe('In a failure: the commands of the steps that did not run.'),
  duration_ms: z.number().nonnegative(),
});
type Output = z.output<typeof Output>;

/** Time after the deadline to look at what is there. */
const REPORT_MS = 4500;

export default defineCommand({
  name: 'do',
  group: 'interaction',
  kind: 'act',
  longRunning: 'call',
  guarantee: byAnyStrategy('what the command of each step requires'),
  title: 'Do several steps',
  toolsets: ['core'],
  needs: ['tree'],
  destructive: true,
  alsoRuns: ALSO_RUNS,
  summary: 'Run several commands, until one brings a surprise.',
  description:
    'Locators are resolved when their step comes. Stops at an error, a no of is or expect, or a new dialog that the next acting step is not about. Ends with what is there now.',
  input: z.object({
    steps: z.array(GivenStep).min(1).max(50).describe('Steps such as {"command":"click","ref":"@e2"}.'),
    ...windowScope,
    mode: ModeChoice.describe('What all acts may use.'),
    timeout_ms: z.int().min(1).max(MAX_TIMEOUT_MS).optional().describe('Deadline of each step.'),
    strict: flag('Stop also at unverified effects.'),
    max_tokens: z.int().min(0).max(100_000).optional().describe('Size of the closing outline; 0: none.'),
    deadline_ms: z.int().min(1).max(MAX_TIMEOUT_MS).default(60_000).describe('Deadline of all steps.'),
  }),
  cli: { steps: { bare: 'lines' } },
  positionals: ['steps'],
  output: Output,
  examples: [
    {
      about: 'Save under a name, and wait until the dialog has closed',
      input: {
        steps: [
          { command: 'menu', path: 'File > Save As…' },
          { command: 'fill', fields: [{ target: 'role:textbox[name=Name]', value: 'report.txt' }] },
          { command: 'click', ref: 'role:button[name=Save]' },
        ],
        app: 'Mousepad',
      },
    },
    {
      about: 'Stop unless the effect of each step is seen',
      input: {
        steps: [
          { command: 'click', ref: '@e2' },
          { command: 'wait', text: 'Saved' },
        ],
        strict: true,
      },
    },
  ],
  deadlineMs: ({ deadline_ms: limit }) => limit + REPORT_MS,
  outline: (output) => report(output),
  run: async (ctx, { steps: given, strict, max_tokens: maxTokens, deadline_ms: limitMs, ...common }) => {
    const started = ctx.clock.now();
    const { app, window, mode, timeout_ms } = common;
    const steps = toSteps(ctx, given, { app, window, mode, timeout_ms });
    if (ctx.isDryRun === true) throw await planSteps(ctx, steps, () => limitMs - (ctx.clock.now() - started));
    const run = await runSteps(ctx, steps, {
      limitMs,
      left: () => limitMs - (ctx.clock.now() - started),
      judge: (done, at) => surpriseAfter(ctx, done, steps.slice(at + 1), { strict }),
    });
    const now =
      maxTokens === 0 || ctx.signal.aborted
        ? undefined
        : await closingLook(ctx, { steps, done: run.done, stop: run.stop, app, maxTokens });
    const output: Output = {
      steps: run.done.map((done) => receiptOf(done)),
      ...(now === undefined ? {} : { now }),
      duration_ms: Math.round(ctx.clock.now() - started),
    };
    if (run.stop === undefined) return output;
    throw stopped(run.stop, { steps, run, output });
  },
});

function receiptOf({ step, output }: DoneStep): StepReceipt {
  const effect = Effect.safeParse(output['effect']).data;
  const isReading = step.command.kind === 'read' && step.command.group !== 'waiting';
  return {
    command: step.command.name,
    ...(effect === undefined ? {} : { effect }),
    detail: stepLine(step.command, output),
    ...(isReading ? { answer: output } : {}),
  };
}

const LONGEST_NAMED = 10;

/** The failure of a run, with the receipts of the steps before it. */
function stopped(
  { at, reason, error }: Stop,
  { steps, run, output }: { readonly steps: readonly Step[]; readonly run: Run; readonly output: Output },
): DeskterityError {
  const name = steps[at]?.command.name ?? '';
  const notRun = steps.slice(at + 1).map(({ command }) => command.name);
  const shown = notRun.length > LONGEST_NAMED ? [...notRun.slice(0, LONGEST_NAMED), '…'] : notRun;
  const rest = notRun.length === 0 ? '' : ` Not run: ${shown.join(', ')}.`;
  const what = reason !== 'error' ? 'stopped' : error.code === 'CANCELLED' ? 'was ended' : 'failed';
  return error.with({
    message: `Step ${at + 1} of ${steps.length} (${name}) ${what}: ${error.message}${rest}`,
    delivered: error.delivered === true || run.done.some(({ output: one }) => one['delivered'] === true),
    retryable: false,
    result: {
      ...output,
      stopped: { step: at + 1, command: name, reason },
      not_run: notRun,
      ...(error.result === undefined ? {} : { failed: error.result }),
    },
    report: [error.report, report(output)].filter((part) => part !== undefined).join('\n'),
  });
}

const LONGEST_LINE = 200;

function report({ steps, now }: Output): string {
  const lines = steps.map(
    ({ command, detail }, index) => `${index + 1} ${command}: ${clip(detail, LONGEST_LINE)}`,
  );
  const answers = steps.flatMap(({ answer }, index) =>
    answer === undefined ? [] : [`answer of step ${index + 1}: ${JSON.stringify(answer)}`],
  );
  if (now === undefined) return [...lines, ...answers].join('\n');
  const cursor = now.cursor === undefined ? [] : [`cursor ${now.cursor}`];
  return [...lines, ...answers, 'now:', now.outline, ...cursor].join('\n');
}
