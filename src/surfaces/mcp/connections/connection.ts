import type { FinishedCommand } from '../../../model/terminals/finished-command.ts';
import type {
  CallToolResult,
  GetPromptResult,
  InputRequiredResult,
  JSONObject,
  LoggingLevel,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  ServerContext,
  Tool,
} from '../sdk.ts';

/** What one request can say while it is being answered. */
export interface RequestVoice {
  /** Aborted when the client cancels the request or goes away. */
  readonly signal: AbortSignal;
  /** Sent only where the client asked for progress; `done` must grow. */
  readonly progress: (step: {
    readonly message: string;
    readonly done: number;
    readonly total?: number | undefined;
  }) => void;
  /** Sent only where the client wants messages of this severity. */
  readonly log: (level: LoggingLevel, logger: string, data: Readonly<Record<string, unknown>>) => void;
  /** The protocol library's own view, for what has no other way. */
  readonly context: ServerContext;
}

/** One tool as a client sees it, and what it does. */
export interface McpTool {
  readonly definition: Tool;
  /** Other names it can be called by; they are not listed. */
  readonly aliases?: readonly string[];
  /** May reject only for faults of this program: what went wrong for the caller is a result with `isError`. */
  call(
    input: Readonly<Record<string, unknown>>,
    voice: RequestVoice,
  ): Promise<CallToolResult | InputRequiredResult>;
}

export interface McpPrompt {
  readonly definition: Prompt;
  /** `input` has every required argument. */
  get(
    input: Readonly<Record<string, string>>,
    voice: RequestVoice,
  ): Promise<GetPromptResult | InputRequiredResult>;
}

/** Ends a watch; may be called again. */
export type Unwatch = () => void;

/** What can be read and watched. */
export interface McpResources {
  readonly templates: readonly ResourceTemplateType[];
  list(voice: Pick<RequestVoice, 'signal'>): Promise<readonly Resource[]>;
  /** @throws ResourceNotFoundError, ProtocolError */
  read(uri: string, voice: RequestVoice): Promise<ReadResourceResult | InputRequiredResult>;
  /** Calls `onChange` when what {@link read} gives has changed. @throws ResourceNotFoundError, ProtocolError */
  watch(uri: string, onChange: () => void): Promise<Unwatch>;
  /** Calls `onChange` when what {@link list} gives has changed. */
  watchList(onChange: () => void): Promise<Unwatch>;
}

export interface CompletionRequest {
  readonly of:
    | { readonly kind: 'prompt'; readonly name: string }
    | { readonly kind: 'resource'; readonly uriTemplate: string };
  /** Name of the argument, and what has been typed of it. */
  readonly argument: { readonly name: string; readonly value: string };
  /** Arguments that are filled in already. */
  readonly known: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * All that one client can do: a stdio connection, a session of a legacy HTTP client, or a principal of stateless HTTP. Its prompts do not change
 * while it lasts; its tools do where tool files come and go.
 */
export interface McpConnection {
  readonly instructions: string;
  /** Facts for the client beside the protocol's own, under `capabilities.experimental`. */
  readonly facts: Readonly<Record<string, JSONObject>>;
  /** As they are now. */
  readonly tools: readonly McpTool[];
  /** Resolves when {@link tools} has all there are; absent where it always has. */
  readonly toolsKnown?: Promise<void> | undefined;
  /** Calls `onChange` when {@link tools} has changed. */
  watchTools(onChange: () => void): Unwatch;
  /** Calls `onEnd` for each command that was left running in a terminal and has ended, where this is to be told by MCP; absent where nothing ever is. */
  watchCommandEnds?: ((onEnd: (finished: FinishedCommand) => void) => Unwatch) | undefined;
  readonly prompts: readonly McpPrompt[];
  readonly resources: McpResources;
  /** Values that fit, best first; those that do not begin with what was typed may be among them. @throws ProtocolError */
  complete(request: CompletionRequest): Promise<readonly string[]>;
  /** Ends what it holds: its session, its watches. Never rejects; may be called again. */
  close(): Promise<void>;
}

/** Opens what one client can do: a `session` for a legacy client, or the `principal` that all requests without sessions share. */
export type Opener = (request: {
  readonly kind: 'session' | 'principal';
  /** From the path; absent for the default. */
  readonly toolsets: readonly string[] | undefined;
}) => Promise<McpConnection>;
