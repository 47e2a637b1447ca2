import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { app, button, DEADLINE, failureOf, refOf, stage, windowWith } from './support/stage.ts';

type Run = (world: SimulatedWorld) => void;

const box = (y: number): SimulatedNode['bounds'] => ({ x: 10, y, width: 90, height: 20 });
const inside = (id: string, name: string): SimulatedNode => ({ id, role: 'button', name, bounds: box(200) });
const popover = (more: Partial<SimulatedNode> = {}): SimulatedNode => ({
  id: 'popover',
  role: 'generic',
  name: '',
  states: ['modal'],
  bounds: box(200),
  children: [inside('rename', 'Rename')],
  ...more,
});
const menu = popover({
  role: 'menu',
  states: [],
  children: [{ ...inside('rename', 'Rename'), role: 'menuitem' }],
});
const opener: SimulatedNode = {
  id: 'opener',
  role: 'togglebutton',
  name: 'Options',
  states: ['pressed'],
  bounds: box(100),
};

const closes: Run = (world) => {
  world.remove('app', 'popover');
  world.change('app', 'opener', { states: [] });
};
const works: Run = (world) => {
  closes(world);
  world.change('app', 'status', { name: 'Done' });
};

async function click(left: Run, popup: SimulatedNode, name = 'Go'): Promise<Receipt> {
  const go = button('go', 'Go', { onPointer: { left } });
  const status: SimulatedNode = { id: 'status', role: 'link', name: 'Ready' };
  const nodes = [go, { ...opener, onPointer: { left } }, status, popup];
  const { engine } = await stage([app({ windows: [windowWith(nodes)] })]);
  return engine.click({ ...DEADLINE, mode: 'pointer', ref: await refOf(engine, name) });
}

describe('a click beside what is open', () => {
  it('is told to have closed it if a check box stays as it was', async () => {
    const box = button('go', 'Go', { role: 'checkbox', onPointer: { left: closes } });
    const nodes = [box, { ...opener }, popover()];
    const { engine } = await stage([app({ windows: [windowWith(nodes)] })]);
    const ref = await refOf(engine, 'Go');
    const failed = await failureOf(engine.click({ ...DEADLINE, mode: 'pointer', ref }));
    const evidence = expect.arrayContaining(['a menu or popover beside it closed, which took the click']);
    expect(failed).toMatchObject({ code: 'ACTION_FAILED', result: { effect: 'partial', evidence } });
  });

  it.each([
    ['a popover', popover()],
    ['a menu', menu],
  ])('is not confirmed by the closing of %s, which comes of any click', async (_what, popup) => {
    const receipt = await click(closes, popup);
    expect(receipt.effect).toBe('unverified');
    expect(receipt.evidence.join()).toContain('beside it closed');
    expect(receipt.changes).toContainEqual({
      kind: 'disappeared',
      role: expect.any(String) as string,
      name: 'Rename',
    });
  });

  it('is confirmed by what it brings about besides', async () => {
    expect((await click(works, popover())).effect).toBe('confirmed');
  });

  it('is confirmed by the closing if it hit what had opened it', async () => {
    expect((await click(closes, popover(), 'Options')).effect).toBe('confirmed');
  });
});

describe('a click at a place, and a drag, beside what is open', () => {
  const item = (bounds: SimulatedNode['bounds']): SimulatedNode => ({
    id: 'cut',
    role: 'menuitem',
    name: 'Cut',
    ...(bounds === undefined ? {} : { bounds }),
  });
  /** Wayland tells nobody where it is. */
  const somewhere = (role: SimulatedNode['role'], child: SimulatedNode): SimulatedNode => ({
    id: 'popover',
    role,
    name: '',
    children: [child],
  });
  const box4: SimulatedNode = {
    id: 'popover',
    role: 'combobox',
    name: 'Colour',
    bounds: box(100),
    children: [
      { id: 'arrow', role: 'togglebutton', name: 'Arrow', states: ['pressed'], bounds: box(100) },
      { id: 'red', role: 'option', name: 'red', bounds: box(140) },
    ],
  };
  const dropsUp: Run = (world) => {
    world.change('app', 'arrow', { states: [] });
    world.remove('app', 'red');
  };
  const removes: Run = (world) => world.remove('app', 'popover');
  const go = { x: 50, y: 25 };

  async function at(point: { x: number; y: number }, left: Run, popup: SimulatedNode): Promise<Receipt> {
    const nodes = [button('go', 'Go', { onPointer: { left } }), popup];
    for (const each of [popup, ...(popup.children ?? [])])
      if (each.bounds !== undefined) each.onPointer = { left };
    const { engine } = await stage([app({ windows: [windowWith(nodes)] })]);
    return engine.mouse.click({ ...DEADLINE, point, button: 'left', count: 1 });
  }

  it.each([
    ['a menu with no place', somewhere('menu', item(undefined)), removes],
    ['a list with no place', somewhere('listbox', { ...item(undefined), role: 'option' }), removes],
    ['the list of a combo box of GTK 4', structuredClone(box4), dropsUp],
  ])('are not confirmed by the closing of %s', async (_what, popup, closing) => {
    const receipt = await at(go, closing, popup);
    expect(receipt.effect).toBe('unverified');
    expect(receipt.evidence.join()).toContain('beside it closed');
  });

  it('is confirmed by the closing if what had opened it is there', async () => {
    expect((await at({ x: 50, y: 110 }, dropsUp, structuredClone(box4))).effect).toBe('confirmed');
  });

  it('is not confirmed by it if an item is there: its list closes whatever that does', async () => {
    expect((await at({ x: 50, y: 150 }, dropsUp, structuredClone(box4))).effect).toBe('unverified');
  });

  it('is not confirmed by it if something is dragged', async () => {
    const popup = somewhere('menu', item(undefined));
    const nodes = [button('go', 'Go', { onPointer: { left: removes } }), popup];
    const { engine } = await stage([app({ windows: [windowWith(nodes)] })]);
    const to = { point: { x: 60, y: 28 } };
    const receipt = await engine.drag({ ...DEADLINE, from: { point: go }, to, durationMs: 50 });
    expect(receipt.effect).toBe('unverified');
  });
});
