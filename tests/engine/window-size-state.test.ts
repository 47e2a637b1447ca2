import { describe, expect, it } from 'vitest';
import { parseKeyCombination } from '../../src/model/text/key-combination.ts';
import type { SimulatedWorld } from '../simulated/simulated-world.ts';
import { click, DEAD, pressing } from './support/acting.ts';
import { app, DEADLINE, oneWindow, stage, windowWith } from './support/stage.ts';

function maximize(world: SimulatedWorld): void {
  for (const window of world.apps[0]?.windows ?? []) window.maximized = true;
}

function redraw(world: SimulatedWorld): void {
  world.change('app', 'win-root', { bounds: { x: 0, y: 0, width: 1920, height: 1080 } });
}

const MAXIMIZED = {
  kind: 'changed',
  role: 'window',
  name: 'Document',
  before: 'neither minimized nor maximized',
  after: 'maximized',
};

describe('a window that is maximized', () => {
  it('confirms the click if its application reports the new size', async () => {
    const both = pressing((world) => (maximize(world), redraw(world)));
    expect(await click(await stage(oneWindow([both])))).toMatchObject({
      effect: 'confirmed',
      changes: [MAXIMIZED],
    });
  });

  it('confirms keys', async () => {
    const window = windowWith([], {
      focused: true,
      onKey: (world) => (maximize(world), redraw(world)),
    });
    const on = await stage([app({ windows: [window] })]);
    const receipt = await on.engine.press({ ...DEADLINE, keys: parseKeyCombination('F11') });
    expect(receipt.effect).toBe('confirmed');
  });

  it('ends the wait for an effect that comes late', async () => {
    const late = pressing((world) => world.clock.after(500, () => (maximize(world), redraw(world))));
    const receipt = await click(await stage(oneWindow([late])));
    expect(receipt).toMatchObject({ effect: 'confirmed', changes: [MAXIMIZED] });
    expect(receipt.duration_ms).toBeLessThan(900);
  });

  it('is told, but proves nothing alone', async () => {
    const receipt = await click(await stage(oneWindow([pressing(maximize)])));
    expect(receipt).toMatchObject({ effect: 'unverified', changes: [MAXIMIZED] });
    expect(receipt.evidence).not.toContain('nothing visible changed');
  });

  it('does not confirm an act in another window', async () => {
    const other = windowWith([{ ...DEAD }], { id: 'other', title: 'Other' });
    const on = await stage([app({ windows: [windowWith([]), other] })]);
    const { world } = on;
    world.clock.after(300, () => {
      for (const window of world.apps[0]?.windows ?? []) if (window.id === 'win') window.maximized = true;
      redraw(world);
    });
    expect((await click(on, 'Dead')).effect).toBe('unverified');
  });
});
