import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import type { Bounds } from '../../src/model/tree/bounds.ts';
import type { PointContent, PointOptions } from '../../src/ports/desktop/elements.ts';
import type { Point } from '../../src/ports/input.ts';
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

const BESIDE = [
  ['under it', { x: 10, y: 240, width: 200, height: 160 }],
  ['over it', { x: 10, y: 40, width: 200, height: 160 }],
] as const;

/** @param takesClick whether the popup takes the next click, as menus do and tooltips do not */
async function clickButton(opens: Bounds, takesClick: boolean, before?: Bounds): Promise<Receipt> {
  const open = (world: SimulatedWorld): void => {
    for (const window of world.apps[0]?.windows ?? []) window.popup = opens;
  };
  const bounds = { x: 10, y: 200, width: 80, height: 40 };
  const mode = button('mode', 'Normal', { bounds, actions: [], onPointer: { left: open } });
  const on = await stage([app({ windows: [windowWith([mode], before && { popup: before })] })]);
  const contentAt = on.desktop.contentAt.bind(on.desktop);
  const hasPopup = (): boolean => on.world.apps[0]?.windows[0]?.popup !== undefined;
  const answer = async (point: Point, options: PointOptions): Promise<PointContent> => {
    const content = await contentAt(point);
    const isBehindMenu = options.menus === true && takesClick && before === undefined && hasPopup();
    return isBehindMenu && !content.isPopup ? { ...content, isBehindMenu } : content;
  };
  Object.assign(on.desktop, { contentAt: answer });
  const ref = await refOf(on.engine, 'Normal');
  return on.engine.click({ ...DEADLINE, ref, mode: 'pointer' });
}

describe('a menu of a button that is in no tree', () => {
  it.each(BESIDE)('confirms the click if it opened %s', async (_where, opens) => {
    expect(await clickButton(opens, true)).toMatchObject({
      effect: 'confirmed',
      evidence: [expect.stringContaining('popup')],
    });
  });

  it.each(BESIDE)(
    'proves nothing %s if it does not take the next click, as a tooltip',
    async (_where, opens) => {
      expect((await clickButton(opens, false)).effect).toBe('unverified');
    },
  );

  it('proves nothing elsewhere, or if it was there before', async () => {
    const [[, under]] = BESIDE;
    expect((await clickButton(ELSEWHERE, true)).effect).toBe('unverified');
    expect((await clickButton(under, true, under)).effect).toBe('unverified');
  });
});
