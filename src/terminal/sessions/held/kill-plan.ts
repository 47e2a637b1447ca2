import type { EndWaits } from '../../../ports/process.ts';

export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGKILL';

/** `foreground`: the process group that has the terminal. `tree`: everything else the command has started, also in sessions of its own; never the shell. */
export type KillTarget = 'foreground' | 'tree';

export interface KillStep {
  readonly signal: EndSignal;
  readonly target: KillTarget;
  /** How long it is given before the next. */
  readonly waitMs: number;
}

/** What is still there, by target: numbers of processes. */
export type Remaining = Readonly<Record<KillTarget, number>>;

export type KillMove =
  | { readonly type: 'signal'; readonly step: KillStep; readonly index: number }
  | { readonly type: 'ended' }
  | { readonly type: 'survived' };

/** For the kernel to take away what SIGKILL has ended. */
const SETTLE_MS = 1000;

/** INT, TERM and KILL to what has the terminal; then the same to what it has left behind. */
export function killPlan({ interruptMs, terminateMs }: EndWaits): readonly KillStep[] {
  const steps = [
    ['SIGINT', interruptMs],
    ['SIGTERM', terminateMs],
    ['SIGKILL', SETTLE_MS],
  ] as const;
  return (['foreground', 'tree'] as const).flatMap((target) =>
    steps.map(([signal, waitMs]) => ({ signal, target, waitMs })),
  );
}

/**
 * What to do next: the first step from `index` on whose target still has processes.
 * @param index of the step after the last that was done; 0 at first
 */
export function nextKillMove(plan: readonly KillStep[], index: number, remaining: Remaining): KillMove {
  if (remaining.foreground + remaining.tree === 0) return { type: 'ended' };
  for (const [at, step] of plan.entries())
    if (at >= index && remaining[step.target] > 0) return { type: 'signal', step, index: at };
  return { type: 'survived' };
}

/** Longest time that a plan can take. */
export function longestKillMs(plan: readonly KillStep[]): number {
  return plan.reduce((sum, { waitMs }) => sum + waitMs, 0);
}
