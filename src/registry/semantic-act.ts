import type { Receipt } from '../model/effect.ts';
import type { Engine } from '../engine/engine.ts';
import type { CommandContext } from './define.ts';
import { settleLimits } from './settle-limits.ts';

/** Carries out an act that names what the element shall be or do. */
export async function semanticAct(
  ctx: CommandContext,
  act: Parameters<Engine['act']>[0]['act'],
  {
    ref,
    heal,
    timeout_ms: deadlineMs,
  }: { readonly ref: string; readonly heal?: boolean | undefined; readonly timeout_ms: number },
): Promise<Receipt> {
  const engine = await ctx.engine();
  return engine.act({ act, ref, heal, settle: settleLimits(ctx), deadlineMs, signal: ctx.signal });
}
