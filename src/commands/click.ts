import { z } from 'zod';
import { Receipt } from '../model/effect.ts';
import { actTarget, defineCommand, outlineReceipt, settleLimits, timeout } from '../registry/define.ts';

export default defineCommand({
  name: 'click',
  group: 'interaction',
  kind: 'act',
  title: 'Press an element',
  toolsets: ['core'],
  needs: ['tree'],
  summary: 'Press an element through its accessibility action, without moving the pointer or the focus.',
  description:
    'Waits until the element is there, visible and enabled, presses it, then looks again. The receipt says what was seen: "confirmed" with evidence, or "unverified" when the application accepted the press ' +
    'but nothing visible came of it. "changes" lists what appeared, disappeared or changed, with references that can be used at once.',
  input: z.object({ ...actTarget, timeout_ms: timeout(10_000) }),
  positionals: ['ref'],
  output: Receipt,
  examples: [
    { about: 'Press a button', input: { ref: '@e2' } },
    { about: 'Press what a locator matches', input: { ref: 'role:button[name="Save"]' } },
    { about: 'Give a slow application more time', input: { ref: '@e2', timeout_ms: 30_000 } },
  ],
  outline: outlineReceipt,
  run: async (ctx, input) => {
    const engine = await ctx.engine();
    return engine.click({
      ref: input.ref,
      heal: input.heal,
      settle: settleLimits(ctx),
      deadlineMs: input.timeout_ms,
      signal: ctx.signal,
    });
  },
});
