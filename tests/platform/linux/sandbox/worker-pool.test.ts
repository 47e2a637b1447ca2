import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { WorkerPool } from '../../../../src/platform/linux/sandbox/workers/worker-pool.ts';
import type { PooledWorker, WorkerKind } from '../../../../src/platform/linux/sandbox/workers/worker-pool.ts';

class Made implements PooledWorker {
  readonly name: string;
  isGone = false;

  constructor(name: string) {
    this.name = name;
  }

  async close(): Promise<void> {
    this.isGone = true;
  }
}

/** Workers that take a moment to make; counts how many are made, and made at once. */
class Workshop {
  readonly made: Made[] = [];
  atOnce = 0;
  mostAtOnce = 0;
  stamp = 'first';
  failure: Error | undefined;

  kind(key: string): WorkerKind<Made> {
    return {
      key,
      stamp: () => this.stamp,
      make: async () => {
        this.atOnce += 1;
        this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
        await sleep(5);
        this.atOnce -= 1;
        if (this.failure !== undefined) throw this.failure;
        const worker = new Made(`${key} ${this.made.length}`);
        this.made.push(worker);
        return worker;
      },
    };
  }
}

describe('the pool of workers', () => {
  it('never gives a worker to two operations, and reuses it after release', async () => {
    const [shop, pool] = [new Workshop(), new WorkerPool<Made>()];
    const inUse = new Set<Made>();
    const one = async (key: string) => {
      const worker = await pool.take(shop.kind(key));
      expect(inUse.has(worker)).toBe(false);
      expect(worker.name).toContain(key);
      inUse.add(worker);
      await sleep(1);
      inUse.delete(worker);
      pool.release(worker);
    };
    await Promise.all(Array.from({ length: 100 }, async (_, index) => one(index % 2 === 0 ? 'even' : 'odd')));
    expect(shop.mostAtOnce).toBeLessThanOrEqual(4);
    expect(shop.made.length).toBeLessThan(60);
    await pool.close();
    expect(shop.made.every(({ isGone }) => isGone)).toBe(true);
  });

  it('makes a spare after the last one was taken, and keeps only a few', async () => {
    const [shop, pool] = [new Workshop(), new WorkerPool<Made>()];
    const taken = await Promise.all(Array.from({ length: 5 }, async () => pool.take(shop.kind('a'))));
    await expect.poll(() => shop.made.length).toBe(6);
    for (const worker of taken) pool.release(worker);
    expect(shop.made.filter(({ isGone }) => !isGone)).toHaveLength(2);
    for (const key of ['b', 'c', 'd', 'e']) {
      const two = await Promise.all([pool.take(shop.kind(key)), pool.take(shop.kind(key))]);
      for (const worker of two) pool.release(worker);
    }
    expect(shop.made.filter(({ isGone }) => !isGone).length).toBeLessThanOrEqual(6);
    await pool.close();
  });

  it('makes new ones when files of the rules were replaced', async () => {
    const [shop, pool] = [new Workshop(), new WorkerPool<Made>()];
    await pool.prepare(shop.kind('a'));
    shop.stamp = 'second';
    const worker = await pool.take(shop.kind('a'));
    expect(worker.name).toBe('a 1');
    expect(shop.made[0]?.isGone).toBe(true);
    shop.stamp = 'third';
    pool.release(worker);
    expect(worker.isGone).toBe(true);
    await pool.close();
  });

  it('reports to waiters why there is none', async () => {
    const [shop, pool] = [new Workshop(), new WorkerPool<Made>()];
    shop.failure = new Error('no sandbox');
    const waiting = Array.from({ length: 3 }, async () => pool.take(shop.kind('a')));
    for (const one of waiting) await expect(one).rejects.toThrow('no sandbox');
    shop.failure = undefined;
    expect((await pool.take(shop.kind('a'))).name).toBe('a 0');
    await pool.close();
    await expect(pool.take(shop.kind('b'))).rejects.toThrow('about to exit');
  });
});
