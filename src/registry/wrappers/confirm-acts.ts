import { whyDestructive, whyDestructiveCommand } from '../../model/destructive/destructive-act.ts';
import { isRecord } from '../../model/is-record.ts';
import { clip, quoteClipped, reveal } from '../../model/text/untrusted-text.ts';
import type { GuardedAct } from '../../engine/requests/acting.ts';
import type { CommandContext } from '../definition.ts';
import { refuseWhileAsked, requireConsent } from './require-consent.ts';
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
    if (!mayAsk(policy, confirmation)) return next(ctx, input);
    const isAgreedTo = (why: string): boolean =>
      policy.decide({ command: name, loss: { why, isAsked: confirmation.isNeeded }, concerning: 'loss' })
        .decision === 'allow';
    const given = isRecord(input) ? input : {};
    const why = whyDestructiveCommand(name, given);
    if (why !== undefined && !isAgreedTo(why))
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
      if (reason === undefined || isAgreedTo(reason)) return;
      const { act, target, identity } = about;
      const element = [target.role, quoteClipped(clip(target.name ?? '', LONGEST_NAME)), target.ref];
      const { words, application } = await about.place();
      if (application !== undefined) ctx.onApplication?.(application);
      requireConsent(confirmation, {
        what: `${act} ${element.filter((part) => part !== undefined).join(' ')} in ${words}`,
        why: reason,
        verb: about.pressedBy === 'perhaps' ? 'might' : 'would',
        about: [name, given, act, identity],
        instead: INSTEAD,
        picture: { take: () => about.picture() },
      });
    };
    return next({ ...ctx, guard }, input);
  };
};

/** What an unattended run reaches was approved, and everything else is refused. Otherwise nothing has to be found out about an act. */
function mayAsk(
  { unattended, mode }: CommandContext['policy'],
  { isNeeded }: NonNullable<CommandContext['confirmation']>,
): boolean {
  return unattended === undefined && (isNeeded || mode === 'safe');
}

function appIn({ app }: Readonly<Record<string, unknown>>): string {
  return typeof app === 'string' ? JSON.stringify(clip(reveal(app), LONGEST_NAME)) : 'an application';
}
