import type { Engine } from '../engine/engine.ts';
import type { Configuration, ResolvedConfiguration } from '../model/configuration/config.ts';
import type { Speller } from '../model/text/mention.ts';
import type { Policy, PolicyRequest } from '../model/policy/verdict.ts';
import type { FinishedCommand } from '../model/terminals/finished-command.ts';
import type { TerminalFacts } from '../model/terminals/terminal-settings.ts';
import type { AuditKeeping } from '../audit/rotation.ts';
import type { AuditFacts, AuditKind } from '../model/audit/entry.ts';
import type { AuditPort } from '../ports/audit/audit.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { DaemonFacts } from '../ports/daemon.ts';
import type { DesktopPort } from '../ports/desktop/desktop.ts';
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
import type { DeskterityError } from '../model/effects/errors.ts';
import type { ReachedList } from '../model/policy/reached.ts';
import type { ConsentAnswer } from '../model/effects/consent-answer.ts';
import type { TcpConnection } from '../model/sessions/tcp-connection.ts';
import type { Caller, Environment } from '../model/sessions/caller.ts';
import type { OfferedTools } from '../toolfiles/tool-files.ts';
import type { ClientProjects } from './client-projects.ts';
import type { OfferedCommands } from './step-commands.ts';
import type { OutputFormat, Rendered } from './render.ts';
import type { TaskRecords } from '../sessions/tasks/task-records.ts';
import type { Screen } from './page/screen-style.ts';
import type { LiveViewer, TemporarySession } from '../sessions/session-homes.ts';
import type { WatchTopic } from '../sessions/watches.ts';

export type { TaskRecords } from '../sessions/tasks/task-records.ts';
export type { WatchTopic } from '../sessions/watches.ts';

/** The parts of the program. Those that need a desktop are called on first use, so that `version` touches no display. */
export interface AppParts {
  readonly registry: Registry;
  readonly files: FilesPort;
  readonly documents: () => Promise<DocumentsPort>;
  readonly clock: ClockPort;
  readonly system: SystemFacts;
  /** The default caller. */
  readonly caller: Caller;
  readonly desktops: DesktopsPort;
  readonly createEngine: (parts: {
    desktop: DesktopPort;
    session: SessionStore;
    sessionName: string;
    clock: ClockPort;
    keepsJournal: boolean;
  }) => Promise<Engine>;
  /** Opens the store of one session; `note` receives messages for the user. */
  readonly openSession: (folder: string, session: string, note: (message: string) => void) => SessionStore;
  /** Names of the sessions stored in a folder. */
  readonly storedSessions: (folder: string) => Promise<readonly string[]>;
  /** The folder of the sessions for this environment. */
  readonly sessionFolder: (environment: Environment) => string;
  /** Whether this process continues after a call has been answered. */
  readonly outlivesCalls: boolean;
  readonly configuration: (environment: Environment) => Promise<ResolvedConfiguration>;
  /** What a caller may do. @throws DeskterityError CONFIG_INVALID */
  readonly policy: (caller: Caller) => Promise<Policy>;
  /** Folders of Deskterity for this environment. */
  readonly folders: (environment: Environment) => {
    readonly state: string;
    readonly cache: string;
    readonly config: string;
  };
  /** Command-line operations for this environment; loaded on first use. */
  readonly openOperations: (environment: Environment) => Promise<OperationsPort>;
  /** Terminals for this environment; loaded on first use. */
  readonly openTerminals: (environment: Environment) => Promise<TerminalsPort>;
  /** Calls that MCP clients left running, for this environment; loaded on first use. */
  readonly openTasks: (environment: Environment) => Promise<TaskRecords>;
  /** The audit log of this process; absent if it keeps none. `keeping` tells how large it may become. */
  readonly openAudit?: ((keeping: () => Promise<AuditKeeping>) => Promise<AuditPort>) | undefined;
  readonly sandbox: () => Promise<SandboxPort>;
  /** Reads the variables that the caller's environment lacks; absent if it lacks none. */
  readonly askLoginShell?: Platform['loginEnvironment'] | undefined;
  readonly platform: Pick<
    Platform,
    | 'askOnDesktop'
    | 'keepPicture'
    | 'configuration'
    | 'desktopSetup'
    | 'folders'
    | 'logs'
    | 'openAddress'
    | 'processes'
    | 'programFacts'
    | 'programs'
    | 'showNotice'
    | 'tcpPeers'
    | 'terminalApplications'
    | 'withFileLock'
  >;
  /** Folder of the tool files shipped with Deskterity. */
  readonly readyFolder: string;
  readonly log: LogPort;
  /** What a daemon reports about itself, apart from its sessions. */
  readonly daemonFacts?: (() => Omit<DaemonFacts, 'desktops' | 'activeCalls'>) | undefined;
  /** Creates the live view of sessions; called for the first page. */
  readonly openLiveView: () => Promise<LiveViewer>;
}

export interface CallSettings {
  /** The session is created if there is none of this name; otherwise that is an error. */
  readonly mayCreateSession?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly caller?: Caller | undefined;
  /** Whether the surface can ask a person, and asks if an act needs consent; nobody else is asked then. */
  readonly canConfirm?: boolean | undefined;
  /** What {@link DeskterityError.consent} named, if a person agreed to it. */
  readonly consent?: string | undefined;
  /** Asks the person at the caller's terminal for consent to an act, if the surface asks nobody itself. */
  readonly askPerson?: ((question: string) => Promise<ConsentAnswer>) | undefined;
  /** Also receives the log entries of this call. */
  readonly onLog?: ((entry: LogEntry) => void) | undefined;
  /** Told of each entry that the call adds to the audit log. */
  readonly onAudit?: ((kind: AuditKind, facts: AuditFacts) => void) | undefined;
  /** Told of everything that the policy let the call reach. */
  readonly onReached?: ((request: PolicyRequest) => void) | undefined;
  /** Called with the id of an operation that the call has started, before the call is answered. */
  readonly onOperation?: ((operationId: string) => void) | undefined;
}

export interface AnswerOptions extends CallSettings {
  /** The form that a token budget applies to. */
  readonly form: CommandContext['form'];
  /** See {@link CommandContext.isData}. */
  readonly isData?: boolean | undefined;
  /** Changes the data before it is put into words. */
  readonly change?: ((output: Record<string, unknown>) => Record<string, unknown>) | undefined;
  /** Called with each step of commands that have steps. */
  readonly onProgress?: ((step: ProgressStep) => void) | undefined;
  /** The commands that may be steps of this call. Default: all. */
  readonly offered?: OfferedCommands | undefined;
  /** Only asks the policy: for a tool that it hides, and that was called all the same. Nothing is run even if it is allowed. */
  readonly isHidden?: boolean | undefined;
}

/** An answer as data and text, with its pictures. */
export interface Answer {
  readonly output: Record<string, unknown>;
  /** The compact text form. */
  readonly outline: string;
  /** Text from another source, such as the output of a command; usually empty. */
  readonly quoted: string;
  /** Operations that ended since the session's last answer, one per line; usually empty. */
  readonly finished: string;
  readonly pictures: readonly Picture[];
  /** The call used a desktop, so its texts may come from applications. */
  readonly isFromDesktop: boolean;
  readonly durationMs: number;
}

export interface ExecuteOptions extends CallSettings {
  /** Default: from the configuration. */
  readonly format?: OutputFormat | undefined;
  /** Indented JSON. */
  readonly pretty?: boolean | undefined;
  /** Input keys whose text the answer must not repeat. */
  readonly secrets?: readonly string[] | undefined;
  /** The terminal that the answer is printed on: without another choice it is then a page for people. */
  readonly screen?: Screen | undefined;
  /** Called with each step of commands that have steps. */
  readonly onProgress?: ((step: ProgressStep) => void) | undefined;
}

/** Commands that tool files define for one caller. */
export type CallerTools = OfferedTools<RegisteredCommand>;

/** Runs commands and renders their answers, for every surface. */
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
  /** Calls `listener` when something may have changed on the session's desktop; the listener finds out what. See {@link Watches.start}. @throws DeskterityError */
  watch(
    session: string,
    topic: WatchTopic,
    listener: () => void,
    settings?: CallSettings,
  ): Promise<() => void>;
  /**
   * Calls `listener` when a command ends that the session left running in a terminal with `terminal.notify` set to mcp.
   * @returns a function that ends the watch
   */
  watchCommandEnds(
    session: string,
    listener: (finished: FinishedCommand) => void,
    caller?: Caller,
  ): () => void;
  readonly commands: readonly RegisteredCommand[];
  /** Spells mentions as they are typed into a shell. */
  readonly commandLineSpeller: Speller;
  /** Commands that tool files add for this caller. @throws DeskterityError if the caller has no working folder */
  toolsOf(caller: Caller): Promise<CallerTools>;
  /** What this caller may do at the moment; nothing with an effect while the policy cannot be read. Never rejects. */
  policyOf(caller: Caller): Promise<Policy>;
  /** Why the answer of an earlier call that reached this may not be given away now. Never rejects. */
  refusalOf(caller: Caller, reached: ReachedList): Promise<DeskterityError | undefined>;
  /** Calls `listener` some time after {@link policyOf} may have changed. @returns ends the watch */
  watchPolicy(caller: Caller, listener: () => void): () => void;
  /** The tasks of this caller's MCP clients. @throws DeskterityError PLATFORM_UNSUPPORTED; Error of the file system */
  taskRecords(caller: Caller): Promise<TaskRecords>;
  /** What is in the folders that an MCP client works in; see {@link ClientProjects}. @throws DeskterityError CONFIG_INVALID */
  clientProjects(caller: Caller, folders: readonly string[]): Promise<ClientProjects>;
  /** The settings of MCP servers. @throws DeskterityError CONFIG_INVALID */
  /** The folder that the settings confine command-line tools to; empty for that of the caller. */
  chosenScope(caller: Caller): Promise<string>;
  mcpSettings(caller: Caller): Promise<Configuration['mcp']>;
  /** Facts for this caller's description of the terminal tools. Never rejects: calls report unreadable settings themselves. */
  terminalFacts(caller: Caller): Promise<TerminalFacts>;
  /** Prepares what this caller's first command line needs. Never rejects: the command itself reports the reason. */
  prepareTools(caller: Caller): Promise<void>;
  /** The caller with the variables of the user's desktop; see {@link withUserDesktop}. */
  findDesktop(caller: Caller): Promise<Caller>;
  /** The display that an environment names, if any. */
  displayIn(environment: Environment): string | undefined;
  /** Whether a call has already opened the desktop that an environment names. */
  isDesktopOpen(environment: Environment): Promise<boolean>;
  /** The platform’s name, as in the answer of `status`. */
  readonly platformName: string;
  /** A session with an unused name that only this process remembers, while its client is connected. */
  openTemporarySession(
    prefix: string,
    caller: Caller,
    options?: {
      /** The session whose desktop it uses; by default the caller's desktop. */
      readonly beside?: string | undefined;
    },
  ): TemporarySession;
  /** Remembers where the client at the other end of a connection runs, if that is on this machine: its terminal is no application for it. Never rejects. */
  notePeer(connection: TcpConnection): Promise<void>;
  /** Attaches a person to a terminal. @throws DeskterityError TERMINAL_NOT_FOUND, AMBIGUOUS_TARGET */
  openAttachment(caller: Caller, request: AttachmentRequest): Promise<TerminalAttachment>;
  readonly sessions: SessionsPort;
  /** Number of calls in progress. */
  readonly activeCalls: number;
  /** What would be lost with this process besides calls, as phrases such as `1 private desktop`: it must not exit as idle. */
  keptBy(): readonly string[];
  /** Ends every desktop that it started and every connection. */
  close(): Promise<void>;
}
