import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { PictureWatch } from '../../../src/ports/picture-watch.ts';
import type { CapturedImage, CaptureTarget } from '../../../src/ports/desktop/capture.ts';
import { ActLog } from '../../../src/sessions/live/act-log.ts';
import { LiveView } from '../../../src/sessions/live/live-view.ts';
import type { LivePlace } from '../../../src/sessions/live/shown-session.ts';
import { SimulatedDesktop } from '../../simulated/simulated-desktop.ts';
import { SimulatedWorld } from '../../simulated/simulated-world.ts';
import { decodePng } from '../../image/decode-png.ts';
import { LiveClient } from './live-client.ts';

const CALL = { deadlineMs: 1000 };
const SIZE = { width: 300, height: 200 };
const views: LiveView[] = [];
const clients: LiveClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await Promise.all(views.splice(0).map((view) => view.close()));
});

/** A desktop with a screen that the test paints. */
class PaintedDesktop extends SimulatedDesktop {
  captures = 0;
  private readonly pixels = Buffer.alloc(SIZE.width * SIZE.height * 4);
  private painted: CapturedArea[] = [];
  private notify: (() => void) | undefined;

  get isWatched(): boolean {
    return this.notify !== undefined;
  }

  paint(area: CapturedArea, shade: number): void {
    for (let y = area.y; y < area.y + area.height; y += 1) {
      const from = (y * SIZE.width + area.x) * 4;
      this.pixels.fill(shade, from, from + area.width * 4);
    }
    this.painted.push(area);
    this.notify?.();
  }

  override async watchPicture(listener: () => void): Promise<PictureWatch> {
    this.notify = listener;
    return {
      takeAreas: async () => this.painted.splice(0),
      end: () => {
        this.notify = undefined;
      },
    };
  }

  override async capture(target: CaptureTarget): Promise<CapturedImage> {
    this.captures += 1;
    const { x, y, width, height } = target.kind === 'region' ? target.bounds : { x: 0, y: 0, ...SIZE };
    const rows = Array.from({ length: height }, (_, row) => {
      const from = ((y + row) * SIZE.width + x) * 4;
      return this.pixels.subarray(from, from + width * 4);
    });
    return { width, height, bgrx: Buffer.concat(rows), origin: { x, y }, scale: 1 };
  }
}

type CapturedArea = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

function stage({ isPrivate = true } = {}) {
  const view = new LiveView();
  views.push(view);
  const desktop = new PaintedDesktop(new SimulatedWorld([]));
  const status = desktop.status.bind(desktop);
  desktop.status = async () => ({ ...(await status()), isPrivate });
  const state = { isOver: false };
  const acts = new ActLog();
  const place: LivePlace = {
    name: 'worker',
    acts,
    desktop: async () => desktop,
    get isOver() {
      return state.isOver;
    },
  };
  const open = async (use: 'watch' | 'control' = 'control'): Promise<LiveClient> => {
    const client = await LiveClient.open(await view.show('worker', place, use));
    clients.push(client);
    return client;
  };
  return { view, desktop, place, state, acts, open };
}

/** `fetch` would not let us choose the Host header, nor send a path as it is. */
interface Strange {
  readonly path?: string | undefined;
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

function ask(url: string, changes: Strange = {}): Promise<number> {
  const { port, pathname, host } = new URL(url);
  const { path = pathname, method = 'GET', headers = {} } = changes;
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers: { host, ...headers } }, (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    })
      .on('error', reject)
      .end();
  });
}

const moved = { type: 'input', events: [{ type: 'move', x: 0.5, y: 0.5 }] };

describe('a live page', () => {
  it('has two addresses on loopback that cannot be guessed, the same each time', async () => {
    const { view, place } = stage();
    const urls = [await view.show('worker', place, 'control'), await view.show('worker', place, 'watch')];
    for (const url of urls) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/worker$/);
    expect(urls[0]).not.toBe(urls[1]);
    expect(await view.show('worker', place, 'control')).toBe(urls[0]);
    expect(view.isWatched).toBe(true);
  });

  it('allows only its own script and style, and is not cached', async () => {
    const { view, place } = stage();
    const response = await fetch(await view.show('worker', place, 'watch'));
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe-inline');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(await response.text()).toContain('worker');
  });

  it('is not found without its secret address, or for a page of another site', async () => {
    const { view, place } = stage();
    const url = await view.show('worker', place, 'control');
    const token = new URL(url).pathname.split('/')[1] ?? '';
    const own = `/${token}/worker`;
    const strange: Strange[] = [
      { headers: { host: 'evil.example' } },
      { headers: { host: '127.0.0.1.evil.example' } },
      { headers: { host: 'localhost.evil.example:80' } },
      { path: `${own}/stream`, headers: { host: 'evil.example' } },
      { path: `${own}/stream`, headers: { origin: 'http://evil.example' } },
      { path: `${own}/stream`, headers: { origin: 'null' } },
      { path: `${own}/stream`, headers: { 'sec-fetch-site': 'cross-site' } },
      { path: `${own}/stream`, headers: { 'sec-fetch-site': 'same-site' } },
      { path: `${own}/send`, method: 'POST', headers: { origin: 'https://127.0.0.1' } },
      { path: `${own}/send`, method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } },
      { path: `${own}/send`, method: 'OPTIONS', headers: { origin: 'http://evil.example' } },
      { path: `${own}/send` },
      { method: 'POST' },
      { method: 'HEAD' },
      { path: '/' },
      { path: `/${token}` },
      { path: `/${token}/other` },
      { path: `/${token.slice(1)}/worker` },
      { path: `/${'0'.repeat(32)}/worker` },
      { path: `/${'0'.repeat(32)}/worker/stream` },
      { path: `/%ff${token.slice(3)}/worker` },
      { path: `${own}/` },
      { path: `${own}/other` },
      { path: `${own}/stream/x` },
      { path: `/${token}/__proto__` },
    ];
    expect(await Promise.all(strange.map((changes) => ask(url, changes)))).toEqual(strange.map(() => 404));
    const { port } = new URL(url);
    const fine: Strange[] = [
      { headers: { host: `localhost:${port}` } },
      // A link in another page.
      { headers: { 'sec-fetch-site': 'cross-site' } },
      { path: `${own}/stream`, headers: { 'sec-fetch-site': 'same-origin' } },
      { path: `${own}/stream`, headers: { host: 'localhost:9000', origin: 'http://localhost:9000' } },
    ];
    expect(await Promise.all(fine.map((changes) => ask(url, changes)))).toEqual(fine.map(() => 200));
  });

  it('accepts only small messages in its own form', async () => {
    const { open } = stage();
    const client = await open();
    const bad = [
      [{ type: 'other' }],
      [{ type: 'input', events: [{ type: 'move', x: 2, y: 0 }] }],
      [{ type: 'input', events: [{ type: 'down', x: 0, y: 0, button: 'left', more: 1 }] }],
      [{ type: 'input', events: [{ type: 'text', text: 'x'.repeat(5000) }] }],
      Array.from({ length: 65 }, () => ({ type: 'seen', number: 0 })),
      [{ type: 'seen', number: 0, more: 'x'.repeat(70_000) }],
    ];
    const answers = await Promise.all(bad.map((messages) => client.send(messages)));
    expect(answers.map(({ status }) => status)).toEqual(bad.map(() => 400));
    const plain = await client.send([{ type: 'take-over' }], { 'content-type': 'text/plain' });
    expect(plain.status).toBe(400);
    expect(client.last('control')).toMatchObject({ who: 'agent' });
  });

  it('sends the screen, then only what changed, captured once for all pages', async () => {
    const { open, desktop } = stage();
    const [one, two] = [await open(), await open('watch')];
    for (const client of [one, two]) await client.eventually('the screen', () => client.pictures.length > 0);
    expect(one.pictures[0]?.area).toEqual({ x: 0, y: 0, ...SIZE });
    expect(one.messages.filter(({ kind }) => kind === 'size')).toEqual([{ kind: 'size', ...SIZE }]);
    const before = desktop.captures;
    desktop.paint({ x: 20, y: 30, width: 10, height: 5 }, 0x80);
    for (const client of [one, two]) await client.eventually('the change', () => client.pictures.length > 1);
    expect(desktop.captures - before).toBe(1);
    for (const { pictures } of [one, two]) {
      expect(pictures[1]?.area).toEqual({ x: 20, y: 30, width: 10, height: 5 });
      expect([...decodePng(pictures[1]?.png ?? Buffer.alloc(0)).bgrx.subarray(0, 3)]).toEqual([
        128, 128, 128,
      ]);
    }
    // Painted, but with the same colour: nothing is sent. A later change shows that it was looked at.
    desktop.paint({ x: 20, y: 30, width: 10, height: 5 }, 0x80);
    await one.eventually('a look', () => desktop.captures - before === 2);
    desktop.paint({ x: 0, y: 0, width: 1, height: 1 }, 0x90);
    await one.eventually('the next change', () => one.pictures.length > 2);
    expect(one.pictures.map(({ area }) => area.width)).toEqual([SIZE.width, 10, 1]);
  });

  it('sends a page that is behind only the newest picture', async () => {
    const { open, desktop } = stage();
    const client = await open();
    await client.eventually('the screen', () => client.pictures.length > 0);
    client.acknowledges = false;
    const area = { x: 5, y: 5, width: 4, height: 4 };
    for (let shade = 1; shade <= 8; shade += 1) {
      const looked = desktop.captures;
      desktop.paint(area, shade);
      await client.eventually('a look', () => desktop.captures > looked);
    }
    const held = client.pictures.length;
    expect(held).toBeLessThanOrEqual(4);
    const number = client.last('picture')?.['number'];
    client.acknowledges = true;
    await client.send([{ type: 'seen', number }]);
    await client.eventually('the newest picture', () => client.pictures.length > held);
    expect(decodePng(client.pictures.at(-1)?.png ?? Buffer.alloc(0)).bgrx[0]).toBe(8);
    expect(client.pictures).toHaveLength(held + 1);
  });

  it('captures nothing while nobody watches', async () => {
    const { open, desktop, view } = stage();
    const client = await open();
    await client.eventually('the screen', () => client.pictures.length > 0);
    client.close();
    const taken = desktop.captures;
    await expect.poll(() => desktop.isWatched).toBe(false);
    desktop.paint({ x: 0, y: 0, width: 9, height: 9 }, 1);
    expect(desktop.captures).toBe(taken);
    expect(view.isWatched).toBe(true);
  });

  it('shows acts as text with what cannot be seen made visible', async () => {
    const { open, acts } = stage();
    acts.add({ id: 1, command: 'click', name: '<img src=x>\u202Eevil', at: 1 });
    const client = await open('watch');
    expect(await client.until(({ kind }) => kind === 'act')).toMatchObject({
      name: '<img src=x>\\u{202E}evil',
    });
    acts.add({ id: 1, command: 'click', outcome: 'confirmed', at: 2 });
    await client.until(({ outcome }) => outcome === 'confirmed');
    expect(acts.recent).toHaveLength(1);
  });

  it('ends with its session; a new session of that name has other addresses', async () => {
    const { view, place, state, open } = stage();
    const url = await view.show('worker', place, 'control');
    const client = await open();
    state.isOver = true;
    expect([await ask(url), await ask(url, { path: `${new URL(url).pathname}/stream` })]).toEqual([404, 404]);
    await client.until(({ kind }) => kind === 'over');
    await client.eventually('the end', () => client.isOver);
    const next = await view.show('worker', stage().place, 'control');
    expect(next).not.toBe(url);
    expect([await ask(url), await ask(next)]).toEqual([404, 200]);
  });

  it('ends with the host', async () => {
    const { view, place } = stage();
    const url = await view.show('worker', place, 'watch');
    await view.close();
    await expect(ask(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('taking over', () => {
  it('gives pointer and keys to the page, and refuses everybody else, until it is handed back', async () => {
    const { open, desktop } = stage();
    const [page, other] = [await open(), await open()];
    await page.eventually('the screen', () => page.pictures.length > 0);
    expect((await page.send([moved])).status).toBe(409);
    expect((await page.send([{ type: 'take-over' }])).status).toBe(204);
    await page.until(({ who }) => who === 'you');
    await other.until(({ who }) => who === 'person');
    await expect(desktop.input.take('agent (1)', CALL)).rejects.toMatchObject({ code: 'CANCELLED' });
    const events = [
      { type: 'down', x: 0.5, y: 0.999, button: 'left', mods: ['Control'] },
      { type: 'move', x: 1, y: 1, mods: ['Control'] },
      { type: 'up', x: 1, y: 1, button: 'left', mods: ['Control'] },
      { type: 'text', text: 'Ä' },
      { type: 'key', key: 'S', mods: ['Control', 'Shift'] },
      { type: 'key', key: 'NoSuchKey', mods: [] },
      { type: 'wheel', x: 0, y: 0, across: 0, down: 2, mods: [] },
    ];
    expect((await page.send([{ type: 'input', events }])).status).toBe(204);
    expect(desktop.input.record).toEqual([
      'key down Control',
      'move 150,199',
      'left down 150,199',
      'move 299,199',
      'move 299,199',
      'left up 299,199',
      'key up Control',
      'type Ä',
      'key Control+Shift+s',
      'move 0,0',
      'wheel 0,2',
    ]);
    expect((await other.send([moved])).text).toContain('does not have control');
    expect((await other.send([{ type: 'hand-back' }])).status).toBe(204);
    await page.eventually('the end of control', () => page.last('control')?.['who'] === 'agent');
    await (await desktop.input.take('agent (1)', CALL)).endLease();
    expect((await page.send([moved])).status).toBe(409);
  });

  it('releases what a closed page held, and lasts until a person hands it back', async () => {
    const { open, desktop } = stage();
    const page = await open();
    await page.eventually('the screen', () => page.pictures.length > 0);
    const events = [{ type: 'down', x: 0.1, y: 0.1, button: 'left', mods: ['Shift'] }];
    await page.send([{ type: 'take-over' }, { type: 'input', events }]);
    expect(desktop.input.held).toEqual(['Shift', 'left button']);
    page.close();
    await expect.poll(() => desktop.input.held).toEqual([]);
    expect(await desktop.stopSwitch.state()).toMatchObject({ takeover: true });
    const next = await open();
    await next.until(({ who, mayTakeOver }) => who === 'person' && mayTakeOver === true);
    await next.send([{ type: 'take-over' }]);
    await next.until(({ who }) => who === 'you');
  });

  it('gives no control to a page that closed before it had it', async () => {
    const { open, desktop } = stage();
    const page = await open();
    let taken = (): void => undefined;
    const isClosed = new Promise<void>((resolve) => (taken = resolve));
    const takeOver = desktop.stopSwitch.takeOver.bind(desktop.stopSwitch);
    desktop.stopSwitch.takeOver = async (by) => {
      page.close();
      await isClosed;
      return takeOver(by);
    };
    const events = [{ type: 'down', x: 0.1, y: 0.1, button: 'left', mods: ['Shift'] }];
    const sent = page.send([{ type: 'take-over' }, { type: 'input', events }]);
    // Its connection ends first.
    await expect.poll(() => desktop.isWatched).toBe(false);
    taken();
    expect((await sent).text).toContain('not connected');
    expect(desktop.input.held).toEqual([]);
    expect(await desktop.stopSwitch.state()).toMatchObject({ takeover: true });
  });

  it('ends when all acting is stopped, and is refused while it is', async () => {
    const { open, desktop } = stage();
    const page = await open();
    await page.send([{ type: 'take-over' }]);
    await desktop.stopSwitch.stop('the hot-key');
    await page.until(({ who }) => who === 'nobody');
    expect((await page.send([moved])).status).toBe(409);
    expect((await page.send([{ type: 'take-over' }])).text).toContain('is stopped');
    await page.send([{ type: 'hand-back' }]);
    expect(await desktop.stopSwitch.state()).toMatchObject({ stopped: true });
  });

  it('is not possible from the address for watching, nor on the user’s own desktop', async () => {
    const watching = stage();
    const watcher = await watching.open('watch');
    expect((await watcher.send([{ type: 'take-over' }])).text).toContain('only for watching');
    const own = stage({ isPrivate: false });
    const page = await own.open();
    expect((await page.send([{ type: 'take-over' }])).text).toContain('your own desktop');
    expect(page.last('control')).toMatchObject({ mayTakeOver: false });
    for (const { desktop } of [watching, own])
      expect(await desktop.stopSwitch.state()).toEqual({ stopped: false });
  });

  it('limits what a page sends', async () => {
    const { open } = stage();
    const page = await open();
    await page.send([{ type: 'take-over' }]);
    const events = Array.from({ length: 200 }, () => ({ type: 'move', x: 0, y: 0 }));
    const input = { type: 'input', events };
    const answer = await page.send([input, input, input, input, input]);
    expect(answer.status).toBe(429);
  });
});
