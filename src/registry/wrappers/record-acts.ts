import { DeskterityError } from '../../model/effects/errors.ts';
import { isRecord } from '../../model/is-record.ts';
import { clip, quoteClipped } from '../../model/text/untrusted-text.ts';
import { keptTexts, SECRET, type Reversal, type Reversible } from '../../model/undo/reversal.ts';
import type { CommandContext, CommandGroup } from '../definition.ts';
import type { Wrapper } from './wrapper.ts';

/** What their commands change is on the desktop. */
const GROUPS: ReadonlySet<CommandGroup> = new Set(['apps', 'windows', 'interaction', 'input', 'clipboard']);
const LONGEST_TARGET = 80;
const UNSEEN = 'its end was not seen';

/**
 * Puts each act that may have reached an application on the session's undo stack, with what the engine says is needed to undo it. Commands that run
 * others leave that to them.
 */
export const recordActs: Wrapper = ({ definition, name: command }, next) => {
  const { kind, group, isUndoing } = definition;
  if ((kind !== 'act' && kind !== 'input') || !GROUPS.has(group) || isUndoing === true) return next;
  return async (ctx, input) => {
    const at = new Date().toISOString();
    let found: Reversible | undefined;
    let hasSteps = false;
    const run: CommandContext['commands']['run'] = (...given) => {
      hasSteps = true;
      return ctx.commands.run(...given);
    };
    const record = async (result: unknown, delivered: unknown): Promise<void> => {
      if (hasSteps || (found === undefined ? delivered === false : isNothing(found))) return;
      const undoable = found ?? { irreversible: WHY[group] ?? UNSEEN };
      // Not being able to undo it must not turn the act into a failure.
      const undo = await ctx.undo().catch(() => undefined);
      await undo?.push({
        command,
        about: targetIn(result),
        at,
        call: ctx.callId,
        ...withoutSecrets(undoable, ctx.secrets),
      });
    };
    const onReversal = (reversible: Reversible): void => {
      found = reversible;
    };
    try {
      const output = await next({ ...ctx, onReversal, commands: { ...ctx.commands, run } }, input);
      if (output['dry_run'] !== true) await record(output, output['delivered']);
      return output;
    } catch (error) {
      const known = error instanceof DeskterityError ? error : undefined;
      if (known === undefined || known.delivered === true || found !== undefined)
        await record(known?.result, known?.delivered);
      throw error;
    }
  };
};

/** Why acts that the engine says nothing about cannot be undone. */
const WHY: Readonly<Partial<Record<CommandGroup, string>>> = {
  apps: 'applications are started and ended for good',
  windows: UNSEEN,
  interaction: 'what it does depends on the application',
  input: 'what it does depends on the application',
};

/** An act that left its element as it was. */
function isNothing(found: Reversible): boolean {
  if (!('reversal' in found)) return false;
  const { reversal } = found;
  return (reversal.kind === 'value' || reversal.kind === 'choice') && reversal.before === reversal.after;
}

function withoutSecrets(
  found: Reversible,
  secrets: readonly string[] = [],
): { readonly reversal?: Reversal; readonly irreversible?: string } {
  if (!('reversal' in found)) return found;
  const texts = keptTexts(found.reversal);
  return texts.some((text) => secrets.some((secret) => secret !== '' && text.includes(secret)))
    ? { irreversible: SECRET }
    : found;
}

/** `textbox "Name" @e4`; empty if the command has no target. */
function targetIn(result: unknown): string {
  const target = isRecord(result) ? result['target'] : undefined;
  if (!isRecord(target)) return '';
  const { role, name, ref } = target;
  const parts = [role, typeof name === 'string' ? quoteClipped(clip(name, LONGEST_TARGET)) : '', ref];
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
}
