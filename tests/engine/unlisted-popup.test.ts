import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import type { Bounds } from '../../src/model/tree/bounds.ts';
import type { SimulatedWorld } from '../simulated/simulated-world.ts';
import { app, button, DEADLINE, refOf, stage, windowWith } from './support/stage.ts';

const AT_POINTER = { x: 50, y: 25, width: 200, height: 260 };
/** Under the button of the stage. */
const UNDER_IT = { x: 10, y: 40, width: 200, height: 260 };
const ELSEWHERE = { x: 400, y: 300, width: 200, height: 260 };

async function rightClick(opens: Bounds | undefined, before?: Bounds): Promise<Receipt> {
  const open = (world: SimulatedWorld): void => {
    for (const window of world.apps[0]?.windows ?? []) if (opens !== undefined) window.popup = opens;
  };
  const field = button('go', 'Go', { role: 'textbox', onPointer: { right: open } });
  const on = await stage([app({ windows: [windowWith([field], before && { popup: before })] })]);
  const ref = await refOf(on.engine, 'Go');
  return on.engine.gesture({ ...DEADLINE, gesture: 'right-click', ref });
}

describe('a context menu that is in no tree', () => {
  it('confirms the right-click where it opened', async () => {
    expect(await rightClick(AT_POINTER)).toMatchObject({
      effect: 'confirmed',
      evidence: [expect.stringContaining('popup')],
    });
  });

  it('proves nothing elsewhere, or if it was there before', async () => {
    expect((await rightClick(ELSEWHERE)).effect).toBe('unverified');
    expect((await rightClick(AT_POINTER, AT_POINTER)).effect).toBe('unverified');
    expect((await rightClick(undefined)).effect).toBe('unverified');
  });
});

async function clickMenu(opens: Bounds | undefined, before?: Bounds): Promise<Receipt> {
  const open = (world: SimulatedWorld): void => {
    for (const window of world.apps[0]?.windows ?? []) if (opens !== undefined) window.popup = opens;
  };
  const item = button('file', 'File', { role: 'menuitem', onPointer: { left: open } });
  const on = await stage([app({ windows: [windowWith([item], before && { popup: before })] })]);
  const ref = await refOf(on.engine, 'File');
  return on.engine.click({ ...DEADLINE, ref, mode: 'pointer' });
}

describe('a menu that is in no tree', () => {
  it('confirms the click on its title, under which it opened', async () => {
    expect(await clickMenu(UNDER_IT)).toMatchObject({
      effect: 'confirmed',
      evidence: [expect.stringContaining('popup')],
    });
  });

  it('proves nothing elsewhere, or if it was there before', async () => {
    expect((await clickMenu(ELSEWHERE)).effect).toBe('unverified');
    expect((await clickMenu(UNDER_IT, UNDER_IT)).effect).toBe('unverified');
    expect((await clickMenu(undefined)).effect).toBe('unverified');
  });
});
