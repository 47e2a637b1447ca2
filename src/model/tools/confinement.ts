/** Public names of sandboxes, in configuration, records and answers, strictest first. The platform knows which of them a machine supports. */
export const SANDBOX_NAMES = ['landlock', 'bubblewrap'] as const;
export type SandboxName = (typeof SANDBOX_NAMES)[number];

/** What confines a run; `none`: the user asked for no sandbox. */
export const CONFINEMENT_METHODS = [...SANDBOX_NAMES, 'none'] as const;
export type ConfinementMethod = (typeof CONFINEMENT_METHODS)[number];

/** A file or folder that is recognised again, whatever takes its name. */
export interface SamePlace {
  /** Absolute, with links resolved. */
  readonly path: string;
  readonly device: string;
  readonly inode: string;
}

/**
 * What a confined run may reach in addition to the system's read-only folders. All paths are absolute with links resolved. Runs with equal
 * confinements may share kernel rules.
 */
export interface Confinement {
  readonly by: ConfinementMethod;
  /** Folder with read, write and execute access. */
  readonly scope: string;
  /** Files and folders that may also be read and executed. */
  readonly read: readonly string[];
  /** Files and folders that may also be written: the home, temporary and cache folders made for the scope, and those that a trusted tool file requests. */
  readonly write: readonly string[];
  /** Places among these that must still be the same when they are opened: a program could have put something else there since they were checked. */
  readonly same?: readonly SamePlace[] | undefined;
  /** IPv4 and IPv6 sockets. */
  readonly network: boolean;
  /** Sockets with a path or an abstract name: session bus, display server, agents, container daemons. */
  readonly unixSockets: boolean;
  /** Reports each denied access; costs 30 to 50 µs per opened file. */
  readonly denyReport: boolean;
}

/** Key that equal confinements share. */
export function confinementKey(confinement: Confinement): string {
  const { by, scope, read, write, network, unixSockets, denyReport, same = [] } = confinement;
  const places = same.map(({ path, device, inode }) => [path, device, inode]);
  return JSON.stringify([
    by,
    scope,
    [...read].sort(),
    [...write].sort(),
    network,
    unixSockets,
    denyReport,
    places,
  ]);
}
