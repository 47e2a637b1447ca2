import { createServer } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import { parseJson } from '../../model/parse-json.ts';
import { mentionCommand } from '../../model/text/mention.ts';
import { once } from '../once.ts';
import type { LiveViewer } from '../session-homes.ts';
import { isForThisMachine, isFromOwnPage, isSameSecret } from './guards.ts';
import { livePage, PAGE_SOURCES } from './page.ts';
import { PageMessage } from './page-events.ts';
import { ShownSession, type LivePlace } from './shown-session.ts';

const LOOPBACK = '127.0.0.1';
/** The address was just given out: its page may be about to open. */
const EXPECTED_FOR_MS = 60_000;
/** A browser uses six connections per host. */
const MAX_CONNECTIONS = 128;
const REQUEST_DEADLINE_MS = 10_000;
const MOST_BYTES = 64 * 1024;
const MOST_MESSAGES = 64;

const HEADERS: OutgoingHttpHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self'; img-src data:; ${PAGE_SOURCES}`,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Pages that show sessions live: one small server on loopback, with secret addresses for each session. */
export class LiveView implements LiveViewer {
  private lastGivenAt = Number.NEGATIVE_INFINITY;
  private readonly server = once(() => this.listen());
  private readonly shown = new Map<string, ShownSession>();

  get isWatched(): boolean {
    const isExpected = performance.now() - this.lastGivenAt < EXPECTED_FOR_MS;
    return isExpected || [...this.shown.values()].some((session) => session.isWatched);
  }

  /** The address of a session's page, which stays the same until the session ends. */
  async show(name: string, place: LivePlace, use: 'watch' | 'control'): Promise<string> {
    this.lastGivenAt = performance.now();
    const { port } = await this.server.get();
    const known = this.shown.get(name);
    const isSame = known !== undefined && !known.place.isOver;
    const session = isSame ? known : new ShownSession(place);
    if (!isSame) await known?.close();
    this.shown.set(name, session);
    return `http://${LOOPBACK}:${port}/${session.tokens[use]}/${name}`;
  }

  async close(): Promise<void> {
    const all = [...this.shown.values()];
    this.shown.clear();
    await Promise.all(all.map((session) => session.close()));
    const running = await this.server.current()?.catch(() => undefined);
    if (running === undefined) return;
    const closed = new Promise<void>((resolve) => {
      running.server.close(() => resolve());
    });
    running.server.closeAllConnections();
    await closed;
  }

  private async listen(): Promise<{ server: Server; port: number }> {
    const server = createServer(
      {
        requestTimeout: REQUEST_DEADLINE_MS,
        headersTimeout: REQUEST_DEADLINE_MS,
        connectionsCheckingInterval: REQUEST_DEADLINE_MS / 4,
        maxHeaderSize: 16_384,
      },
      (request, response) => {
        this.answer(request, response).catch(() => response.destroy());
      },
    );
    server.maxConnections = MAX_CONNECTIONS;
    // A forgotten page does not keep the process running.
    server.unref();
    return new Promise((resolve, reject) => {
      server.once('error', (error) => {
        reject(
          new DeskterityError('INTERNAL', 'A port on the loopback interface could not be opened.', {
            suggestion: `Take a single picture instead: ${mentionCommand('session view')}.`,
            platformDetail: error.message,
            cause: error,
          }),
        );
      });
      server.listen(0, LOOPBACK, () => {
        const address = server.address();
        resolve({ server, port: typeof address === 'object' && address !== null ? address.port : 0 });
      });
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, token = '', name = '', file, query] =
      /^\/([^/?]*)\/([^/?]*)(?:\/([^/?]+))?(?:\?(.*))?$/.exec(request.url ?? '') ?? [];
    const use = this.useOf(token, name);
    const session = this.shown.get(name);
    const wanted = `${request.method ?? ''} ${file ?? ''}`;
    if (use === undefined || session === undefined || !isForThisMachine(request)) notFound(response);
    // A link to the page may be on any site, but only the page itself reads the screen and sends input.
    else if (wanted === 'GET ') send(response, 200, 'text/html', livePage(name));
    else if (!isFromOwnPage(request)) notFound(response);
    else if (wanted === 'GET stream') stream(session, response, use === 'control');
    else if (wanted === 'POST send') await receive(session, query ?? '', request, response);
    else notFound(response);
  }

  private useOf(token: string, name: string): 'watch' | 'control' | undefined {
    const session = this.shown.get(name);
    if (session === undefined) return undefined;
    if (session.place.isOver) {
      this.shown.delete(name);
      void session.close();
      return undefined;
    }
    if (isSameSecret(token, session.tokens.control)) return 'control';
    return isSameSecret(token, session.tokens.watch) ? 'watch' : undefined;
  }
}

function stream(session: ShownSession, response: ServerResponse, mayControl: boolean): void {
  response.writeHead(200, { ...HEADERS, 'content-type': 'application/octet-stream' });
  response.on('error', () => undefined);
  if (!session.watch(response, mayControl)) response.end();
}

async function receive(
  session: ShownSession,
  page: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const messages = await readMessages(request);
  if (messages === undefined) {
    send(response, 400, 'text/plain', 'The message cannot be read.\n');
    return;
  }
  try {
    await session.receive(page, messages);
    send(response, 204, 'text/plain', '');
  } catch (error) {
    const known = error instanceof DeskterityError ? error : undefined;
    const status = known?.code === 'RATE_LIMITED' ? 429 : known === undefined ? 500 : 409;
    const text = known === undefined ? 'The desktop could not be reached.' : known.message;
    send(response, status, 'text/plain', `${text}\n`);
  }
}

/** `undefined` if it is too long or not what a page sends. */
async function readMessages(request: IncomingMessage): Promise<readonly PageMessage[] | undefined> {
  // A page of another site can send this type only after a request that we refuse.
  if (!/^application\/json(?:;|$)/.test(request.headers['content-type'] ?? '')) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) return undefined;
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  const parsed = z
    .array(PageMessage)
    .max(MOST_MESSAGES)
    .safeParse(parseJson(Buffer.concat(chunks).toString('utf8')));
  return parsed.success ? parsed.data : undefined;
}

function notFound(response: ServerResponse): void {
  send(response, 404, 'text/plain', 'not found\n');
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { ...HEADERS, 'content-type': `${type}; charset=utf-8` }).end(body);
}
