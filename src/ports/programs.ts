import type { RunSandbox } from './runs.ts';

/** How a command of a check ended. */
export interface CheckedCommand {
  /** Absent where a signal or the time limit ended it, or it could not be started. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Looks for programs and runs short commands that are asked about a program itself, confined. */
export interface ProgramsPort {
  /** The absolute path of a program: looked up in PATH, or what a path names. `undefined` where nothing that can be executed is there. */
  find(program: string): Promise<string | undefined>;
  /**
   * Never rejects for what the command does; its output is cut at a limit, and it is ended when the time is up.
   * @throws DeskterityError SANDBOX_UNAVAILABLE where nothing can be run
   */
  run(
    command: readonly [string, ...string[]],
    limits: {
      readonly timeoutMs: number;
      /** What it may reach; the scope alone where absent. */
      readonly sandbox?: RunSandbox | undefined;
    },
  ): Promise<CheckedCommand>;
}
