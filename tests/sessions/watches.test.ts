import { describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { Watches } from '../../src/sessions/watches.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { SimulatedClock } from '../simulated/simulated-clock.ts';
import type { DesktopEvent } from '../../src/ports/desktop/events.ts';
import { fakeEngine } from '../commands/fake-engine.ts';

const EVENT = { kind: 'name-changed', node: { app: 'a', path: 'p' }, detail: '', atMs: 0 } as const;
const LOSS = { kind: 'desktop-lost', node: { app: '', path: '' }, detail: '', atMs: 0 } as const;

type Listener = (event: DesktopEvent) => void;

/** A desktop whose events a test sends. */
function scene(failures: (DeskterityError | undefined)[] = []) {
  const listening = new Set<Listener>();
  const requests: Parameters<Engine['watch']>[0][] = [];
  const watch: Engine['watch'] = async (request, listener) => {
    requests.push(request);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    listening.add(listener);
    return () => listening.delete(listener);
  };
  const noted = new Set<object>();
  const place = {
    isOver: false,
    engine: async () => ({ ...fakeEngine({}), watch }),
    noteWatch: () => {
      const one = {};
      noted.add(one);
      return () => noted.delete(one);
    },
  };
  const say = (event: DesktopEvent): void => {
    for (const listener of listening) listener(event);
  };
  return { watches: new Watches(new SimulatedClock()), place, listening, noted, requests, say };
}

function failure(code: DeskterityError['code']): DeskterityError {
  return new DeskterityError(code, 'No.', { suggestion: 'Wait.' });
}

describe('a watch', () => {
  it('counts while it lasts, and ends once', async () => {
    const { watches, place, listening, noted, say } = scene();
    let told = 0;
    expect(watches.reasons).toEqual([]);
    const end = await watches.start(place, {}, () => (told += 1), {});
    const other = await watches.start(place, { app: 'x' }, () => undefined, {});
    expect(watches.reasons).toEqual(['2 watches']);
    expect(noted.size).toBe(2);
    say(EVENT);
    expect(told).toBe(1);
    end();
    end();
    expect(watches.reasons).toEqual(['1 watch']);
    say(EVENT);
    expect(told).toBe(1);
    other();
    expect(watches.reasons).toEqual([]);
    expect(listening.size).toBe(0);
    expect(noted.size).toBe(0);
  });

  it('leaves nothing behind if it cannot start', async () => {
    const { watches, place, listening } = scene([failure('APP_NOT_FOUND')]);
    await expect(watches.start(place, { app: 'x' }, () => undefined, {})).rejects.toMatchObject({
      code: 'APP_NOT_FOUND',
    });
    expect(watches.reasons).toEqual([]);
    expect(listening.size).toBe(0);
  });

  it('ends with its signal before, during and after its start', async () => {
    const { watches, place, listening } = scene();
    await expect(
      watches.start(place, {}, () => undefined, { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: 'CANCELLED' });
    const during = new AbortController();
    const begun = watches.start(place, {}, () => undefined, { signal: during.signal });
    during.abort();
    await expect(begun).rejects.toMatchObject({ code: 'CANCELLED' });
    const after = new AbortController();
    await watches.start(place, {}, () => undefined, { signal: after.signal });
    expect(listening.size).toBe(1);
    after.abort();
    expect(listening.size).toBe(0);
    expect(watches.reasons).toEqual([]);
  });

  it('reports a lost desktop and its return, then waits for the application', async () => {
    const lost = [failure('DISPLAY_UNAVAILABLE'), failure('BUS_UNAVAILABLE')];
    const { watches, place, say, requests, listening } = scene([undefined, ...lost]);
    let told = 0;
    await watches.start(place, { app: 'x' }, () => (told += 1), {});
    say(LOSS);
    expect(told).toBe(1);
    await expect.poll(() => told).toBe(2);
    expect(requests.map(({ awaitsApp }) => awaitsApp)).toEqual([false, true, true, true]);
    say(EVENT);
    expect(told).toBe(3);
    expect(listening.size).toBe(1);
    watches.close();
    expect(listening.size).toBe(0);
  });

  it('ends with its session', async () => {
    const { watches, place, say } = scene([undefined, failure('SESSION_NOT_FOUND')]);
    let told = 0;
    await watches.start(place, {}, () => (told += 1), {});
    say(LOSS);
    await expect.poll(() => watches.reasons).toEqual([]);
    expect(told).toBe(2);
  });
});
