import { mkdtempSync, rmSync } from 'node:fs';
import { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, createServer, type MessageBus, Variant as TheirVariant } from 'dbus-native';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BusConnection, type BusValue, Variant } from '../../../src/platform/linux/dbus/index.ts';
import { body, SEED } from '../../platform/linux/dbus/support/arbitrary.ts';
import { areInstalled, PATIENT, PrivateBus } from './support/private-bus.ts';

function toTheirs(value: BusValue): unknown {
  if (value instanceof Variant) return new TheirVariant(value.signature, toTheirs(value.value));
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (value instanceof Map) return [...value].map(([key, entry]) => [toTheirs(key), toTheirs(entry)]);
  return Array.isArray(value) ? value.map((item: BusValue) => toTheirs(item)) : value;
}

function isFiniteThroughout(value: BusValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value instanceof Variant) return isFiniteThroughout(value.value);
  if (value instanceof Map) return [...value].flat().every(isFiniteThroughout);
  return !Array.isArray(value) || value.every(isFiniteThroughout);
}

describe.skipIf(!areInstalled('dbus-daemon'))('against dbus-native on one bus', () => {
  let bus: PrivateBus;
  let ours: BusConnection;
  let theirs: MessageBus;
  let theirName = '';

  beforeAll(async () => {
    bus = await PrivateBus.start();
    ours = await bus.connect();
    ours.onMethodCall(({ signature, body: values }) => ({ signature, values }));
    theirs = createClient({ busAddress: bus.address, returnBigInt: true, variants: 'wrap', ayBuffer: true });
    theirName = await new Promise((resolve, reject) => {
      theirs.connection.once('error', reject);
      theirs.invoke(
        {
          destination: 'org.freedesktop.DBus',
          path: '/org/freedesktop/DBus',
          interface: 'org.freedesktop.DBus',
          member: 'GetId',
        },
        () => resolve(String(theirs.name)),
      );
    });
  });
  afterAll(async () => {
    theirs.connection.end();
    await bus.stop();
  });

  const typed = body(2).filter(
    ({ values, signature }) => signature !== '' && signature.length < 250 && values.every(isFiniteThroughout),
  );

  it('decodes our replies as we decode its replies', async () => {
    await fc.assert(
      fc.asyncProperty(typed, async ({ signature, values }) => {
        const answer = await new Promise<unknown[]>((resolve, reject) => {
          const call = {
            destination: ours.uniqueName ?? '',
            path: '/a',
            interface: 'test.Echo',
            member: 'Echo',
          };
          theirs.invoke(
            { ...call, signature, body: values.map(toTheirs) },
            (error: Error | null, ...rest: unknown[]) => {
              if (error) reject(error);
              else resolve(rest);
            },
          );
        });
        expect(answer).toEqual(values.map(toTheirs));
      }),
      { numRuns: 150, seed: SEED },
    );
  });

  it('echoes our calls', async () => {
    await fc.assert(
      fc.asyncProperty(typed, async (body) => {
        // Their handlers return one value of a type declared in advance.
        const signature = `(${body.signature})`;
        theirs.setMethodCallHandler('/a', 'test.Echo', 'Echo', [(value: unknown) => value, signature]);
        const call = { destination: theirName, path: '/a', interface: 'test.Echo', member: 'Echo' };
        const args = [body.values];
        expect(await ours.call({ ...call, signature, args }, PATIENT)).toEqual(args);
      }),
      { numRuns: 150, seed: SEED },
    );
  });
});

it('connects to a server of dbus-native without a bus', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deskterity-peer-'));
  const path = join(folder, 'socket');
  const server = createServer((peer) => {
    peer.on('message', (message) => {
      const { serial = 0, signature = '', body: values = [] } = message;
      peer.message({ type: 2, serial: 1, replySerial: serial, signature, body: values });
    });
  });
  let listening: unknown;
  await new Promise<void>((resolve) => {
    listening = server.listen(path, resolve);
  });
  const connection = await BusConnection.connect(`unix:path=${path}`, { ...PATIENT, hello: false });
  const call = { path: '/a', interface: 'test.Echo', member: 'Echo' };
  expect(await connection.call({ ...call, signature: 'su', args: ['x', 5] }, PATIENT)).toEqual(['x', 5]);
  connection.close();
  if (listening instanceof Server) listening.close();
  rmSync(folder, { recursive: true, force: true });
});
