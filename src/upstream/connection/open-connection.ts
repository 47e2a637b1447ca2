import { z } from 'zod';
import type { ClockPort } from '../../ports/clock.ts';
import { Client, ProtocolError, StreamableHTTPClientTransport } from '../sdk.ts';
import type { AuthProvider, FetchLike, Progress, Transport } from '../sdk.ts';
import type { ServerSchema } from '../../ports/upstream/servers.ts';
import type { ServerTarget } from '../configuration/server-target.ts';
import { MOST_TOOLS, type ListedTool, type ListedTools } from '../tools/offered-tools.ts';
import { sendingCall } from '../sign-in/not-sent.ts';
import type { SignedIn } from '../sign-in/signed-in.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { LONGEST_MESSAGE_BYTES, ProgramTransport } from './program-transport.ts';

/** One tool with a mistake must not hide the others. */
const ToolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().max(4096).optional() });
const Listed = z.object({
  name: z.string().min(1),
  description: z.string().optional(),
  inputSchema: z.unknown(),
});

/** Read by tools/read-result.ts, as far as it can be. */
const Answer = z.looseObject({});

/** A program may first download itself. */
const CONNECT_MS = 30_000;
const LIST_MS = 15_000;
const MOST_PAGES = 50;
const METHOD_NOT_FOUND = -32_601;

export interface ConnectionParts {
  readonly clock: ClockPort;
  readonly version: string;
  readonly startMs?: number | undefined;
  /** For servers over HTTP. */
  readonly signedIn: (AuthProvider & Pick<SignedIn, 'onForbidden'>) | undefined;
  readonly onErrorLine: (line: string) => void;
  readonly onToolsChanged: () => void;
}

export interface CallRequest {
  /** As the server names it. */
  readonly tool: string;
  readonly inputSchema: ServerSchema;
  readonly input: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: (message: string) => void;
}

/** A connection to one server. Failures are those of the protocol library. */
export interface Connection {
  /** The first tools; none of a server that has no tools. */
  listTools(): Promise<ListedTools>;
  call(request: CallRequest): Promise<unknown>;
  /** Why it ended by itself, as a phrase. Never rejects; never resolves if it is closed. */
  readonly ended: Promise<string>;
  readonly pid: number | undefined;
  close(): Promise<void>;
}

/** Connects to a server. Rejects with an error of the protocol library or of the system; then nothing is left running. */
export async function openConnection(target: ServerTarget, parts: ConnectionParts): Promise<Connection> {
  if (target.kind === 'http') return connectWith(target, parts, 'auto');
  try {
    // Most programs are of 2025, and some end when they are asked anything before initialize.
    return await connectWith(target, parts, 'legacy');
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return connectWith(target, parts, 'auto');
  }
}

async function connectWith(
  target: ServerTarget,
  parts: ConnectionParts,
  mode: 'legacy' | 'auto',
): Promise<Connection> {
  let excess: string | undefined;
  let isClosing = false;
  const client = new Client(
    { name: 'deskterity', version: parts.version },
    {
      capabilities: {},
      versionNegotiation: { mode, probe: { timeoutMs: 10_000 } },
      inputRequired: { autoFulfill: false },
      // Schemas of servers are never compiled; see tools/check-arguments.ts. Tools are passed without output schemas.
      jsonSchemaValidator: {
        getValidator: () => {
          throw new TypeError('Schemas of other servers are not compiled.');
        },
      },
      listChanged: {
        tools: { autoRefresh: false, debounceMs: 200, onChanged: () => parts.onToolsChanged() },
      },
    },
  );
  client.fallbackRequestHandler = ({ method }) =>
    Promise.reject(
      new ProtocolError(
        METHOD_NOT_FOUND,
        `${method.slice(0, 80)} is not supported: Deskterity passes no questions of other servers to its clients.`,
      ),
    );
  const transport: Transport & { readonly problem?: string | undefined; readonly pid?: number | undefined } =
    target.kind === 'stdio'
      ? new ProgramTransport(target, parts)
      : new StreamableHTTPClientTransport(new URL(target.url), {
          ...(parts.signedIn === undefined ? {} : { authProvider: parts.signedIn }),
          requestInit: { headers: target.headers },
          onInsufficientScope: 'throw',
          reconnectionOptions: {
            maxRetries: 3,
            initialReconnectionDelay: 1000,
            maxReconnectionDelay: 10_000,
            reconnectionDelayGrowFactor: 2,
          },
          fetch: heedLostSession(
            () => {
              excess = 'it no longer knows the session';
              void client.close().catch(() => undefined);
            },
            heedForbidden(
              parts.signedIn,
              boundedFetch({
                mostBytes: LONGEST_MESSAGE_BYTES,
                onExcess: () => {
                  excess = `it sent an answer of more than ${LONGEST_MESSAGE_BYTES / 1024 / 1024} MiB`;
                  void client.close().catch(() => undefined);
                },
              }),
            ),
          ),
        });
  const ended = new Promise<string>((resolve) => {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the protocol library has no other way
    client.onclose = () => {
      if (!isClosing) resolve(transport.problem ?? excess ?? 'it closed the connection');
    };
  });
  const close = async (): Promise<void> => {
    isClosing = true;
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
  };
  try {
    await client.connect(transport, { timeout: parts.startMs ?? CONNECT_MS });
  } catch (error) {
    const reason = transport.problem;
    await close();
    throw reason === undefined ? error : new Error(reason);
  }
  return {
    ended,
    pid: transport.pid,
    close,
    listTools: async () => ({
      ...(await listTools(client)),
      copiesHeaders: target.kind === 'http' && client.getProtocolEra() === 'modern',
    }),
    call: ({ tool, inputSchema, input, timeoutMs, signal, onProgress }) =>
      sendingCall(async () => {
        const params = { name: tool, arguments: { ...input } };
        const options = {
          timeout: timeoutMs,
          signal,
          onprogress: ({ message, progress, total }: Progress) =>
            onProgress(message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`)),
        };
        // Only this copies parameters into headers, as servers of 2026 may ask; but one part that it does not know fails the whole answer.
        if (client.getProtocolEra() === 'modern')
          return client.callTool(params, {
            ...options,
            toolDefinition: { name: tool, inputSchema: { ...inputSchema, type: 'object' } },
          });
        return client.request({ method: 'tools/call', params }, Answer, options);
      }),
  };
}

async function listTools(client: Client): Promise<ListedTools> {
  const tools: ListedTool[] = [];
  const cursors = new Set<string>();
  let unreadable = 0;
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    let answer: z.output<typeof ToolPage>;
    try {
      answer = await client.request({ method: 'tools/list', params }, ToolPage, { timeout: LIST_MS });
    } catch (error) {
      const hasNone = error instanceof ProtocolError && error.code === METHOD_NOT_FOUND && page === 0;
      if (hasNone && client.getServerCapabilities()?.tools === undefined) break;
      throw error;
    }
    for (const tool of answer.tools) {
      const listed = Listed.safeParse(tool);
      if (listed.success) tools.push(listed.data);
      else unreadable += 1;
    }
    cursor = answer.nextCursor;
    // A page that was there before leads in a circle.
    if (cursor === undefined || cursors.has(cursor) || tools.length >= MOST_TOOLS) break;
    cursors.add(cursor);
  }
  const others = Math.max(0, tools.length - MOST_TOOLS) + (cursor === undefined ? 0 : 1);
  return { tools: tools.slice(0, MOST_TOOLS), others, unreadable };
}

/** A server that was started again answers 404 to the session of before, forever. */
function heedLostSession(onLost: () => void, send: FetchLike): FetchLike {
  return async (address, init) => {
    const response = await send(address, init);
    if (response.status === 404 && new Headers(init?.headers).has('mcp-session-id')) onLost();
    return response;
  };
}

/** The protocol library does not pass such a refusal to who signs in. */
function heedForbidden(signedIn: ConnectionParts['signedIn'], send: FetchLike): FetchLike {
  return async (address, init) => {
    const response = await send(address, init);
    if (response.status === 403) await signedIn?.onForbidden(response);
    return response;
  };
}
