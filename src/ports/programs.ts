import type { RunSandbox } from './runs.ts';

/** How a command of a check ended. */
export interface CheckedCommand {
  /** Absent if a signal or the time limit ended it, or if it could not be started. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Finds programs and runs short, confined commands that query a program about itself. */
export interface ProgramsPort {
  /** The absolute path of a program, given by a name in PATH or by a path. `undefined` if no executable is there. */
  find(program: string): Promise<string | undefined>;
  /**
   * Never rejects because of the command itself; its output is cut at a limit, and it is ended when the time is up.
   * @throws DeskterityError SANDBOX_UNAVAILABLE if nothing can be run
   */
  run(
    command: readonly [string, ...string[]],
    limits: {
      readonly timeoutMs: number;
      /** What it may reach; by default only the scope. */
      readonly sandbox?: RunSandbox | undefined;
    },
  ): Promise<CheckedCommand>;
}
