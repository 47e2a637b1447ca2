import type { ConsentAnswer } from '../model/effects/consent-answer.ts';
import type { ResolvedConfiguration } from '../model/configuration/config.ts';
import type { Environment, ProgramFiles } from '../model/sessions/caller.ts';
import type { TcpConnection } from '../model/sessions/tcp-connection.ts';
import type { AuditFolderPort } from './audit/audit-folder.ts';
import type { ClockPort } from './clock.ts';
import type { CallOptions } from './call-options.ts';
import type { FindDesktopSetup } from './desktop/desktop-setup.ts';
import type { DesktopsPort } from './desktops.ts';
import type { DocumentsPort } from './documents.ts';
import type { FilesPort, FoldersPort } from './files.ts';
import type { LocalSocketsPort } from './local-sockets.ts';
import type { LogsPort } from './log.ts';
import type { PathFacts, PolicyFileOptions, PolicyFileText } from './policy/policy-file.ts';
import type { ProgramFactsPort } from './policy/program-facts.ts';
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
  /** How this copy's command line is started. Absent if it runs from source. */
  readonly program?: ProgramFiles | undefined;
}

export interface ConfigurationRequest {
  /** The caller's variables. */
  readonly environment: Environment;
  /** `config` of `platform/paths.ts`. */
  readonly configFolder: string;
  /** Settings given as flags, as texts by key such as `output.format`. */
  readonly flags?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The result of a short program. */
export interface QuickRun {
  /** Absent if it was ended or could not be started. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  /** Its standard error, or why it could not be started. */
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
  /** Runs a short program, such as a remote control of another; it is killed when the time is up. Never rejects. */
  readonly run: (command: readonly [string, ...string[]], options: QuickRunOptions) => Promise<QuickRun>;
}

/** Facts about processes. */
export interface ProcessFactsPort {
  /** Resident memory; `undefined` if the process has ended or this is unknown. */
  readonly residentBytes: (pid: number) => Promise<number | undefined>;
  /** A variable of a process's initial environment; `undefined` if it is unset or unreadable. */
  readonly startingVariable: (pid: number, name: string) => Promise<string | undefined>;
}

/** A desktop notification. */
export interface DesktopNotice {
  readonly summary: string;
  /** Plain text: markup is shown literally. */
  readonly body: string;
}

/** The environment of the user's login shell, or why it is unknown. */
export type LoginShellAnswer = { readonly environment: Environment } | { readonly problem: string };

export interface ConfinedProgramsOptions {
  /** The bundle of the worker thread that confines itself and starts programs. */
  readonly workerFile: string;
}

/** Takes a picture, as PNG. */
export type TakePicture = () => Promise<Uint8Array | undefined>;

/** A picture in a file that only this user can read. */
export interface KeptPicture {
  readonly path: string;
  /** Never rejects. */
  remove(): Promise<void>;
}

export interface ConsentDialogOptions {
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** What the question is about, as PNG. */
  readonly picture?: Uint8Array | undefined;
  /** Where its program may be. Default: folders of the system, which an agent cannot write to. */
  readonly folders?: string | undefined;
}

/** Everything the program needs from the machine. A function that returns a promise loads its implementation on the first call. */
export interface Platform {
  readonly clock: ClockPort;
  readonly files: FilesPort;
  readonly folders: FoldersPort;
  readonly logs: LogsPort;
  /** The files of the audit log in a folder; `isLogFile` tells them from others. */
  readonly auditFolder: (path: string, isLogFile: (name: string) => boolean) => Promise<AuditFolderPort>;
  readonly sessionStores: SessionStoresPort;
  readonly sockets: LocalSocketsPort;
  readonly programs: MachineProgramsPort;
  readonly processes: ProcessFactsPort;
  /** What processes run; `environment` is that of this process. */
  readonly programFacts: (environment: Environment) => Promise<ProgramFactsPort>;
  readonly desktops: DesktopsPort;
  readonly facts: () => MachineFacts;
  /** Creates a folder and its parents. @throws Error of the file system */
  readonly makeFolder: (path: string, mode: number) => Promise<void>;
  /**
   * Runs `step` while holding a lock file. The lock of a process that has ended is taken over.
   * @throws Error with code `ELOCKED` after three seconds
   */
  readonly withFileLock: <T>(lockFile: string, step: () => Promise<T>) => Promise<T>;
  /** The settings of one call. @throws DeskterityError CONFIG_INVALID; INVALID_ARGUMENT for a flag */
  readonly configuration: (request: ConfigurationRequest) => Promise<ResolvedConfiguration>;
  /** Reads a policy file; `undefined` if there is none. Never rejects. */
  readonly policyFile: (path: string, options: PolicyFileOptions) => Promise<PolicyFileText | undefined>;
  /** Where a path in a rule leads. Never throws. */
  readonly pathFacts: (path: string) => PathFacts;
  readonly documents: () => Promise<DocumentsPort>;
  /** @throws DeskterityError PLATFORM_UNSUPPORTED if the platform runs no command lines */
  readonly processIdentity: () => Promise<ProcessIdentityPort>;
  /** What confined commands can access on this machine. @throws DeskterityError SANDBOX_UNAVAILABLE if nothing can be confined */
  readonly sandbox: (options: ConfinedProgramsOptions) => Promise<SandboxPort>;
  /** Starts confined programs; may change this process. @throws DeskterityError SANDBOX_UNAVAILABLE if nothing can be confined */
  readonly confinedPrograms: (options: ConfinedProgramsOptions) => Promise<ProcessPort & PseudoTerminalPort>;
  /** Inherits only `environment`. */
  readonly loginEnvironment: (environment: Environment) => Promise<LoginShellAnswer>;
  /** Applications that show terminals to the user. */
  terminalApplications(): Promise<TerminalApplicationsPort>;
  /** The processes of this machine at the other end of a connection; none if they are unknown. Absent if the platform cannot tell. Never rejects. */
  readonly tcpPeers?: ((connection: TcpConnection) => Promise<readonly number[]>) | undefined;
  /**
   * Opens an address in the browser of the caller's desktop; absent if the platform cannot. Rejects if `judge` does, which is given the command before it
   * is run.
   * @returns whether a browser was started
   */
  readonly openAddress?:
    | ((
        environment: Environment,
        address: string,
        judge: (command: readonly string[]) => Promise<void>,
      ) => Promise<boolean>)
    | undefined;
  /** Asks the user of the caller's desktop for consent, in a window; absent if the platform cannot. Never rejects. */
  readonly askOnDesktop?:
    | ((environment: Environment, question: string, options: ConsentDialogOptions) => Promise<ConsentAnswer>)
    | undefined;
  /** Keeps a PNG picture in a file while a question is open; the same one for all who ask about the same. Never rejects. */
  readonly keepPicture?:
    | ((take: TakePicture, about?: string) => Promise<KeptPicture | undefined>)
    | undefined;
  readonly desktopSetup: FindDesktopSetup;
  /** Shows a notification on the caller's desktop. @throws DeskterityError BUS_UNAVAILABLE if nothing shows notifications */
  readonly showNotice: (
    environment: Environment,
    notice: DesktopNotice,
    options: CallOptions,
  ) => Promise<void>;
}
