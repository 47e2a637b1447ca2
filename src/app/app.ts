import type { Engine } from '../engine/engine.ts';
import type { ResolvedConfiguration } from '../model/configuration/config.ts';
import type { Speller } from '../model/text/mention.ts';
import type { FinishedCommand } from '../model/terminals/finished-command.ts';
import type { TerminalFacts } from '../model/terminals/terminal-settings.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { DaemonFacts } from '../ports/daemon.ts';
import type { DesktopPort } from '../ports/desktop.ts';
import type { DesktopsPort } from '../ports/desktops.ts';
import type { DocumentsPort } from '../ports/documents.ts';
import type { FilesPort } from '../ports/files.ts';
import type { OperationsPort } from '../ports/operations.ts';
import type { Platform } from '../ports/platform.ts';
import type { SandboxPort } from '../ports/sandbox.ts';
import type { TerminalsPort } from '../ports/terminals.ts';
import type { AttachmentRequest, TerminalAttachment } from '../ports/terminals/attachments.ts';
import type { LogEntry, LogPort } from '../ports/log.ts';
import type { SessionsPort } from '../ports/sessions.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { CommandContext, Picture, ProgressStep, SystemFacts } from '../registry/define.ts';
import type { RegisteredCommand, Registry } from '../registry/registry.ts';
import type { Caller, Environment } from '../model/sessions/caller.ts';
import type { OfferedTools } from '../toolfiles/tool-files.ts';
import type { OutputFormat, Rendered } from './render.ts';
import type { LiveViewer, PassingSession } from '../sessions/session-homes.ts';
import type { WatchTopic } from '../sessions/watches.ts';

export type { WatchTopic } from '../sessions/watches.ts';

/** What the program is made of. What needs a desktop is called when a command first does, so that `version` touches no display. */
export interface AppParts {
  readonly registry: Registry;
  readonly files: FilesPort;
  readonly documents: () => Promise<DocumentsPort>;
  readonly clock: ClockPort;
  readonly system: SystemFacts;
  /** For whom calls are made that do not say. */
  readonly caller: Caller;
  readonly desktops: DesktopsPort;
  readonly createEngine: (parts: {
    desktop: DesktopPort;
    session: SessionStore;
    sessionName: string;
    clock: ClockPort;
  }) => Promise<Engine>;
  /** The store of one session; `note` receives what the user should know about it. */
  readonly openSession: (folder: string, session: string, note: (message: string) => void) => SessionStore;
  /** Names of the sessions in a folder. */
  readonly storedSessions: (folder: string) => Promise<readonly string[]>;
  /** The folder that holds the sessions of whoever has this environment. */
  readonly sessionFolder: (environment: Environment) => string;
  /** Whether this process lives on when a call has been answered. */
  readonly outlivesCalls: boolean;
  readonly configuration: (environment: Environment) => Promise<ResolvedConfiguration>;
  /** Folders of Deskterity for whoever has this environment. */
  readonly folders: (environment: Environment) => {
    readonly state: string;
    readonly cache: string;
    readonly config: string;
  };
  /** Command-line operations of whoever has this environment; loaded when first wanted. */
  readonly openOperations: (environment: Environment) => Promise<OperationsPort>;
  /** Terminals of whoever has this environment; loaded when first wanted. */
  readonly openTerminals: (environment: Environment) => Promise<TerminalsPort>;
  readonly sandbox: () => Promise<SandboxPort>;
  /** Where commands get what the caller's environment lacks; absent where it lacks nothing. */
  readonly askLoginShell?: Platform['loginEnvironment'] | undefined;
  readonly platform: Pick<
    Platform,
    'folders' | 'logs' | 'processes' | 'programs' | 'showNotice' | 'terminalApplications' | 'withFileLock'
  >;
  /** Folder of the tool files that are shipped with Deskterity. */
  readonly readyFolder: string;
  readonly log: LogPort;
  /** What a daemon says of itself beside its sessions. */
  readonly daemonFacts?: (() => Omit<DaemonFacts, 'desktops' | 'activeCalls'>) | undefined;
  /** Makes what shows sessions live; called when the first page is wanted. */
  readonly openLiveView: () => Promise<LiveViewer>;
}

export interface CallSettings {
  readonly signal?: AbortSignal | undefined;
  readonly caller?: Caller | undefined;
  /** Also receives what is logged of this call. */
  readonly onLog?: ((entry: LogEntry) => void) | undefined;
}

export interface AnswerOptions extends CallSettings {
  /** What a token budget is counted on. */
  readonly form: CommandContext['form'];
  /** Told what is being done, by commands that have steps. */
  readonly onProgress?: ((step: ProgressStep) => void) | undefined;
}

/** An answer as data and as text, with its pictures. */
export interface Answer {
  readonly output: Record<string, unknown>;
  /** The compact text form. */
  readonly outline: string;
  /** Text that somebody else wrote, such as what a command printed; empty for most. */
  readonly quoted: string;
  /** Operations that ended since the session was last answered, as lines; mostly empty. */
  readonly news: string;
  readonly pictures: readonly Picture[];
  /** It is about a desktop, so that its texts may come from applications. */
  readonly isFromDesktop: boolean;
  readonly durationMs: number;
}

export interface ExecuteOptions extends CallSettings {
  /** The configuration decides where absent. */
  readonly format?: OutputFormat | undefined;
  /** JSON over several lines. */
  readonly pretty?: boolean | undefined;
  /** Input keys whose text the answer must not repeat. */
  readonly secrets?: readonly string[] | undefined;
}

/** Commands that tool files give one caller. */
export type CallerTools = OfferedTools<RegisteredCommand>;

/** Runs commands and renders their answers: the one way in, for every surface. */
export interface App {
  /** Never rejects: a failure is an answer with an exit code. */
  execute(session: string, command: string, input: unknown, options?: ExecuteOptions): Promise<Rendered>;
  /** The answer as data. @throws DeskterityError */
  call(
    session: string,
    command: string,
    input: unknown,
    options?: CallSettings & { readonly form?: CommandContext['form'] },
  ): Promise<Record<string, unknown>>;
  /** The answer for surfaces that show text, data and pictures. @throws DeskterityError */
  answer(session: string, command: string, input: unknown, options: AnswerOptions): Promise<Answer>;
  /** Calls `listener` when something may have changed on the session's desktop; the caller looks what it was. See {@link Watches.start}. @throws DeskterityError */
  watch(
    session: string,
    topic: WatchTopic,
    listener: () => void,
    settings?: CallSettings,
  ): Promise<() => void>;
  /**
   * Calls `hear` for each command that the session left running in a terminal with `terminal.notify` set to mcp, when it ends.
   * @returns ends the watch
   */
  watchCommandEnds(session: string, hear: (finished: FinishedCommand) => void, caller?: Caller): () => void;
  readonly commands: readonly RegisteredCommand[];
  /** Spells what texts mention as it is typed into a shell. */
  readonly commandLineSpeller: Speller;
  /** What tool files add for this caller. @throws DeskterityError for a caller without a folder to work in */
  toolsOf(caller: Caller): Promise<CallerTools>;
  /** What a description of terminals says to this caller. Never rejects: the calls report settings that cannot be read. */
  terminalFacts(caller: Caller): Promise<TerminalFacts>;
  /** Makes ready what the first command line of this caller needs. Never rejects: where it cannot, the command itself says why. */
  prepareTools(caller: Caller): Promise<void>;
  /** The caller with what leads to the user's desktop; see {@link withUserDesktop}. */
  findDesktop(caller: Caller): Promise<Caller>;
  /** The display that an environment names; `undefined` where it names none. */
  displayIn(environment: Environment): string | undefined;
  /** A session of a free name that is remembered by this process only, for as long as somebody is connected. */
  openPassingSession(
    prefix: string,
    caller: Caller,
    options?: {
      /** The session whose desktop it is on; the caller's desktop where absent. */
      readonly beside?: string | undefined;
    },
  ): PassingSession;
  /** Attaches a person to a terminal. @throws DeskterityError TERMINAL_NOT_FOUND, AMBIGUOUS_TARGET */
  openAttachment(caller: Caller, request: AttachmentRequest): Promise<TerminalAttachment>;
  readonly sessions: SessionsPort;
  /** Calls that are being answered. */
  readonly activeCalls: number;
  /** What would be lost with this process beside calls, as phrases such as `1 private desktop`: it must not leave for being idle. */
  keptBy(): readonly string[];
  /** Ends every desktop it started and every connection. */
  close(): Promise<void>;
}
