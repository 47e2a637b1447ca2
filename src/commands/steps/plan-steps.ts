import { DeskterityError } from '../../model/effects/errors.ts';
import { Planned } from '../../model/effects/planned.ts';
import { clip, quoteClipped } from '../../model/text/untrusted-text.ts';
import type { CommandContext } from '../../registry/define.ts';
import type { Step } from './step-list.ts';

const LOOK_MS = 2000;
const LONGEST_DETAIL = 200;

/**
 * Plans all steps in a dry run. What a later step is about may only appear with an earlier one, so only the first has to be possible now.
 * @throws DeskterityError if the first step would be refused
 */
export async function planSteps(
  ctx: Pick<CommandContext, 'commands' | 'signal'>,
  steps: readonly Step[],
  left: () => number,
): Promise<Planned> {
  const lines: string[] = [];
  for (const [at, step] of steps.entries()) {
    const detail = await planned(ctx, step, left()).catch((error: unknown) => {
      if (at === 0 || !(error instanceof DeskterityError)) throw error;
      return `${step.command.name}: unknown until then: ${error.code}: ${clip(error.message, LONGEST_DETAIL)}`;
    });
    lines.push(`${at + 1}. ${detail}`);
  }
  return new Planned(lines.join('; '));
}

async function planned(
  { commands, signal }: Pick<CommandContext, 'commands' | 'signal'>,
  { command, input, timeoutMs }: Step,
  leftMs: number,
): Promise<string> {
  // Reading steps wait for what the steps before them do.
  if (command.kind === 'read') return command.name;
  const limited =
    timeoutMs === undefined
      ? input
      : { ...input, timeout_ms: Math.max(1, Math.min(LOOK_MS, Math.floor(leftMs))) };
  try {
    await commands.run(command.name, limited, { signal });
    return command.name;
  } catch (error) {
    if (!(error instanceof Planned)) throw error;
    const { target, step, via } = error;
    const name = target?.name === undefined ? '' : ` ${quoteClipped(target.name)}`;
    const on = target === undefined ? '' : ` on ${target.role}${name}`;
    return `${step}${on}${via === undefined ? '' : ` via ${via}`}`;
  }
}
