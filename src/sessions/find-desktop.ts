import type { Caller } from '../model/sessions/caller.ts';
import type { DesktopsPort } from '../ports/desktops.ts';

/**
 * The caller with what leads to the user's desktop, where its own environment names none and exactly one is alive, or names only its display. A session with a private
 * desktop goes its own way whatever its caller's environment says. Nor is the screen that somebody may be sitting at taken for one who comes over
 * ssh. Never rejects.
 */
export async function withUserDesktop(
  caller: Caller,
  desktops: Pick<DesktopsPort, 'displayIn' | 'findUserDesktop'>,
): Promise<Caller> {
  if (caller.environment['SSH_CONNECTION']) return caller;
  const found = await desktops.findUserDesktop(caller.environment);
  if (found === undefined) return caller;
  const isDesktopFound = desktops.displayIn(caller.environment) === undefined;
  return { ...caller, environment: { ...caller.environment, ...found }, isDesktopFound };
}
