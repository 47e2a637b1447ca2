import { DeskterityError } from '../model/effects/errors.ts';
import type { CommandContext } from './define.ts';

/** What is held down must be let go by somebody. @throws DeskterityError DAEMON_UNAVAILABLE where this process ends with the call */
export function requireLivingOn({ outlivesCall }: CommandContext, what: string): void {
  if (outlivesCall === true) return;
  throw new DeskterityError('DAEMON_UNAVAILABLE', `${what} would stay held when this process has ended.`, {
    suggestion:
      'Leave --no-daemon out, or use one call that holds and lets go: "desk press ctrl+s", "desk drag".',
    delivered: false,
  });
}
