import { describe, expect, it } from 'vitest';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { click, DEAD, every, pressing, STATUS } from './support/acting.ts';
import { oneWindow, refOf, stage, type Stage } from './support/stage.ts';

const CELLS = 12;
/** Longer than a tick of whatever shows seconds. */
const LONG_MS = 1200;

const processes = (): SimulatedNode => ({
  id: 'processes',
  role: 'table',
  name: 'Processes',
  children: Array.from({ length: CELLS }, (_, at) => ({ id: `cpu-${at}`, role: 'cell', name: '0%' })),
});

/** Each time another process is busy, so that no cell changes twice within a tick. */
function refresh({ world }: Stage, beatMs: number, beside: (beat: number) => void = () => undefined): void {
  every(world, beatMs, 30, (beat) => {
    const cell = `cpu-${(beat * 5) % CELLS}`;
    world.change('app', cell, { name: `${beat + 1}%` });
    beside(beat);
  });
}

describe('a list whose items change in turn', () => {
  it.each([250, 400, 750, 1000])('every %i ms confirms no dead button', async (beatMs) => {
    for (const beginsMs of [0, 130, 700, LONG_MS]) {
      const on = await stage(oneWindow([processes(), { ...DEAD }]));
      await refOf(on.engine, 'Dead');
      await on.world.clock.sleep(LONG_MS);
      refresh(on, beatMs);
      await on.world.clock.sleep(beginsMs + beatMs);
      expect(await click(on, 'Dead')).toMatchObject({ effect: 'unverified' });
    }
  });

  it('confirms none by the number beside it that is refreshed with it, only now and then', async () => {
    const on = await stage(oneWindow([processes(), { ...STATUS, name: '173 processes' }, { ...DEAD }]));
    await refOf(on.engine, 'Dead');
    refresh(on, 750, (beat) => {
      if (beat % 4 === 2) on.world.change('app', 'status', { name: `${beat} processes` });
    });
    await on.world.clock.sleep(LONG_MS + 300);
    expect(await click(on, 'Dead')).toMatchObject({ effect: 'unverified' });
  });

  it('hides no effect on one of its items, nor what the button does elsewhere', async () => {
    const selecting = pressing((world) => world.change('app', 'cpu-3', { states: ['selected'] }));
    const renaming = pressing((world) => world.change('app', 'status', { name: 'Stopped' }));
    for (const button of [selecting, renaming]) {
      const on = await stage(oneWindow([processes(), { ...STATUS }, button]));
      await refOf(on.engine, 'Go');
      refresh(on, 750);
      await on.world.clock.sleep(LONG_MS);
      expect(await click(on)).toMatchObject({ effect: 'confirmed' });
    }
  });

  it('that is quiet otherwise confirms what fills it, at once', async () => {
    const filling = pressing((world) => {
      for (let at = 0; at < CELLS; at++) world.change('app', `cpu-${at}`, { name: 'busy' });
    });
    const on = await stage(oneWindow([processes(), filling]));
    await refOf(on.engine, 'Go');
    await on.world.clock.sleep(LONG_MS);
    const began = on.world.clock.now();
    expect(await click(on)).toMatchObject({ effect: 'confirmed' });
    expect(on.world.clock.now() - began).toBeLessThan(60);
  });
});
