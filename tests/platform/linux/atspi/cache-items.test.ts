import { describe, expect, it } from 'vitest';
import {
  decodeCacheItems,
  IMPLEMENTS,
  interfaceSet,
} from '../../../../src/platform/linux/atspi/tree/cache-items.ts';
import { BodyReader, type BusValue } from '../../../../src/platform/linux/dbus/index.ts';
import { encodeBody } from '../../../../src/platform/linux/dbus/marshalling/encode.ts';

const NEW = 'a((so)(so)(so)iiassusau)';
const OLD = 'a((so)(so)(so)a(so)assusau)';
const object = (path: string): BusValue => [':1.7', path];
const ROOT = object('/org/a11y/atspi/accessible/root');
const [ACTION, TEXT] = ['org.a11y.atspi.Action', 'org.a11y.atspi.Text'];

const item = (path: string, place: BusValue[], name: string, states: number[] = [0x100, 2]): BusValue => [
  object(path),
  ROOT,
  object('/parent'),
  ...place,
  [ACTION, 'org.a11y.atspi.Accessible', TEXT],
  name,
  43,
  'a description',
  states,
];

describe.each([
  ['little-endian', true],
  ['big-endian', false],
])('%s', (_, littleEndian) => {
  const decode = (signature: string, items: BusValue[]): ReturnType<typeof decodeCacheItems> =>
    decodeCacheItems(new BodyReader(encodeBody(signature, [items], littleEndian), littleEndian), signature);

  it('items with index and child count', () => {
    expect(decode(NEW, [item('/a', [3, 12], 'Öffnen'), item('/b', [-1, -1], '')])).toEqual([
      {
        path: '/a',
        parentPath: '/parent',
        index: 3,
        childCount: 12,
        interfaces: IMPLEMENTS.ACTION | IMPLEMENTS.TEXT,
        name: 'Öffnen',
        nativeRole: 43,
        description: 'a description',
        states: [0x100, 2],
      },
      expect.objectContaining({ path: '/b', index: -1, childCount: -1, name: '' }),
    ]);
  });

  it('items with a list of children', () => {
    const children = [object('/x'), object('/yy'), object('/zzz')];
    expect(decode(OLD, [item('/a', [children], 'One'), item('/b', [[]], 'Two')])).toMatchObject([
      { path: '/a', index: -1, childCount: 3, name: 'One', nativeRole: 43, states: [0x100, 2] },
      { path: '/b', index: -1, childCount: 0, name: 'Two' },
    ]);
  });

  it('no items', () => {
    expect([decode(NEW, []), decode(OLD, [])]).toEqual([[], []]);
  });

  it('fewer state words than two', () => {
    const states = [[], [7], [7, 8]].map((words) => item('/a', [0, 0], 'x', words));
    expect(decode(NEW, states).map((entry) => entry.states)).toEqual([
      [0, 0],
      [7, 0],
      [7, 8],
    ]);
  });

  it('names of every length, so that every alignment occurs', () => {
    const names = Array.from({ length: 20 }, (_, length) => 'ü'.repeat(length));
    const items = names.map((name, index) => item(`/n${'x'.repeat(index)}`, [index, 0], name));
    expect(decode(NEW, items).map((entry) => [entry.index, entry.name])).toEqual(
      names.map((name, index) => [index, name]),
    );
  });
});

it('unknown interfaces are ignored', () => {
  expect(interfaceSet(['org.a11y.atspi.Accessible', 'com.example.Strange'])).toBe(0);
  expect(interfaceSet([TEXT, TEXT])).toBe(IMPLEMENTS.TEXT);
});
