import { z } from 'zod';
import { DryRunReport, outlineDryRunTarget } from '../../model/effects/dry-run.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import { referencesIn } from '../../model/workflow/references.ts';
import type { CommandContext } from '../../registry/define.ts';
import { targetsOf, type Step } from './step-list.ts';
import type { PlannedStep } from './workflow-plan.ts';

/** What a target of a step is at the moment. */
export const CheckedTarget = z
  .object({
    target: z.string(),
    found: z.boolean().describe('Whether it is there now. Otherwise an earlier step may make it appear.'),
    detail: z.string().describe('The element and what the step would meet, or why none is known yet.'),
  })
  .meta({ id: 'CheckedTarget' });
export type CheckedTarget = z.output<typeof CheckedTarget>;

/** What a step would do now, and what its targets are. */
export interface CheckedStep {
  readonly targets: readonly CheckedTarget[];
  /** On one line. */
  readonly detail: string;
}

type Ctx = Pick<CommandContext, 'commands' | 'signal'>;
type Found = Omit<CheckedTarget, 'target'>;

const LOOK_MS = 2000;
const LONGEST_TARGET = 120;
const LONGEST_MESSAGE = 300;
const LONGEST_DETAIL = 200;

/** Runs a step as a dry run if it acts, and looks for its targets if it only reads. An earlier step may change what either finds. */
export async function checkStep(
  ctx: Ctx,
  step: Pick<PlannedStep, 'given' | 'ahead' | 'takesAnswers'>,
  left: () => number,
): Promise<CheckedStep> {
  const { ahead, takesAnswers } = step;
  const targets = shownTargets(step);
  if (left() <= 0 || ctx.signal.aborted) return unknown(targets, 'not looked for: the time was over');
  const isTried = !takesAnswers && ahead.command.keys.includes('dry_run');
  const outcome = isTried ? await tried(ctx, ahead, left) : undefined;
  const checked: CheckedTarget[] = [];
  for (const { target, isOpen } of targets) {
    const found = isOpen ? OPEN : (outcome?.found ?? (await look(ctx, target, left, outcome?.refusal)));
    checked.push({ target: clip(target, LONGEST_TARGET), ...found });
  }
  const known = takesAnswers ? OPEN.detail : detailOf(checked);
  const told = outcome?.would ?? outcome?.refusal ?? known;
  return { targets: checked, detail: clip(told, LONGEST_DETAIL) };
}

const OPEN: Found = { found: false, detail: 'unknown until then: it takes a value from an earlier step' };

interface ShownTarget {
  readonly target: string;
  /** Whether it takes a value from an earlier step. */
  readonly isOpen: boolean;
}

/** The targets of a step, as they were written where an earlier step has to complete them. */
function shownTargets({
  given,
  ahead,
  takesAnswers,
}: Pick<PlannedStep, 'given' | 'ahead' | 'takesAnswers'>): ShownTarget[] {
  const targets = targetsOf(ahead);
  const asWritten = targetsOf({ ...ahead, input: given.input });
  return targets.map((target, index) => {
    // Stand-ins are not what was written, and another part of the input may be what takes the value.
    const written = asWritten.length === targets.length ? asWritten[index] : undefined;
    const isOpen = takesAnswers && (written === undefined || takesAnswer(written));
    return { target: isOpen ? (written ?? '') : target, isOpen };
  });
}

function takesAnswer(text: string): boolean {
  return referencesIn(text).some(({ head }) => head !== 'param');
}

function unknown(targets: readonly ShownTarget[], detail: string): CheckedStep {
  return {
    targets: targets.map(({ target }) => ({ target: clip(target, LONGEST_TARGET), found: false, detail })),
    detail,
  };
}

function detailOf(targets: readonly CheckedTarget[]): string {
  if (targets.length === 0) return 'its input is valid';
  const lines = targets.map(({ target, detail }) => `${target}: ${detail}`).join('; ');
  return targets.every(({ found }) => found) ? `found ${lines}` : lines;
}

interface Tried {
  /** What it would do. */
  readonly would?: string;
  /** Why it would not do it now. */
  readonly refusal?: string;
  /** What is known of all its targets. */
  readonly found?: Found;
}

/** The step in a world in which nothing has an effect: it fails here as it would fail before its first effect. */
async function tried(ctx: Ctx, { command, input, timeoutMs }: Step, left: () => number): Promise<Tried> {
  const limit = timeoutMs === undefined ? {} : { timeout_ms: withinMs(timeoutMs, left) };
  try {
    const output = await ctx.commands.run(
      command.name,
      { ...input, ...limit, dry_run: true },
      { signal: ctx.signal },
    );
    const { data } = DryRunReport.safeParse(output);
    if (data === undefined) return { would: `would run ${command.name}` };
    const via = data.via === undefined ? '' : ` via ${data.via}`;
    const would = `would ${data.would}${via}`;
    const target = outlineDryRunTarget(data.target);
    return {
      would: target === '' ? would : `${target}: ${would}`,
      found: { found: true, detail: target === '' ? would : `${target}; ${would}` },
    };
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    const then = error.retryable ? 'would wait, and be refused unless that changes' : 'would be refused now';
    return { refusal: `${then}: ${error.code}: ${clip(error.message, LONGEST_MESSAGE)}` };
  }
}

function withinMs(timeoutMs: number, left: () => number): number {
  return Math.max(1, Math.floor(Math.min(timeoutMs, LOOK_MS, left())));
}

const Role = z.object({ ref: z.string(), value: z.string() });

/** Looks for one target of a step that only reads, or would be refused. */
async function look(
  { commands, signal }: Ctx,
  ref: string,
  left: () => number,
  refusal: string | undefined,
): Promise<Found> {
  try {
    const input = { property: 'role', ref, timeout_ms: withinMs(LOOK_MS, left) };
    const { data } = Role.safeParse(await commands.run('get', input, { signal }));
    const element = data === undefined ? 'it is there' : `${data.value} ${data.ref}`;
    return { found: true, detail: refusal === undefined ? element : `${element}; ${refusal}` };
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    const why = clip(error.message, LONGEST_MESSAGE);
    return { found: false, detail: `unknown until then: ${error.code}: ${why}` };
  }
}
