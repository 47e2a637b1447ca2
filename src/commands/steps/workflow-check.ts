import { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import type { CommandContext } from '../../registry/define.ts';
import { targetsOf } from './step-list.ts';
import type { PlannedStep } from './workflow-plan.ts';

/** What a target of a step is at the moment. */
export const CheckedTarget = z
  .object({
    target: z.string(),
    found: z.boolean().describe('Whether it is there now. Otherwise an earlier step may make it appear.'),
    detail: z.string().describe('The element, or why none is known yet.'),
  })
  .meta({ id: 'CheckedTarget' });
export type CheckedTarget = z.output<typeof CheckedTarget>;

const LOOK_MS = 2000;
const LONGEST_TARGET = 120;

/** Looks for the targets of a step without acting. */
export async function checkTargets(
  ctx: Pick<CommandContext, 'commands' | 'signal'>,
  { ahead, takesAnswers }: PlannedStep,
  left: () => number,
): Promise<CheckedTarget[]> {
  const checked: CheckedTarget[] = [];
  for (const target of targetsOf(ahead)) {
    const shown = clip(target, LONGEST_TARGET);
    if (takesAnswers)
      checked.push({
        target: shown,
        found: false,
        detail: 'unknown until then: it takes a value from an earlier step',
      });
    else if (left() <= 0 || ctx.signal.aborted)
      checked.push({ target: shown, found: false, detail: 'not looked for: the time was over' });
    else checked.push({ target: shown, ...(await look(ctx, target, Math.min(LOOK_MS, left()))) });
  }
  return checked;
}

const Found = z.object({ ref: z.string(), value: z.string() });

async function look(
  { commands, signal }: Pick<CommandContext, 'commands' | 'signal'>,
  ref: string,
  timeoutMs: number,
): Promise<Omit<CheckedTarget, 'target'>> {
  const input = { property: 'role', ref, timeout_ms: Math.max(1, Math.floor(timeoutMs)) };
  try {
    const { data } = Found.safeParse(await commands.run('get', input, { signal }));
    return { found: true, detail: data === undefined ? 'it is there' : `${data.value} ${data.ref}` };
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    return { found: false, detail: `unknown until then: ${error.code}: ${clip(error.message, 200)}` };
  }
}
