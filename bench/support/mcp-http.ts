import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { INITIALIZED, McpAsker, MODERN, parseMessage, requestText, type Era } from './mcp-asker.ts';
import type { User } from './program.ts';

const ANSWER_LIMIT_MS = 20_000;
const START_LIMIT_MS = 20_000;

const Envelope = z.object({ url: z.url() });

/** An HTTP server of MCP in the daemon of a user, which ends with the process that requested it. */
export class HttpServing {
  readonly url: string;
  private readonly child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.child = child;
  }

  static async start(user: User, args: readonly string[] = []): Promise<HttpServing> {
    const all = ['mcp', '--http', '--port', '0', '--format', 'json', ...args];
    const child = spawn(process.execPath, [user.program.entry, ...all], {
      env: user.environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const limit = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
    let said = '';
    for await (const piece of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      said += String(piece);
      if (said.includes('\n')) break;
    }
    clearTimeout(limit);
    return new HttpServing(Envelope.parse(JSON.parse(said)).url, child);
  }

  async close(): Promise<void> {
    this.child.kill('SIGTERM');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'close');
  }
}

/** A client over Streamable HTTP, on one connection. */
export class HttpAsker extends McpAsker {
  private readonly url: string;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private lastId = 0;
  private session: string | undefined;

  constructor(url: string, era: Era) {
    super(era);
    this.url = url;
  }

  override async request(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    this.lastId += 1;
    const id = this.lastId;
    const { headers, text } = await this.post(
      requestText(this.era, id, method, params),
      this.headersOf(method, params),
    );
    const session = headers['mcp-session-id'];
    if (typeof session === 'string') this.session = session;
    const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
    const messages = (isStream ? eventsOf(text) : [text]).map(parseMessage);
    const answer = messages.find((message) => message.id === id);
    if (answer === undefined || answer.error !== undefined)
      throw new Error(`${method}: ${answer?.error?.message ?? `no answer in ${text.slice(0, 300)}`}`);
    return answer.result;
  }

  override async greet(): Promise<void> {
    await super.greet();
    if (this.era === 'legacy') await this.post(INITIALIZED, this.headersOf('notifications/initialized', {}));
  }

  override async close(): Promise<void> {
    this.agent.destroy();
  }

  private headersOf(method: string, params: Readonly<Record<string, unknown>>): Record<string, string> {
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    if (this.era === 'legacy') return { ...headers, ...(this.session && { 'mcp-session-id': this.session }) };
    const { name } = params;
    const own = { ...headers, 'mcp-protocol-version': MODERN, 'mcp-method': method };
    return typeof name === 'string' ? { ...own, 'mcp-name': name } : own;
  }

  private async post(
    body: string,
    headers: Record<string, string>,
  ): Promise<{ readonly headers: IncomingHttpHeaders; readonly text: string }> {
    const { agent, url } = this;
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        url,
        {
          agent,
          method: 'POST',
          headers: { ...headers, 'content-length': `${Buffer.byteLength(body)}` },
          timeout: ANSWER_LIMIT_MS,
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (piece: string) => {
            text += piece;
          });
          response.on('end', () => resolve({ headers: response.headers, text }));
          response.on('error', reject);
        },
      );
      request.on('timeout', () => request.destroy(new Error('The HTTP server did not answer.')));
      request.on('error', reject);
      request.end(body);
    });
  }
}

/** The data of the events of a stream, without empty ones. */
export function eventsOf(text: string): string[] {
  return text
    .split('\n\n')
    .map((event) =>
      event
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length).trim())
        .join('\n'),
    )
    .filter((data) => data !== '');
}
