import { z } from 'zod';
import { defineCommand, outlineStop, StopReport, timeout, type CommandFacts } from '../../registry/define.ts';

const input = z.object({ timeout_ms: timeout(5000) });

/** A command that stops all acting on the desktop, or allows it again. */
export function stopCommand({
  act,
  now,
  ...words
}: Pick<
  CommandFacts<typeof input, z.ZodObject>,
  'name' | 'title' | 'surfaces' | 'summary' | 'description'
> & {
  readonly act: 'stopActing' | 'resumeActing';
  /** What the first example shows. */
  readonly now: string;
}) {
  return defineCommand({
    ...words,
    group: 'input',
    kind: 'admin',
    needs: ['windows'],
    idempotent: true,
    isUrgent: true,
    input,
    output: StopReport,
    examples: [
      { about: now, input: {} },
      { about: 'Allow more time to reach the desktop', input: { timeout_ms: 20_000 } },
    ],
    outline: outlineStop,
    run: async (ctx, { timeout_ms: deadlineMs }) => {
      const engine = await ctx.engine();
      return { ...(await engine[act]({ deadlineMs, signal: ctx.signal })) };
    },
  });
}
