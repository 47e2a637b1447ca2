import { afterEach, describe, expect, it } from 'vitest';
import { BusError, type SignalMessage, watchName } from '../../../../src/platform/linux/dbus/index.ts';
import { NUMBER, PATIENT } from './support/echo.ts';
import type { Received } from './support/fake-peer.ts';
import { failure, Fixture } from './support/fixture.ts';
import { buildMessage, buildReply, type MessageParts } from './support/message.ts';

const fixture = new Fixture();

afterEach(async () => await fixture.end());

const FIELDS: MessageParts['fields'] = [
  [1, 'o', '/a'],
  [2, 's', 'a.b'],
  [3, 's', 'Changed'],
  [7, 's', ':1.5'],
];

describe('signals', () => {
  it('reach every handler in order until it is removed', async () => {
    const { peer, connection } = await fixture.pair(() => {});
    const seen: string[] = [];
    const stop = connection.onSignal(({ sender, path, interface: iface, member, signature, body }) =>
      seen.push(`1 ${sender} ${path} ${iface} ${member} ${signature} ${JSON.stringify(body)}`),
    );
    connection.onSignal(({ body }) => seen.push(`2 ${JSON.stringify(body)}`));
    const send = (value: string, littleEndian: boolean): void => {
      const bytes = buildMessage({
        type: 4,
        fields: FIELDS,
        signature: 'su',
        values: [value, 3],
        littleEndian,
      });
      for (const socket of peer.sockets) socket.write(bytes);
    };
    send('x', true);
    send('y', false);
    await expect.poll(() => seen.length).toBe(4);
    stop();
    send('z', true);
    await expect.poll(() => seen.length).toBe(5);
    expect(seen).toEqual([
      '1 :1.5 /a a.b Changed su ["x",3]',
      '2 ["x",3]',
      '1 :1.5 /a a.b Changed su ["y",3]',
      '2 ["y",3]',
      '2 ["z",3]',
    ]);
  });

  it('can be kept and read later with a custom decoder', async () => {
    const { peer, connection } = await fixture.pair(() => {});
    const kept: SignalMessage[] = [];
    connection.onSignal((message) => kept.push(message));
    for (let index = 0; index < 2000; index++) {
      const bytes = buildMessage({ type: 4, fields: FIELDS, signature: 'u', values: [index] });
      for (const socket of peer.sockets) socket.write(bytes);
    }
    await expect.poll(() => kept.length).toBe(2000);
    expect(kept.map((message) => message.reader().readUint32())).toEqual(
      Array.from({ length: 2000 }, (_, index) => index),
    );
  });
});

describe('signals from us', () => {
  it('are sent as signals', async () => {
    const { peer, connection } = await fixture.pair(() => {});
    connection.emit({
      path: '/a',
      interface: 'test.Events',
      member: 'Changed',
      signature: 'si',
      args: ['what', 5],
    });
    await expect.poll(() => peer.messages.length, { timeout: 500 }).toBe(1);
    expect(peer.messages[0]).toMatchObject({ type: 4, body: ['what', 5] });
    expect(peer.messages[0]?.fields).toMatchObject({
      path: '/a',
      interface: 'test.Events',
      member: 'Changed',
    });
    expect(() => connection.emit({ path: '/a', interface: 'no', member: 'Changed' })).toThrow(
      /interface name/,
    );
  });
});

describe('method calls to us', () => {
  async function ask(
    handler:
      | Parameters<Awaited<ReturnType<typeof fixture.pair>>['connection']['onMethodCall']>[0]
      | undefined,
    parts: Partial<MessageParts> = {},
  ): Promise<Received | undefined> {
    const { peer, connection } = await fixture.pair(() => {});
    if (handler !== undefined) connection.onMethodCall(handler);
    const bytes = buildMessage({ type: 1, serial: 77, fields: FIELDS, ...parts });
    for (const socket of peer.sockets) socket.write(bytes);
    await expect.poll(() => peer.messages.length, { timeout: 500 }).toBe(1);
    return peer.messages[0];
  }

  it('get what the handler returns as the reply', async () => {
    const reply = await ask(
      ({ path, member, body }) => ({
        signature: 'ss',
        values: [path + member, JSON.stringify(body)],
      }),
      {
        signature: 'u',
        values: [5],
      },
    );
    expect(reply).toMatchObject({ type: 2, body: ['/aChanged', '[5]'] });
  });

  it('wait for a promise', async () => {
    const reply = await ask(async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      return {};
    });
    expect(reply).toMatchObject({ type: 2, body: [] });
  });

  it.each<[string, () => never, string]>([
    [
      'a BusError',
      () => {
        throw new BusError('test.No', 'not\0today\uD800');
      },
      'not\uFFFDtoday\uFFFD',
    ],
    [
      'another error',
      () => {
        throw new TypeError('oops');
      },
      'oops',
    ],
    [
      'an error with an invalid name',
      () => {
        throw new BusError('no', 'odd');
      },
      'odd',
    ],
  ])('become an error reply if the handler throws %s', async (_, handler, message) => {
    expect(await ask(handler)).toMatchObject({ type: 3, body: [message] });
  });

  it('become an error reply if the handler returns values that cannot be sent', async () => {
    expect(await ask(() => ({ signature: 'u', values: ['x'] }))).toMatchObject({ type: 3 });
  });

  it('become UnknownMethod if no handler serves them', async () => {
    const reply = await ask(() => undefined);
    expect(reply).toMatchObject({ type: 3, body: ['no method a.b.Changed at /a'] });
  });

  it('get a reply to a ping even without a handler', async () => {
    const fields: MessageParts['fields'] = [
      [1, 'o', '/'],
      [2, 's', 'org.freedesktop.DBus.Peer'],
      [3, 's', 'Ping'],
    ];
    expect(await ask(undefined, { fields })).toMatchObject({ type: 2, body: [] });
  });

  it('get no reply if none is expected', async () => {
    await expect(ask(() => ({}), { flags: 1 })).rejects.toThrow(/expected/);
  });
});

describe('a peer-to-peer connection', () => {
  it('has no bus names and needs no match rules', async () => {
    const { peer, connection } = await fixture.pair(({ serial, body }, socket) =>
      socket.write(buildReply(serial, { signature: 'u', values: body })),
    );
    const notSupported = 'org.freedesktop.DBus.Error.NotSupported';
    expect(await failure(watchName(connection, 'a.b', () => {}, PATIENT))).toBe(notSupported);
    await (
      await connection.addMatch({ type: 'signal' }, PATIENT)
    )();
    expect(peer.messages).toEqual([]);
    expect(await connection.invoke(NUMBER, '/a', PATIENT)).toBe(7);
  });
});
