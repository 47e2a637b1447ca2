import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { errorCode } from '../../model/error-code.ts';
import { clip, reveal } from '../../model/text/untrusted-text.ts';

const PATH = '/callback';
const LONGEST_ADDRESS = 8192;

/** What the browser brings back. */
export interface Callback {
  readonly code: string;
  readonly issuer: string | undefined;
  /** Tells the person how it ended: without a problem, or with one as a phrase. Never rejects. */
  readonly answer: (problem: string | undefined) => Promise<void>;
}

/** No browser returned in time. */
export class NobodySignedIn extends Error {}

export interface CallbackListener {
  /** The address that the browser returns to. */
  readonly redirect: string;
  /** Waits for the browser. Rejects with an Error whose message is a phrase. */
  wait(state: string, signal: AbortSignal): Promise<Callback>;
  close(): void;
}

/** Listens on loopback for one return of a browser; at a port that the system chooses, unless one is given. */
export async function listenForCallback(port: number | undefined): Promise<CallbackListener> {
  const server = createServer({ maxHeaderSize: 32_768, requestTimeout: 10_000 });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const why = errorCode(error) === 'EADDRINUSE' ? `the port ${port ?? 0} is in use` : error.message;
      reject(new Error(why, { cause: error }));
    });
    server.listen({ host: '127.0.0.1', port: port ?? 0, exclusive: true }, resolve);
  });
  const address = server.address();
  const chosen = typeof address === 'object' && address !== null ? address.port : 0;
  const host = `127.0.0.1:${chosen}`;
  return {
    redirect: `http://${host}${PATH}`,
    wait: (state, signal) =>
      new Promise((resolve, reject) => {
        const nobody = (): void => reject(new NobodySignedIn('nobody signed in'));
        signal.addEventListener('abort', nobody, { once: true });
        if (signal.aborted) nobody();
        // A page that is loaded twice is told the same, once it is known.
        const waiting: ServerResponse[] = [];
        let end: { readonly problem: string | undefined } | undefined;
        server.on('request', (request, response) => {
          const found = readCallback(request, host, state);
          if (found === undefined) {
            answer(response, 404, 'There is nothing here.');
            return;
          }
          if (found instanceof Error) {
            void answerEnd(response, found.message);
            reject(found);
            return;
          }
          if (end !== undefined) {
            void answerEnd(response, end.problem);
            return;
          }
          waiting.push(response);
          resolve({
            ...found,
            answer: async (problem) => {
              end = { problem };
              await Promise.all(waiting.map((one) => answerEnd(one, problem)));
            },
          });
        });
      }),
    close: () => {
      server.close();
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 500).unref();
    },
  };
}

/** `undefined` for requests of others: a page that guesses must not end the wait. */
function readCallback(
  request: IncomingMessage,
  host: string,
  state: string,
): Omit<Callback, 'answer'> | Error | undefined {
  const { method, url = '', headers } = request;
  if (method !== 'GET' || headers.host !== host || url.length > LONGEST_ADDRESS) return undefined;
  const target = URL.canParse(url, `http://${host}`) ? new URL(url, `http://${host}`) : undefined;
  if (target?.pathname !== PATH) return undefined;
  const { searchParams: query } = target;
  if (!isSame(query.get('state') ?? '', state)) return undefined;
  const problem = query.get('error');
  if (problem !== null) {
    const detail = query.get('error_description');
    return new Error(reveal(clip(`${problem}${detail === null ? '' : ` (${detail})`}`, 300)));
  }
  const code = query.get('code');
  if (code === null || code === '') return new Error('the authorization server sent no code');
  return { code, issuer: query.get('iss') ?? undefined };
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Resolves when it is sent, or the browser is gone. */
function answerEnd(response: ServerResponse, problem: string | undefined): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', () => resolve());
    if (response.destroyed) resolve();
    if (problem === undefined) answer(response, 200, 'You are signed in. You can close this page.');
    else answer(response, 400, `Signing in failed: ${problem}. You can close this page.`);
  });
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(`${text}\n`);
}
