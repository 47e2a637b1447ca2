import { describe, expect, it } from 'vitest';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { DEADLINE, oneWindow, stage, type Stage } from './support/stage.ts';

const down = { ...DEADLINE, direction: 'down', amount: 100, app: 'Editor' } as const;

/** A window with two buttons and a scrolled element, which runs `onWheel`. */
function over(onWheel: SimulatedNode['onWheel']): Promise<Stage> {
  const buttons = ['One', 'Two'].map((name, index): SimulatedNode => {
    return { id: name, role: 'button', name, bounds: { x: index * 90, y: 520, width: 80, height: 20 } };
  });
  const bounds = { x: 0, y: 0, width: 800, height: 500 };
  return stage(oneWindow([{ id: 'area', role: 'textbox', name: 'Text', bounds, onWheel }, ...buttons]));
}

describe('scrolling without movement', () => {
  it('is no failure if other elements are in view than before', async () => {
    const on = await over((world) => world.remove('app', 'area'));
    const receipt = await on.engine.scroll(down);
    expect(receipt).toMatchObject({ delivered: true, retry_safe: false });
    expect(receipt.effect).not.toBe('no_op');
  });

  it('is no failure if the page moves only some time later, with no event', async () => {
    const on = await over((world) => {
      world.clock.after(600, () => {
        for (const [index, name] of ['One', 'Two'].entries())
          world.node('app', name).bounds = { x: index * 90, y: 420, width: 80, height: 20 };
      });
    });
    expect((await on.engine.scroll(down)).effect).toBe('confirmed');
  });

  it('is no failure if a scroll bar reported that it moved', async () => {
    const on = await over((world) => world.emit('app', 'area', 'value-changed', 'accessible-value'));
    expect(await on.engine.scroll(down)).toMatchObject({ effect: 'unverified', retry_safe: false });
  });
});
