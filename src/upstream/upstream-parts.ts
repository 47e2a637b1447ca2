import type { DeskterityError } from '../model/effects/errors.ts';
import type { Environment } from '../model/sessions/caller.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { FilesPort, FoldersPort } from '../ports/files.ts';
import type { LogPort } from '../ports/log.ts';
import type { TrustPort } from '../toolfiles/files/trust.ts';
import type { ServerFile } from './configuration/find-servers.ts';
import type { CredentialStore } from './sign-in/credential-store.ts';

/** Name of a file of MCP servers. */
export const SERVER_FILE = 'mcp.json';

export interface UpstreamParts {
  readonly folders: FoldersPort;
  readonly files: FilesPort;
  readonly clock: ClockPort;
  readonly log: Pick<LogPort, 'write'>;
  readonly version: string;
  /** Runs `body` while holding a lock file. */
  readonly locked: <T>(path: string, body: () => Promise<T>) => Promise<T>;
  /** Whether this process continues after a call, and so can wait for a browser. */
  readonly outlivesCalls: boolean;
  /** Longest time for a server to start. Default: half a minute, as it may first download itself. */
  readonly startMs?: number | undefined;
  /** Opens an address in the caller's browser. @returns whether a browser was started */
  readonly openAddress: (environment: Environment, address: string) => Promise<boolean>;
}

/** Whose servers they are. */
export interface ServersCaller {
  /** Earlier ones are overridden by later ones. */
  readonly files: readonly ServerFile[];
  readonly trust: TrustPort;
  readonly trustFile: string;
  readonly credentials: CredentialStore;
  readonly callerEnvironment: Environment;
  /** Completed by the login shell. */
  readonly environment: () => Promise<Environment>;
  readonly project: string | undefined;
  readonly home: string;
  readonly cwd: string;
  /** Why the policy lets nobody use a server: then it is neither started nor reached. Absent if nothing is judged. */
  readonly refusalOf?: ((server: string) => DeskterityError | undefined) | undefined;
  /** Who may read the rest of an answer. */
  readonly owner: string;
  /** Receives the secrets of a server that is called. */
  readonly onSecrets?: ((values: readonly string[]) => void) | undefined;
}
