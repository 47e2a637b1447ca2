import { whyDestructive, whyDestructiveCommand } from '../../model/destructive/destructive-act.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { isRecord } from '../../model/is-record.ts';
import { clip, quoteClipped, reveal } from '../../model/text/untrusted-text.ts';
import type { GuardedAct } from '../../engine/requests/acting.ts';
import type { CommandContext } from '../definition.ts';
import { requireConsent } from './require-consent.ts';
import type { Wrapper } from './wrapper.ts';

const LONGEST_NAME = 120;
const INSTEAD = 'change the setting confirmation.destructive';

/**
 * Refuses acts that may lose something before anything is sent, unless a person agreed to this act on this very element. The surface asks, and calls again
 * with the consent; the target is looked up anew then, so that an answer is never used for another one.
 */
export const confirmActs: Wrapper = ({ definition, name }, next) => {
  if (definition.kind !== 'act' && definition.kind !== 'input') return next;
  return async (ctx, input) => {
    const { confirmation = { isNeeded: false }, policy } = ctx;
    refuseWhileAsked(confirmation);
    // What an unattended run reaches was approved, and everything else is refused.
    const isNeeded = policy.unattended === undefined && (confirmation.isNeeded || policy.mode === 'safe');
    if (!isNeeded) return next(ctx, input);
    const given = isRecord(input) ? input : {};
    const why = whyDestructiveCommand(name, given);
    if (why !== undefined)
      requireConsent(confirmation, {
        what: `run ${name} on ${appIn(given)}`,
        why,
        about: [name, given],
        instead: INSTEAD,
      });
    const guard = async (about: GuardedAct): Promise<void> => {
      await ctx.guard?.(about);
      refuseWhileAsked(confirmation);
      const reason = whyDestructive(about);
      if (reason === undefined) return;
      const { act, target, identity } = about;
      const element = [target.role, quoteClipped(clip(target.name ?? '', LONGEST_NAME)), target.ref];
      const what = `${act} ${element.filter((part) => part !== undefined).join(' ')} in ${await about.place()}`;
      requireConsent(confirmation, {
        what,
        why: reason,
        about: [name, given, act, identity],
        instead: INSTEAD,
      });
    };
    return next({ ...ctx, guard }, input);
  };
};

/** An agent could otherwise answer the question that a person is asked, in the window of the person's terminal. */
function refuseWhileAsked(confirmation: CommandContext['confirmation']): void {
  if (confirmation?.isAsking?.() !== true) return;
  throw new DeskterityError(
    'CONFLICT',
    'A person is being asked for consent, and nothing may act meanwhile.',
    {
      suggestion: 'Wait until the person has answered, a minute at most, and call again.',
      delivered: false,
      retryable: true,
    },
  );
}

function appIn({ app }: Readonly<Record<string, unknown>>): string {
  return typeof app === 'string' ? JSON.stringify(clip(reveal(app), LONGEST_NAME)) : 'an application';
}
