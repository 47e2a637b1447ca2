import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseKey, parseKeyCombination } from '../../src/model/text/key-combination.ts';
import {
  PERSON,
  type InputLease,
  type InputPort,
  type StopState,
  type StopSwitchPort,
} from '../../src/ports/input.ts';

const CALL = { deadlineMs: 5000 };
const SHORT = { deadlineMs: 150 };
const SHIFT = parseKey('Shift');
const NO_HANDS = 'this display does not tell what the user does';

/** A display with a keyboard and a pointer, and a look at them from outside. */
export interface InputWorld {
  readonly input: InputPort;
  readonly stopSwitch: StopSwitchPort;
  /** What is down on the display itself, in the words of {@link InputLease.held}. */
  held(): Promise<readonly string[]>;
  /** The user presses and releases a key; absent if the display does not tell us. */
  readonly useHands: (() => Promise<void>) | undefined;
  /** Time for things to happen: real or virtual. */
  sleep(ms: number): Promise<void>;
  /** The clock that {@link sleep} goes by, in milliseconds. */
  now(): number;
  stop(): Promise<void>;
}

/** What every adapter's keyboard and pointer must do alike. */
export function inputContract(name: string, start: () => Promise<InputWorld>): void {
  describe(`input contract: ${name}`, () => {
    let world: InputWorld;
    const taken: InputLease[] = [];
    beforeAll(async () => {
      world = await start();
    });
    afterEach(async () => {
      await world.stopSwitch.resume(CALL);
      for (const lease of taken.splice(0)) await lease.endLease();
      await world.input.release();
      expect(await world.held()).toEqual([]);
    });
    afterAll(async () => {
      await world.stop();
    });
    const take = async (holder: string, call = CALL): Promise<InputLease> => {
      const lease = await world.input.take(holder, call);
      taken.push(lease);
      return lease;
    };

    it('moves the pointer where it is told, at once and over a time', async () => {
      const lease = await take('a');
      await lease.moveTo({ x: 30, y: 40 }, CALL);
      expect(await world.input.pointer(CALL)).toEqual({ x: 30, y: 40 });
      const began = world.now();
      await lease.moveTo({ x: 130, y: 90 }, { ...CALL, durationMs: 200 });
      expect(world.now() - began).toBeGreaterThanOrEqual(150);
      expect(await world.input.pointer(CALL)).toEqual({ x: 130, y: 90 });
    });

    it('holds keys and buttons until they are released, and says which', async () => {
      const lease = await take('a');
      await lease.keyDown(SHIFT, CALL);
      await lease.buttonDown('left', CALL);
      expect(lease.held).toEqual(['Shift', 'left button']);
      expect(await world.held()).toEqual(['Shift', 'left button']);
      await lease.keyUp(SHIFT, CALL);
      await lease.buttonUp('left', CALL);
      expect(lease.held).toEqual([]);
      expect(await world.held()).toEqual([]);
    });

    it('leaves nothing down after a combination, a text or a turn of the wheel', async () => {
      const lease = await take('a');
      await lease.press(parseKeyCombination('ctrl+shift+F9'), CALL);
      await lease.type('Ab', { ...CALL, delayMs: 0, check: async () => undefined });
      await lease.wheel({ x: 1, y: -2 }, CALL);
      expect(lease.held).toEqual([]);
      expect(await world.held()).toEqual([]);
    });

    it('has one holder at a time: others wait, are told who has it, and come in order', async () => {
      const first = await take('first');
      await expect(world.input.take('second', SHORT)).rejects.toMatchObject({
        code: 'CONFLICT',
        retryable: true,
        delivered: false,
        message: expect.stringContaining('first'),
      });
      const order: string[] = [];
      const waiting = ['second', 'third'].map(async (holder) => {
        const lease = await take(holder);
        order.push(holder);
        await lease.endLease();
      });
      await world.sleep(50);
      expect(order).toEqual([]);
      await first.endLease();
      await Promise.all(waiting);
      expect(order).toEqual(['second', 'third']);
    });

    it('stops waiting when the caller does', async () => {
      await take('first');
      const abort = new AbortController();
      const waiting = world.input.take('second', { ...CALL, signal: abort.signal });
      abort.abort();
      await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    });

    it('releases what is held when it is given back, unless it is to be kept for the same holder', async () => {
      const lease = await take('a');
      await lease.keyDown(SHIFT, CALL);
      await lease.endLease({ keep: true });
      expect(await world.held()).toEqual(['Shift']);
      await expect(world.input.take('b', SHORT)).rejects.toMatchObject({ code: 'CONFLICT' });
      const again = await take('a');
      expect(again.held).toEqual(['Shift']);
      await again.endLease();
      expect(await world.held()).toEqual([]);
      await again.endLease();
      await take('b');
    });

    it('keeps nothing for a holder who holds nothing', async () => {
      const lease = await take('a');
      await lease.endLease({ keep: true });
      expect((await take('b', { deadlineMs: 1000 })).held).toEqual([]);
    });

    it('takes it from a holder by name, and says what was released', async () => {
      const lease = await take('a');
      await lease.keyDown(SHIFT, CALL);
      expect(await world.input.release('b')).toEqual([]);
      expect(await world.held()).toEqual(['Shift']);
      expect(await world.input.release('a')).toEqual(['Shift']);
      expect(await world.held()).toEqual([]);
      await expect(lease.keyDown(SHIFT, CALL)).rejects.toMatchObject({ code: 'CONFLICT', retryable: true });
      expect(await world.held()).toEqual([]);
      await take('b', { deadlineMs: 1000 });
    });

    it('asks before it types, and types nothing when the answer is no', async () => {
      const lease = await take('a');
      const no = new Error('no');
      const counts: number[] = [];
      const typing = lease.type('abc', {
        ...CALL,
        delayMs: 0,
        check: () => Promise.reject(no),
        onTyped: (count) => counts.push(count),
      });
      await expect(typing).rejects.toBe(no);
      expect(counts).toEqual([]);
      await lease.type('abc', {
        ...CALL,
        delayMs: 5,
        check: async () => undefined,
        onTyped: (count) => counts.push(count),
      });
      expect(counts.at(-1)).toBe(3);
    });

    it('waits while the user’s own hands are active, and gives up when they are to the end', async ({
      skip,
    }) => {
      const { useHands } = world;
      if (useHands === undefined) {
        skip(NO_HANDS);
        return;
      }
      const lease = await take('a');
      await lease.moveTo({ x: 5, y: 5 }, CALL);
      await useHands();
      await expect(lease.press([parseKey('F9')], SHORT)).rejects.toMatchObject({
        code: 'CONFLICT',
        retryable: true,
        delivered: false,
      });
      const began = world.now();
      await lease.press([parseKey('F9')], CALL);
      expect(world.now() - began).toBeGreaterThan(300);
      const soon = world.now();
      await lease.press([parseKey('F9')], CALL);
      expect(world.now() - soon).toBeLessThan(500);
    });

    it('asks again after the user’s hands were active in the middle of a text', async ({ skip }) => {
      const { useHands } = world;
      if (useHands === undefined) {
        skip(NO_HANDS);
        return;
      }
      const lease = await take('a');
      const asked: number[] = [];
      let typed = 0;
      await lease.type('abcd', {
        ...CALL,
        delayMs: 20,
        check: async () => {
          asked.push(typed);
        },
        onTyped: (count) => {
          typed = count;
          if (count === 2) void useHands();
        },
      });
      expect(typed).toBe(4);
      expect(asked.filter((count) => count >= 2).length).toBeGreaterThan(0);
    });

    it('ends all acting with the switch, tells those who listen, and starts again after it', async () => {
      const { stopSwitch } = world;
      expect(await stopSwitch.state(CALL)).toEqual({ stopped: false });
      const told: StopState[] = [];
      const stopListening = stopSwitch.onStop((state) => told.push(state));
      const lease = await take('a');
      await lease.keyDown(SHIFT, CALL);
      const state = await stopSwitch.stop('somebody', CALL);
      expect(state).toMatchObject({ stopped: true, by: 'somebody', since: expect.any(String) });
      expect(await world.held()).toEqual([]);
      expect(lease.held).toEqual([]);
      await expect(lease.keyDown(SHIFT, CALL)).rejects.toMatchObject({ code: 'CANCELLED' });
      await expect(world.input.take('b', CALL)).rejects.toMatchObject({
        code: 'CANCELLED',
        delivered: false,
      });
      expect(await stopSwitch.stop('somebody else', CALL)).toEqual(state);
      expect(await stopSwitch.state(CALL)).toEqual(state);
      expect(told).toEqual([state]);
      stopListening();
      expect(await stopSwitch.resume(CALL)).toEqual({ stopped: false });
      const again = await take('b');
      await again.keyDown(SHIFT, CALL);
      expect(await world.held()).toEqual(['Shift']);
      await stopSwitch.stop('somebody', CALL);
      expect(told).toEqual([state]);
    });

    it('lets only a person act while one has taken over, until it is handed back', async () => {
      const { stopSwitch } = world;
      const told: StopState[] = [];
      const seen: StopState[] = [];
      const listening = [
        stopSwitch.onStop((state) => told.push(state)),
        stopSwitch.onChange((state) => seen.push(state)),
      ];
      const lease = await take('a');
      await lease.keyDown(SHIFT, CALL);
      const state = await stopSwitch.takeOver('somebody', CALL);
      expect(state).toMatchObject({ stopped: true, takeover: true, since: expect.any(String) });
      expect(await world.held()).toEqual([]);
      await expect(lease.keyDown(SHIFT, CALL)).rejects.toMatchObject({ code: 'CANCELLED' });
      await expect(world.input.take('b', CALL)).rejects.toMatchObject({ code: 'CANCELLED' });
      const person = await take(PERSON);
      await person.keyDown(SHIFT, CALL);
      expect(await stopSwitch.takeOver('somebody else', CALL)).toEqual(state);
      expect(await world.held()).toEqual(['Shift']);
      expect(told).toEqual([state]);

      // A stop is stronger: it ends the person's input too, and is not handed back.
      const stopped = await stopSwitch.stop('the hot-key', CALL);
      expect(stopped.takeover).toBeUndefined();
      expect(await world.held()).toEqual([]);
      await expect(person.keyDown(SHIFT, CALL)).rejects.toMatchObject({ code: 'CANCELLED' });
      await expect(world.input.take(PERSON, CALL)).rejects.toMatchObject({ code: 'CANCELLED' });
      expect(await stopSwitch.handBack(CALL)).toEqual(stopped);
      expect(await stopSwitch.takeOver('somebody', CALL)).toEqual(stopped);
      await stopSwitch.resume(CALL);

      await stopSwitch.takeOver('somebody', CALL);
      expect(await stopSwitch.handBack(CALL)).toEqual({ stopped: false });
      await (await take('b')).endLease();
      expect(seen.map(({ stopped: isStopped, takeover }) => [isStopped, takeover === true])).toEqual([
        [true, true],
        [true, false],
        [false, false],
        [true, true],
        [false, false],
      ]);
      for (const end of listening) end();
    });
  });
}
