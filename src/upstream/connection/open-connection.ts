import { z } from 'zod';
import type { ClockPort } from '../../ports/clock.ts';
import { within } from '../../model/within.ts';
import { Client, ProtocolError, SseError } from '../sdk.ts';
import type { Progress, Transport } from '../sdk.ts';
import type { ServerSchema } from '../../ports/upstream/servers.ts';
import type { ServerTarget, WebTarget } from '../configuration/server-target.ts';
import { MOST_TOOLS, type ListedTool, type ListedTools } from '../tools/offered-tools.ts';
import { sendingCall } from '../sign-in/not-sent.ts';
import { ProgramTransport } from './program-transport.ts';
import {
  isNotStreamable,
  streamableTransport,
  streamTransport,
  type WebTransportParts,
} from './web-transport.ts';

/** One tool with a mistake must not hide the others. */
const ToolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().max(4096).optional() });
const Listed = z.object({
  name: z.string().min(1),
  description: z.string().optional(),
  inputSchema: z.unknown(),
  annotations: z
    .looseObject({ destructiveHint: z.boolean().optional().catch(undefined) })
    .optional()
    .catch(undefined),
  execution: z.looseObject({ taskSupport: z.string().optional() }).optional().catch(undefined),
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
  readonly signedIn: WebTransportParts['signedIn'];
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
  if (target.kind === 'http') return connectToWeb(target, parts);
  try {
    // Most programs are of 2025, and some end when they are asked anything before initialize.
    return await connectWith(target, parts, 'legacy');
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return connectWith(target, parts, 'auto');
  }
}

/** A server of 2024 is tried as the protocol says: first as one of today, unless its entry says what it is. */
async function connectToWeb(target: WebTarget, parts: ConnectionParts): Promise<Connection> {
  if (target.isOfStream === true) return connectWith(target, parts, 'stream');
  try {
    return await connectWith(target, parts, 'auto');
  } catch (error) {
    if (!isNotStreamable(error)) throw error;
    return connectWith(target, parts, 'stream').catch((second: unknown) => {
      // Of one that is no server at all, the first answer says more.
      throw second instanceof SseError ? error : second;
    });
  }
}

async function connectWith(
  target: ServerTarget,
  parts: ConnectionParts,
  way: 'legacy' | 'auto' | 'stream',
): Promise<Connection> {
  let problem: string | undefined;
  let isClosing = false;
  const client = new Client(
    { name: 'deskterity', version: parts.version },
    {
      capabilities: {},
      versionNegotiation: { mode: way === 'auto' ? 'auto' : 'legacy', probe: { timeoutMs: 10_000 } },
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
  const web = {
    signedIn: parts.signedIn,
    onProblem: (what: string): void => {
      problem ??= what;
      void client.close().catch(() => undefined);
    },
  };
  const transport: Transport & { readonly problem?: string | undefined; readonly pid?: number | undefined } =
    target.kind === 'stdio'
      ? new ProgramTransport(target, parts)
      : way === 'stream'
        ? streamTransport(target, web)
        : streamableTransport(target, web);
  const ended = new Promise<string>((resolve) => {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the protocol library has no other way
    client.onclose = () => {
      if (!isClosing) resolve(transport.problem ?? problem ?? 'it closed the connection');
    };
  });
  const close = async (): Promise<void> => {
    isClosing = true;
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
  };
  try {
    const timeout = parts.startMs ?? CONNECT_MS;
    // A stream that never names its address has no request that could time out.
    const connected = await within(parts.clock, client.connect(transport, { timeout }), 2 * timeout);
    if (connected === undefined) throw new Error('it did not answer in time');
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
      if (listed.success) {
        const { execution, annotations, ...facts } = listed.data;
        const destructiveHint = annotations?.destructiveHint;
        tools.push({ ...facts, destructiveHint, needsTask: execution?.taskSupport === 'required' });
      } else unreadable += 1;
    }
    cursor = answer.nextCursor;
    // A page that was there before leads in a circle.
    if (cursor === undefined || cursors.has(cursor) || tools.length >= MOST_TOOLS) break;
    cursors.add(cursor);
  }
  const others = Math.max(0, tools.length - MOST_TOOLS) + (cursor === undefined ? 0 : 1);
  return { tools: tools.slice(0, MOST_TOOLS), others, unreadable };
}
