import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TreeNode } from '../../src/model/tree/node.ts';
import { TreeIndex } from '../../src/engine/tree/tree-index.ts';
import { describe, expect, it } from 'vitest';
import type { ElementDescription } from '../../src/engine/tree/identity.ts';
import { RefTable } from '../../src/engine/refs/ref-table.ts';
import { Session } from '../../src/engine/refs/session.ts';
import { createSessionStore } from '../../src/platform/node/session-store.ts';
import { MemoryStore } from './support/memory-store.ts';

function described(path: string, changes: Partial<ElementDescription> = {}): ElementDescription {
  return {
    app: ':1.7',
    path,
    role: 'button',
    name: path,
    window: 'win',
    trail: [{ role: 'window', name: '' }],
    neighbours: ['|'],
    has_twin: false,
    ...changes,
  };
}

const give =
  (...paths: string[]) =>
  (table: RefTable): string[] =>
    paths.map((path) => table.refForElement(described(path)));

describe('numbers', () => {
  it('are assigned in order, once, and an element keeps its number', async () => {
    const session = new Session(new MemoryStore(), { desktopId: 'here' });
    expect(await session.edit(give('/a', '/b', '/a'))).toEqual(['@e1', '@e2', '@e1']);
    expect(await session.edit(give('/c', '/b'))).toEqual(['@e3', '@e2']);
  });

  describe('of elements that are made anew for every reading', () => {
    const cell = (path: string, index: number, changes: Partial<ElementDescription> = {}) =>
      described(path, {
        role: 'cell',
        name: 'top1',
        slot: { container: '/tree', index, count: 9 },
        ...changes,
      });
    const refs = async (...readings: ElementDescription[]) => {
      const store = new MemoryStore();
      const given: string[] = [];
      // Each reading in a process of its own.
      for (const reading of readings)
        given.push(
          ...(await new Session(store, { desktopId: 'here' }).edit((table) => [
            table.refForElement(reading),
          ])),
        );
      return given;
    };

    it('stay with their place in the container', async () => {
      expect(await refs(cell('/1', 4), cell('/2', 4), cell('/3', 4))).toEqual(['@e1', '@e1', '@e1']);
    });

    it('do not pass to another item, another place or another window', async () => {
      expect(await refs(cell('/1', 4), cell('/2', 4, { name: 'top2' }))).toEqual(['@e1', '@e2']);
      expect(await refs(cell('/1', 4), cell('/2', 5))).toEqual(['@e1', '@e2']);
      expect(await refs(cell('/1', 4), cell('/2', 4, { window: 'other' }))).toEqual(['@e1', '@e2']);
    });

    it('are pushed along by rows added above, if nothing else looks like them there', async () => {
      const neighbours = ['a', 'b', 'c', '|', 'd', 'e', 'f'];
      const alone: Partial<ElementDescription> = { alone: ['above', 'below'], neighbours };
      const grown = (index: number, changes: Partial<ElementDescription> = {}) =>
        cell('/2', index, { ...alone, slot: { container: '/tree', index, count: 12 }, ...changes });
      const before = cell('/1', 4, alone);
      expect(await refs(before, grown(7))).toEqual(['@e1', '@e1']);
      expect(await refs(before, grown(7, { neighbours: ['x', 'b', 'c', '|', 'd', 'e', 'f'] }))).toEqual([
        '@e1',
        '@e1',
      ]);
      for (const other of [
        grown(6),
        grown(7, { alone: undefined }),
        grown(7, { alone: ['above'], neighbours: ['x', 'b', 'c', '|', 'd', 'e', 'f'] }),
        grown(4, { slot: { container: '/tree', index: 4, count: 9 }, name: 'top2' }),
        grown(7, { name: 'top2' }),
        grown(7, { window: 'other' }),
        grown(7, { open_above: 'folder' }),
        grown(7, { neighbours: ['x', 'b', 'c', '|', 'd', 'e', 'y'] }),
      ])
        expect(await refs(before, other)).toEqual(['@e1', '@e2']);
      expect(await refs(cell('/1', 4, { neighbours }), grown(7))).toEqual(['@e1', '@e2']);
    });

    it('do not pass to a twin that a new row has moved there', async () => {
      const twin = { has_twin: true };
      const longer = { ...twin, slot: { container: '/tree', index: 4, count: 10 } };
      expect(await refs(cell('/1', 4, twin), cell('/2', 4, twin))).toEqual(['@e1', '@e1']);
      expect(await refs(cell('/1', 4, twin), cell('/2', 4, longer))).toEqual(['@e1', '@e2']);
    });
  });

  it('count windows and elements apart', async () => {
    const session = new Session(new MemoryStore(), { desktopId: 'here' });
    const refs = await session.edit((table) => [
      table.refForWindow({ id: 'x11:0x1' }),
      table.refForElement(described('/a')),
      table.refForWindow({ id: 'x11:0x2' }),
      table.refForWindow({ id: 'x11:0x1' }),
    ]);
    expect(refs).toEqual(['@w1', '@e1', '@w2', '@w1']);
  });

  it('stay with a window that only display or accessibility knew first', async () => {
    const session = new Session(new MemoryStore(), { desktopId: 'here' });
    const refs = await session.edit((table) => [
      table.refForWindow({ id: 'atspi::1.5/window' }),
      table.refForWindow({ id: 'x11:0x7', otherId: 'atspi::1.5/window' }),
      table.refForWindow({ id: 'x11:0x7', otherId: 'atspi::1.5/window' }),
      table.windowKey('@w1') ?? '',
      table.refForWindow({ id: 'x11:0x8', otherId: 'atspi::1.5/window' }),
    ]);
    expect(refs).toEqual(['@w1', '@w1', '@w1', 'x11:0x7', '@w2']);
  });

  it('of windows do not pass to another process that gets the id', async () => {
    const session = new Session(new MemoryStore(), { desktopId: 'here' });
    const refs = await session.edit((table) => [
      table.refForWindow({ id: 'x11:0x7', process: '5:100' }),
      table.refForWindow({ id: 'x11:0x7', process: '9:200' }),
      table.refForWindow({ id: 'x11:0x7', process: '5:100' }),
    ]);
    expect(refs).toEqual(['@w1', '@w2', '@w1']);
  });

  it('continue after a restart', async () => {
    const store = new MemoryStore();
    await new Session(store, { desktopId: 'here' }).edit(give('/a', '/b'));
    const later = new Session(store, { desktopId: 'here' });
    expect(await later.edit(give('/c', '/a'))).toEqual(['@e3', '@e1']);
  });

  it('continue, and old refs are unknown, on another desktop', async () => {
    const store = new MemoryStore();
    await new Session(store, { desktopId: 'here' }).edit(give('/a', '/b'));
    const elsewhere = new Session(store, { desktopId: 'there' });
    expect(await elsewhere.edit(give('/a'))).toEqual(['@e3']);
    const table = await elsewhere.read();
    expect(table.element('@e1')).toBeUndefined();
    expect([table.wasIssued('@e1'), table.wasIssued('@e3'), table.wasIssued('@e4')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('are not reused if nothing can be stored', async () => {
    const store = new MemoryStore();
    store.full = true;
    const session = new Session(store, { desktopId: 'here' });
    await session.edit(give('/a'));
    expect(await session.edit(give('/b'))).toEqual(['@e2']);
    expect((await session.read()).wasIssued('@e1')).toBe(true);
  });

  it('cursors only grow', async () => {
    const session = new Session(new MemoryStore(), { desktopId: 'here' });
    const cursors = [];
    for (let index = 0; index < 3; index++) cursors.push(await session.edit((table) => table.advance()));
    expect(cursors).toEqual(['c1', 'c2', 'c3']);
  });
});

describe('a damaged document', () => {
  it.each([
    ['text', 'garbage'],
    ['null', null],
    ['a list', [1, 2]],
    ['a number', 7],
  ])('that is %s starts empty', async (_, data) => {
    const store = new MemoryStore();
    store.put('refs', data);
    expect(await new Session(store, { desktopId: 'here' }).edit(give('/a'))).toEqual(['@e1']);
  });

  it('keeps its numbers and valid records if one record is invalid', async () => {
    const store = new MemoryStore();
    const session = new Session(store, { desktopId: 'here' });
    await session.edit(give('/a', '/b'));
    const document = JSON.parse(JSON.stringify(await store.load('refs')));
    document.elements[0].role = 'hologram';
    document.windows = 'none';
    store.put('refs', document);
    const later = new Session(store, { desktopId: 'here' });
    expect(await later.edit(give('/c', '/b'))).toEqual(['@e3', '@e2']);
    const table = await later.read();
    expect([table.element('@e1'), table.element('@e2')?.path]).toEqual([undefined, '/b']);
  });

  it('numbers above every ref in it if its counter is lost', async () => {
    const store = new MemoryStore();
    const session = new Session(store, { desktopId: 'here' });
    await session.edit(give('/a', '/b', '/c'));
    const document = JSON.parse(JSON.stringify(await store.load('refs')));
    store.put('refs', { ...document, next_element: -1 });
    expect(await new Session(store, { desktopId: 'here' }).edit(give('/d'))).toEqual(['@e4']);
  });
});

describe('one native object', () => {
  it('stays the same element if a button gets another name', () => {
    const table = RefTable.from(undefined, { desktopId: 'here' });
    expect(table.refForElement(described('/a', { name: 'Play' }))).toBe('@e1');
    expect(table.refForElement(described('/a', { name: 'Pause' }))).toBe('@e1');
    expect(table.element('@e1')?.name).toBe('Pause');
  });

  it('becomes another element with another role', () => {
    const table = RefTable.from(undefined, { desktopId: 'here' });
    table.refForElement(described('/a'));
    expect(table.refForElement(described('/a', { role: 'checkbox' }))).toBe('@e2');
    expect(table.element('@e1')?.role).toBe('button');
  });

  it('that shows one row after another has a ref for each of them', () => {
    const table = RefTable.from(undefined, { desktopId: 'here' });
    const row = (name: string): string => table.refForElement(described('/row', { role: 'listitem', name }));
    expect([row('Alice'), row('Bob'), row('Alice'), row('Alice B.')]).toEqual(['@e1', '@e2', '@e1', '@e3']);
    expect(table.element('@e1')?.name).toBe('Alice');
  });

  it('in a row that shows another item is another element', () => {
    const table = RefTable.from(undefined, { desktopId: 'here' });
    const inRow = (name: string): string =>
      table.refForElement(described('/delete', { name: 'Delete', trail: [{ role: 'row', name }] }));
    expect([inRow('Alice'), inRow('Bob')]).toEqual(['@e1', '@e2']);
  });

  it('keeps the description from a whole window if only a part is read', () => {
    const table = RefTable.from(undefined, { desktopId: 'here' });
    table.refForElement(described('/a', { neighbours: ['x', '|', 'y'] }));
    expect(table.refForElement(described('/a', { neighbours: ['|'] }), true)).toBe('@e1');
    expect(table.element('@e1')?.neighbours).toEqual(['x', '|', 'y']);
  });
});

it('drops the least recently seen, but never its number', () => {
  const table = RefTable.from(undefined, { desktopId: 'here' });
  for (let index = 0; index < 4100; index++) table.refForElement(described(`/n${index}`));
  table.refForElement(described('/n0'));
  const later = RefTable.from(table.toDocument(), { desktopId: 'here' });
  expect(later.element('@e1')?.path).toBe('/n0');
  expect([later.element('@e2'), later.wasIssued('@e2')]).toEqual([undefined, true]);
  expect(later.refForElement(described('/n1'))).toBe('@e4101');
});

it('two programs that edit one session at once never assign one ref to two elements', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deskterity-refs-'));
  try {
    const open = (): Session =>
      new Session(
        createSessionStore({
          folder,
          note: (message) => {
            throw new Error(message);
          },
        }),
        { desktopId: 'here' },
      );
    const sessions = [open(), open()];
    const edits = Array.from({ length: 20 }, async (_, index) => {
      const path = `/n${index}`;
      const [ref = ''] = (await sessions[index % 2]?.edit(give(path))) ?? [];
      return [ref, path] as const;
    });
    const given = await Promise.all(edits);
    expect(new Set(given.map(([ref]) => ref)).size).toBe(20);
    const table = await open().read();
    for (const [ref, path] of given) expect(table.element(ref)?.path).toBe(path);
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe('terminals', () => {
  const element = (path: string) => ({
    app: 'terminal:term-1',
    path,
    role: 'row' as const,
    name: path,
    window: 'terminal:term-1',
    trail: [],
    neighbours: [],
    has_twin: false,
  });

  it('share the counters of their session, and keep their refs on any desktop', async () => {
    const store = new MemoryStore();
    const here = new Session(store, { desktopId: 'here' });
    const terminal = new Session(store, { screenId: 'term-1' });
    expect(await here.edit(give('/a'))).toEqual(['@e1']);
    expect(await terminal.edit((table) => table.refForElement(element('/line/3')))).toBe('@e2');
    expect(await terminal.edit((table) => table.refForWindow({ id: 'terminal:term-1' }))).toBe('@t1');
    expect(await here.edit(give('/a', '/b'))).toEqual(['@e1', '@e3']);
    const elsewhere = new Session(store, { desktopId: 'there' });
    expect(await elsewhere.edit(give('/c'))).toEqual(['@e4']);
    const table = await terminal.read();
    expect(table.element('@e2')?.path).toBe('/line/3');
    expect([table.screenOf('@e2'), table.screenOf('@t1'), table.screenOf('@e4')]).toEqual([
      'term-1',
      'term-1',
      undefined,
    ]);
    // Neither is an element of the other.
    expect(table.element('@e4')).toBeUndefined();
    expect((await elsewhere.read()).element('@e2')).toBeUndefined();
    expect((await new Session(store, { screenId: 'term-2' }).read()).element('@e2')).toBeUndefined();
  });

  it('have one ref each, which is never reused', async () => {
    const store = new MemoryStore();
    const session = new Session(store, { screenId: '' });
    const refs = await session.edit((table) => ['a', 'b', 'a'].map((id) => table.refForScreen(id)));
    expect(refs).toEqual(['@t1', '@t2', '@t1']);
    const later = new Session(store, { desktopId: 'here' });
    expect(await later.edit((table) => table.refForScreen('c'))).toBe('@t3');
    expect((await later.read()).wasIssued('@t3')).toBe(true);
    expect((await later.read()).wasIssued('@t4')).toBe(false);
  });

  it('are absent in documents of versions without terminals', async () => {
    const old = { desktop_id: 'here', next_element: 5, next_window: 2, cursor: 1, elements: [], windows: [] };
    expect(RefTable.from(old, { desktopId: 'here' }).refForScreen('a')).toBe('@t1');
  });
});

describe('an item of a container that was read as a whole', () => {
  const tree = (names: readonly string[], count = names.length + 1): TreeIndex => {
    const node = (
      path: string,
      role: TreeNode['role'],
      name: string,
      children: TreeNode[] = [],
    ): TreeNode => ({
      handle: { app: ':1.1', path },
      role,
      nativeRole: role,
      name,
      states: [],
      children,
    });
    const items = ['Header', ...names].map((name, index) => ({
      ...node(`/${index}`, index === 0 ? 'columnheader' : 'cell', name),
      slot: { container: '/tree', index, count },
    }));
    return new TreeIndex(
      node('/w', 'window', 'W', [node('/tree', 'tree', 'T', items), node('/b', 'button', 'B')]),
    );
  };
  const alone = (index: TreeIndex): unknown[] =>
    index.nodes.filter(({ role }) => role === 'cell').map((cell) => index.describe(cell, 'w').alone);

  it('is alone on the sides where no equal one has the same neighbours', () => {
    expect(alone(tree(['a', 'b', 'c', 'd', 'e', 'f', 'g']))).toEqual([
      ['below'],
      ['below'],
      ['below'],
      ['above', 'below'],
      ['above'],
      ['above'],
      ['above'],
    ]);
    expect(alone(tree(['a', 'a', 'a', 'a', 'a', 'a', 'a', 'a'])).flat()).toEqual(Array(8).fill(undefined));
  });

  it('is not if only a part of the container was read', () => {
    expect(alone(tree(['a', 'b', 'c', 'd', 'e', 'f'], 20)).flat()).toEqual(Array(6).fill(undefined));
  });
});
