/** Public names of sandboxes, in configuration, records and answers, the one that holds most first. The platform says which of them a machine has. */
export const SANDBOX_NAMES = ['landlock', 'bubblewrap'] as const;
export type SandboxName = (typeof SANDBOX_NAMES)[number];

/** What confines a run; `none`: the user asked for no sandbox. */
export const CONFINEMENT_MEANS = [...SANDBOX_NAMES, 'none'] as const;
export type ConfinementMeans = (typeof CONFINEMENT_MEANS)[number];

/**
 * What a confined run may reach beside the system's own read-only folders. All paths are absolute with links resolved. Two runs with equal
 * confinements may share what the kernel is told.
 */
export interface Confinement {
  readonly by: ConfinementMeans;
  /** Folder that is read, written and executed in. */
  readonly scope: string;
  /** Files and folders that may also be read and executed. */
  readonly read: readonly string[];
  /** Files and folders that may also be written: the home, temporary and cache folders made for the scope, and what a trusted tool file asks for. */
  readonly write: readonly string[];
  /** IPv4 and IPv6 sockets. */
  readonly network: boolean;
  /** Sockets with a path or an abstract name: session bus, display server, agents, container daemons. */
  readonly unixSockets: boolean;
  /** Each denied access is noted; costs 30 to 50 µs per opened file. */
  readonly denyReport: boolean;
}

/** One access that was denied to a run. */
export interface DeniedAccess {
  readonly operation:
    | 'read'
    | 'write'
    | 'create'
    | 'delete'
    | 'rename'
    | 'link'
    | 'execute'
    | 'network'
    | 'unix-socket';
  /** Absolute path; for `network` and `unix-socket` what it wanted to reach as far as that is known. */
  readonly target: string;
  /** Name of the program that was denied. */
  readonly program: string;
  /** How often. */
  readonly count: number;
  /** The line of a tool file that would allow it, such as `"sandbox": {"read": ["/srv/data"]}`; absent where nothing would. */
  readonly allow?: string | undefined;
}

/** Key that equal confinements share. */
export function confinementKey(confinement: Confinement): string {
  const { by, scope, read, write, network, unixSockets, denyReport } = confinement;
  return JSON.stringify([by, scope, [...read].sort(), [...write].sort(), network, unixSockets, denyReport]);
}
