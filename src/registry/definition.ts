import type { ProgramFacts, RelatedProcess } from '../ports/policy/program-facts.ts';
import type { z } from 'zod';
import type { Engine } from '../engine/engine.ts';
import type { ActApplication, ActGuard } from '../engine/requests/acting.ts';
import type { DoctorCheck } from '../model/effects/doctor.ts';
import type { Guarantees } from '../model/effects/guarantees.ts';
import type { Confirmation, ResolvedConfiguration } from '../model/configuration/config.ts';
import type { PictureConsent } from '../model/effects/picture-consent.ts';
import type { SessionLimits } from '../model/limits/call-limits.ts';
import type { DecidedInCall } from '../model/policy/decided.ts';
import type { JudgedCommand } from '../model/policy/request-of.ts';
import type { RuledCommand } from '../model/policy/ruled-command.ts';
import type { Policy } from '../model/policy/verdict.ts';
import type { CallTarget } from '../model/sessions/call-target.ts';
import type { ShownAct } from '../model/sessions/shown-act.ts';
import type { Reversible } from '../model/undo/reversal.ts';
import type { Bounds } from '../model/tree/bounds.ts';
import type { CallAudit } from '../ports/audit/call-audit.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { DaemonPort } from '../ports/daemon.ts';
import type { DesktopCapabilities } from '../ports/desktop/desktop.ts';
import type { FindDesktopSetup } from '../ports/desktop/desktop-setup.ts';
import type { DocumentsPort } from '../ports/documents.ts';
import type { FilesPort } from '../ports/files.ts';
import type { OperationsPort } from '../ports/operations.ts';
import type { Page } from '../model/text/page.ts';
import type { MachineFacts } from '../ports/platform.ts';
import type { RunsPort } from '../ports/runs.ts';
import type { ServerSchema, ServersPort } from '../ports/upstream/servers.ts';
import type { ToolsPort } from '../ports/tools.ts';
import type { TerminalUseCases } from '../ports/terminals/terminal-use-cases.ts';
import type { SessionsPort } from '../ports/sessions.ts';
import type { UndoPort } from '../ports/undo.ts';
import type { NoSuchField } from './answer-fields.ts';

export const COMMAND_GROUPS = [
  'apps',
  'windows',
  'observation',
  'interaction',
  'input',
  'clipboard',
  'waiting',
  'operations',
  'terminals',
  'sessions',
  'mcp',
  'system',
] as const;
export type CommandGroup = (typeof COMMAND_GROUPS)[number];

/** Facts about the program and the machine that commands may report. */
export interface SystemFacts extends MachineFacts {
  readonly version: string;
  /** Names of the variables that identify the user's desktop. */
  readonly desktopVariables: readonly string[];
}

/** Named parts of the tool list that an MCP client can choose. Every tool is also in `all`. */
export const TOOLSETS = ['core', 'input', 'windows', 'verify', 'operations', 'terminal'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** Where commands are offered. */
export type Surface = 'cli' | 'mcp' | 'library';

/** A picture that is part of an answer. */
export interface Picture {
  readonly mimeType: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly bytes: Uint8Array;
}

/** What a call is doing at the moment. */
export interface ProgressStep {
  readonly message: string;
}

/** A command as one that runs several sees it. */
export interface StepCommand {
  readonly name: string;
  readonly kind: 'read' | 'act' | 'input' | 'admin';
  /** Whether it changes nothing. */
  readonly isReadOnly: boolean;
  readonly group: CommandGroup;
  /** All input keys. */
  readonly keys: readonly string[];
  /** The input keys that take a reference or a locator of an element. */
  readonly targetKeys: readonly string[];
  /** Whether an input key takes a value; the other keys are not looked at. */
  accepts(key: string, value: unknown): boolean;
  /** Why no answer can have a field at this path; `undefined` if one may. */
  missingField(path: readonly string[]): NoSuchField | undefined;
  /** The short form of an answer. */
  outline(output: Readonly<Record<string, unknown>>): string;
  /** Not 0 for an answer such as `is` saying no. */
  exitCode(output: Readonly<Record<string, unknown>>): number;
}

/** A command, with what rules can be about it. */
export interface ExplainableCommand {
  readonly judged: JudgedCommand;
  readonly ruled: RuledCommand;
  /** Input key with which it does more than read. */
  readonly beyondReading?: string | undefined;
}

/** The other commands, for one that runs several. */
export interface StepCommands {
  /** Any command, also one that cannot be a step. */
  explainable(name: string): ExplainableCommand | undefined;
  /** By any of its names; absent for what only the command line has, and for what the caller is not offered. */
  find(name: string): StepCommand | undefined;
  readonly names: readonly string[];
  /** The input with its defaults; runs nothing. @throws DeskterityError INVALID_ARGUMENT if the command does not accept it */
  check(name: string, input: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** Runs a command as if it had been called alone, with all its wrappers. Rejects only with DeskterityError. */
  run(
    name: string,
    input: Readonly<Record<string, unknown>>,
    options: { readonly signal: AbortSignal; readonly form?: CommandContext['form'] },
  ): Promise<Record<string, unknown>>;
}

/** Everything a command can access. */
export interface CommandContext {
  /**
   * The engine for the target: a terminal that is named or whose refs are given, else the desktop, which is opened on first use.
   * @throws DeskterityError TERMINAL_NOT_FOUND, INVALID_ARGUMENT if the target belongs to two terminals
   */
  engine(target?: CallTarget): Promise<Engine>;
  /** `:N` if Deskterity chose or started the desktop, which the answer then names; known after {@link engine}. */
  privateDisplay(): string | undefined;
  readonly files: FilesPort;
  /** Loaded on first use: few commands edit files of other programs. */
  documents(): Promise<DocumentsPort>;
  readonly desktopSetup: FindDesktopSetup;
  readonly clock: ClockPort;
  readonly system: SystemFacts;
  /** Texts of the input that must not appear in answers or in the session's memory. */
  readonly secrets?: readonly string[] | undefined;
  /** Name of the session whose refs are used. */
  readonly session: string;
  /** The caller's working folder, which relative paths are resolved against. */
  readonly cwd: string;
  /** The caller's environment variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The caller named no desktop; Deskterity found the one in `environment`. */
  readonly isDesktopFound?: boolean | undefined;
  readonly configuration: ResolvedConfiguration;
  /** What this call may do. */
  readonly policy: Policy;
  /** What it decided so far. */
  readonly decided?: DecidedInCall | undefined;
  /** Processes that run this program, with what they are to Deskterity: their windows are judged by that. */
  readonly relatedProcesses?: ((program: ProgramFacts) => Promise<readonly RelatedProcess[]>) | undefined;
  /** Which program would be launched as an application. */
  readonly applicationFacts?: ((app: string) => Promise<ProgramFacts>) | undefined;
  readonly sessions: SessionsPort;
  /** Command-line operations of the caller's project, or of all projects of this user; loaded on first use. */
  operations(of?: 'project' | 'all'): Promise<OperationsPort>;
  /** Terminals of this user; loaded on first use. */
  terminals(): Promise<TerminalUseCases>;
  /** Command lines in the caller's sandbox. @throws DeskterityError SANDBOX_UNAVAILABLE */
  runs(): Promise<RunsPort>;
  /** The caller's tool files. @throws DeskterityError SANDBOX_UNAVAILABLE */
  tools(): Promise<ToolsPort>;
  /** Other MCP servers that the caller has configured. */
  servers(): Promise<ServersPort>;
  /** Tests, in the caller's folder, what command-line tools need on this machine. */
  checkCommandLine(request: {
    readonly deadlineMs: number;
    readonly signal: AbortSignal;
    readonly onTrial: (name: string) => void;
  }): Promise<readonly DoctorCheck[]>;
  /** Runs a tool of a tool file by its name. @throws DeskterityError TOOL_NOT_FOUND, TOOL_UNTRUSTED, TOOL_INVALID and errors of the tool */
  callTool(
    name: string,
    input: Readonly<Record<string, unknown>>,
    /** What the tool gets instead of this context. */
    context?: CommandContext,
  ): Promise<Record<string, unknown>>;
  readonly commands: StepCommands;
  /** How much may be called; absent where nothing is limited. */
  readonly limits?: SessionLimits | undefined;
  /** By what pictures may be taken, if the call says nothing; default: `auto`. */
  readonly pictureConsent?: PictureConsent | undefined;
  /** It is run by another command. */
  readonly isStep?: boolean | undefined;
  /** The log of what is done; absent where there is none. */
  readonly audit?: CallAudit | undefined;
  /** Absent if this process ends with the call. */
  readonly daemon: DaemonPort | undefined;
  /** Whether this process outlives the call and so can keep what it owns. */
  readonly outlivesCall?: boolean | undefined;
  /** Wall-clock time at which the call began. */
  readonly calledAt: Date;
  /** The form in which the answer is rendered and token budgets are counted. */
  readonly form: 'json' | 'outline';
  /** Adds a picture to the answer, if the surface can show one; the command then writes no file. */
  readonly attach?: ((picture: Picture) => void) | undefined;
  /** Reports a step that can take longer than a second. */
  readonly progress?: ((step: ProgressStep) => void) | undefined;
  /** The answer is data for a program in this process, of any length; what is printed or sent ends at 100 KB. */
  readonly isData?: boolean | undefined;
  /** The answer goes to a model, not to a person or a program. */
  readonly isForModel?: boolean | undefined;
  /** Receives what people who watch the session see of its acts. */
  readonly onAct?: ((act: ShownAct) => void) | undefined;
  /** Called by an act when it knows where on the screen it acts. */
  readonly onTarget?: ((place: Bounds | undefined) => void) | undefined;
  /** Called by an act when it knows in which application it acts. */
  readonly onApplication?: ((application: ActApplication) => void) | undefined;
  /** See `EffectRequest.guard`. */
  readonly guard?: ActGuard | undefined;
  /** Whether acts that may lose something need a person's consent, and the one that was given for this call. */
  readonly confirmation?:
    | {
        readonly isNeeded: boolean;
        /** By which that is decided. */
        readonly setting?: Confirmation | undefined;
        readonly given?: string | undefined;
        /** Whether a person is being asked for consent at this moment. */
        readonly isAsking?: (() => boolean) | undefined;
      }
    | undefined;
  /** Called by an act that has settled: with what is needed to undo it, or why it cannot be undone. */
  readonly onReversal?: ((found: Reversible) => void) | undefined;
  /** Nothing has an effect: what would have one throws `Planned`. */
  readonly isDryRun?: true | undefined;
  /** The acts of the session that can be undone. */
  undo(): Promise<UndoPort>;
  /** Names the call of the client, of which a step of several is only a part. */
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Whether the caller chose the deadline, and so how long to wait for what may never come. */
  readonly isDeadlineGiven?: boolean | undefined;
}

/** How an input key appears on the command line. The default flag is the key in kebab-case without a trailing `_ms`. */
export interface CliHint {
  readonly flag?: string;
  readonly short?: string;
  /** For a list of objects: how bare arguments make its items. `pairs`: TARGET VALUE …; `lines`: each is a command line; `file`: one names a file with them. */
  readonly bare?: 'pairs' | 'lines' | 'file';
  /** The input key of another flag, after which a bare argument is this one: `wait --value @e4 Ada`. */
  readonly follows?: string;
}

export interface Example<I> {
  /** A phrase that describes the example. */
  readonly about: string;
  readonly input: I;
  /** Output format, if the example is about that. */
  readonly format?: 'text' | 'outline';
}

/** Facts about a command. */
export interface CommandFacts<I extends z.ZodObject, O extends z.ZodType> {
  readonly name: string | readonly [string, ...string[]];
  readonly group: CommandGroup;
  /** Repeating it with the same input changes nothing further. Implied for commands that only read. */
  readonly idempotent?: boolean;
  /** It may lose the user's work. */
  readonly destructive?: boolean;
  /** It changes nothing although it is not a `read`: it concerns Deskterity itself, such as the names of a session. */
  readonly isReadOnly?: boolean;
  /** A few words for people, if the name is not good enough: "Take a screenshot". */
  readonly title?: string;
  /** Toolsets it belongs to, besides `all`. */
  readonly toolsets?: readonly Toolset[];
  /** Default: all of them. */
  readonly surfaces?: readonly Surface[];
  /** Capabilities the desktop must have for the tool to be listed. */
  readonly needs?: readonly (keyof DesktopCapabilities)[];
  /** Input key for the file a picture is written to; surfaces that show pictures leave it out. */
  readonly pictureFile?: keyof z.input<I> & string;
  /** Input key that makes a read-only command do more; clients that may only read are not offered it. */
  readonly beyondReading?: keyof z.input<I> & string;
  /** Input key that only people may use: MCP clients are not offered it. */
  readonly peopleOnly?: keyof z.input<I> & string;
  /** `client`: the command line implements it (see {@link defineClientVerb}). */
  readonly runsIn?: 'client';
  /** Any process can do it and it must not wait: the command line does it itself if the daemon is of another build or does not respond. */
  readonly isUrgent?: boolean;
  /** It can be done with a keyboard and a pointer of our own beside the user's: see `Engine.onOwnSeat`. */
  readonly takesSeat?: boolean;
  /** Why it has no dry run although it is no reading command. */
  readonly noDryRun?: string;
  /** Input key that may hold a secret: the command line can read it from standard input or a variable, and answers do not repeat it. */
  readonly secret?: keyof z.input<I> & string;
  /**
   * A call may take long, so that MCP clients can run it as a task. `operation`: it starts an operation, which ends even if this process
   * does before.
   */
  readonly longRunning?: 'call' | 'operation';
  /** It undoes acts, and is none that could be undone. */
  readonly isUndoing?: boolean;
  /** Commands that it may run as steps for clients that are not offered them, because what they do can be done with its other steps. */
  readonly alsoRuns?: readonly string[];
  /** MCP tool name, if it is not the name in snake case, after `desktop_` except for operations. */
  readonly mcpName?: string;
  /** Other CLI verbs for the same command. */
  readonly aliases?: readonly string[];
  /** Summary and input descriptions come from a tool file: a `--flag` in them belongs to the program and must not be respelled. */
  readonly isOfToolFile?: boolean;
  /** The schema of its input comes from another MCP server, which it is shown and checked by; `input` then takes any object. */
  readonly foreignInput?: ServerSchema;
  /** One sentence in the imperative. */
  readonly summary: string;
  /** Defaults, limits and the meaning of the answer, for a newcomer. */
  readonly description?: string;
  readonly input: I;
  /** Input keys taken from bare arguments, in order. */
  readonly positionals?: readonly (keyof z.input<I> & string)[];
  /** Input key with a flag of its own that a bare argument means, too, where the command has no other: `desk snapshot kcalc`. */
  readonly bare?: keyof z.input<I> & string;
  /** Input key (an array of strings) that takes everything after `--`. */
  readonly rest?: keyof z.input<I> & string;
  readonly cli?: Readonly<Partial<Record<keyof z.input<I> & string, CliHint>>>;
  /** An object whose keys join `version`, `ok` and `command` in the envelope, so it must not use those. */
  readonly output: O;
  readonly examples: readonly Example<z.input<I>>[];
  // Methods rather than function properties, so that one list can hold commands of every input type.
  /** Milliseconds the whole call may take. Default: `timeout_ms` of the input. */
  deadlineMs?(input: z.output<I>): number;
  /** Compact text form for a model. Default: a plain listing of the fields. */
  outline?(output: z.output<O>): string;
  /** The answer as a person reads it at a terminal. Default: the outline in colour, then the quoted text. */
  page?(output: z.output<O>): Page;
  /** Text in the answer from another source, such as the output of a command; shown below the outline. */
  quoted?(output: z.output<O>): string;
  /** What `--format text` prints: the bare answer for a person or a script. Default: the outline. */
  text?(output: z.output<O>): string;
  /** Exit code for an answer that is not an error, such as 1 for `is` saying no. Default 0. */
  exitCode?(output: z.output<O>): number;
  run(ctx: CommandContext, input: z.output<I>): Promise<z.output<O>>;
}

/**
 * A command: `read` observes, `act` changes an application, `input` uses keyboard or pointer, `admin` concerns Deskterity or the desktop itself. A
 * command that acts declares, for each strategy, what it disturbs and what evidence makes it `confirmed`.
 */
export type CommandDefinition<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
> = CommandFacts<I, O> &
  (
    | { readonly kind: 'act' | 'input'; readonly guarantee: Guarantees }
    | { readonly kind: 'read' | 'admin'; readonly guarantee?: undefined }
  );
