import { describe, expect, it } from 'vitest';
import type { TreeNode } from '../../src/model/tree/node.ts';
import { TreeIndex } from '../../src/engine/tree/tree-index.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import {
  button,
  DEADLINE,
  failureOf,
  flatten,
  oneWindow,
  refOf,
  refsByName,
  snapshot,
  stage,
} from './support/stage.ts';
import type { Stage } from './support/stage.ts';

const FORM: SimulatedNode[] = [
  { id: 'form', role: 'group', name: 'Form', children: [button('ok', 'OK'), button('cancel', 'Cancel')] },
  button('help', 'Help'),
];

function form(): Promise<Stage> {
  return stage(oneWindow(structuredClone(FORM)));
}

function nameOf(on: Stage, ref: string): Promise<string | undefined> {
  return on.engine.describe({ ...DEADLINE, ref }).then((info) => info.node.name);
}

describe('a ref whose native object no longer exists', () => {
  it('follows an element that was recreated in the same place', async () => {
    const on = await form();
    const ref = await refOf(on.engine, 'OK');
    on.world.remove('app', 'ok');
    on.world.insert('app', 'form', button('ok-2', 'OK', { description: 'new' }), 0);
    expect((await on.engine.describe({ ...DEADLINE, ref })).node.description).toBe('new');
    // And it stays there.
    on.world.change('app', 'ok-2', { name: 'Fine' });
    expect(await nameOf(on, ref)).toBe('Fine');
  });

  it('is stale if nothing is like it', async () => {
    const on = await form();
    const ref = await refOf(on.engine, 'OK');
    on.world.remove('app', 'ok');
    expect(await failureOf(nameOf(on, ref))).toMatchObject({
      code: 'STALE_REF',
      delivered: false,
      candidates: [],
    });
  });

  it('is stale, with the candidate, if a similar element has other neighbours', async () => {
    const on = await form();
    const ref = await refOf(on.engine, 'OK');
    on.world.remove('app', 'ok');
    on.world.insert('app', 'form', button('ok-2', 'OK'));
    const error = await failureOf(nameOf(on, ref));
    expect(error).toMatchObject({ code: 'STALE_REF', candidates: [{ role: 'button', name: 'OK' }] });
    expect(await nameOf(on, error.candidates[0]?.ref ?? '')).toBe('OK');
  });

  describe('and another is drawn in its place, but listed behind all others, as Qt does', () => {
    const at = { x: 10, y: 40, width: 80, height: 20 };
    const placed = (owner: string): SimulatedNode[] => [
      { id: 'owner', role: 'text', name: owner },
      button('remove', 'Remove', { bounds: at }),
      button('help', 'Help', { bounds: { ...at, y: 70 } }),
    ];
    /** What the reference of the button names once the button was created again. */
    const afterwards = async (moved: Partial<typeof at>, owner = 'Alice') => {
      const on = await stage(oneWindow(placed('Alice')));
      const ref = await refOf(on.engine, 'Remove');
      on.world.remove('app', 'remove');
      on.world.change('app', 'owner', { name: owner });
      on.world.insert('app', 'win-root', button('remove-2', 'Remove', { bounds: { ...at, ...moved } }));
      return on.engine.describe({ ...DEADLINE, ref });
    };

    it('names that one', async () => {
      expect((await afterwards({})).node.name).toBe('Remove');
    });

    it('is stale if that is drawn elsewhere, or something beside it is gone', async () => {
      for (const changed of [afterwards({ y: 100 }), afterwards({ width: 90 }), afterwards({}, 'Bob')])
        expect(await failureOf(changed)).toMatchObject({
          code: 'STALE_REF',
          candidates: [{ name: 'Remove' }],
        });
    });
  });

  it('is ambiguous, with candidates, if it had a twin', async () => {
    const on = await stage(oneWindow([button('a', 'Yes'), button('b', 'Yes'), button('c', 'No')]));
    const { tree } = await snapshot(on.engine);
    const [first] = flatten(tree).filter(({ name }) => name === 'Yes');
    on.world.remove('app', 'a');
    const error = await failureOf(nameOf(on, first?.ref ?? ''));
    expect(error).toMatchObject({ code: 'AMBIGUOUS_TARGET', candidates: [{ name: 'Yes' }] });
  });

  it('never becomes an element that has its own ref', async () => {
    const on = await stage(oneWindow([button('a', 'A'), button('b', 'B')]));
    const refs = await refsByName(on.engine);
    on.world.remove('app', 'a');
    on.world.change('app', 'b', { name: 'A' });
    on.world.insert('app', 'win-root', button('c', 'B'));
    expect(await failureOf(nameOf(on, refs.get('A') ?? ''))).toMatchObject({
      code: 'STALE_REF',
      candidates: [{ ref: refs.get('B') }],
    });
  });

  it('is stale if its window has closed', async () => {
    const on = await form();
    const ref = await refOf(on.engine, 'OK');
    on.world.apps[0]?.windows.splice(0);
    expect(await failureOf(nameOf(on, ref))).toMatchObject({ code: 'STALE_REF' });
  });

  it('is found again under another window title, and beside elements that were hidden', async () => {
    const on = await form();
    on.world.insert('app', 'win-root', button('secret', 'Secret', { states: ['hidden'] }), 0);
    const ref = await refOf(on.engine, 'OK');
    on.world.change('app', 'win-root', { name: '*Document' });
    on.world.remove('app', 'ok');
    on.world.insert('app', 'form', button('ok-2', 'OK'), 0);
    expect(await nameOf(on, ref)).toBe('OK');
  });
});

describe('a ref of a row', () => {
  const people = (...names: string[]): SimulatedNode[] => [
    {
      id: 'list',
      role: 'list',
      name: 'People',
      children: names.map((name, index) => ({
        id: `row-${index}`,
        role: 'listitem',
        name,
        children: [button(`delete-${index}`, 'Delete')],
      })),
    },
  ];
  const rename = (on: Stage, names: string[]): void =>
    names.forEach((name, index) => on.world.change('app', `row-${index}`, { name }));

  /** A list that recreates its rows for each reading, as Qt trees do. */
  const fresh = (round: number, ...names: string[]): SimulatedNode => ({
    id: `list-${round}`,
    role: 'list',
    name: 'Places',
    children: names.map((name, index) => ({ id: `row-${round}-${index}`, role: 'listitem', name })),
  });
  const anew = (on: Stage, round: number, ...names: string[]): void => {
    on.world.remove('app', `list-${round - 1}`);
    on.world.insert('app', 'win-root', fresh(round, ...names));
  };

  it('is not the row that its native object shows after sorting', async () => {
    const on = await stage(oneWindow(people('Item 1', 'Item 2')));
    const refs = await refsByName(on.engine);
    rename(on, ['Item 12', 'Item 3']);
    expect(await failureOf(nameOf(on, refs.get('Item 1') ?? ''))).toMatchObject({ code: 'STALE_REF' });
  });

  it('nor is a button in it', async () => {
    const on = await stage(oneWindow(people('Alice', 'Bob')));
    const { tree } = await snapshot(on.engine);
    const [first, second] = flatten(tree).filter(({ name }) => name === 'Delete');
    rename(on, ['Bob', 'Carol']);
    for (const { ref = '' } of [first ?? {}, second ?? {}])
      expect(await failureOf(on.engine.click({ ...DEADLINE, ref }))).toMatchObject({
        code: 'STALE_REF',
        delivered: false,
      });
  });

  it('is the row while it exists, whatever happens around it', async () => {
    const on = await stage(oneWindow(people('Alice', 'Bob', 'Carol')));
    const refs = await refsByName(on.engine);
    on.world.remove('app', 'row-0');
    on.world.insert('app', 'win-root', button('new', 'New'), 0);
    expect(await nameOf(on, refs.get('Bob') ?? '')).toBe('Bob');
  });

  it('is found again after it was recreated, while rows appear or disappear beside it', async () => {
    const on = await stage(oneWindow([fresh(0, 'Home', 'Desk', 'Documents', 'Pictures', 'Music', 'Trash')]));
    const refs = await refsByName(on.engine);
    anew(on, 1, 'Home', 'Desk', 'Documents', 'report.txt', 'budget.ods', 'Pictures', 'Music', 'Trash');
    for (const name of ['Documents', 'Pictures', 'Music'])
      expect(await nameOf(on, refs.get(name) ?? '')).toBe(name);
  });

  it('is not a namesake elsewhere, nor one of two', async () => {
    const on = await stage(oneWindow([fresh(0, 'Home', 'Desk', 'Documents', 'Pictures', 'Music', 'Trash')]));
    const refs = await refsByName(on.engine);
    anew(on, 1, 'Pictures', 'Home', 'Desk', 'Documents', 'Music', 'Trash');
    expect(await failureOf(nameOf(on, refs.get('Pictures') ?? ''))).toMatchObject({ code: 'STALE_REF' });
    anew(on, 2, 'Home', 'Desk', 'Documents', 'Music', 'report.txt', 'Music', 'Trash');
    expect(await failureOf(nameOf(on, refs.get('Music') ?? ''))).toMatchObject({ code: 'AMBIGUOUS_TARGET' });
  });

  it('is not the row of the same name with the same neighbours in another branch', async () => {
    const rows = (round: number, open: string, before: string[], after: string[]): SimulatedNode => {
      const list = fresh(round, ...before, open, 'index', 'main', 'test', 'util', ...after, 'docs', 'README');
      for (const child of list.children ?? []) if (child.name === open) child.states = ['expanded'];
      return list;
    };
    const on = await stage(oneWindow([rows(0, 'src', ['lib'], [])]));
    const refs = await refsByName(on.engine);
    on.world.remove('app', 'list-0');
    on.world.insert('app', 'win-root', rows(1, 'lib', [], ['src']));
    expect(await failureOf(nameOf(on, refs.get('util') ?? ''))).toMatchObject({ code: 'STALE_REF' });
  });

  it('is identified by its content if the row has no name', async () => {
    const cells = (texts: string[]): SimulatedNode[] => [
      {
        id: 'table',
        role: 'table',
        children: texts.map((text, index) => ({
          id: `row-${index}`,
          role: 'listitem',
          children: [{ id: `text-${index}`, role: 'text', name: text }],
        })),
      },
    ];
    const on = await stage(oneWindow(cells(['Alice', 'Bob'])));
    const { tree } = await snapshot(on.engine);
    const alice = flatten(tree).find(({ role, name }) => role === 'listitem' && name === 'Alice');
    on.world.change('app', 'text-0', { name: 'Zoe' });
    expect(await failureOf(nameOf(on, alice?.ref ?? ''))).toMatchObject({ code: 'STALE_REF' });
  });
});

it('an item without a name is found where its old object says it is drawn now', () => {
  const cell = (path: string, y: number): TreeNode => ({
    handle: { app: ':1.1', path },
    role: 'cell',
    nativeRole: 'table cell',
    name: '',
    states: [],
    bounds: { x: 0, y, width: 90, height: 15 },
    slot: { container: '/tree', index: y / 15, count: 2 },
    children: [],
  });
  const tree = (...children: TreeNode[]): TreeNode => ({
    ...cell('/tree', 0),
    role: 'tree',
    slot: undefined,
    children,
  });
  const [before, after] = [tree(cell('/1', 0), cell('/2', 15)), tree(cell('/3', 0), cell('/4', 15))];
  const [, second = before] = before.children;
  const record = new TreeIndex(before).describe(second, 'x11:0x1');
  const now = new TreeIndex(after);
  expect(now.drawnAs(record, second)?.handle.path).toBe('/4');
  // Scrolled up, above what is now at its old place.
  expect(now.drawnAs(record, cell('/2', 0))?.handle.path).toBe('/3');
  expect(now.drawnAs(record, { ...second, bounds: undefined })).toBeUndefined();
  expect(now.drawnAs(record, { ...second, name: 'Other' })).toBeUndefined();
  expect(new TreeIndex(tree(cell('/5', 15), cell('/6', 15))).drawnAs(record, second)).toBeUndefined();
});

it('a ref in a sub-tree reading knows its row', async () => {
  const on = await stage(
    oneWindow([
      {
        id: 'row',
        role: 'listitem',
        name: 'Alice',
        children: [{ id: 'box', role: 'group', name: 'Actions', children: [button('delete', 'Delete')] }],
      },
    ]),
  );
  const found = await on.engine.find({
    ...DEADLINE,
    by: 'exact',
    query: 'Actions',
    limit: 1,
    wholeTree: false,
  });
  const refs = await refsByName(on.engine, { root: found.matches[0]?.ref });
  on.world.change('app', 'row', { name: 'Bob' });
  expect(await failureOf(nameOf(on, refs.get('Delete') ?? ''))).toMatchObject({ code: 'STALE_REF' });
});

it('a ref that was never issued says so, an invalid one is an invalid argument, and a stored one works later', async () => {
  const on = await form();
  expect(await failureOf(nameOf(on, '@e99'))).toMatchObject({ code: 'ELEMENT_NOT_FOUND' });
  expect(await failureOf(nameOf(on, '@w1'))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(await failureOf(nameOf(on, 'OK'))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  const ref = await refOf(on.engine, 'OK');
  const later = await stage(oneWindow(structuredClone(FORM)), on.store);
  expect(await nameOf(later, ref)).toBe('OK');
});
