import { describe, expect, it } from 'vitest';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { click, pressing, STATUS } from './support/acting.ts';
import { oneWindow, stage } from './support/stage.ts';

function press(world: SimulatedWorld): void {
  world.change('app', 'go', { states: ['pressed'] });
}

describe('a button that is reported as pressed', () => {
  it('confirms the click at once if that means that it was switched on', async () => {
    const on = await stage(oneWindow([pressing(press, { staysPressed: true }), { ...STATUS }]));
    const receipt = await click(on);
    expect(receipt).toMatchObject({
      effect: 'confirmed',
      changes: [{ kind: 'changed', name: 'Go', before: 'none', after: 'pressed' }],
    });
    expect(receipt.duration_ms).toBeLessThan(400);
  });

  it('also if a text changes with it, which might go on changing', async () => {
    const both = pressing((world) => (press(world), world.change('app', 'status', { name: 'Bold on' })), {
      staysPressed: true,
    });
    const receipt = await click(await stage(oneWindow([both, { ...STATUS }])));
    expect(receipt.effect).toBe('confirmed');
    expect(receipt.duration_ms).toBeLessThan(400);
  });

  it('proves nothing if it may merely be held down', async () => {
    const receipt = await click(await stage(oneWindow([pressing(press)])));
    expect(receipt.effect).toBe('unverified');
    expect(receipt.changes ?? []).toEqual([]);
  });

  it('confirms no item of a menu beside the content of its window, which releases what opened it', async () => {
    const opener: SimulatedNode = {
      id: 'opener',
      role: 'button',
      name: 'Tools',
      states: ['pressed'],
      staysPressed: true,
    };
    const item = pressing(
      (world) => {
        world.change('app', 'opener', { states: [] });
        world.node('app', 'win-root').children = [world.node('app', 'opener')];
        world.emit('app', 'win-root', 'children-changed', 'remove');
      },
      { role: 'menuitem' },
    );
    const menu: SimulatedNode = { id: 'menu', role: 'menu', children: [item] };
    expect((await click(await stage(oneWindow([opener, menu])))).effect).toBe('unverified');
  });
});
