import type { Environment } from '../../../../model/sessions/caller.ts';

/** Where the session bus of an environment listens. */
export function sessionBusOf(environment: Environment): string {
  return environment['DBUS_SESSION_BUS_ADDRESS'] || `unix:path=${environment['XDG_RUNTIME_DIR']}/bus`;
}
