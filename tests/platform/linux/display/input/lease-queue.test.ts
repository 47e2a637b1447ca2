import { describe, expect, it } from 'vitest';
import type { DeskterityError } from '../../../../../src/model/effects/errors.ts';
import { LeaseQueue } from '../../../../../src/platform/linux/display/input/lease-queue.ts';

class TestLease {
  readonly holder: string;
  readonly held = ['Shift'];
  reason: DeskterityError | undefined;
  readonly #onEnd: (lease: TestLease) => void;

  constructor(holder: string, onEnd: (lease: TestLease) => void) {
    this.holder = holder;
    this.#onEnd = onEnd;
  }

  get isOver(): boolean {
    return this.reason !== undefined;
  }

  async end(reason: DeskterityError): Promise<readonly string[]> {
    this.reason = reason;
    this.#onEnd(this);
    return ['Shift'];
  }
}

const SOON = { deadlineMs: 100 };
const LATER = { deadlineMs: 5000 };

function queue(other: () => string | undefined = () => undefined): LeaseQueue<TestLease> {
  return new LeaseQueue<TestLease>(async (holder, _options, onEnd) => {
    const name = other();
    return name === undefined ? { lease: new TestLease(holder, onEnd) } : { other: { holder: name, pid: 7 } };
  });
}

describe('the queue for keyboard and pointer', () => {
  it('tells a holder what it holds, and nobody else', async () => {
    const leases = queue();
    await leases.take('a', SOON);
    expect(leases.heldBy('a')).toEqual(['Shift']);
    expect(leases.heldBy('b')).toEqual([]);
    await leases.release();
    expect(leases.heldBy('a')).toEqual([]);
  });

  it('gives a holder its own lease again', async () => {
    const leases = queue();
    const first = await leases.take('a', SOON);
    expect(await leases.take('a', SOON)).toBe(first);
  });

  it('names who has it at the deadline', async () => {
    const leases = queue();
    await leases.take('a', SOON);
    await expect(leases.take('b', SOON)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('session "a"'),
    });
    await expect(queue(() => 'z').take('b', SOON)).rejects.toThrow('session "z" (process 7)');
  });

  it('serves callers in the order in which they came', async () => {
    const leases = queue();
    const first = await leases.take('a', SOON);
    const served: string[] = [];
    const next = ['b', 'c'].map(async (holder) => {
      const lease = await leases.take(holder, LATER);
      served.push(holder);
      await leases.release(holder);
      return lease;
    });
    expect(await leases.release('b')).toEqual([]);
    expect(await leases.release('a')).toEqual(['Shift']);
    await Promise.all(next);
    expect(first.isOver).toBe(true);
    expect(served).toEqual(['b', 'c']);
  });

  it('ends the lease at a stop, and refuses others until acting is allowed again', async () => {
    const leases = queue();
    const lease = await leases.take('a', SOON);
    await leases.stop({ stopped: true, by: 'a person' });
    expect(lease.reason).toMatchObject({ code: 'CANCELLED' });
    await expect(leases.take('a', SOON)).rejects.toThrow('stopped by a person');
    leases.resume();
    expect((await leases.take('a', SOON)).isOver).toBe(false);
  });

  it('ends a lease that begins while acting is stopped', async () => {
    const leases: LeaseQueue<TestLease> = new LeaseQueue(async (holder, _options, onEnd) => {
      await leases.stop({ stopped: true });
      return { lease: new TestLease(holder, onEnd) };
    });
    expect((await leases.take('a', LATER)).reason).toMatchObject({ code: 'CANCELLED' });
  });
});
