import type { Caller } from '../model/sessions/caller.ts';
import type { DesktopsPort } from '../ports/desktops.ts';

/**
 * The caller, with the variables of the user's desktop if its environment names none and exactly one is running, or if it names only the display.
 * Never for callers over ssh, whose user may not be the one at the screen. Sessions with private desktops ignore these variables. Never rejects.
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
