import * as fc from 'fast-check';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { BusError } from '../../../../src/platform/linux/dbus/index.ts';
import { body, SEED } from './support/arbitrary.ts';
import { echo, NUMBER, PATIENT } from './support/echo.ts';
import type { FakePeer, Received } from './support/fake-peer.ts';
import { failure, Fixture } from './support/fixture.ts';
import { buildMessage, buildReply } from './support/message.ts';

const fixture = new Fixture();

afterEach(async () => await fixture.end());

const BAD_STRING = { signature: 's', body: Buffer.from('\u0001\0\0\0\u00ff\0', 'latin1') };
const SIGNAL_FIELDS = [
  [1, 'o', '/a'],
  [2, 's', 'a.b'],
  [3, 's', 'C'],
] as const;

describe('a peer that violates the protocol is disconnected, and all pending calls fail', () => {
  it.each<[string, (message: Received) => Buffer]>([
    ['noise', () => Buffer.from('HTTP/1.1 200 OK\r\n\r\n')],
    ['a false length', ({ serial }) => Buffer.from(buildReply(serial).fill(0xff, 4, 8))],
    ['a reply without a serial', () => buildMessage({ type: 2, fields: [] })],
    ['a reply with a malformed string', ({ serial }) => buildReply(serial, BAD_STRING)],
    ['a signal without a path', () => buildMessage({ type: 4, fields: SIGNAL_FIELDS.slice(1) })],
    [
      'a signal without an interface',
      () => buildMessage({ type: 4, fields: [SIGNAL_FIELDS[0], SIGNAL_FIELDS[2]] }),
    ],
    [
      'a signal with a malformed member',
      () => buildMessage({ type: 4, fields: [...SIGNAL_FIELDS.slice(0, 2), [3, 's', 'a b']] }),
    ],
    ['a field given twice', () => buildMessage({ type: 4, fields: [...SIGNAL_FIELDS, SIGNAL_FIELDS[0]] })],
    ['a call without a member', () => buildMessage({ type: 1, fields: [SIGNAL_FIELDS[0]] })],
  ])('%s', async (_, bytes) => {
    const { connection } = await fixture.pair((message, socket) => socket.write(bytes(message)));
    const closings: string[] = [];
    connection.onClose((error) => closings.push(error.errorName));
    const calls = ['s', 's'].map((signature) =>
      failure(connection.call({ path: '/', interface: 'a.b', member: 'C', signature, args: ['x'] }, PATIENT)),
    );
    expect(await Promise.all(calls)).toEqual(['local.Protocol', 'local.Protocol']);
    expect(connection.closed).toBe(true);
    expect(closings).toEqual(['local.Protocol']);
  });
});

describe('the connection survives', () => {
  it.each<[string, Buffer]>([
    ['a message of an unknown type', buildMessage({ type: 77, fields: [] })],
    ['a reply without a request', buildReply(12_345, BAD_STRING)],
    ['a signal with a malformed body', buildMessage({ type: 4, fields: SIGNAL_FIELDS, ...BAD_STRING })],
  ])('%s', async (_, bytes) => {
    const { connection } = await fixture.pair((message, socket) => {
      socket.write(bytes);
      echo(message, socket);
    });
    connection.onSignal(() => {});
    expect(await connection.invoke(NUMBER, '/a', PATIENT)).toBe(7);
  });

  it('a malformed body, which throws only when it is read', async () => {
    const { connection } = await fixture.pair((message, socket) => {
      socket.write(buildMessage({ type: 4, fields: SIGNAL_FIELDS, ...BAD_STRING }));
      echo(message, socket);
    });
    const seen: unknown[] = [];
    connection.onSignal((message) => {
      try {
        seen.push(message.body);
      } catch (error) {
        seen.push(error instanceof BusError ? error.errorName : error);
      }
    });
    expect(await connection.invoke(NUMBER, '/a', PATIENT)).toBe(7);
    expect(seen).toEqual(['local.Protocol']);
  });
});

it('a malformed reply over a bus fails only its own call', async () => {
  const peer = await fixture.peer({
    onMessage: (message, socket) => {
      const { member } = message.fields;
      if (member === 'Hello') socket.write(buildReply(message.serial, { signature: 's', values: [':1.1'] }));
      else if (member === 'Bad') socket.write(buildReply(message.serial, BAD_STRING));
      else echo(message, socket);
    },
  });
  const connection = await fixture.connect(peer.address, { hello: true });
  const call = { path: '/', interface: 'a.b', member: 'Bad' };
  expect(await failure(connection.call(call, PATIENT))).toBe('local.Protocol');
  expect(await connection.invoke(NUMBER, '/a', PATIENT)).toBe(7);
});

it('damaged replies result in a value or a typed error within the deadline', async () => {
  let damage: (bytes: Buffer) => Buffer = (bytes) => bytes;
  const peer: FakePeer = await fixture.peer({
    onMessage: (message: Received, socket: Socket) => {
      const reply = buildReply(message.serial, { signature: message.fields.signature, values: message.body });
      socket.write(damage(reply));
    },
  });
  const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(body(2), edits, fc.nat(), async ({ signature, values }, changes, cut) => {
      damage = (bytes) => {
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        return cut % 3 === 0 ? bytes.subarray(0, cut % bytes.length) : bytes;
      };
      const connection = await fixture.connect(peer.address);
      const call = { path: '/', interface: 'a.b', member: 'C', signature, args: values };
      const startedAt = performance.now();
      const name = await failure(connection.call(call, { deadlineMs: 60 }));
      connection.close();
      expect(name).toMatch(/^(?:no error|local\.(?:Protocol|Timeout)|[A-Za-z_].*)$/);
      expect(performance.now() - startedAt).toBeLessThan(2000);
    }),
    { numRuns: 40, seed: SEED },
  );
}, 60_000);
