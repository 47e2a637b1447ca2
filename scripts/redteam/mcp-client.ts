import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { isRecord } from '../../src/model/is-record.ts';

const CALL_MS = 20_000;

type Message = Readonly<Record<string, unknown>>;

interface Abilities {
  readonly capabilities?: object;
  /** What is answered to a request of the server; nothing if it is `undefined`. */
  readonly answer?: (request: Message) => Promise<unknown>;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** A client without any library, so that it can also say what no library would. */
export class McpClient {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting = new Map<number, (message: Record<string, unknown>) => void>();
  private answer: ((request: Message) => Promise<unknown>) | undefined;
  /** All that the server said unasked. */
  readonly notices: string[] = [];
  private rest = '';
  private lastId = 0;

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child;
    child.stderr.resume();
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.take(text));
  }

  static async start(
    program: string,
    args: readonly string[],
    place: { readonly environment: Readonly<Record<string, string | undefined>>; readonly cwd: string },
    { capabilities = {}, answer }: Abilities = {},
  ): Promise<McpClient> {
    const client = new McpClient(spawn(program, args, { env: { ...place.environment }, cwd: place.cwd }));
    client.answer = answer;
    await client.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities,
      clientInfo: { name: 'redteam', version: '1' },
    });
    client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return client;
  }

  /** A client of the newest revision, which begins without a handshake. */
  static startPlain(
    program: string,
    args: readonly string[],
    place: { readonly environment: Readonly<Record<string, string | undefined>>; readonly cwd: string },
  ): Promise<McpClient> {
    return Promise.resolve(
      new McpClient(spawn(program, args, { env: { ...place.environment }, cwd: place.cwd })),
    );
  }

  stop(): void {
    this.child.kill('SIGTERM');
  }

  request(method: string, params: unknown): Promise<Record<string, unknown>> {
    this.lastId += 1;
    const id = this.lastId;
    this.send({ jsonrpc: '2.0', id, method, params });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${method}`)), CALL_MS);
      this.waiting.set(id, (message) => {
        clearTimeout(timer);
        resolve(message);
      });
    });
  }

  /** The text of a tool's answer. */
  async call(name: string, input: unknown): Promise<ToolAnswer> {
    const { result, error } = await this.request('tools/call', { name, arguments: input });
    if (!isRecord(result)) return { text: JSON.stringify(error), isError: true };
    const content: readonly unknown[] = Array.isArray(result['content']) ? result['content'] : [];
    const texts = content.flatMap((one) =>
      isRecord(one) && typeof one['text'] === 'string' ? [one['text']] : [],
    );
    return { text: texts.join('\n'), isError: result['isError'] === true };
  }

  /** Sends any message, also one that no proper client would send. */
  send(message: unknown): void {
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  private take(text: string): void {
    const lines = `${this.rest}${text}`.split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      const message: unknown = line === '' ? undefined : JSON.parse(line);
      if (!isRecord(message)) continue;
      if (typeof message['method'] === 'string') {
        this.notices.push(line);
        this.reply(message);
        continue;
      }
      if (typeof message['id'] !== 'number') continue;
      this.waiting.get(message['id'])?.(message);
      this.waiting.delete(message['id']);
    }
  }

  private reply(request: Message): void {
    const { id } = request;
    if (id === undefined || this.answer === undefined) return;
    void this.answerWith(this.answer(request), id);
  }

  private async answerWith(answer: Promise<unknown>, id: unknown): Promise<void> {
    const result = await answer.catch(() => undefined);
    if (result !== undefined) this.send({ jsonrpc: '2.0', id, result });
  }
}
