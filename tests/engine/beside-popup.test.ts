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
