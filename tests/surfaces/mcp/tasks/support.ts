import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { afterEach } from 'vitest';
import { z } from 'zod';
import { DeskterityError } from '../../../../src/model/effects/errors.ts';
import { withFileLock } from '../../../../src/platform/node/file-lock.ts';
import { TaskRecords } from '../../../../src/sessions/tasks/task-records.ts';
import type { McpTool, RequestChannel } from '../../../../src/surfaces/mcp/connections/connection.ts';
import { serveLines } from '../../../../src/surfaces/mcp/connections/serve-lines.ts';
import type { CallToolResult, InputRequiredResult } from '../../../../src/surfaces/mcp/sdk.ts';
import { ConnectionTasks } from '../../../../src/surfaces/mcp/tasks/connection-tasks.ts';
import type { OperationDoor } from '../../../../src/surfaces/mcp/tasks/client-tasks.ts';
import { reachedByTask } from '../../../../src/surfaces/mcp/tasks/reached-by-task.ts';
import { FakeConnection } from '../support/fake-connection.ts';
import { LineClientTransport, streamPair } from '../support/line-client.ts';

export const EXTENSION = 'io.modelcontextprotocol/tasks';
export const RELATED = 'io.modelcontextprotocol/related-task';
export const ANY = z.looseObject({});

export type Seen = z.output<typeof ANY>;
export const Legacy = z.looseObject({
  taskId: z.string(),
  status: z.string(),
  statusMessage: z.string().optional(),
  ttl: z.number(),
  pollInterval: z.number(),
});
export const Created = z.looseObject({ task: Legacy, _meta: z.looseObject({}) });

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

export function text(words: string): CallToolResult {
  return { content: [{ type: 'text', text: words }] };
}

/** Operations that the test ends. */
export class FakeOperations implements OperationDoor {
  readonly ends = new Map<string, (result: CallToolResult) => void>();
  readonly results = new Map<string, Promise<CallToolResult>>();
  readonly cancelled: string[] = [];

  start(id: string): void {
    this.results.set(id, new Promise((resolve) => this.ends.set(id, resolve)));
  }

  ended(id: string, signal: AbortSignal): Promise<CallToolResult> {
    const gone = new Promise<CallToolResult>((resolve) => {
      signal.addEventListener('abort', () => resolve({ ...text('stopped waiting'), isError: true }));
    });
    return Promise.race([this.results.get(id) ?? gone, gone]);
  }

  async cancel(id: string): Promise<boolean> {
    this.cancelled.push(id);
    this.ends.get(id)?.(text(`${id} cancelled after: half of it`));
    return true;
  }
}

/** What the test lets happen. */
export class World {
  readonly folder = mkdtempSync(join(tmpdir(), 'deskterity-tasks-'));
  readonly operations = new FakeOperations();
  /** Calls that run, by the word they were given. */
  readonly calls = new Map<string, (result: CallToolResult | InputRequiredResult | Error) => void>();
  readonly channels: RequestChannel[] = [];
  runs = 0;
  beforeOperation: () => void = () => undefined;
  /** When a new task is on disk, and nobody knows yet. */
  afterRecord: () => Promise<void> = async () => undefined;
  /** What a person is to do on the page that the tool `page` asks for. */
  pageOver: Promise<boolean> | undefined;
  /** What is denied by now, of that which calls reach. */
  readonly denied = new Set<string>();
  private pid = 1;
  private readonly dead = new Set<number>();
  private store = this.open();

  constructor() {
    endings.push(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** As after a SIGKILL: another process, and nothing of the old one ends anything. */
  dieAndStart(): void {
    this.dead.add(this.pid);
    this.pid += 1;
    this.store = this.open();
  }

  tools(): readonly McpTool[] {
    const tool = (name: string, more: Partial<McpTool>, call: McpTool['call']): McpTool => ({
      definition: { name, title: `The ${name}`, inputSchema: { type: 'object' } },
      call,
      ...more,
    });
    return [
      tool('short', {}, async () => text('short')),
      tool('long', { taskSupport: 'optional' }, ({ word }, channel) => this.call(String(word), channel)),
      tool('must', { taskSupport: 'required' }, ({ word }, channel) => this.call(String(word), channel)),
      tool('page', { taskSupport: 'optional' }, async (_input, { client }) => {
        const url = 'https://id.example/in';
        const { page } = await client.ask({
          page: { kind: 'url', message: 'Sign in.', url, over: this.pageOver },
        });
        return text(page.action);
      }),
      tool('shell', { taskSupport: 'optional', runsOperation: true }, async ({ word }, channel) => {
        this.runs += 1;
        this.beforeOperation();
        this.operations.start(String(word));
        channel.task?.onOperation(String(word));
        // It answers before the operation has ended, as shells do.
        return this.call(String(word), channel);
      }),
    ];
  }

  private call(word: string, channel: RequestChannel): Promise<CallToolResult | InputRequiredResult> {
    this.channels.push(channel);
    reachedByTask()?.({ application: { name: word } });
    return new Promise((resolve, reject) => {
      this.calls.set(word, (result) => (result instanceof Error ? reject(result) : resolve(result)));
      channel.signal.addEventListener('abort', () =>
        resolve({ ...text(`CANCELLED: pressed 3 of 7 keys for ${word}`), isError: true }),
      );
    });
  }

  /** A connection of its own, as every client of a pipe has. */
  connection(principal = 'p'): FakeConnection & { tasks: ConnectionTasks } {
    const store = this.store;
    const tasks = new ConnectionTasks({
      records: async () => store,
      principal,
      operations: this.operations,
      atOnceMs: 50,
      refusalOf: async ({ all }) =>
        all.some(({ application }) => this.denied.has(application?.name ?? ''))
          ? new DeskterityError('POLICY_DENIED', 'The policy denies it by now.', { suggestion: 'x' })
          : undefined,
    });
    const connection = new FakeConnection(this.tools());
    const close = connection.close.bind(connection);
    return Object.assign(connection, {
      tasks,
      close: async () => {
        await tasks.close();
        await close();
      },
    });
  }

  async client(era: 'legacy' | 'modern', connection = this.connection()) {
    const [near, far] = streamPair();
    const gone = serveLines({ stream: far, version: '1', open: async () => connection });
    const client = new Client(
      { name: 'test', version: '1' },
      {
        capabilities:
          era === 'modern' ? { extensions: { [EXTENSION]: {} } } : { elicitation: { form: {}, url: {} } },
        versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
      },
    );
    const transport = new LineClientTransport(near);
    const seen: JSONRPCMessage[] = [];
    await client.connect(transport);
    const { onmessage } = transport;
    transport.onmessage = (message) => {
      seen.push(message);
      onmessage?.(message);
    };
    const leave = async () => {
      near.destroy();
      far.destroy();
      await gone;
    };
    endings.push(leave);
    return { client, connection, seen, leave, transport };
  }

  private open(): TaskRecords {
    const { pid } = this;
    const records = new TaskRecords({
      folder: this.folder,
      identity: {
        self: () => ({ pid, startTime: '1', bootId: 'b' }),
        isRunning: (of) => !this.dead.has(of.pid),
      },
      locked: withFileLock,
    });
    const create = records.create.bind(records);
    records.create = async (draft) => {
      const record = await create(draft);
      await this.afterRecord();
      return record;
    };
    return records;
  }
}

/** The result that the server sent for the newest request of this kind, which the official client refuses to know. */
export async function rawCall(
  { client, seen }: { readonly client: Client; readonly seen: JSONRPCMessage[] },
  params: Record<string, unknown>,
): Promise<Seen> {
  const before = seen.length;
  const call = client.request({ method: 'tools/call', params }, ANY).then(
    (result) => result,
    (error: unknown) => error,
  );
  const answered = await call;
  const raw = seen.slice(before).find((message) => 'result' in message || 'error' in message);
  if (raw === undefined) throw new Error(`no answer: ${String(answered)}`);
  return 'result' in raw ? ANY.parse(raw.result) : ANY.parse('error' in raw ? raw.error : {});
}
