import { expect, it } from 'vitest';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { DEADLINE, oneWindow, stage } from './support/stage.ts';

const FIND = { ...DEADLINE, by: 'auto', limit: 5, wholeTree: false } as const;

it('every answer has the role that snapshots show: what opens a menu is a menu item', async () => {
  const recent: SimulatedNode = {
    id: 'recent',
    role: 'menu',
    name: 'Recent',
    actions: ['click'],
    children: [],
  };
  const file: SimulatedNode = {
    id: 'file',
    role: 'menu',
    name: 'File',
    actions: ['click'],
    children: [recent],
  };
  const popup: SimulatedNode = { id: 'popup', role: 'menu', name: 'Popup', children: [] };
  const on = await stage(oneWindow([{ id: 'bar', role: 'menubar', name: '', children: [file] }, popup]));
  for (const [name, role] of [
    ['File', 'menuitem'],
    ['Recent', 'menuitem'],
    ['Popup', 'menu'],
  ] as const) {
    const found = await on.engine.find({ ...FIND, query: name });
    expect(found.matches).toMatchObject([{ role }]);
    const ref = found.matches[0]?.ref ?? '';
    expect((await on.engine.describe({ ...DEADLINE, ref })).node.role).toBe(role);
  }
  const { matches } = await on.engine.find({ ...FIND, query: 'File' });
  expect((await on.engine.click({ ...DEADLINE, ref: matches[0]?.ref ?? '' })).target.role).toBe('menuitem');
});

it('a row of a list is a list item, which is named by its text and has a reference; a row of a table is none', async () => {
  const row = (id: string, name: string): SimulatedNode => ({
    id,
    role: 'row',
    name: 'Gjs_SidebarRow',
    actions: [],
    children: [{ id: `text ${id}`, role: 'text', name }],
  });
  const list: SimulatedNode = {
    id: 'list',
    role: 'list',
    name: 'Places',
    children: [row('row', 'Activities')],
  };
  const table: SimulatedNode = {
    id: 'table',
    role: 'table',
    name: 'Sizes',
    children: [row('other', 'Objects')],
  };
  const on = await stage(oneWindow([list, table]));
  const item = await on.engine.find({ ...FIND, query: 'Activities' });
  expect(item.matches).toMatchObject([{ role: 'listitem', name: 'Activities' }]);
  expect((await on.engine.describe({ ...DEADLINE, ref: item.matches[0]?.ref ?? '' })).node.role).toBe(
    'listitem',
  );
  const other = await on.engine.find({ ...FIND, query: 'Objects' });
  expect(other.matches.map(({ role }) => role)).toEqual(['text']);
});
