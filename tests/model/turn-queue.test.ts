import { expect, it } from 'vitest';
import { takeTurnBy, TurnQueue } from '../../src/model/turn-queue.ts';
import { SimulatedClock } from '../simulated/simulated-clock.ts';

it('callers are served in the order of their arrival, each key by itself', async () => {
  const queue = new TurnQueue<string>();
  const order: string[] = [];
  const enter = (key: string, name: string) => {
    const place = queue.join(key);
    void place.reached.then(() => order.push(name));
    return place;
  };
  const first = enter('a', 'first');
  const second = enter('a', 'second');
  const third = enter('a', 'third');
  const other = enter('b', 'other');
  await Promise.resolve();
  expect([first.waits, second.waits, third.waits, other.waits]).toEqual([false, true, true, false]);
  expect(order).toEqual(['first', 'other']);
  // Leaving from the middle lets nobody in.
  second.leave();
  await Promise.resolve();
  expect(order).toEqual(['first', 'other']);
  first.leave();
  first.leave();
  await Promise.resolve();
  expect(order).toEqual(['first', 'other', 'third']);
});

it('a turn that does not come in time is a conflict, and those behind do not wait for it', async () => {
  const clock = new SimulatedClock();
  const queue = new TurnQueue<string>();
  const key = 'a';
  const held = await takeTurnBy(clock, { queue, key }, { deadlineMs: 100 });
  expect(held.waited).toBe(false);
  await expect(takeTurnBy(clock, { queue, key }, { deadlineMs: 100 })).rejects.toMatchObject({
    code: 'CONFLICT',
    delivered: false,
    retryable: true,
  });
  clock.after(50, () => held.end());
  const next = await takeTurnBy(clock, { queue, key }, { deadlineMs: 100 });
  expect(next.waited).toBe(true);
});
