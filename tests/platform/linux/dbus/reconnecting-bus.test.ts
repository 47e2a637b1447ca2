import { afterEach, describe, expect, it } from 'vitest';
import { BusConnection, BusError, ReconnectingBus } from '../../../../src/platform/linux/dbus/index.ts';
import { echo, NUMBER, PATIENT } from './support/echo.ts';
import type { FakePeer } from './support/fake-peer.ts';
import { failure, Fixture } from './support/fixture.ts';

const fixture = new Fixture();

afterEach(async () => await fixture.end());

async function setUp(): Promise<{ peer: FakePeer; bus: ReconnectingBus; attempts: number[] }> {
  const peer = await fixture.peer({ onMessage: echo });
  const attempts: number[] = [];
  const bus = new ReconnectingBus((settings) => {
    attempts.push(settings.deadlineMs);
    return BusConnection.connect(peer.address, { ...settings, hello: false });
  });
  return { peer, bus, attempts };
}

describe('ReconnectingBus', () => {
  it('connects once, however many ask', async () => {
    const { bus, attempts } = await setUp();
    const [first, second] = await Promise.all([bus.connection(PATIENT), bus.connection(PATIENT)]);
    expect(first).toBe(second);
    expect(await bus.connection(PATIENT)).toBe(first);
    expect(attempts).toHaveLength(1);
    bus.close();
  });

  it('replaces a connection that ended, and sets it up before handing it out', async () => {
    const { peer, bus } = await setUp();
    const set: BusConnection[] = [];
    bus.onReconnect(async (connection) => {
      await connection.invoke(NUMBER, '/a', PATIENT);
      set.push(connection);
    });
    const first = await bus.connection(PATIENT);
    expect(set).toEqual([]);
    for (const socket of peer.sockets) socket.destroy();
    await expect.poll(() => first.closed).toBe(true);
    const second = await bus.connection(PATIENT);
    expect(second).not.toBe(first);
    expect(set).toEqual([second]);
    bus.close();
    expect(second.closed).toBe(true);
    expect(await failure(bus.connection(PATIENT))).toBe('local.Disconnected');
  });

  it('waits longer after every failure, but nobody waits beyond their deadline', async () => {
    const times: number[] = [];
    const bus = new ReconnectingBus(() => {
      times.push(performance.now());
      return Promise.reject(new BusError('local.Disconnected', 'nobody there'));
    });
    for (let attempt = 0; attempt < 4; attempt++) {
      expect(await failure(bus.connection(PATIENT))).toBe('local.Disconnected');
    }
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses[0]).toBeGreaterThan(45);
    expect(pauses[1]).toBeGreaterThan(95);
    expect(pauses[2]).toBeGreaterThan(195);
    const startedAt = performance.now();
    expect(await failure(bus.connection({ deadlineMs: 40 }))).toBe('local.Timeout');
    expect(performance.now() - startedAt).toBeLessThan(300);
    bus.close();
  });

  it('closes a connection whose set-up failed', async () => {
    const { peer, bus } = await setUp();
    bus.onReconnect(() => {
      throw new Error('no set-up');
    });
    const first = await bus.connection(PATIENT);
    first.close();
    const error = await bus.connection(PATIENT).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: 'no set-up', errorName: 'local.Disconnected' });
    await expect.poll(() => peer.sockets.size).toBe(0);
    bus.close();
  });

  it('one caller that gives up does not cost the others', async () => {
    const { bus } = await setUp();
    const abort = new AbortController();
    const hasty = bus.connection({ ...PATIENT, signal: abort.signal });
    const patient = bus.connection(PATIENT);
    abort.abort();
    expect(await failure(hasty)).toBe('local.Cancelled');
    expect((await patient).closed).toBe(false);
    bus.close();
  });

  it('a caller with little time does not fail one with more', async () => {
    let slow = true;
    const peer = await fixture.peer({ onMessage: echo });
    const bus = new ReconnectingBus(async (settings) => {
      if (!slow) return await BusConnection.connect(peer.address, { ...settings, hello: false });
      slow = false;
      await new Promise((resolve) => setTimeout(resolve, settings.deadlineMs));
      throw new BusError('local.Timeout', 'too slow');
    });
    const hasty = failure(bus.connection({ deadlineMs: 40 }));
    const patient = bus.connection(PATIENT);
    expect(await hasty).toBe('local.Timeout');
    expect((await patient).closed).toBe(false);
    bus.close();
  });
});
