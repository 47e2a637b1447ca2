import type { Environment } from '../../model/sessions/caller.ts';
import type { Platform } from '../../ports/platform.ts';
import type { TerminalApplicationsPort } from '../../ports/terminals/terminal-applications.ts';

/** What of the machine is needed to show terminals in windows. */
export interface WindowMachine extends Pick<Platform, 'programs' | 'processes'> {
  readonly applications: TerminalApplicationsPort;
  /** Folder of this user alone for sockets; it need not be there. */
  readonly socketFolder: (environment: Environment) => string;
}
