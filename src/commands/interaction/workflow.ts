import { z } from 'zod';
import { byAnyStrategy } from '../../model/effects/guarantees.ts';
import { MOST_STEPS, WorkflowStep } from '../../model/workflow/step.ts';
import {
  defineCommand,
  flag,
  MAX_TIMEOUT_MS,
  ModeChoice,
  windowScope,
  type CommandContext,
} from '../../registry/define.ts';
import { ALSO_RUNS } from '../steps/also-runs.ts';
import { closingLook, type Look } from '../steps/closing-look.ts';
import { checkStep } from '../steps/workflow-check.ts';
import { requireKnownParams, workflowParams } from '../steps/workflow-params.ts';
import { planSteps, type PlannedStep } from '../steps/workflow-plan.ts';
import { mayRollBack, rollBack, ROLLBACK_MS } from '../steps/workflow-rollback.ts';
import {
  failed,
  placeOf,
  report,
  resultOf,
  WorkflowOutput,
  type WorkflowResult,
} from '../steps/workflow-report.ts';
import { runWorkflow, type WorkflowRun } from '../steps/workflow-run.ts';

/** Time after the deadline to look at what is there. */
const REPORT_MS = 4500;

export default defineCommand({
  name: 'workflow',
  group: 'interaction',
  kind: 'act',
  longRunning: 'call',
  guarantee: byAnyStrategy('what the command of each step requires'),
  title: 'Run a workflow',
  toolsets: ['verify'],
  needs: ['tree'],
  destructive: true,
  alsoRuns: ALSO_RUNS,
  summary: 'Run the steps of a workflow, whose later steps can use the answers of earlier ones.',
  description:
    'Steps may concern several applications. {{step_0.value}}, {{id.value}} and {{param.NAME}} stand for a field of an earlier answer (steps count from 0) or a parameter. Everything is checked before the first step runs. A failed step ends the workflow unless it is tried again (retry) or skipped or all undone (on_fail).',
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
    dry_run: flag('Only check all steps, and say what each would do or meet now.'),
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
  output: WorkflowOutput,
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
  deadlineMs: ({ deadline_ms: limit, steps }) =>
    limit + REPORT_MS + (steps.some(({ on_fail: how }) => how === 'rollback') ? ROLLBACK_MS : 0),
  outline: (output) => report(output),
  run: async (ctx, { steps, name, param, params: given, dry_run: isDryRun, full, ...input }) => {
    const started = ctx.clock.now();
    const { app, window, mode, timeout_ms, deadline_ms: limitMs, strict, max_tokens: maxTokens } = input;
    const common = { app, window, mode, timeout_ms };
    const params = workflowParams(given, param);
    const plan = planSteps(ctx, steps, { params, common });
    requireKnownParams(param, given, steps);
    const left = (): number => limitMs - (ctx.clock.now() - started);
    const taken = () => ({ duration_ms: Math.round(ctx.clock.now() - started) });
    const named = { ...(name === undefined ? {} : { name }), steps_total: plan.length, rolled_back: false };
    if (isDryRun) {
      const results = await checkAll(ctx, plan, left);
      const output: WorkflowOutput = {
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
    const back = mayRollBack(ctx, plan, run.stop) ? await rollBack(ctx) : undefined;
    const now = await lookAt(ctx, run, { app, maxTokens });
    const cursor = now?.cursor ?? cursorOf(run);
    const output: WorkflowOutput = {
      ...named,
      success: run.stop === undefined,
      steps_completed: run.results.filter(({ status }) => status === 'done').length,
      results: run.results.map((result) => resultOf(result, full)),
      ...(back === undefined ? {} : back),
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
    const { targets, detail } = await checkStep(ctx, planned, left);
    results.push({
      ...placeOf(planned),
      status: 'checked',
      attempts: 0,
      duration_ms: Math.round(ctx.clock.now() - started),
      detail,
      ...(targets.length === 0 ? {} : { targets: [...targets] }),
    });
  }
  return results;
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
