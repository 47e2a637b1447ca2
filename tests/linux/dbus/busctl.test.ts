import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BusConnection, type BusValue, Variant } from '../../../src/platform/linux/dbus/index.ts';
import { areInstalled, PATIENT, PrivateBus, run } from './support/private-bus.ts';

/** A value as `busctl --json=short` prints it. */
function toJson(value: BusValue): unknown {
  if (value instanceof Variant) return { type: value.signature, data: toJson(value.value) };
  if (value instanceof Uint8Array) return [...value];
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, entry]) => [String(key), toJson(entry)]));
  if (Array.isArray(value)) return value.map((item: BusValue) => toJson(item));
  return typeof value === 'bigint' ? Number(value) : value;
}

// Type, arguments in busctl's notation, and our values.
const VALUES: [string, string[], BusValue[]][] = [
  ['y', ['255'], [255]],
  ['b', ['true'], [true]],
  ['n', ['--', '-32768'].slice(1), [-32_768]],
  ['q', ['65535'], [65_535]],
  ['i', ['-2147483648'], [-2_147_483_648]],
  ['u', ['4294967295'], [4_294_967_295]],
  ['x', ['-9007199254740991'], [-9_007_199_254_740_991n]],
  ['t', ['9007199254740991'], [9_007_199_254_740_991n]],
  ['d', ['-1.5e300'], [-1.5e300]],
  ['s', ['grüße 🙂'], ['grüße 🙂']],
  ['o', ['/a/b_1'], ['/a/b_1']],
  ['g', ['a{sv}(ii)'], ['a{sv}(ii)']],
  ['ay', ['3', '1', '2', '255'], [Buffer.from([1, 2, 255])]],
  ['as', ['2', 'one', 'two'], [['one', 'two']]],
  ['as', ['0'], [[]]],
  ['(ys)', ['7', 'x'], [[7, 'x']]],
  [
    'a(yt)',
    ['2', '1', '2', '3', '4'],
    [
      [
        [1, 2n],
        [3, 4n],
      ],
    ],
  ],
  [
    'a{sv}',
    ['2', 'a', 'i', '-5', 'b', 'as', '1', 'x'],
    [
      new Map([
        ['a', new Variant('i', -5)],
        ['b', new Variant('as', ['x'])],
      ]),
    ],
  ],
  [
    'v',
    ['(sv)', 'deep', 'v', 'u', '9'],
    [new Variant('(sv)', ['deep', new Variant('v', new Variant('u', 9))])],
  ],
  ['ysn', ['1', 'mixed', '-2'], [1, 'mixed', -2]],
];

describe.skipIf(!areInstalled('dbus-daemon', 'busctl'))('against busctl', () => {
  let bus: PrivateBus;
  let server: BusConnection;
  const received: BusValue[][] = [];

  beforeAll(async () => {
    bus = await PrivateBus.start();
    server = await bus.connect();
    server.onMethodCall(({ member, signature, body }) => {
      if (member !== 'Echo') return undefined;
      received.push([...body]);
      return { signature, values: body };
    });
  });
  afterAll(async () => await bus.stop());

  const busctl = (...args: string[]): Promise<string> => run('busctl', [`--address=${bus.address}`, ...args]);

  it.each(VALUES)('%s %j round-trips', async (signature, args, values) => {
    received.length = 0;
    const call = [
      'call',
      '--json=short',
      '--',
      server.uniqueName ?? '',
      '/a',
      'test.Echo',
      'Echo',
      signature,
    ];
    const printed: unknown = JSON.parse(await busctl(...call, ...args));
    expect(received).toEqual([values]);
    expect(printed).toEqual({ type: signature, data: values.map(toJson) });
  });

  it('receives our errors', async () => {
    const call = busctl('call', server.uniqueName ?? '', '/a', 'test.Echo', 'Nothing');
    await expect(call).rejects.toThrow(/no method test\.Echo\.Nothing/);
  });

  it('sends signals that we receive', async () => {
    const remove = await server.addMatch({ type: 'signal', interface: 'test.Signal' }, PATIENT);
    const bodies: (readonly BusValue[])[] = [];
    server.onSignal((message) => {
      if (message.interface === 'test.Signal') bodies.push(message.body);
    });
    await busctl('emit', '/a', 'test.Signal', 'Changed', 'sa{sv}', 'x', '1', 'k', 'd', '0.5');
    await expect.poll(() => bodies).toEqual([['x', new Map([['k', new Variant('d', 0.5)]])]]);
    await remove();
  });

  it('agrees on a property of the bus', async () => {
    const [name, path, iface] = ['org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus'];
    const features = await server.getProperty(name, path, iface, 'Features', PATIENT);
    const printed: unknown = JSON.parse(
      await busctl('get-property', '--json=short', name, path, iface, 'Features'),
    );
    expect(printed).toEqual({ type: 'as', data: features });
  });
});
