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

/** What a machine can confine programs with, each way tried out. */
export interface SandboxLevel {
  /** `full`: Landlock, a filter of system calls, tried out. `bubblewrap`: namespaces only. */
  readonly level: 'full' | 'bubblewrap' | 'none';
  /** Its version: `6.12.3`. */
  readonly kernel: string;
  /** Version of Landlock; absent where there is none. */
  readonly landlockAbi?: number | undefined;
  /** Names of the capabilities that a confined program still has; empty but for root. */
  readonly capabilities: readonly string[];
  readonly landlock: SandboxFinding;
  readonly bubblewrap: SandboxFinding & { readonly path?: string | undefined };
  /** Deskterity itself runs in somebody's sandbox. */
  readonly isNested: boolean;
}

export interface SandboxFinding {
  readonly works: boolean;
  /** Why not, and what to do about it, each in a sentence. */
  readonly reason?: string | undefined;
  readonly instruction?: string | undefined;
}

/** What confined commands see of the machine. */
export interface SandboxPort {
  /** What a confined command gets of the user's environment, without secrets and ways to other programs; its folders are made. */
  environment(request: ConfinedEnvironmentRequest): Promise<Readonly<Record<string, string>>>;
  /** Files and folders of the home that hold programs, which commands may read and execute; absolute, with links resolved. */
  programs(request: ProgramReadsRequest): Promise<readonly string[]>;
  /** Starts a program in each kind of sandbox, which tries what it must not be able to do; takes some tenths of a second. */
  level(): Promise<SandboxLevel>;
}
