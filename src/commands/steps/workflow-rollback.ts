import type { CommandContext } from '../../registry/define.ts';
import type { Stop } from './run-steps.ts';
import { undoActs, type UndoneAct } from './undo-acts.ts';
import type { PlannedStep } from './workflow-plan.ts';

/** Time for undoing, besides the deadline of the steps. */
export const ROLLBACK_MS = 30_000;
const PER_ACT_MS = 10_000;

export interface RolledBack {
  readonly rolled_back: boolean;
  readonly rollback: {
    readonly undone: number;
    readonly already: number;
    readonly skipped: number;
    readonly failed: number;
    readonly actions: UndoneAct[];
  };
}

/** Whether the step that failed asks for it. A workflow that was cancelled sends nothing more. */
export function mayRollBack(
  { signal }: Pick<CommandContext, 'signal'>,
  plan: readonly PlannedStep[],
  stop: Stop | undefined,
): boolean {
  return stop !== undefined && !signal.aborted && plan[stop.at]?.given.on_fail === 'rollback';
}

/** Undoes what the steps of this call did, the newest first. */
export async function rollBack(
  ctx: Pick<
    CommandContext,
    'callId' | 'clock' | 'configuration' | 'engine' | 'outlivesCall' | 'progress' | 'signal' | 'undo'
  >,
): Promise<RolledBack> {
  const until = ctx.clock.now() + ROLLBACK_MS;
  const acts = (await (await ctx.undo()).list()).filter(({ call }) => call === ctx.callId);
  const { undone, already, skipped, failed, actions } = await undoActs(ctx, acts, {
    left: () => until - ctx.clock.now(),
    perActMs: PER_ACT_MS,
  });
  return {
    rolled_back: skipped + failed === 0,
    rollback: { undone, already, skipped, failed, actions: [...actions] },
  };
}
