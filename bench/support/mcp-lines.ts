import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { INITIALIZED, McpAsker, parseMessage, requestText, type Era } from './mcp-asker.ts';
import type { User } from './program.ts';

const ANSWER_LIMIT_MS = 60_000;
const END_LIMIT_MS = 10_000;

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly limit: NodeJS.Timeout;
}

/** A client that sends and receives lines. */
export class LineAsker extends McpAsker {
  private readonly to: Writable;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private held = '';

  constructor(from: Readable, to: Writable, era: Era) {
    super(era);
    this.to = to;
    from.setEncoding('utf8').on('data', (text: string) => this.receive(text));
    from.on('close', () => this.fail(new Error('The MCP server has closed the connection.')));
    from.on('error', (error) => this.fail(error));
    // A socket that was handed over is paused.
    from.resume();
    // The other direction reports its end.
    to.on('error', () => undefined);
  }

  override async request(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      const late = () => this.settle(id)?.reject(new Error(`${method} was not answered.`));
      this.waiting.set(id, { resolve, reject, limit: setTimeout(late, ANSWER_LIMIT_MS) });
      this.to.write(`${requestText(this.era, id, method, params)}\n`);
    });
  }

  override async greet(): Promise<void> {
    await super.greet();
    if (this.era === 'legacy') this.to.write(`${INITIALIZED}\n`);
  }

  override async close(): Promise<void> {
    this.to.end();
  }

  private receive(text: string): void {
    const lines = (this.held + text).split('\n');
    this.held = lines.pop() ?? '';
    for (const line of lines) {
      const { id, result, error } = parseMessage(line);
      if (id === undefined) continue;
      if (error === undefined) this.settle(id)?.resolve(result);
      else this.settle(id)?.reject(new Error(error.message));
    }
  }

  private settle(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    clearTimeout(waiting?.limit);
    return waiting;
  }

  private fail(error: Error): void {
    for (const id of this.waiting.keys()) this.settle(id)?.reject(error);
  }
}

/** A client that has started `desk mcp`. */
export class PipeAsker extends LineAsker {
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess, from: Readable, to: Writable, era: Era) {
    super(from, to, era);
    this.child = child;
  }

  static start(user: User, era: Era, args: readonly string[] = []): PipeAsker {
    const child = spawn(process.execPath, [user.program.entry, 'mcp', ...args], {
      env: user.environment,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    return new PipeAsker(child, child.stdout, child.stdin, era);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Ends its input and waits for it to exit. @throws if it does not, or fails */
  override async close(): Promise<void> {
    const { child } = this;
    await super.close();
    const limit = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    clearTimeout(limit);
    if (child.exitCode !== 0) throw new Error(`desk mcp exited with ${child.signalCode ?? child.exitCode}.`);
  }
}
