import type { SandboxName } from '../model/tools/confinement.ts';
import type { OperationView } from './operations.ts';

/** What a command may reach, with absolute paths. Links are not resolved, and the paths need not exist. */
export interface RunSandbox {
  readonly scope: string;
  /** The scope is read-only. */
  readonly isReadOnly?: boolean | undefined;
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly network: boolean;
  readonly unixSockets: boolean;
  readonly denyReport: boolean;
  /** The sandbox that the tool requests. */
  readonly profile: SandboxName | undefined;
  /** Names of the caller's variables that the command gets although they may be secret. */
  readonly pass: readonly string[];
  readonly set: Readonly<Record<string, string>>;
}

/** Only the scope. */
export function plainSandbox(scope: string): RunSandbox {
  return {
    scope,
    read: [],
    write: [],
    network: false,
    unixSockets: false,
    denyReport: false,
    profile: undefined,
    pass: [],
    set: {},
  };
}

/** One command of a run. */
export interface RunStep {
  /** The program, by name or absolute path, and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** Absolute, inside the scope of its sandbox. */
  readonly cwd: string;
  /** Pause before it. */
  readonly delayMs: number;
  readonly sandbox: RunSandbox;
}

export interface RunRequest {
  /** What was called: `git_commit`. */
  readonly tool: string;
  /** One after the other until one fails; at least one. */
  readonly steps: readonly RunStep[];
  /** For all steps together. */
  readonly timeoutMs: number;
  readonly output?: 'merged' | 'separate' | undefined;
}

/** Command lines run in the caller's sandbox, as operations of its session. */
export interface RunsPort {
  /** Folder that all runs are confined to; absolute, links resolved. */
  readonly scope: string;
  /** The user's real home. */
  readonly home: string;
  /** Deskterity's own folders, which no run may write. */
  readonly guarded: readonly string[];
  /** Resolves once the operation is recorded and runs. @throws DeskterityError SANDBOX_UNAVAILABLE, DAEMON_UNAVAILABLE, ACTION_FAILED */
  start(request: RunRequest): Promise<OperationView>;
  /** Prepares what plain runs need, so that the first one starts as fast as any. @throws DeskterityError SANDBOX_UNAVAILABLE, DAEMON_UNAVAILABLE */
  prepare(): Promise<void>;
}
