import type { ClientTasks } from '../tasks/client-tasks.ts';
import { covers, type Scope } from '../access/scopes.ts';
import type { PolicyRequest, SecurityMode } from '../../../model/policy/verdict.ts';
import type { FinishedCommand } from '../../../model/terminals/finished-command.ts';
import type { ClientQuestions } from '../questions/question.ts';
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

/** Connects the handling of one request to its client: cancellation, questions, progress, log messages. */
export interface RequestChannel {
  /** Aborted when the client cancels the request or disconnects. */
  readonly signal: AbortSignal;
  /** Sent only if the client requested progress; `done` must increase. */
  readonly progress: (step: {
    readonly message: string;
    readonly done: number;
    readonly total?: number | undefined;
  }) => void;
  /** Sent only if the client requested messages of this level. */
  readonly log: (level: LoggingLevel, logger: string, data: Readonly<Record<string, unknown>>) => void;
  /** Questions to the client, which come before anything that the call does. */
  readonly client: ClientQuestions;
  /** Whether the caller may do what needs this scope. */
  readonly may: (scope: Scope) => boolean;
  /** The protocol library's context, for anything else. */
  readonly context: ServerContext;
  /** Present if the call may go on as a task after it was answered. */
  readonly task?: CallAsTask | undefined;
}

/** A channel without the questions. */
export type PlainChannel = Omit<RequestChannel, 'client'>;

export interface CallAsTask {
  /** Whether it is one by now, so that its result is kept until the client asks for it. */
  readonly isTask: () => boolean;
  readonly onOperation: (operationId: string) => void;
}

/** One tool as a client sees it, and what it does. */
export interface McpTool {
  readonly definition: Tool;
  /** Other, unlisted names. */
  readonly aliases?: readonly string[];
  /** Whether a call may, or can only, be a task. */
  readonly taskSupport?: 'optional' | 'required' | undefined;
  /** A call starts an operation, which goes on if this process ends. */
  readonly runsOperation?: boolean | undefined;
  /** What a caller with an access token must be permitted. Default: the strictest. */
  readonly scope?: Scope;
  /** Input key that needs the scope `act` although the tool needs less. */
  readonly beyondReading?: string | undefined;
  /** What the policy is asked about it. If it denies one of these, the tool is hidden. */
  readonly asks?: readonly PolicyRequest[] | undefined;
  /** Rejects only for bugs in this program; a failure for the caller is a result with `isError`. */
  call(
    input: Readonly<Record<string, unknown>>,
    channel: RequestChannel,
  ): Promise<CallToolResult | InputRequiredResult>;
}

/** A tool that gets its questions from what it is called with. */
export interface AnsweredTool extends Omit<McpTool, 'call'> {
  call(
    input: Readonly<Record<string, unknown>>,
    channel: PlainChannel,
  ): Promise<CallToolResult | InputRequiredResult>;
}

export interface McpPrompt {
  readonly definition: Prompt;
  /** `input` has every required argument. */
  get(
    input: Readonly<Record<string, string>>,
    channel: RequestChannel,
  ): Promise<GetPromptResult | InputRequiredResult>;
}

/** Ends a watch; may be called repeatedly. */
export type Unwatch = () => void;

/** The resources, which can be read and watched. */
export interface McpResources {
  readonly templates: readonly ResourceTemplateType[];
  list(channel: Pick<RequestChannel, 'signal'>): Promise<readonly Resource[]>;
  /** @throws ResourceNotFoundError, ProtocolError */
  read(uri: string, channel: RequestChannel): Promise<ReadResourceResult | InputRequiredResult>;
  /** Calls `onChange` when the result of {@link read} has changed. @throws ResourceNotFoundError, ProtocolError */
  watch(uri: string, onChange: () => void): Promise<Unwatch>;
  /** Calls `onChange` when the result of {@link list}, or {@link templates}, has changed. */
  watchList(onChange: () => void): Promise<Unwatch>;
}

export interface CompletionRequest {
  readonly of:
    | { readonly kind: 'prompt'; readonly name: string }
    | { readonly kind: 'resource'; readonly uriTemplate: string };
  /** Name of the argument, and the text typed so far. */
  readonly argument: { readonly name: string; readonly value: string };
  /** Arguments already filled in. */
  readonly known: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Everything offered to one client: a stdio connection, a session of a legacy HTTP client, or a principal of stateless HTTP. Its tools change with
 * tool files and the policy, its prompts with its tools.
 */
export interface McpConnection {
  readonly instructions: string;
  /** Additional facts for the client, for `capabilities.experimental`. */
  readonly facts: Readonly<Record<string, JSONObject>>;
  /** To be awaited before anything below is used for a request, which it may ask the client with. Absent if nothing is to be found out first. Rejects if the request is cancelled. */
  readonly prepare?: ((context: ServerContext) => Promise<void>) | undefined;
  /** The current tools. */
  readonly tools: readonly McpTool[];
  /** Tools that the policy forbids at the moment: they are not listed, and a call of one is refused by the policy, which says why. */
  readonly hiddenTools?: readonly McpTool[] | undefined;
  /** Resolves when {@link tools} is complete; absent if it always is. */
  readonly toolsKnown?: Promise<void> | undefined;
  /** Calls `onChange` when {@link tools} has changed. */
  watchTools(onChange: () => void): Unwatch;
  /** Calls `onChange` when {@link prompts} have changed; absent if they never do. */
  watchPrompts?: ((onChange: () => void) => Unwatch) | undefined;
  /** Calls `onEnd` when a command left running in a terminal has ended, if that is to be reported over MCP. */
  watchCommandEnds?: ((onEnd: (finished: FinishedCommand) => void) => Unwatch) | undefined;
  /** Calls `onChange` with the security mode when that has changed. */
  watchMode?: ((onChange: (mode: SecurityMode) => void) => Unwatch) | undefined;
  /** Calls `onChange` when the rules for this client are others. */
  watchPolicy?: ((onChange: () => void) => Unwatch) | undefined;
  /** The client has other roots than before. */
  rootsChanged?: (() => void) | undefined;
  readonly prompts: readonly McpPrompt[];
  readonly resources: McpResources;
  /** Matching values, best first, including those that only contain the typed text. @throws ProtocolError */
  complete(request: CompletionRequest): Promise<readonly string[]>;
  /** Calls that take long; absent if they cannot be recorded. */
  readonly tasks?: ClientTasks | undefined;
  /** Ends its session and watches. Never rejects; may be called repeatedly. */
  close(): Promise<void>;
}

/** Opens a connection: a `session` for a legacy client, or the `principal` that all requests without sessions share. */
export type Opener = (request: {
  readonly kind: 'session' | 'principal';
  /** From the path; absent means the default. */
  readonly toolsets: readonly string[] | undefined;
  /** Whom sessions, questions and tasks belong to, if clients have access tokens: the same text for the same user and client. */
  readonly owner?: string | undefined;
  /** Folder that its command-line tools are confined to. Default: that of the server. */
  readonly folder?: string | undefined;
}) => Promise<McpConnection>;

/**
 * The channel of one request. Messages that cannot be delivered are dropped, as the answer does not depend on them. `isScoped`: the caller
 * may do only what the access token of its request permits.
 */
export function requestChannel(context: ServerContext, isScoped = false): PlainChannel {
  const { mcpReq } = context;
  const token = mcpReq._meta?.progressToken;
  let last = Number.NEGATIVE_INFINITY;
  return {
    signal: mcpReq.signal,
    progress: ({ message, done, total }) => {
      if (token === undefined || mcpReq.signal.aborted || done <= last) return;
      last = done;
      const params = {
        progressToken: token,
        progress: done,
        message,
        ...(total === undefined ? {} : { total }),
      };
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
    log: (level, logger, data) => {
      if (mcpReq.signal.aborted) return;
      mcpReq.log(level, data, logger).catch(() => undefined);
    },
    may: (scope) => !isScoped || covers(context.http?.authInfo?.scopes ?? [], scope),
    context,
  };
}
