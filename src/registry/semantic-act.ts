import type { Engine } from '../engine/engine.ts';
import type { Receipt } from '../model/effects/effect.ts';
import type { Mode } from '../model/effects/mode.ts';
import { actOptions } from './act-options.ts';
import type { CommandContext } from './define.ts';

interface ActInput {
  readonly ref: string;
  readonly mode?: Mode | undefined;
  readonly heal?: boolean | undefined;
  readonly timeout_ms: number;
}

/** Carries out an act that names what the element shall be or do. */
export async function semanticAct(
  ctx: CommandContext,
  act: Parameters<Engine['act']>[0]['act'],
  input: ActInput,
): Promise<Receipt> {
  const engine = await ctx.engine({ targets: [input.ref] });
  return engine.act({ act, ref: input.ref, ...actOptions(ctx, input) });
}

/** Carries out what only a pointer can do. */
export async function pointerGesture(
  ctx: CommandContext,
  gesture: Parameters<Engine['gesture']>[0]['gesture'],
  input: ActInput,
): Promise<Receipt> {
  const engine = await ctx.engine({ targets: [input.ref] });
  return engine.gesture({ gesture, ref: input.ref, ...actOptions(ctx, input) });
}
