import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BusConnection,
  type BusError,
  CallTemplate,
  watchName,
} from '../../../src/platform/linux/dbus/index.ts';
import { areInstalled, PATIENT, PrivateBus } from './support/private-bus.ts';

const DAEMON = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
};

async function failure(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'no error',
    (error: BusError) => error.errorName,
  );
}

describe.skipIf(!areInstalled('dbus-daemon'))('on a dbus-daemon', () => {
  let bus: PrivateBus;

  beforeAll(async () => {
    bus = await PrivateBus.start();
  });
  afterAll(async () => await bus.stop());

  const requestName = async (connection: BusConnection, name: string): Promise<void> => {
    await connection.call({ ...DAEMON, member: 'RequestName', signature: 'su', args: [name, 0] }, PATIENT);
  };

  it('sends Hello and receives a name', async () => {
    const connection = await bus.connect();
    expect(connection.uniqueName).toMatch(/^:1\.\d+$/);
    expect(bus.address).toContain(connection.guid);
    const [names] = await connection.call({ ...DAEMON, member: 'ListNames' }, PATIENT);
    expect(names).toContain(connection.uniqueName);
  });

  it('receives errors for unknown names and methods', async () => {
    const connection = await bus.connect();
    const nobody = { path: '/a', interface: 'a.b', member: 'C', destination: 'no.body' };
    expect(await failure(connection.call(nobody, PATIENT))).toBe('org.freedesktop.DBus.Error.ServiceUnknown');
    expect(await failure(connection.call({ ...nobody, noAutoStart: true }, PATIENT))).toBe(
      'org.freedesktop.DBus.Error.NameHasNoOwner',
    );
    expect(await failure(connection.call({ ...DAEMON, member: 'Nothing' }, PATIENT))).toBe(
      'org.freedesktop.DBus.Error.UnknownMethod',
    );
  });

  it('follows the owner of a name', async () => {
    const connection = await bus.connect();
    const owners: (string | undefined)[] = [];
    const stop = await watchName(connection, 'test.Name', (owner) => owners.push(owner), PATIENT);
    expect(owners).toEqual([undefined]);
    const owner = await bus.connect();
    await requestName(owner, 'test.Name');
    await expect.poll(() => owners).toEqual([undefined, owner.uniqueName]);
    owner.close();
    await expect.poll(() => owners).toEqual([undefined, owner.uniqueName, undefined]);
    await stop();
    await requestName(await bus.connect(), 'test.Name');
    await connection.call({ ...DAEMON, member: 'GetId' }, PATIENT);
    expect(owners).toHaveLength(3);
  });

  it('counts the users of a match rule and adds it to the bus once', async () => {
    const connection = await bus.connect();
    const rule = { type: 'signal', sender: DAEMON.destination, member: 'NameOwnerChanged' } as const;
    let signals = 0;
    connection.onSignal(({ member }) => {
      if (member === 'NameOwnerChanged') signals++;
    });
    const change = async (): Promise<number> => {
      signals = 0;
      await (await bus.connect()).call({ ...DAEMON, member: 'GetId' }, PATIENT);
      await connection.call({ ...DAEMON, member: 'GetId' }, PATIENT);
      return signals;
    };
    expect(await change()).toBe(0);
    const removals = [
      ...(await Promise.all([connection.addMatch(rule, PATIENT), connection.addMatch(rule, PATIENT)])),
      await connection.addMatch(rule, PATIENT),
    ];
    expect(await change()).toBe(1);
    await removals[0]?.();
    await removals[0]?.();
    await removals[1]?.();
    expect(await change()).toBe(1);
    await removals[2]?.();
    expect(await change()).toBe(0);
    expect(await failure(connection.addMatch('nonsense', PATIENT))).toBe(
      'org.freedesktop.DBus.Error.MatchRuleInvalid',
    );
    expect(await failure(connection.addMatch('nonsense', PATIENT))).toBe(
      'org.freedesktop.DBus.Error.MatchRuleInvalid',
    );
  });

  it('carries 100,000 pipelined requests, more than the bus allows to be outstanding', async () => {
    const [server, client] = [await bus.connect(), await bus.connect()];
    server.onMethodCall(({ path }) => ({ signature: 's', values: [path] }));
    const template = new CallTemplate({
      destination: server.uniqueName,
      interface: 'a.b',
      member: 'Path',
      accepts: ['s'],
      decode: (reader) => reader.readString(),
    });
    const batch = client.batch({ deadlineMs: 60_000 });
    let wrong = 0;
    for (let index = 0; index < 100_000; index++) {
      const path = `/n/${index}`;
      batch.request(template, path, (_, value) => (wrong += value === path ? 0 : 1));
    }
    expect(await batch.settled).toEqual({ timedOut: false, cancelled: false, outstanding: 0 });
    expect(wrong).toBe(0);
    const calls = Array.from({ length: 60_000 }, (_, index) =>
      client.invoke(template, `/p/${index}`, { deadlineMs: 60_000 }),
    );
    expect((await Promise.all(calls)).at(-1)).toBe('/p/59999');
  });

  it('delays no other peer while one is frozen', async () => {
    const [frozen, lively, client] = [await bus.connect(), await bus.connect(), await bus.connect()];
    frozen.onMethodCall(() => new Promise(() => {}));
    lively.onMethodCall(() => ({}));
    const call = (connection: BusConnection): Promise<unknown> =>
      client.call(
        { destination: connection.uniqueName, path: '/a', interface: 'a.b', member: 'C' },
        { deadlineMs: 1500 },
      );
    const stuck = Array.from({ length: 3000 }, () => failure(call(frozen)));
    const startedAt = performance.now();
    await call(lively);
    expect(performance.now() - startedAt).toBeLessThan(1000);
    expect(new Set(await Promise.all(stuck))).toEqual(new Set(['local.Timeout']));
  });

  it('sends and receives 20 MiB', async () => {
    const [server, client] = [await bus.connect(), await bus.connect()];
    server.onMethodCall(({ body }) => ({ signature: 'ay', values: [...body] }));
    const bytes = Buffer.alloc(20 * 1024 * 1024, 3);
    const call = { destination: server.uniqueName, path: '/a', interface: 'a.b', member: 'C' };
    const [answer] = await client.call({ ...call, signature: 'ay', args: [bytes] }, PATIENT);
    expect(bytes.equals(answer instanceof Uint8Array ? answer : Buffer.alloc(0))).toBe(true);
  });

  it('fails pending calls when the bus exits', async () => {
    const ending = await PrivateBus.start();
    const connection = await BusConnection.connect(ending.address, PATIENT);
    const pending = failure(
      connection.call({ ...DAEMON, destination: connection.uniqueName, member: 'C' }, PATIENT),
    );
    connection.onMethodCall(() => new Promise(() => {}));
    await connection.call({ ...DAEMON, member: 'GetId' }, PATIENT);
    await ending.kill();
    expect(await pending).toBe('local.Disconnected');
    expect(connection.closed).toBe(true);
    expect(await failure(BusConnection.connect(ending.address, PATIENT))).toBe('local.Disconnected');
    await ending.stop();
  });
});
