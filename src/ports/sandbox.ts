import type { SandboxName } from '../model/tools/confinement.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfinedEnvironmentRequest {
  /** The caller's. */
  readonly environment: Environment;
  /** Folder made for the scope, in which home, temporary files and caches get a place. */
  readonly folder: string;
  /** The command may reach the desktop and agents, so it is told where they are. */
  readonly unixSockets: boolean;
  /** Variables that are passed on although they look like secrets. */
  readonly pass: readonly string[];
}

export interface ProgramReadsRequest {
  /** The caller's. */
  readonly environment: Environment;
  /** Nothing that holds one of these or lies in one is read. */
  readonly withheld: readonly string[];
}

/** One sandbox, tried out. */
export interface SandboxFinding {
  readonly name: SandboxName;
  /** As people call it. */
  readonly title: string;
  readonly works: boolean;
  /** What a program in it could not do, as a sentence; where it works. */
  readonly detail?: string | undefined;
  /** What a program in it can still do, as a sentence. */
  readonly leavesOpen: string;
  /** Why it does not work, and what to do about it, each in a sentence. */
  readonly reason?: string | undefined;
  readonly instruction?: string | undefined;
}

/** What a machine can confine programs with. */
export interface SandboxLevel {
  /** The one that holds most first. */
  readonly sandboxes: readonly SandboxFinding[];
  /** The system and its version, as far as sandboxes depend on it. */
  readonly system: string;
  /** Deskterity itself runs in somebody's sandbox. */
  readonly isNested: boolean;
}

/** What confined commands see of the machine. */
export interface SandboxPort {
  /** The sandbox that is used where nobody has chosen and it works. */
  readonly preferred: SandboxName;
  /** Whether a folder is the system's own: who may write there can change what is outside of a sandbox. Absolute, links resolved. */
  readonly isSystemFolder: (folder: string) => boolean;
  /** What a confined command gets of the user's environment, without secrets and ways to other programs; its folders are made. */
  environment(request: ConfinedEnvironmentRequest): Promise<Readonly<Record<string, string>>>;
  /** Files and folders of the home that hold programs, which commands may read and execute; absolute, with links resolved. */
  programs(request: ProgramReadsRequest): Promise<readonly string[]>;
  /** Starts a program in each kind of sandbox, which tries what it must not be able to do; takes some tenths of a second. */
  level(): Promise<SandboxLevel>;
}
