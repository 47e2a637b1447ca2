import { describe, expect, it } from 'vitest';
import { guardPasswords } from '../../src/engine/redaction/guard-passwords.ts';
import type { Receipt } from '../../src/model/effects/effect.ts';
import type { SimulatedNode, SimulatedWindow, SimulatedWorld } from '../simulated/simulated-world.ts';
import { rememberAct, type PriorAct } from '../../src/engine/evidence/prior-acts.ts';
import { app, button, DEADLINE, refOf, stage, windowWith } from './support/stage.ts';

type Run = (world: SimulatedWorld) => void;

const PAGE = { x: 0, y: 0, width: 300, height: 300 };

function row(name: string, y: number, press?: Run): SimulatedNode {
  const bounds = { x: 0, y, width: 300, height: 40 };
  return {
    id: name,
    role: 'listitem',
    name,
    states: ['selectable'],
    bounds,
    onPress: press ?? (() => undefined),
  };
}

const goTo =
  (name: string): Run =>
  (world) =>
    world.change('app', 'address', { name });

/** A list with a row that does something when it is clicked, and one beside it. */
async function select(press: Run, other?: SimulatedWindow, prior?: PriorAct): Promise<Receipt> {
  const list: SimulatedNode = {
    id: 'list',
    role: 'list',
    bounds: PAGE,
    children: [row('Fonts', 0, press), row('Sounds', 40)],
  };
  const own = windowWith([
    { id: 'stack', role: 'group', bounds: PAGE, children: [list] },
    button('address', 'Trash'),
  ]);
  const on = await stage([app({ windows: [...(other === undefined ? [] : [other]), own] })]);
  if (prior !== undefined)
    rememberAct(guardPasswords(on.desktop), 'app', { ...prior, sentAt: on.world.clock.now() });
  return on.engine.select({ ...DEADLINE, ref: await refOf(on.engine, 'Fonts'), option: undefined });
}

const openWindow: Run = (world) => {
  world.apps[0]?.windows.push(windowWith([], { id: 'fonts', title: 'All fonts' }));
  world.emit('app', 'fonts-root', 'window-opened', '');
};

const showPage: Run = (world) => {
  world.node('app', 'stack').children = [{ id: 'page', role: 'text', name: 'A font', bounds: PAGE }];
  world.emit('app', 'stack', 'children-changed', 'remove');
};

/** A page that slides over the list, which is told of as before. */
const slidePage =
  (title: string): Run =>
  (world) => {
    const children: SimulatedNode[] = [
      { id: 'title', role: 'text', name: title },
      button('back', 'Back', { bounds: { x: 0, y: 400, width: 80, height: 20 } }),
    ];
    world.node('app', 'stack').children?.push({ id: 'page', role: 'group', children });
    world.emit('app', 'stack', 'children-changed', 'add');
  };

const addText: Run = (world) => {
  world.node('app', 'stack').children?.push({ id: 'page', role: 'text', name: 'A font' });
  world.emit('app', 'stack', 'children-changed', 'add');
};

const selectNeighbour: Run = (world) => world.change('app', 'Sounds', { states: ['selectable', 'selected'] });

describe('a row that opens something instead of staying selected', () => {
  it.each([
    ['a window', openWindow, 'window opened: "All fonts"'],
    ['a page in place of the list', showPage, 'text "A font" appeared'],
  ] as const)('is confirmed by %s, and says so', async (_what, press, evidence) => {
    const receipt = await select(press);
    expect(receipt).toMatchObject({ effect: 'confirmed', retry_safe: false });
    expect(receipt.evidence).toContain(evidence);
    expect(receipt.evidence.join()).toContain('did not stay selected');
  });

  it('is confirmed by a page over the list that has its name, and by no other one', async () => {
    const receipt = await select(slidePage('Fonts'));
    expect(receipt).toMatchObject({ effect: 'confirmed', retry_safe: false });
    expect(receipt.evidence.join()).toContain('did not stay selected');
    expect((await select(slidePage('News'))).effect).toBe('unverified');
  });

  it('is confirmed by the button that names the place that was gone to', async () => {
    const receipt = await select(goTo('Fonts'));
    expect(receipt).toMatchObject({ effect: 'confirmed', retry_safe: false });
    expect(receipt.evidence.join()).toContain('button "Fonts" changed from name "Trash" to name "Fonts"');
  });

  it('but not if that names another place, or its neighbour was selected', async () => {
    expect((await select(goTo('Sounds'))).effect).toBe('unverified');
    const receipt = await select((world) => (selectNeighbour(world), goTo('Fonts')(world)));
    expect(receipt.effect).toBe('unverified');
  });

  it('is not confirmed by what changed beside the list', async () => {
    expect((await select(addText)).effect).toBe('unverified');
  });

  it('is not confirmed by another window that closed', async () => {
    const closeOther: Run = (world) => {
      world.apps[0]?.windows.splice(0, 1);
      world.emit('app', 'win-root', 'window-closed', '');
    };
    expect((await select(closeOther, windowWith([], { id: 'splash', title: 'Welcome' }))).effect).toBe(
      'unverified',
    );
  });

  it('is not confirmed by a page that may be the late answer to the act before', async () => {
    const prior = { sentAt: 0, changed: new Set<string>(), isOpen: true };
    expect((await select(showPage, undefined, prior)).effect).toBe('unverified');
  });

  it('is not confirmed if its neighbour was selected', async () => {
    const receipt = await select((world) => (selectNeighbour(world), openWindow(world)));
    expect(receipt.effect).toBe('unverified');
  });
});
