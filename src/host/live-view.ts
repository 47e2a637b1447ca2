import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { DeskterityError } from '../model/errors.ts';
import type { LiveViewer } from './host.ts';
import type { SessionPlace } from './session-registry.ts';

const LOOPBACK = '127.0.0.1';
const PICTURE_DEADLINE_MS = 5000;
/** An open page asks for a picture twice a second. */
const WATCHED_FOR_MS = 60_000;

/** Pages that show sessions live: one small server on loopback, one secret address for each session. */
export class LiveView implements LiveViewer {
  private lastWantedAt = Number.NEGATIVE_INFINITY;
  private server: Promise<{ server: Server; port: number }> | undefined;
  private readonly places = new Map<string, { readonly token: string; place: SessionPlace }>();

  get isWatched(): boolean {
    return performance.now() - this.lastWantedAt < WATCHED_FOR_MS;
  }

  /** The address of a session's page. */
  async show(name: string, place: SessionPlace): Promise<string> {
    this.lastWantedAt = performance.now();
    this.server ??= this.listen();
    const { port } = await this.server;
    const known = this.places.get(name);
    const token = known?.token ?? randomBytes(16).toString('hex');
    this.places.set(name, { token, place });
    return `http://${LOOPBACK}:${port}/${token}/${encodeURIComponent(name)}`;
  }

  async close(): Promise<void> {
    const running = await this.server?.catch(() => undefined);
    this.server = undefined;
    this.places.clear();
    running?.server.closeAllConnections();
    running?.server.close();
  }

  private async listen(): Promise<{ server: Server; port: number }> {
    const server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
    // A page that somebody forgot to close does not keep the process.
    server.unref();
    return new Promise((resolve, reject) => {
      server.once('error', (error) => {
        reject(
          new DeskterityError('INTERNAL', 'No port on loopback could be opened.', {
            suggestion: 'Take one picture instead: desk session view.',
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
    const [token = '', name = '', file] = (request.url ?? '').slice(1).split('/');
    const session = this.sessionOf(token, name);
    // A page of another site must not get here under a name of its own for loopback.
    const isLocal = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '');
    if (session === undefined || !isLocal || request.method !== 'GET') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
      return;
    }
    this.lastWantedAt = performance.now();
    if (file === undefined) {
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy':
          "default-src 'none'; img-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'",
        'referrer-policy': 'no-referrer',
      });
      response.end(page(session.name));
      return;
    }
    await this.sendPicture(session.place, response);
  }

  private async sendPicture(place: SessionPlace, response: ServerResponse): Promise<void> {
    try {
      const engine = await place.engine();
      const { bytes } = await engine.screenshot({
        screen: true,
        annotate: false,
        format: 'png',
        quality: 80,
        deadlineMs: PICTURE_DEADLINE_MS,
      });
      response.writeHead(200, { 'content-type': 'image/png', 'cache-control': 'no-store' }).end(bytes);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8' }).end(`${reason}\n`);
    }
  }

  private sessionOf(token: string, name: string): { name: string; place: SessionPlace } | undefined {
    const known = [...this.places].find(([candidate]) => encodeURIComponent(candidate) === name);
    if (known === undefined) return undefined;
    const [sessionName, { token: expected, place }] = known;
    const isRight =
      token.length === expected.length && timingSafeEqual(Buffer.from(token), Buffer.from(expected));
    return isRight ? { name: sessionName, place } : undefined;
  }
}

/** Session names are letters, digits, dots, dashes and underscores: nothing in them needs escaping. */
function page(name: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${name} – Deskterity</title>
<style>
  body { margin: 0; font: 14px system-ui, sans-serif; background: #222; color: #ddd; }
  header { padding: 6px 12px; display: flex; gap: 12px; }
  img { display: block; max-width: 100vw; max-height: calc(100vh - 32px); margin: auto; }
</style>
<header><strong>${name}</strong><span id="state" role="status">loading</span></header>
<img id="screen" alt="The screen of session ${name}">
<script>
  const screen = document.getElementById('screen'), state = document.getElementById('state');
  const next = () => { screen.src = location.pathname + '/screen.png?' + Date.now(); };
  screen.onload = () => { state.textContent = new Date().toLocaleTimeString(); setTimeout(next, 500); };
  screen.onerror = () => { state.textContent = 'the picture cannot be taken; trying again'; setTimeout(next, 2000); };
  next();
</script></html>
`;
}
