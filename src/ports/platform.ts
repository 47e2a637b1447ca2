import type { ResolvedConfiguration } from '../model/configuration/config.ts';
import type { Environment } from '../model/sessions/caller.ts';
import type { ClockPort } from './clock.ts';
import type { CallOptions } from './desktop.ts';
import type { DesktopsPort } from './desktops.ts';
import type { DocumentsPort } from './documents.ts';
import type { FilesPort, FoldersPort } from './files.ts';
import type { LocalSocketsPort } from './local-sockets.ts';
import type { LogsPort } from './log.ts';
import type { ProcessIdentityPort } from './process.ts';
import type { ProcessPort } from './process.ts';
import type { PseudoTerminalPort } from './terminals/pseudo-terminal.ts';
import type { SandboxPort } from './sandbox.ts';
import type { SessionStoresPort } from './session-store.ts';
import type { TerminalApplicationsPort } from './terminals/terminal-applications.ts';

export interface MachineFacts {
  readonly nodeVersion: string;
  readonly platform: string;
  readonly architecture: string;
  /** How the command line is started: Node and its file, absolute. Absent where this runs from source. */
  readonly program?: { readonly node: string; readonly script: string } | undefined;
}

export interface ConfigurationRequest {
  /** Variables of whoever calls. */
  readonly environment: Environment;
  /** `config` of `platform/paths.ts`. */
  readonly configFolder: string;
  /** Texts by key, such as `output.format`: settings that were given as flags. */
  readonly flags?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A program that answered at once, or was ended. */
export interface QuickRun {
  /** Absent where it was ended, or could not be started. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  /** Or why it could not be started. */
  readonly stderr: string;
}

export interface QuickRunOptions {
  readonly environment: Environment;
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Programs of the machine that Deskterity itself uses, unconfined. */
export interface MachineProgramsPort {
  /** The path of an executable by its name, in one of the folders of a PATH. */
  readonly find: (name: string, searchPath: string) => string | undefined;
  /** Whether this is a file that this user may run. */
  readonly isExecutable: (file: string) => boolean;
  /** Runs a program that answers at once, as one does that tells another what to do; it is killed when the time is up. Never rejects. */
  readonly run: (command: readonly [string, ...string[]], options: QuickRunOptions) => Promise<QuickRun>;
}

/** What the machine says of processes. */
export interface ProcessFactsPort {
  /** Resident memory; `undefined` when the process is gone, and where that is not known. */
  readonly residentBytes: (pid: number) => Promise<number | undefined>;
  /** A variable of the environment that a process was started with; `undefined` where it has none or hides it. */
  readonly startingVariable: (pid: number, name: string) => Promise<string | undefined>;
}

/** A short text that the desktop shows its user. */
export interface DesktopNotice {
  readonly summary: string;
  /** Plain text: what looks like markup is shown as it is. */
  readonly body: string;
}

/** The user's login shell has told its environment, or why it has not. */
export type LoginShellAnswer = { readonly environment: Environment } | { readonly problem: string };

export interface ConfinedProgramsOptions {
  /** The bundle that confines its thread and starts programs from it. */
  readonly workerFile: string;
}

/** Everything the program asks of the machine. A function that returns a promise loads what it needs with its first call. */
export interface Platform {
  readonly clock: ClockPort;
  readonly files: FilesPort;
  readonly folders: FoldersPort;
  readonly logs: LogsPort;
  readonly sessionStores: SessionStoresPort;
  readonly sockets: LocalSocketsPort;
  readonly programs: MachineProgramsPort;
  readonly processes: ProcessFactsPort;
  readonly desktops: DesktopsPort;
  readonly facts: () => MachineFacts;
  /** Makes a folder and those above it. @throws Error of the file system */
  readonly makeFolder: (path: string, mode: number) => Promise<void>;
  /**
   * Runs `step` while no other process holds the lock file. A lock whose owner has ended is taken over.
   * @throws Error with code `ELOCKED` after three seconds
   */
  readonly withFileLock: <T>(lockFile: string, step: () => Promise<T>) => Promise<T>;
  /** The settings of one call. @throws DeskterityError CONFIG_INVALID; INVALID_ARGUMENT for a flag */
  readonly configuration: (request: ConfigurationRequest) => Promise<ResolvedConfiguration>;
  readonly documents: () => Promise<DocumentsPort>;
  /** @throws DeskterityError PLATFORM_UNSUPPORTED where no command lines are run */
  readonly processIdentity: () => Promise<ProcessIdentityPort>;
  /** What confined commands see of this machine. @throws DeskterityError SANDBOX_UNAVAILABLE where nothing can be confined */
  readonly sandbox: (options: ConfinedProgramsOptions) => Promise<SandboxPort>;
  /** Starts confined programs; may change this process. @throws DeskterityError SANDBOX_UNAVAILABLE where nothing can be confined */
  readonly confinedPrograms: (options: ConfinedProgramsOptions) => Promise<ProcessPort & PseudoTerminalPort>;
  /** Never inherits what is not in `environment`. */
  readonly loginEnvironment: (environment: Environment) => Promise<LoginShellAnswer>;
  /** Applications that show terminals to the user. */
  terminalApplications(): Promise<TerminalApplicationsPort>;
  /** Shows the user of the caller's desktop a notice. @throws DeskterityError BUS_UNAVAILABLE where nothing shows notices */
  readonly showNotice: (
    environment: Environment,
    notice: DesktopNotice,
    options: CallOptions,
  ) => Promise<void>;
}
