import type { Environment } from '../../model/sessions/caller.ts';
import type { Platform } from '../../ports/platform.ts';
import type { TerminalApplicationsPort } from '../../ports/terminals/terminal-applications.ts';

/** What showing terminals in windows needs of the machine. */
export interface WindowMachine extends Pick<Platform, 'programs' | 'processes'> {
  readonly applications: TerminalApplicationsPort;
  /** Private folder of this user for sockets; it may not exist. */
  readonly socketFolder: (environment: Environment) => string;
}
