import type { ModedRequest } from '../engine/engine.ts';
import type { Mode } from '../model/effects/mode.ts';
import type { CommandContext } from './define.ts';
import { settleLimits } from './settle-limits.ts';

/** What every act is told of its caller. */
export function actOptions(
  ctx: CommandContext,
  input: {
    readonly timeout_ms: number;
    readonly mode?: Mode | undefined;
    readonly heal?: boolean | undefined;
  },
): Omit<ModedRequest, 'ref'> {
  return {
    mode: input.mode,
    heal: input.heal,
    settle: settleLimits(ctx),
    deadlineMs: input.timeout_ms,
    signal: ctx.signal,
  };
}
