import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import { mentionCommand } from '../model/text/mention.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { LiveViewer } from './session-homes.ts';
import { once } from './once.ts';
import { wholeScreen, type SessionPlace } from './session-registry.ts';

const LOOPBACK = '127.0.0.1';
const PICTURE_DEADLINE_MS = 5000;
/** An open page requests a picture twice a second. */
const WATCHED_FOR_MS = 60_000;
/** A browser uses six connections per host. */
const MAX_CONNECTIONS = 64;
const REQUEST_DEADLINE_MS = 10_000;

const STYLE = `
  body { margin: 0; font: 14px system-ui, sans-serif; background: #222; color: #ddd; }
  header { height: 32px; padding: 0 12px; display: flex; gap: 12px; align-items: center; }
  img { display: block; max-width: 100vw; max-height: calc(100vh - 32px); margin: auto; }
`;

/** Requests the next picture after the last one has arrived, so a slow desktop gets fewer requests. */
const SCRIPT = `
  const screen = document.getElementById('screen'), state = document.getElementById('state');
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const show = async (response) => {
    const url = URL.createObjectURL(await response.blob());
    screen.src = url;
    try { await screen.decode(); } finally { URL.revokeObjectURL(url); }
    state.textContent = new Date().toLocaleTimeString();
  };
  const watch = async () => {
    for (;;) {
      try {
        const response = await fetch(location.pathname + '/screen.png', { cache: 'no-store' });
        if (response.status === 404) { state.textContent = 'the session has ended'; return; }
        if (response.ok) { await show(response); await pause(500); continue; }
        state.textContent = (await response.text()).trim() + ' Trying again.';
      } catch { state.textContent = 'no answer; the daemon may have ended. Trying again.'; }
      await pause(2000);
    }
  };
  watch();
`;

/** For the content security policy: allows only this style and this script. */
const LIVE_PAGE_SOURCES = `style-src '${hash(STYLE)}'; script-src '${hash(SCRIPT)}'`;

const HEADERS: OutgoingHttpHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self'; img-src blob: data:; ${LIVE_PAGE_SOURCES}`,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

interface Shown {
  readonly token: string;
  readonly place: SessionPlace;
  /** Shared by all concurrent requests. */
  picture: Promise<Uint8Array> | undefined;
}

/** Pages that show sessions live: one small server on loopback, with a secret address per session. */
export class LiveView implements LiveViewer {
  private lastWantedAt = Number.NEGATIVE_INFINITY;
  private readonly server = once(() => this.listen());
  private readonly shown = new Map<string, Shown>();

  get isWatched(): boolean {
    return performance.now() - this.lastWantedAt < WATCHED_FOR_MS;
  }

  /** The address of a session's page, which stays the same until the session ends. */
  async show(name: string, place: SessionPlace): Promise<string> {
    this.lastWantedAt = performance.now();
    const { port } = await this.server.get();
    const known = this.shown.get(name);
    const isSame = known !== undefined && !known.place.isOver;
    const token = isSame ? known.token : randomBytes(16).toString('hex');
    this.shown.set(name, { token, place, picture: undefined });
    return `http://${LOOPBACK}:${port}/${token}/${name}`;
  }

  async close(): Promise<void> {
    this.shown.clear();
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
      { requestTimeout: REQUEST_DEADLINE_MS, headersTimeout: REQUEST_DEADLINE_MS, maxHeaderSize: 16_384 },
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
    const [, token, name, file] =
      /^\/([^/?]*)\/([^/?]*)(?:\/([^/?]+))?(?:\?|$)/.exec(request.url ?? '') ?? [];
    const shown = this.find(token ?? '', name ?? '');
    // Prevents DNS rebinding: other sites must not reach this server under their own host name.
    const isLocal = /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/.test(request.headers.host ?? '');
    const isKnownFile = file === undefined || file === 'screen.png';
    if (shown === undefined || !isLocal || !isKnownFile || request.method !== 'GET') {
      send(response, 404, 'text/plain; charset=utf-8', 'not found\n');
      return;
    }
    this.lastWantedAt = performance.now();
    if (file === undefined) send(response, 200, 'text/html; charset=utf-8', livePage(shown.place.name));
    else await sendPicture(shown, response);
  }

  private find(token: string, name: string): Shown | undefined {
    const shown = this.shown.get(name);
    if (shown === undefined) return undefined;
    if (shown.place.isOver) {
      this.shown.delete(name);
      return undefined;
    }
    return timingSafeEqual(digest(token), digest(shown.token)) ? shown : undefined;
  }
}

async function sendPicture(shown: Shown, response: ServerResponse): Promise<void> {
  try {
    shown.picture ??= takePicture(shown.place).finally(() => {
      shown.picture = undefined;
    });
    send(response, 200, 'image/png', await shown.picture);
  } catch (error) {
    if (shown.place.isOver) {
      send(response, 404, 'text/plain; charset=utf-8', 'not found\n');
      return;
    }
    const reason = error instanceof Error ? error.message : String(error);
    send(response, 503, 'text/plain; charset=utf-8', `${reason}\n`);
  }
}

async function takePicture(place: SessionPlace): Promise<Uint8Array> {
  return (await wholeScreen(await place.engine(), { deadlineMs: PICTURE_DEADLINE_MS })).bytes;
}

function send(response: ServerResponse, status: number, type: string, body: string | Uint8Array): void {
  response.writeHead(status, { ...HEADERS, 'content-type': type }).end(body);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The page of one session. Session names consist of letters, digits, dots, dashes and underscores, so they need no escaping. */
function livePage(name: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${name} – Deskterity</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
<header><strong>${name}</strong><span id="state" role="status">loading</span></header>
<img id="screen" alt="The screen of session ${name}">
<script>${SCRIPT}</script></html>
`;
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
