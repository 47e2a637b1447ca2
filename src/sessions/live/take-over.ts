import { DeskterityError } from '../../model/effects/errors.ts';
import { mentionCommand } from '../../model/text/mention.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { StopState } from '../../ports/input.ts';

const CALL = { deadlineMs: 5000 };
const BY = 'a person';

/**
 * Gives a private desktop to a person: acts by sessions are refused, and those under way end, until it is handed back.
 * @throws DeskterityError POLICY_DENIED for the user's own desktop, and while acting is stopped
 */
export async function takeOver(desktop: DesktopPort, session: string): Promise<StopState> {
  await requirePrivate(desktop, session);
  const state = await desktop.stopSwitch.takeOver(BY, CALL);
  if (state.takeover === true) return state;
  throw new DeskterityError(
    'POLICY_DENIED',
    'Acting on this desktop is stopped, so it cannot be taken over.',
    {
      suggestion: `Allow acting again first: ${mentionCommand('resume')}.`,
    },
  );
}

/** Lets acts continue. A desktop that nobody has taken over stays as it is. */
export function handBack(desktop: DesktopPort): Promise<StopState> {
  return desktop.stopSwitch.handBack(CALL);
}

/** On their own desktop people already have keyboard and pointer, and a page must not become a second pair. */
async function requirePrivate(desktop: DesktopPort, session: string): Promise<void> {
  if ((await desktop.status(CALL)).isPrivate) return;
  throw new DeskterityError(
    'POLICY_DENIED',
    `Session "${session}" acts on your own desktop, where you already have keyboard and pointer.`,
    { suggestion: `Stop all acting there with ${mentionCommand('stop')}.` },
  );
}
