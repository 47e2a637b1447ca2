import { afterEach, describe, expect, it } from 'vitest';
import { BusError, type BusValue, CallTemplate, Variant } from '../../../../src/platform/linux/dbus/index.ts';
import { echo, NUMBER, PATIENT } from './support/echo.ts';
import { failure, Fixture } from './support/fixture.ts';
import { buildMessage, buildReply } from './support/message.ts';

const fixture = new Fixture();
const pair = fixture.pair.bind(fixture);

afterEach(async () => await fixture.end());

const CALL = { path: '/a', interface: 'test.Echo', member: 'Echo' };

describe('call', () => {
  it('sends arguments and returns the values of the reply', async () => {
    const { peer, connection } = await pair(echo);
    const args: BusValue[] = ['text', [1, 2n], new Map([['k', new Variant('b', true)]])];
    const settings = { ...CALL, signature: 's(ux)a{sv}', args };
    expect(await connection.call(settings, PATIENT)).toEqual(args);
    expect(peer.messages[0]?.fields).toEqual({
      descriptors: 0,
      path: '/a',
      interface: 'test.Echo',
      member: 'Echo',
      sender: undefined,
      signature: 's(ux)a{sv}',
    });
    expect(connection.statistics).toMatchObject({ calls: 1, replies: 1, lateReplies: 0 });
    expect(connection.statistics.bytesSent).toBeGreaterThan(0);
    expect(connection.statistics.bytesReceived).toBeGreaterThan(0);
  });

  it('reads big-endian replies', async () => {
    const { connection } = await pair(({ serial, body }, socket) =>
      socket.write(buildReply(serial, { signature: 's', values: body, littleEndian: false })),
    );
    expect(await connection.call({ ...CALL, signature: 's', args: ['ü'] }, PATIENT)).toEqual(['ü']);
  });

  it('matches replies that arrive out of order', async () => {
    const held: (() => void)[] = [];
    const { connection } = await pair((message, socket) => {
      held.unshift(() => echo(message, socket));
      if (held.length === 50) for (const answer of held) answer();
    });
    const calls = Array.from({ length: 50 }, (_, index) =>
      connection.call({ ...CALL, signature: 'u', args: [index] }, PATIENT),
    );
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 50 }, (_, index) => [index]));
  });

  it('sends flags', async () => {
    const { peer, connection } = await pair(echo);
    await connection.call({ ...CALL, noAutoStart: true }, PATIENT);
    expect(await connection.call({ ...CALL, noReplyExpected: true }, PATIENT)).toEqual([]);
    await connection.call(CALL, PATIENT);
    expect(peer.messages.map(({ flags }) => flags)).toEqual([2, 1, 0]);
  });

  it('accepts a body larger than the socket and the outbox', async () => {
    const { connection } = await pair(echo);
    const bytes = Buffer.alloc(3_000_000, 5);
    const [answer] = await connection.call({ ...CALL, signature: 'ay', args: [bytes] }, PATIENT);
    expect(bytes.equals(answer instanceof Uint8Array ? answer : Buffer.alloc(0))).toBe(true);
  });

  it('reports error replies by name and message', async () => {
    const { connection } = await pair(({ serial }, socket) =>
      socket.write(
        buildMessage({
          type: 3,
          fields: [
            [5, 'u', serial],
            [4, 's', 'test.Failed'],
          ],
          signature: 'su',
          values: ['because', 1],
        }),
      ),
    );
    const error = await connection.call(CALL, PATIENT).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BusError);
    expect(error).toMatchObject({ errorName: 'test.Failed', message: 'because', name: 'BusError' });
  });

  it.each([
    ['path', { ...CALL, path: 'a' }],
    ['interface', { ...CALL, interface: 'a' }],
    ['member', { ...CALL, member: 'a.b' }],
    ['destination', { ...CALL, destination: 'a' }],
    ['signature', { ...CALL, signature: 'z' }],
    ['argument', { ...CALL, signature: 'u', args: ['1'] }],
  ])('refuses a bad %s and sends nothing', async (_, call) => {
    const { connection } = await pair(echo);
    expect(await failure(connection.call(call, PATIENT))).toBe('local.Protocol');
    expect(connection.statistics.calls).toBe(0);
    expect(await connection.invoke(NUMBER, '/a', PATIENT)).toBe(7);
  });
});

describe('invoke', () => {
  it('decodes with its template, for any path', async () => {
    const { peer, connection } = await pair(echo);
    const paths = ['/', '/a', '/ab/c', `/${'x'.repeat(300)}`, `/${'y'.repeat(200_000)}`];
    expect(await Promise.all(paths.map((path) => connection.invoke(NUMBER, path, PATIENT)))).toEqual(
      paths.map(() => 7),
    );
    expect(peer.messages.map(({ fields }) => fields.path)).toEqual(paths);
  });

  it.each(['', 'a', '/a/', '//', '/é', '/a b'])('refuses the path %j', async (path) => {
    const { connection } = await pair(echo);
    expect(await failure(connection.invoke(NUMBER, path, PATIENT))).toBe('local.Protocol');
    expect(await connection.invoke(NUMBER, '/a', PATIENT)).toBe(7);
  });

  it('refuses a reply of another type', async () => {
    const { connection } = await pair(({ serial }, socket) =>
      socket.write(buildReply(serial, { signature: 's', values: ['7'] })),
    );
    expect(await failure(connection.invoke(NUMBER, '/a', PATIENT))).toBe('local.UnexpectedSignature');
    expect(connection.closed).toBe(false);
  });

  it('fails only its own call if its decoder throws', async () => {
    const { connection } = await pair(echo);
    const broken = new CallTemplate({
      interface: 'a.b',
      member: 'C',
      accepts: [''],
      decode: () => {
        throw new RangeError('oops');
      },
    });
    const error = await connection.invoke(broken, '/a', PATIENT).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ errorName: 'local.Decode', message: 'oops' });
    expect(await connection.invoke(NUMBER, '/a', PATIENT)).toBe(7);
  });
});

describe('properties', () => {
  it('reads the value inside the variant', async () => {
    const { peer, connection } = await pair(({ serial }, socket) =>
      socket.write(buildReply(serial, { signature: 'v', values: [new Variant('i', -5)] })),
    );
    expect(await connection.getProperty(undefined, '/a', 'a.b', 'Name', PATIENT)).toBe(-5);
    expect(peer.messages[0]?.fields).toMatchObject({
      interface: 'org.freedesktop.DBus.Properties',
      member: 'Get',
    });
    expect(peer.messages[0]?.body).toEqual(['a.b', 'Name']);
  });

  it('writes a variant', async () => {
    const { peer, connection } = await pair(({ serial }, socket) => socket.write(buildReply(serial)));
    await connection.setProperty(undefined, '/a', 'a.b', 'Name', new Variant('d', 1.5), PATIENT);
    expect(peer.messages[0]?.body).toEqual(['a.b', 'Name', new Variant('d', 1.5)]);
  });
});

describe('a call without a reply', () => {
  it('fails at its deadline; a late reply is dropped and counted', async () => {
    const { connection } = await pair((message, socket) => {
      if (message.fields.member === 'Echo') setTimeout(() => echo(message, socket), 150);
      else echo(message, socket);
    });
    const startedAt = performance.now();
    expect(await failure(connection.call(CALL, { deadlineMs: 50 }))).toBe('local.Timeout');
    expect(performance.now() - startedAt).toBeGreaterThan(45);
    await expect.poll(() => connection.statistics.lateReplies).toBe(1);
    expect(await connection.invoke(NUMBER, '/a', PATIENT)).toBe(7);
  });

  it('fails when it is aborted', async () => {
    const { connection } = await pair(() => {});
    const abort = new AbortController();
    const work = connection.call(CALL, { ...PATIENT, signal: abort.signal });
    abort.abort();
    expect(await failure(work)).toBe('local.Cancelled');
    expect(await failure(connection.call(CALL, { ...PATIENT, signal: abort.signal }))).toBe(
      'local.Cancelled',
    );
    expect(connection.statistics.calls).toBe(1);
  });

  it('shares an AbortSignal with many others without a warning, and all fail together', async () => {
    const { connection } = await pair(() => {});
    const warnings: string[] = [];
    const note = (warning: Error): void => void warnings.push(warning.name);
    process.on('warning', note);
    const abort = new AbortController();
    const settings = { ...PATIENT, signal: abort.signal };
    const calls = Array.from({ length: 100 }, () => failure(connection.call(CALL, settings)));
    await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['local.Cancelled']));
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  it('fails immediately if its deadline is zero', async () => {
    const { connection } = await pair(echo);
    expect(await failure(connection.call(CALL, { deadlineMs: 0 }))).toBe('local.Timeout');
    expect(await failure(connection.call(CALL, { deadlineMs: Number.NaN }))).toBe('local.Timeout');
    expect(await connection.call(CALL, { deadlineMs: Number.POSITIVE_INFINITY })).toEqual([]);
  });

  it('fails when the peer disconnects, and so do later calls', async () => {
    const { peer, connection } = await pair(() => {});
    const closings: string[] = [];
    connection.onClose((error) => closings.push(error.errorName));
    const calls = [connection.call(CALL, PATIENT), connection.invoke(NUMBER, '/a', PATIENT)].map(failure);
    await expect.poll(() => peer.messages.length).toBe(2);
    for (const socket of peer.sockets) socket.destroy();
    expect(await Promise.all(calls)).toEqual(['local.Disconnected', 'local.Disconnected']);
    expect(await failure(connection.call(CALL, PATIENT))).toBe('local.Disconnected');
    expect(connection.closed).toBe(true);
    expect(closings).toEqual(['local.Disconnected']);
    connection.onClose(() => closings.push('late'));
    await expect.poll(() => closings).toEqual(['local.Disconnected', 'late']);
  });

  it('fails when we close the connection, but calls that expect no reply are sent', async () => {
    const { peer, connection } = await pair(() => {});
    const work = failure(connection.call(CALL, PATIENT));
    await connection.call({ ...CALL, noReplyExpected: true }, PATIENT);
    connection.close();
    connection.close();
    expect(await work).toBe('local.Disconnected');
    await expect.poll(() => peer.messages.length).toBe(2);
  });
});
