import type { Environment } from '../model/sessions/caller.ts';
import type { SandboxName } from '../model/tools/confinement.ts';

export interface ConfinedEnvironmentRequest {
  /** The caller's. */
  readonly environment: Environment;
  /** Folder made for the scope, for home, temporary files and caches. */
  readonly folder: string;
  /** Whether the command may reach the desktop and agents, and gets their variables. */
  readonly unixSockets: boolean;
  /** Variables that are passed although they look like secrets. */
  readonly pass: readonly string[];
  /** If given, the only variables that are passed, besides those that every program needs. */
  readonly only?: readonly string[] | undefined;
}

export interface ProgramReadsRequest {
  /** The caller's. */
  readonly environment: Environment;
  /** Nothing that contains one of these or is inside one is readable. */
  readonly withheld: readonly string[];
}

/** The test result of one sandbox. */
export interface SandboxFinding {
  readonly name: SandboxName;
  /** Its name for people. */
  readonly title: string;
  readonly works: boolean;
  /** If it works: what a program in it could not do, as a sentence. */
  readonly detail?: string | undefined;
  /** What a program in it can still do, as a sentence. */
  readonly leavesOpen: string;
  /** Why it does not work, and what to do about it, each in a sentence. */
  readonly reason?: string | undefined;
  readonly instruction?: string | undefined;
}

/** The sandboxes of a machine. */
export interface SandboxLevel {
  /** Strictest first. */
  readonly sandboxes: readonly SandboxFinding[];
  /** The system and its version, as far as sandboxes depend on it. */
  readonly system: string;
  /** Whether Deskterity itself runs in a sandbox. */
  readonly isNested: boolean;
}

/** What confined commands can access on the machine. */
export interface SandboxPort {
  /** The sandbox that is used by default if it works. */
  readonly preferred: SandboxName;
  /** Whether a folder belongs to the system: write access there would affect programs outside the sandbox. Absolute, links resolved. */
  readonly isSystemFolder: (folder: string) => boolean;
  /** The environment of a confined command, without secrets and access to other programs; creates its folders. */
  environment(request: ConfinedEnvironmentRequest): Promise<Readonly<Record<string, string>>>;
  /** Files and folders of the home that hold programs, which commands may read and execute; absolute, with links resolved. */
  programs(request: ProgramReadsRequest): Promise<readonly string[]>;
  /** Starts a program in each kind of sandbox that tries forbidden operations; takes a few tenths of a second. */
  level(): Promise<SandboxLevel>;
}
