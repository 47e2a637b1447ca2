import { describe, expect, it } from 'vitest';
import { addReading, findReading } from '../../src/model/refs/reading-document.ts';
import type { ReadNode, StoredReading } from '../../src/model/refs/reading.ts';

function node(path: string, children: ReadNode[] = [], more: Partial<ReadNode> = {}): ReadNode {
  return {
    handle: { app: ':1.5', path: `/org/a11y/${path}` },
    role: 'button',
    name: `Name ${path}`,
    value: '',
    states: [],
    children,
    ...more,
  };
}

function reading(cursor: number, more: Partial<StoredReading> = {}): StoredReading {
  return {
    cursor,
    window: { id: 'x11:0x1', otherId: 'atspi:1' },
    pid: 42,
    wholeTree: true,
    root: '@e9',
    complete: false,
    windows: [
      { id: 'x11:0x1', otherId: 'atspi:1', title: 'One' },
      { id: 'x11:0x2', title: '' },
    ],
    tree: node('1', [node('2', [node('3')]), node('4')], { value: `${cursor}` }),
    ...more,
  };
}

/** What a disk returns. */
function add(data: unknown, ...args: [StoredReading, number?]): unknown {
  return JSON.parse(JSON.stringify(addReading(data, 'here', ...args)));
}

function isKept(data: unknown, cursor: number): boolean {
  return findReading(data, 'here', cursor)?.tree !== undefined;
}

describe('a stored reading', () => {
  it('is restored unchanged, with unusual texts and objects of other applications', () => {
    const tree = node('1', [
      node('2', [node('3', [], { ref: '@e7', states: ['checked', 'focused'], digest: '500:abc' })], {
        name: 'a "quoted"\n\u202Ename\uD800',
      }),
      node('4', [], { handle: { app: ':1.9', path: '/org/a11y/4' }, value: 'text' }),
      node('5', [], { handle: { app: ':1.5', path: '/elsewhere' } }),
    ]);
    const stored = reading(3, { tree });
    expect(findReading(add(undefined, stored), 'here', 3)).toEqual(stored);
  });

  it('belongs to its desktop and cursor', () => {
    const data = add(undefined, reading(3));
    expect(findReading(data, 'there', 3)).toBeUndefined();
    expect(findReading(data, 'here', 4)).toBeUndefined();
    expect(JSON.stringify(addReading(data, 'there', reading(4)))).not.toContain('"cursor":3');
  });

  it('is dropped after four of its window or eight of all, except for its window', () => {
    let data: unknown;
    for (let cursor = 1; cursor <= 6; cursor++) data = add(data, reading(cursor));
    expect([1, 2, 3, 4, 5, 6].map((cursor) => isKept(data, cursor))).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
    expect(findReading(data, 'here', 1)).toMatchObject({ window: { id: 'x11:0x1' }, wholeTree: true });
    for (let cursor = 7; cursor <= 13; cursor++)
      data = add(data, reading(cursor, { window: { id: `w${cursor}` } }));
    expect([5, 6, 7, 13].map((cursor) => isKept(data, cursor))).toEqual([false, true, true, true]);
  });

  it('is stored once with later ones that are the same, for as long as one of them is used', () => {
    const tree = node('1', [node('2')]);
    let data = add(undefined, reading(1));
    for (const cursor of [2, 3, 4, 5, 6]) data = add(data, reading(cursor, { tree }));
    expect([1, 2, 5, 6].map((cursor) => isKept(data, cursor))).toEqual([true, true, true, true]);
    expect(findReading(data, 'here', 2)?.tree).toEqual(tree);
    expect(JSON.stringify(data).split('Name 2').length).toBe(3);
    for (let cursor = 7; cursor <= 13; cursor++) data = add(data, reading(cursor), 3);
    expect([3, 6, 9].map((cursor) => isKept(data, cursor))).toEqual([true, true, false]);
    for (let cursor = 14; cursor <= 17; cursor++) data = add(data, reading(cursor));
    expect([2, 3, 6].map((cursor) => isKept(data, cursor))).toEqual([false, false, false]);
  });

  it('is bounded in size, alone and together', () => {
    const large = (count: number): ReadNode =>
      node(
        '1',
        Array.from({ length: count }, (_, index) => node(`${index}`, [], { name: 'x'.repeat(120) })),
      );
    let data = add(undefined, reading(1, { tree: large(5000) }));
    expect(isKept(data, 1)).toBe(false);
    for (let cursor = 2; cursor < 200; cursor++)
      data = add(data, reading(cursor, { window: { id: `w${cursor}` }, tree: large(1400) }));
    expect(isKept(data, 199)).toBe(true);
    expect(isKept(data, 198)).toBe(true);
    expect(JSON.stringify(data).length).toBeLessThan(1_100_000);
  });

  it('that is nested too deeply is dropped', () => {
    const nested = (depth: number): ReadNode => {
      let tree = node('0');
      for (let level = 0; level < depth; level++) tree = node(`${level + 1}`, [tree]);
      return tree;
    };
    const data = add(add(undefined, reading(1, { tree: nested(900) })), reading(2, { tree: nested(1100) }));
    expect([isKept(data, 1), isKept(data, 2)]).toEqual([true, false]);
  });

  it.each([
    ['[[0,"1","button","A"],[2,"2","button","B"]]', 'a child without a parent'],
    ['[[1,"1","button","A"]]', 'no root'],
    ['[[0,"1","button","A"],[0,"2","button","B"]]', 'two roots'],
    ['[]', 'nothing'],
    ['[[0,"1","nonsense","A"]]', 'an unknown role'],
    ['[[0,"1","button","A","",["sleepy"]]]', 'an unknown state'],
    ['[[0,"1","button","A","@w1"]]', 'a ref of another kind'],
    ['[[0,"1","button",7]]', 'a number for a name'],
    ['[[', 'half of a text'],
  ])('that contains %s (%s) is dropped', (lines) => {
    const entry = { cursor: 1, window: 'w', whole_tree: false, complete: true };
    const nodes = `{"app":"a","beginning":"/","lines":${lines}}`;
    expect(isKept({ desktop_id: 'here', readings: [{ ...entry, nodes }] }, 1)).toBe(false);
    const good = '{"app":"a","beginning":"/","lines":[[0,"1","button","A"]]}';
    expect(isKept({ desktop_id: 'here', readings: [{ ...entry, nodes: good }] }, 1)).toBe(true);
  });
});
