import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { LiveView } from '../../src/sessions/live-view.ts';
import type { SessionPlace } from '../../src/sessions/session-registry.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { fakeEngine } from '../commands/fake-engine.ts';

const PICTURE = Buffer.from('a picture');
const views: LiveView[] = [];
afterEach(async () => {
  await Promise.all(views.splice(0).map((view) => view.close()));
});

interface Stage {
  readonly view: LiveView;
  readonly place: SessionPlace;
  readonly state: { isOver: boolean; taken: number };
}

function stage(screenshot?: Engine['screenshot']): Stage {
  const view = new LiveView();
  views.push(view);
  const state = { isOver: false, taken: 0 };
  const answers: Partial<Engine> = {
    screenshot:
      screenshot ??
      (async () => {
        state.taken += 1;
        return {
          bytes: PICTURE,
          width: 1,
          height: 1,
          origin: { x: 0, y: 0 },
          scale: 1,
          clipped: false,
          labels: [],
        };
      }),
  };
  const place: SessionPlace = {
    name: 'worker',
    require: async () => undefined,
    engine: async () => fakeEngine(answers),
    terminals: () => Promise.reject(new Error('terminals were not expected')),
    privateDisplay: undefined,
    get isOver() {
      return state.isOver;
    },
  };
  return { view, place, state };
}

/** `fetch` would not let us choose the Host header, nor send a path as it is. */
function ask(url: string, changes: { path?: string; host?: string; method?: string } = {}): Promise<number> {
  const { port, pathname, host } = new URL(url);
  const { path = pathname, method = 'GET' } = changes;
  return new Promise((resolve, reject) => {
    request(
      { host: '127.0.0.1', port, path, method, headers: { host: changes.host ?? host } },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    )
      .on('error', reject)
      .end();
  });
}

describe('a live page', () => {
  it('is on loopback under an address that cannot be guessed, the same each time', async () => {
    const { view, place } = stage();
    const url = await view.show('worker', place);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/worker$/);
    expect(await view.show('worker', place)).toBe(url);
    expect(view.isWatched).toBe(true);
  });

  it('allows only its own script and style, and is not cached', async () => {
    const { view, place } = stage();
    const response = await fetch(await view.show('worker', place));
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe-inline');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toContain('worker');
  });

  it('shows the screen, taken once for concurrent requests', async () => {
    const { view, place, state } = stage();
    const url = await view.show('worker', place);
    const pictures = await Promise.all(
      [1, 2, 3].map(async () => Buffer.from(await (await fetch(`${url}/screen.png?1`)).arrayBuffer())),
    );
    expect(pictures).toEqual([PICTURE, PICTURE, PICTURE]);
    expect(state.taken).toBeLessThanOrEqual(3);
    expect(await ask(`${url}/screen.png`)).toBe(200);
  });

  it('reports why there is no picture', async () => {
    const { view, place } = stage(async () => {
      throw new DeskterityError('DISPLAY_UNAVAILABLE', 'There is no display.', {
        suggestion: 'Set DISPLAY.',
      });
    });
    const response = await fetch(`${await view.show('worker', place)}/screen.png`);
    expect([response.status, await response.text()]).toEqual([503, 'There is no display.\n']);
  });

  it('is not found without its secret address', async () => {
    const { view, place } = stage();
    const url = await view.show('worker', place);
    const token = new URL(url).pathname.split('/')[1] ?? '';
    const strange = [
      { host: 'evil.example' },
      { host: '127.0.0.1.evil.example' },
      { host: 'localhost.evil.example:80' },
      { method: 'POST' },
      { method: 'HEAD' },
      { path: '/' },
      { path: `/${token}` },
      { path: `/${token}/other` },
      { path: `/${token.slice(1)}/worker` },
      { path: `/${'0'.repeat(32)}/worker` },
      { path: `/%ff${token.slice(3)}/worker` },
      { path: `/${token}/worker/` },
      { path: `/${token}/worker/other.png` },
      { path: `/${token}/worker/screen.png/x` },
      { path: `/${token}/__proto__` },
    ];
    expect(await Promise.all(strange.map((changes) => ask(url, changes)))).toEqual(strange.map(() => 404));
    expect(await ask(url, { host: `localhost:${new URL(url).port}` })).toBe(200);
  });

  it('ends with its session; a new session of that name has another address', async () => {
    const { view, place, state } = stage();
    const url = await view.show('worker', place);
    state.isOver = true;
    expect([await ask(url), await ask(`${url}/screen.png`)]).toEqual([404, 404]);
    const next = await view.show('worker', stage().place);
    expect(next).not.toBe(url);
    expect([await ask(url), await ask(next)]).toEqual([404, 200]);
  });

  it('ends with the host', async () => {
    const { view, place } = stage();
    const url = await view.show('worker', place);
    await view.close();
    await expect(ask(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
