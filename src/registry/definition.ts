import type { z } from 'zod';
import type { Engine } from '../engine/engine.ts';
import type { DoctorCheck } from '../model/effects/doctor.ts';
import type { Guarantees } from '../model/effects/guarantees.ts';
import type { ResolvedConfiguration } from '../model/configuration/config.ts';
import type { CallTarget } from '../model/sessions/call-target.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { DaemonPort } from '../ports/daemon.ts';
import type { DesktopCapabilities } from '../ports/desktop.ts';
import type { DocumentsPort } from '../ports/documents.ts';
import type { FilesPort } from '../ports/files.ts';
import type { OperationsPort } from '../ports/operations.ts';
import type { RunsPort } from '../ports/runs.ts';
import type { ToolsPort } from '../ports/tools.ts';
import type { TerminalUseCases } from '../ports/terminals/terminal-use-cases.ts';
import type { SessionsPort } from '../ports/sessions.ts';

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
export interface SystemFacts {
  readonly version: string;
  readonly nodeVersion: string;
  readonly platform: string;
  readonly architecture: string;
  /** How the command line is started: Node and its file, absolute. Absent where this runs from source. */
  readonly program?: { readonly node: string; readonly script: string } | undefined;
}

/** Named parts of the tool list that an MCP client can choose; every tool is in `all` beside those its command names. */
export const TOOLSETS = ['core', 'input', 'windows', 'verify', 'operations', 'terminal'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** Where commands can be met. */
export type Surface = 'cli' | 'mcp' | 'library';

/** A picture that is part of an answer. */
export interface Picture {
  readonly mimeType: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly bytes: Uint8Array;
}

/** What a call is doing now. */
export interface ProgressStep {
  readonly message: string;
}

/** All a command can reach. */
export interface CommandContext {
  /**
   * The engine of what the call is about: of a terminal that is named or whose refs are given, else of the desktop, which is opened on first use.
   * @throws DeskterityError TERMINAL_NOT_FOUND, INVALID_ARGUMENT where the target is of two terminals
   */
  engine(target?: CallTarget): Promise<Engine>;
  /** `:N` when that desktop is one that Deskterity chose or started, which the answer then names; known once {@link engine} was asked for. */
  privateDisplay(): string | undefined;
  readonly files: FilesPort;
  /** Loaded when first asked for: few commands edit what others wrote. */
  documents(): Promise<DocumentsPort>;
  readonly clock: ClockPort;
  readonly system: SystemFacts;
  /** Texts of the input that neither answers nor the session's memory may repeat. */
  readonly secrets?: readonly string[] | undefined;
  /** Name of the session whose refs are used. */
  readonly session: string;
  /** Folder that relative paths are resolved against: the caller's. */
  readonly cwd: string;
  /** The caller's environment variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What the environment says of the desktop was found by Deskterity: the caller named none. */
  readonly isDesktopFound?: boolean | undefined;
  readonly configuration: ResolvedConfiguration;
  readonly sessions: SessionsPort;
  /** Command-line operations of this user; loaded when first asked for. */
  operations(): Promise<OperationsPort>;
  /** What this user can do with terminals; loaded when first asked for. */
  terminals(): Promise<TerminalUseCases>;
  /** Command lines in the sandbox of whoever calls. @throws DeskterityError SANDBOX_UNAVAILABLE */
  runs(): Promise<RunsPort>;
  /** Tool files of whoever calls. @throws DeskterityError SANDBOX_UNAVAILABLE */
  tools(): Promise<ToolsPort>;
  /** Tries what command-line tools need on this machine, in the caller's folder. */
  checkCommandLine(request: {
    readonly deadlineMs: number;
    readonly signal: AbortSignal;
    readonly onTrial: (name: string) => void;
  }): Promise<readonly DoctorCheck[]>;
  /** Runs a tool of a tool file by its name. @throws DeskterityError TOOL_NOT_FOUND, TOOL_UNTRUSTED, TOOL_INVALID and what the tool fails with */
  callTool(name: string, input: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
  /** Absent in a process that ends with the call. */
  readonly daemon: DaemonPort | undefined;
  /** Whether this process is still there when the call has been answered, and so can keep what it owns. */
  readonly outlivesCall?: boolean | undefined;
  /** Wall-clock time at which the call began. */
  readonly calledAt: Date;
  /** The form the answer will be rendered in; what a token budget is counted on. */
  readonly form: 'json' | 'outline';
  /** Makes a picture part of the answer, where the surface can show one; a command then writes no file that nobody named. */
  readonly attach?: ((picture: Picture) => void) | undefined;
  /** Tells whoever waits what is being done; for steps that can take longer than a second. */
  readonly progress?: ((step: ProgressStep) => void) | undefined;
  readonly signal: AbortSignal;
}

/** How one input key appears on the command line; the flag is the key in kebab-case without a trailing `_ms` unless named here. */
export interface CliHint {
  readonly flag?: string;
  readonly short?: string;
}

export interface Example<I> {
  /** What the example shows, as a phrase. */
  readonly about: string;
  readonly input: I;
  /** Output format to ask for, where the example is about that. */
  readonly format?: 'text' | 'outline';
}

/** Free-standing facts about a command. */
export interface CommandFacts<I extends z.ZodObject, O extends z.ZodType> {
  readonly name: string | readonly [string, ...string[]];
  readonly group: CommandGroup;
  /** Repeating it with the same input changes nothing further. Reading commands are idempotent without saying so. */
  readonly idempotent?: boolean;
  /** It may lose somebody's work. */
  readonly destructive?: boolean;
  /** It changes nothing although it is no `read`: it tells about Deskterity itself. */
  readonly isReadOnly?: boolean;
  /** A few words for people, where the name in words is not good enough: "Take a picture". */
  readonly title?: string;
  /** Parts of the MCP tool list it belongs to, beside `all`. */
  readonly toolsets?: readonly Toolset[];
  /** Default: all of them. */
  readonly surfaces?: readonly Surface[];
  /** What the desktop must be able to do; a tool is not listed where that is missing. */
  readonly needs?: readonly (keyof DesktopCapabilities)[];
  /** Input key that names the file a picture is written to; a surface that shows pictures leaves it out. */
  readonly pictureFile?: keyof z.input<I> & string;
  /** Input key that makes a command which only looks do more than that; whoever may only look is not offered it. */
  readonly beyondLooking?: keyof z.input<I> & string;
  /** `client`: the command line carries it out itself (see {@link defineClientVerb}). */
  readonly runsIn?: 'client';
  /** Any process can do it as well as the daemon, and it must not wait: the command line does it itself where the daemon is of another build or does not answer. */
  readonly isUrgent?: boolean;
  /** Input key whose text may be a secret: the command line can read it from standard input or a variable, and answers do not repeat it. */
  readonly secret?: keyof z.input<I> & string;
  /** MCP tool name where it is not `desktop_` + name in snake case. */
  readonly mcpName?: string;
  /** Other CLI verbs for the same command. */
  readonly aliases?: readonly string[];
  /** Summary and descriptions of the input are of a tool file: `--flag` in them is a flag of the program, and stays. */
  readonly isOfToolFile?: boolean;
  /** One sentence in the imperative. */
  readonly summary: string;
  /** What a newcomer should know: defaults, limits, what the answer means. */
  readonly description?: string;
  readonly input: I;
  /** Input keys taken from bare arguments, in order. */
  readonly positionals?: readonly (keyof z.input<I> & string)[];
  /** Input key (an array of strings) that takes everything after `--`. */
  readonly rest?: keyof z.input<I> & string;
  readonly cli?: Readonly<Partial<Record<keyof z.input<I> & string, CliHint>>>;
  /** An object whose keys stand beside `version`, `ok` and `command` in the envelope, so it may not use those. */
  readonly output: O;
  readonly examples: readonly Example<z.input<I>>[];
  // Methods rather than function properties: the registry holds commands of every input type in one list.
  /** Milliseconds the whole call may take; `timeout_ms` of the input where absent. */
  deadlineMs?(input: z.output<I>): number;
  /** Compact text form for a model; a plain listing of the fields where absent. */
  outline?(output: z.output<O>): string;
  /** Text in the answer that somebody else wrote, such as what a command printed; it stands below the outline. */
  quoted?(output: z.output<O>): string;
  /** What `--format text` prints: the bare answer for a person or a script; the outline where absent. */
  text?(output: z.output<O>): string;
  /** Exit code for an answer that is not an error, such as 1 for `is` saying no. Default 0. */
  exitCode?(output: z.output<O>): number;
  run(ctx: CommandContext, input: z.output<I>): Promise<z.output<O>>;
}

/**
 * A command: `read` looks, `act` changes an application, `input` uses keyboard or pointer, `admin` concerns Deskterity or the desktop itself. One that
 * acts says what it disturbs and on what evidence it says `confirmed`, by each means.
 */
export type CommandDefinition<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
> = CommandFacts<I, O> &
  (
    | { readonly kind: 'act' | 'input'; readonly guarantee: Guarantees }
    | { readonly kind: 'read' | 'admin'; readonly guarantee?: undefined }
  );
