import { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import type { RecordedAct } from '../../model/undo/undo-stack.ts';
import type { CommandContext } from '../../registry/define.ts';

/** What became of one act. */
export const UndoneAct = z
  .object({
    tool: z.string().describe('Name of the command.'),
    status: z.enum([
      'undone',
      'skipped_irreversible',
      'skipped_changed',
      'changed_since',
      'failed',
      'not_tried',
      'reversible',
      'irreversible',
    ]),
    target: z.string().optional(),
    effect: z.enum(['confirmed', 'unverified']).optional(),
    detail: z.string().describe('What a fresh read shows, or why it was not undone.'),
    at: z.string().optional().describe('When it was done, in a list.'),
  })
  .meta({ id: 'UndoneAct' });
export type UndoneAct = z.output<typeof UndoneAct>;

export interface UndoReport {
  /** The newest first. */
  readonly actions: readonly UndoneAct[];
  readonly undone: number;
  readonly skipped: number;
  /** Those that could be undone and were not. */
  readonly failed: number;
  /** Acts that stay known. */
  readonly left: number;
  /** The first reason. */
  readonly error: DeskterityError | undefined;
}

const LONGEST_DETAIL = 300;

/** How acts are undone. */
export interface Undoing {
  readonly left: () => number;
  readonly perActMs: number;
  /** How many; all if absent. */
  readonly count?: number | undefined;
  /** Acts whose element was changed since or is gone do not count: so many others are undone instead. */
  readonly skipsChanged?: boolean | undefined;
}

/** Undoes acts, the newest first, each unless its element was changed since. What was undone or cannot be leaves the stack; the others stay known. */
export async function undoActs(
  ctx: Pick<
    CommandContext,
    'engine' | 'undo' | 'outlivesCall' | 'progress' | 'signal' | 'configuration' | 'guard'
  >,
  acts: readonly RecordedAct[],
  { left, perActMs, count: most = acts.length, skipsChanged = false }: Undoing,
): Promise<UndoReport> {
  const actions: UndoneAct[] = [];
  const gone: number[] = [];
  let error: DeskterityError | undefined;
  let passed: DeskterityError | undefined;
  const newestFirst = acts.toReversed();
  let done = 0;
  for (const act of newestFirst) {
    if (done >= most) break;
    ctx.progress?.({ message: `Undoing ${done + 1}/${most}: ${act.command}` });
    const { outcome, failure } = await undoOne(ctx, act, Math.min(perActMs, left()));
    const isPassed = skipsChanged && failure !== undefined && isPassable(failure);
    actions.push({
      ...placeOf(act),
      ...outcome,
      ...(isPassed ? { status: 'skipped_changed' as const } : {}),
    });
    if (isPassed) {
      passed ??= failure;
      continue;
    }
    done += 1;
    error ??= failure;
    if (outcome.status === 'not_tried') break;
    if (outcome.status === 'undone' || outcome.status === 'skipped_irreversible') gone.push(act.id);
  }
  const undo = await ctx.undo();
  if (gone.length > 0) await undo.remove(gone);
  const count = (...statuses: UndoneAct['status'][]): number =>
    actions.filter(({ status }) => statuses.includes(status)).length;
  return {
    actions,
    undone: count('undone'),
    skipped: count('skipped_irreversible', 'skipped_changed'),
    failed: count('changed_since', 'failed', 'not_tried'),
    left: acts.length - gone.length,
    error: error ?? (done === 0 ? passed : undefined),
  };
}

/** Codes that say that an element is not there any more. */
const GONE: ReadonlySet<string> = new Set([
  'STALE_REF',
  'ELEMENT_NOT_FOUND',
  'WINDOW_NOT_FOUND',
  'APP_NOT_FOUND',
]);

/** The element of the act that could not be undone was changed since or is gone; acts before it may be undone. */
export function isPassable({ code, delivered }: DeskterityError): boolean {
  return delivered !== true && (code === 'CONFLICT' || GONE.has(code));
}

type Outcome = Pick<UndoneAct, 'status' | 'effect' | 'detail'>;

async function undoOne(
  ctx: Pick<CommandContext, 'engine' | 'outlivesCall' | 'signal' | 'configuration' | 'guard'>,
  { reversal, irreversible = 'it is not known how' }: RecordedAct,
  deadlineMs: number,
): Promise<{ readonly outcome: Outcome; readonly failure?: DeskterityError }> {
  if (reversal === undefined) return { outcome: { status: 'skipped_irreversible', detail: irreversible } };
  if (ctx.signal.aborted || deadlineMs <= 0) {
    const failure = new DeskterityError('TIMEOUT', 'The time was over.', {
      suggestion: 'Undo the rest with another call.',
      delivered: false,
    });
    return { outcome: { status: 'not_tried', detail: 'the time was over' }, failure };
  }
  const { quiet_ms: quietMs, limit_ms: limitMs } = ctx.configuration.values.settle;
  try {
    const engine = await ctx.engine();
    const { effect, evidence } = await engine.reverse({
      reversal,
      outlivesCall: ctx.outlivesCall === true,
      guard: ctx.guard,
      settle: { quietMs, limitMs },
      deadlineMs,
      signal: ctx.signal,
    });
    return { outcome: { status: 'undone', effect, detail: clip(evidence.join('; '), LONGEST_DETAIL) } };
  } catch (failure) {
    if (!(failure instanceof DeskterityError)) throw failure;
    const status = failure.code === 'CONFLICT' ? 'changed_since' : 'failed';
    const detail = clip(`${failure.code}: ${failure.message}`, LONGEST_DETAIL);
    const suggestion = 'There is nothing left to undo in it: leave it, or look at what there is now.';
    return {
      outcome: { status, detail },
      failure: GONE.has(failure.code) && failure.delivered !== true ? failure.with({ suggestion }) : failure,
    };
  }
}

function placeOf({ command, about }: RecordedAct): Pick<UndoneAct, 'tool' | 'target'> {
  return { tool: command, ...(about === '' ? {} : { target: about }) };
}

/** The acts as a list, the newest first; nothing is undone. */
export function listedActs(acts: readonly RecordedAct[]): UndoneAct[] {
  return acts.toReversed().map((act) => ({
    ...placeOf(act),
    ...(act.reversal === undefined
      ? { status: 'irreversible' as const, detail: act.irreversible ?? 'it is not known how' }
      : { status: 'reversible' as const, detail: KINDS[act.reversal.kind] }),
    at: act.at,
  }));
}

const KINDS = {
  value: 'its content before is known',
  switch: 'whether it was on before is known',
  openness: 'whether it was open before is known',
  choice: 'what it showed before is known',
  option: 'what was selected before is known',
  window: 'its place before is known',
  clipboard: 'what was on the clipboard before is known',
} as const;

/** One line for each act. */
export function undoLines(actions: readonly UndoneAct[]): string[] {
  return actions.map(({ tool, status, target, effect, detail }) => {
    const what = target === undefined ? tool : `${tool} ${target}`;
    const how = effect === undefined ? status : `${status}, ${effect}`;
    return `${what}: ${how} (${detail})`;
  });
}
