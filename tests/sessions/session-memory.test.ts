import { describe, expect, it, vi } from 'vitest';
import { createMemoryStore } from '../../src/sessions/memory-store.ts';
import { forgetSession, storeUntilOver } from '../../src/sessions/session-memory.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { asked, displayOf, newMachine, sessionsOn } from './session-world.ts';
import { spelledFailure } from '../spelled.ts';

const OVER = { code: 'SESSION_NOT_FOUND', suggestion: expect.stringContaining('desk session new a') };
const DAY_MS = 24 * 3600 * 1000;

describe('a private session that was killed', () => {
  it.each([true, false])(
    'is also an error in the next process (outliving calls: %s)',
    async (outlivesCalls) => {
      const machine = newMachine();
      const first = sessionsOn(machine);
      await first.create(asked('a'));
      await first.kill('a');
      await first.close();
      const next = sessionsOn(machine, { outlivesCalls });
      await expect(spelledFailure(displayOf(next, 'a'))).rejects.toMatchObject(OVER);
      await expect(spelledFailure(next.info('a'))).rejects.toMatchObject(OVER);
      await expect(spelledFailure(next.kill('a'))).rejects.toMatchObject(OVER);
      expect(await next.list()).toEqual([]);
      await expect(next.info('b')).rejects.not.toMatchObject({ suggestion: 'Did you mean a?' });
    },
  );

  it.each([true, false])('is started again by session new (private: %s), permanently', async (isPrivate) => {
    const machine = newMachine();
    const first = sessionsOn(machine);
    await first.create(asked('a'));
    await first.kill('a');
    const next = sessionsOn(machine);
    await next.create(asked('a', isPrivate));
    const display = isPrivate ? ':102' : ':1';
    expect(await displayOf(next, 'a')).toBe(display);
    expect(await displayOf(sessionsOn(machine), 'a')).toBe(display);
    await next.kill('a');
    const later = await displayOf(sessionsOn(machine), 'a').catch((error: unknown) => String(error));
    expect(later).toContain(isPrivate ? 'has ended' : ':1');
  });

  it('is also remembered if it could not be started', async () => {
    const machine = newMachine();
    machine.beforeStart = async () => {
      throw new DeskterityError('DISPLAY_UNAVAILABLE', 'Xvfb is missing.', { suggestion: 'Install it.' });
    };
    await expect(sessionsOn(machine).create(asked('a'))).rejects.toMatchObject({
      code: 'DISPLAY_UNAVAILABLE',
    });
    await expect(spelledFailure(displayOf(sessionsOn(machine), 'a'))).rejects.toMatchObject(OVER);
  });

  it('is remembered for thirty days', async () => {
    const machine = newMachine();
    const sessions = sessionsOn(machine);
    const kill = async (name: string): Promise<void> => {
      await sessions.create(asked(name));
      await machine.stores.get(name)?.update('refs', () => ({ next_element: 9 }));
      await sessions.kill(name);
    };
    const kept = async (): Promise<unknown> => ({
      mark: await machine.stores.get('a~private')?.load('mark'),
      refs: await machine.stores.get('a')?.load('refs'),
    });
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1), toFake: ['Date'] });
    try {
      await kill('a');
      vi.setSystemTime(Date.now() + 29 * DAY_MS);
      await kill('b');
      expect(await kept()).toMatchObject({ mark: {}, refs: { next_element: 9 } });
      vi.setSystemTime(Date.now() + 2 * DAY_MS);
      await kill('c');
      expect(await kept()).toEqual({ mark: undefined, refs: undefined });
      expect(await machine.stores.get('b~private')?.load('mark')).toBeDefined();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('counters of a forgotten session', () => {
  const REFS = {
    desktop_id: 'd',
    next_element: 7,
    next_window: 3,
    cursor: 5,
    elements: [],
    windows: [{ ref: '@w2', id: 'x' }],
  };
  const COUNTED = {
    next_element: 7,
    next_window: 3,
    next_terminal: 1,
    cursor: 5,
    elements: [],
    windows: [],
    terminals: [],
  };

  it('continue, and nothing else is kept', async () => {
    const store = createMemoryStore();
    await store.update('refs', () => REFS);
    await store.update('readings', () => 'secret');
    await store.update('session', () => 'record');
    await forgetSession(store);
    expect(await store.load('refs')).toMatchObject(COUNTED);
    expect(await store.load('readings')).toBeUndefined();
    expect(await store.load('session')).toBeUndefined();
  });

  it('continue in the next session with that name, private or not', async () => {
    const machine = newMachine();
    const sessions = sessionsOn(machine);
    await displayOf(sessions, 'a');
    await machine.stores.get('a')?.update('refs', () => REFS);
    await sessions.kill('a');
    expect(await sessions.list()).toEqual([]);
    await sessions.create(asked('a'));
    expect(await machine.stores.get('a')?.load('refs')).toMatchObject(COUNTED);
  });

  it('of its last calls are not reused either', async () => {
    const store = createMemoryStore();
    await store.update('refs', () => REFS);
    let isOver = false;
    const running = storeUntilOver(store, () => isOver);
    await forgetSession(store);
    isOver = true;
    await running.update('refs', (data) => {
      expect(data).toMatchObject(COUNTED);
      return { ...REFS, next_element: 9 };
    });
    expect(await store.load('refs')).toMatchObject({ ...COUNTED, next_element: 9 });
  });

  it('are removed if nothing was counted or nothing can be written', async () => {
    const empty = createMemoryStore();
    await empty.update('session', () => 'record');
    await forgetSession(empty);
    expect(await empty.load('session')).toBeUndefined();

    const store = createMemoryStore();
    await store.update('refs', () => REFS);
    await store.update('session', () => 'record');
    await forgetSession({ ...store, update: async () => undefined });
    expect(await store.load('session')).toBeUndefined();
  });
});
