import type { ChildProcess } from 'node:child_process';
import { z } from 'zod';
import { type Lab, type Ran } from './support.ts';
import { until } from '../until.ts';

const Message = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});
export type Message = z.output<typeof Message>;

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'initialize',
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
} as const;

/** What a modern client sends with each request. */
export const MODERN = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
} as const;

/** `desk mcp` as a process, with the lines it prints. */
export class PipedDesk {
  readonly child: ChildProcess;
  /** Everything it printed. */
  stdout = '';
  stderr = '';
  exitCode: number | string | undefined;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdin?.on('error', () => undefined);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    child.once('close', (code, signal) => {
      this.exitCode = code ?? signal ?? 'unknown';
    });
  }

  /** Its messages so far. @throws Error if a line is not a message of the protocol */
  get messages(): Message[] {
    const lines = this.stdout.split('\n').slice(0, -1);
    return lines.map((line) => Message.parse(JSON.parse(line)));
  }

  write(text: string | Buffer): void {
    this.child.stdin?.write(text);
  }

  send(...messages: readonly object[]): void {
    this.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  }

  async answer(id: string | number | null): Promise<Message> {
    const find = () => this.messages.find((message) => message.id === id);
    await until(() => this.exitCode !== undefined || find() !== undefined, `an answer to ${id}`, 30_000);
    const message = find();
    if (message === undefined) throw new Error(`it ended without an answer: ${JSON.stringify(this.ran)}`);
    return message;
  }

  async greet(): Promise<Message> {
    this.send(INITIALIZE);
    const answer = await this.answer(INITIALIZE.id);
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  call(id: number, name: string, input: object = {}): void {
    this.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } });
  }

  /** Closes its input and waits for its exit. */
  async end(): Promise<Ran> {
    this.child.stdin?.end();
    return this.ended();
  }

  async ended(): Promise<Ran> {
    await until(() => this.exitCode !== undefined, 'it has ended', 20_000);
    return this.ran;
  }

  private get ran(): Ran {
    return { exitCode: this.exitCode ?? 'runs', stdout: this.stdout, stderr: this.stderr };
  }
}

export function piped(
  lab: Lab,
  args: readonly string[] = ['mcp'],
  changes: NodeJS.ProcessEnv = {},
): PipedDesk {
  return new PipedDesk(lab.spawn(args, changes, 'pipe'));
}

/** The daemon's reason for staying, once it matches. */
export async function untilKeptBy(lab: Lab, why: RegExp | undefined): Promise<void> {
  const client = await lab.raw();
  client.hello('0+nobody');
  const timer = setInterval(() => client.socket.writable && client.send({ type: 'ask' }), 20);
  const fits = () => {
    const last = client.frames.at(-1);
    if (last?.type !== 'self' && last?.type !== 'skew') return false;
    return why === undefined ? last.isIdle : why.test(last.why ?? '');
  };
  try {
    await until(fits, 'it is kept by that', 15_000);
  } catch (error) {
    const said = JSON.stringify(client.frames.at(-1));
    throw new Error(`kept by ${String(why)}: said ${said}`, { cause: error });
  } finally {
    clearInterval(timer);
    client.end();
  }
}
