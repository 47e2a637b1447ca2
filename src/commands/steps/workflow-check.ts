import { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import { referencesIn } from '../../model/workflow/references.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import type { CommandContext, StepCommand } from '../../registry/define.ts';
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
  { given, ahead, takesAnswers }: Pick<PlannedStep, 'given' | 'ahead' | 'takesAnswers'>,
  left: () => number,
): Promise<CheckedTarget[]> {
  const checked: CheckedTarget[] = [];
  const targets = targetsOf(ahead);
  const asWritten = targetsOf({ ...ahead, input: given.input });
  for (const [index, target] of targets.entries()) {
    // Stand-ins are not what was written, and another part of the input may be what takes the value.
    const written = asWritten.length === targets.length ? asWritten[index] : undefined;
    const isOpen = takesAnswers && (written === undefined || takesAnswer(written));
    const shown = clip(isOpen ? (written ?? '') : target, LONGEST_TARGET);
    if (isOpen)
      checked.push({
        target: shown,
        found: false,
        detail: 'unknown until then: it takes a value from an earlier step',
      });
    else if (left() <= 0 || ctx.signal.aborted)
      checked.push({ target: shown, found: false, detail: 'not looked for: the time was over' });
    else
      checked.push({
        target: shown,
        ...(await look(ctx, ahead.command, target, () => Math.min(LOOK_MS, left()))),
      });
  }
  return checked;
}

function takesAnswer(text: string): boolean {
  return referencesIn(text).some(({ head }) => head !== 'param');
}

const Found = z.object({ ref: z.string(), value: z.string() });
const StatesFound = z.object({ value: z.array(z.string()) });

/** Time to look whether a hand could reach an element: what is covered or moves is seen in one or two looks. */
const REACH_MS = 400;
/** Commands that also work on a disabled element. */
const WORK_ON_DISABLED: ReadonlySet<string> = new Set(['hover', 'scroll', 'press']);
const WRITING: ReadonlySet<string> = new Set(['set-value', 'type', 'clear', 'fill']);

async function look(
  { commands, signal }: Pick<CommandContext, 'commands' | 'signal'>,
  command: StepCommand,
  ref: string,
  left: () => number,
): Promise<Omit<CheckedTarget, 'target'>> {
  const ask = (name: string, input: Readonly<Record<string, unknown>>, mostMs = LOOK_MS) =>
    commands.run(
      name,
      { ...input, timeout_ms: Math.max(1, Math.floor(Math.min(mostMs, left()))) },
      { signal },
    );
  try {
    const { data } = Found.safeParse(await ask('get', { property: 'role', ref }));
    if (data === undefined) return { found: true, detail: 'it is there' };
    const obstacle = await obstacleTo(command, data.ref, ask).catch(
      () => 'whether anything is in its way could not be found out',
    );
    const detail = `${data.value} ${data.ref}`;
    return { found: true, detail: obstacle === undefined ? detail : `${detail}; ${obstacle}` };
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    return { found: false, detail: `unknown until then: ${error.code}: ${clip(error.message, 200)}` };
  }
}

/** What an act would meet as the screen is now; an earlier step may change it. `undefined` if nothing is in its way. */
async function obstacleTo(
  { name, kind }: StepCommand,
  ref: string,
  ask: (command: string, input: Readonly<Record<string, unknown>>, mostMs?: number) => Promise<unknown>,
): Promise<string | undefined> {
  if ((kind !== 'act' && kind !== 'input') || !ref.startsWith('@e')) return undefined;
  const states = StatesFound.safeParse(await ask('get', { property: 'states', ref })).data?.value ?? [];
  if (states.includes('disabled') && !WORK_ON_DISABLED.has(name))
    return `disabled now: ${name} would wait until it is enabled, or be refused with NOT_ACTIONABLE`;
  if (states.includes('readonly') && WRITING.has(name))
    return `read-only now: ${name} would be refused with NOT_ACTIONABLE`;
  try {
    await ask('wait', { actionable: ref }, REACH_MS);
    return undefined;
  } catch (error) {
    if (!(error instanceof DeskterityError) || error.code !== 'TIMEOUT') throw error;
    return `not within reach of the pointer now (${clip(error.message, 200)}): acts through accessibility may work, the pointer would wait or be refused`;
  }
}
