import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import type { SimulatedWorld } from '../simulated/simulated-world.ts';
import { every, pressing, STATUS } from './support/acting.ts';
import { button, DEADLINE, oneWindow, refOf, stage, type Stage } from './support/stage.ts';

/** Longer than a tick of whatever shows seconds. */
const LONG_MS = 1200;

let count = 0;
const counting = pressing((world) => world.change('app', 'status', { name: `${count++} files` }));

async function timed(on: Stage, name = 'Go'): Promise<{ receipt: Receipt; ms: number }> {
  const ref = await refOf(on.engine, name);
  const began = on.world.clock.now();
  const receipt = await on.engine.click({ ...DEADLINE, ref });
  return { receipt, ms: on.world.clock.now() - began };
}

async function pause(on: Stage, ms: number): Promise<void> {
  await on.world.clock.sleep(ms);
}

describe('a number elsewhere that changes', () => {
  it('confirms a click at once if it has been quiet before', async () => {
    const on = await stage(oneWindow([{ ...STATUS }, counting]));
    await refOf(on.engine, 'Go');
    await pause(on, LONG_MS);
    const { receipt, ms } = await timed(on);
    expect(receipt.effect).toBe('confirmed');
    expect(ms).toBeLessThan(60);
  });

  it('is watched after the click if the application has only just been read', async () => {
    const on = await stage(oneWindow([{ ...STATUS }, counting]));
    const { receipt, ms } = await timed(on);
    expect(receipt.effect).toBe('confirmed');
    expect(ms).toBeGreaterThan(1100);
  });

  it('is watched no longer than it was quiet if only the click before changed it', async () => {
    const on = await stage(oneWindow([{ ...STATUS }, counting]));
    await refOf(on.engine, 'Go');
    await pause(on, LONG_MS);
    await timed(on);
    await pause(on, 200);
    const { receipt, ms } = await timed(on);
    expect(receipt.effect).toBe('confirmed');
    expect(ms).toBeGreaterThan(250);
    expect(ms).toBeLessThan(600);
  });

  it('does not confirm a dead button whose predecessor set it ticking', async () => {
    for (const beatMs of [150, 300, 700, 1000]) {
      const start = pressing((world) =>
        every(world, beatMs, 0, (beat) => world.change('app', 'status', { name: `${beat} s` })),
      );
      const on = await stage(oneWindow([{ ...STATUS }, start, button('dead', 'Dead')]));
      await refOf(on.engine, 'Go');
      await pause(on, LONG_MS);
      const began = on.world.clock.now();
      expect((await timed(on)).receipt.effect).toBe('confirmed');
      const dead = await refOf(on.engine, 'Dead');
      // The next tick comes just after the click.
      await pause(on, beatMs - ((on.world.clock.now() - began) % beatMs) - 10);
      const receipt = await on.engine.click({ ...DEADLINE, ref: dead });
      expect(receipt.effect).toBe('unverified');
    }
  });

  it('does not confirm a dead button by a clock that was started while it was clicked', async () => {
    for (const [beatMs, firstMs] of [
      [90, 150],
      [700, 200],
      [700, 690],
    ] as const) {
      const on = await stage(oneWindow([{ ...STATUS }, button('dead', 'Dead')]));
      const ref = await refOf(on.engine, 'Dead');
      await pause(on, LONG_MS);
      every(on.world, beatMs, firstMs, (beat) => on.world.change('app', 'status', { name: `${beat} s` }));
      expect((await on.engine.click({ ...DEADLINE, ref })).effect).toBe('unverified');
    }
  });

  it('does not confirm a dead button by a clock that has long been running', async () => {
    for (const beatMs of [60, 250, 1000]) {
      const on = await stage(oneWindow([{ ...STATUS }, button('dead', 'Dead')]));
      const ref = await refOf(on.engine, 'Dead');
      every(on.world, beatMs, 10, (beat) => on.world.change('app', 'status', { name: `${beat} s` }));
      await pause(on, LONG_MS);
      expect((await on.engine.click({ ...DEADLINE, ref })).effect).toBe('unverified');
    }
  });
});

describe('something new elsewhere', () => {
  it('does not confirm a dead button: a log that grows has new elements all the time', async () => {
    for (const beatMs of [300, 1000]) {
      const log = { id: 'log', role: 'list' as const, name: 'Log', children: [] };
      const on = await stage(oneWindow([log, button('dead', 'Dead')]));
      const ref = await refOf(on.engine, 'Dead');
      every(on.world, beatMs, 10, (beat) => {
        on.world.insert('app', 'log', { id: `line-${beat}`, role: 'text', name: `line ${beat}` });
        on.world.emit('app', `line-${beat}`, 'state-changed', 'showing=1');
      });
      await pause(on, 3 * LONG_MS);
      expect((await on.engine.click({ ...DEADLINE, ref })).effect).toBe('unverified');
    }
  });

  it('does not confirm a dead button by a clock that the act before started', async () => {
    for (const beatMs of [300, 1000]) {
      const start = pressing((world) =>
        every(world, beatMs, beatMs, (beat) => world.change('app', 'status', { name: `0:0${beat + 1}` })),
      );
      const status = { ...STATUS, name: '0:00' };
      const on = await stage(oneWindow([status, start, button('dead', 'Dead')]));
      const dead = await refOf(on.engine, 'Dead');
      const go = await refOf(on.engine, 'Go');
      await pause(on, LONG_MS);
      const began = on.world.clock.now();
      await on.engine.click({ ...DEADLINE, ref: go });
      await pause(on, beatMs - ((on.world.clock.now() - began) % beatMs) - 10);
      expect((await on.engine.click({ ...DEADLINE, ref: dead })).effect).toBe('unverified');
    }
  });
});

describe('what still comes of an act that was answered at once', () => {
  it('is not taken for an effect of the next act', async () => {
    const slow = pressing((world) => {
      world.change('app', 'status', { name: 'Working' });
      world.clock.after(60, () => world.change('app', 'other', { name: 'Stopped' }));
    });
    const on = await stage(oneWindow([{ ...STATUS }, slow, button('other', 'Stop'), button('dead', 'Dead')]));
    const dead = await refOf(on.engine, 'Dead');
    await pause(on, LONG_MS);
    const first = await timed(on);
    expect(first.receipt.effect).toBe('confirmed');
    expect(first.ms).toBeLessThan(60);
    expect((await on.engine.click({ ...DEADLINE, ref: dead })).effect).toBe('unverified');
  });
});

it('a clock is not taken for what acts in a row did, each of which a tick follows', async () => {
  const two = [button('dead', 'Dead'), button('other', 'Other')];
  const on = await stage(oneWindow([{ ...STATUS }, ...two], { activationDelayMs: 200 }));
  const refs = [await refOf(on.engine, 'Dead'), await refOf(on.engine, 'Other')];
  await pause(on, LONG_MS);
  const began = on.world.clock.now();
  every(on.world, 1000, 1000, (beat) => on.world.change('app', 'status', { name: `${beat} s` }));
  const effects: string[] = [];
  for (let act = 0; act < 4; act++) {
    // More than a tick after the act before was asked for, and less than one after the clock changed.
    await pause(on, 1000 - ((on.world.clock.now() - began + 230) % 1000));
    effects.push((await on.engine.click({ ...DEADLINE, ref: refs[act % 2] ?? '' })).effect);
  }
  // Nobody can know that the first tick is not an effect.
  expect(effects).toEqual(['confirmed', 'unverified', 'unverified', 'unverified']);
});

it('a box that stops a clock is not known to start none', async () => {
  const toggle = (world: SimulatedWorld): void => {
    const isOn = world.node('app', 'pause').states?.includes('checked') === true;
    world.change('app', 'pause', { states: isOn ? [] : ['checked'] });
  };
  const box = button('pause', 'Pause', { role: 'checkbox', states: [], onPress: toggle });
  const on = await stage(oneWindow([{ ...STATUS }, box, button('dead', 'Dead')]));
  const pauseRef = await refOf(on.engine, 'Pause');
  const dead = await refOf(on.engine, 'Dead');
  await pause(on, LONG_MS);
  await on.engine.click({ ...DEADLINE, ref: pauseRef });
  await pause(on, 3 * LONG_MS);
  await on.engine.click({ ...DEADLINE, ref: pauseRef });
  every(on.world, 1000, 500, (beat) => on.world.change('app', 'status', { name: `${beat} s` }));
  await pause(on, 470);
  expect((await on.engine.click({ ...DEADLINE, ref: dead })).effect).toBe('unverified');
});
