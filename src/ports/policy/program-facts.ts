/** What the system says about the program of a process, or of a command before it is run. */
export interface ProgramFacts {
  /** Path of its file, by the kernel, if the same file is there for us; never a path that only the process itself sees. */
  readonly executable?: string | undefined;
  /** Whether only an administrator can change that file and the folders that it is in. */
  readonly isInstalled?: boolean | undefined;
  /** Ids of desktop files that an administrator installed and that start this very file. */
  readonly desktopIds?: readonly string[] | undefined;
  /** Whatever else it is known by: its script, its package, the name of the process. It can deny a program, never allow it. */
  readonly otherNames: readonly string[];
  /** A dialog in which Deskterity asks the user. */
  readonly isOurDialog?: boolean | undefined;
}

/** A process whose windows are judged by what it is, whatever it is called. */
export interface RelatedProcess {
  readonly pid: number;
  /** A caller comes from it; what else must hold for it to be the program in which the caller runs, depends on the screen. */
  readonly isSurely: boolean;
}

/** One process for good: pids are reused. */
export interface ProcessKey {
  readonly pid: number;
  /** Differs from any other process with this pid. */
  readonly key: string;
  /** Whether it runs in a terminal, which then belongs to another process that it comes from. */
  readonly isInTerminal?: boolean | undefined;
}

/** Tells which program a process runs. Never rejects; quick, because it is asked before every act. */
export interface ProgramFactsPort {
  /** @param isFull also whether it is installed, and its desktop ids, which takes longer */
  ofProcess(pid: number, isFull: boolean): Promise<ProgramFacts>;
  /** Of a program that is not running yet. */
  ofCommand(command: readonly string[]): Promise<ProgramFacts>;
  /** Of an application as it would be launched by a path, a program's name, a desktop-file id or a display name. */
  ofApplication(app: string): Promise<ProgramFacts>;
  /** The process itself and those that it comes from, nearest first. Behind a terminal multiplexer, also those that show what is in it. */
  lineageOf(pid: number): Promise<readonly (readonly ProcessKey[])[]>;
  keyOf(pid: number): Promise<string | undefined>;
}
