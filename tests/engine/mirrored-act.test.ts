import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import type { TreeRequest } from '../../src/ports/desktop/elements.ts';
import type { SimulatedWorld } from '../simulated/simulated-world.ts';
import { STATUS } from './support/acting.ts';
import { button, DEADLINE, oneWindow, refOf, stage } from './support/stage.ts';
import type { Stage } from './support/stage.ts';

interface Press {
  readonly on: Stage;
  readonly ref: string;
  /** Whether the window was read from what is known, in order. */
  readonly mirrored: boolean[];
}

/** A button that shows its effect in a text; `isStale`: what is known of the window is what it was before the press. */
async function pressable(isStale: boolean): Promise<Press> {
  const go = button('go', 'Go', { onPress: (world) => world.change('app', 'status', { name: 'Pressed' }) });
  const on = await stage(oneWindow([{ ...STATUS }, go]));
  const ref = await refOf(on.engine, 'Go');
  // Nothing ticked for so long.
  await on.world.clock.sleep(5000);
  const mirrored: boolean[] = [];
  const read = on.desktop.readTree.bind(on.desktop);
  let before: Awaited<ReturnType<typeof read>> | undefined;
  on.desktop.readTree = async (request: TreeRequest) => {
    mirrored.push(request.mirrored === true);
    const result = await read(request);
    before ??= structuredClone(result);
    return isStale && request.mirrored === true ? structuredClone(before) : result;
  };
  return { on, ref, mirrored };
}

describe('the looks of an act', () => {
  it('ask anew before it, and rest on what is known at its first event', async () => {
    const { on, ref, mirrored } = await pressable(false);
    const { effect } = await on.engine.click({ ...DEADLINE, ref });
    expect(effect).toBe('confirmed');
    expect(mirrored).toEqual([false, true]);
  });

  it('look again if more was reported while they looked', async () => {
    const { on, ref, mirrored } = await pressable(false);
    const read = on.desktop.readTree.bind(on.desktop);
    let looks = 0;
    on.desktop.readTree = async (request: TreeRequest) => {
      const result = structuredClone(await read(request));
      if (request.mirrored === true && ++looks === 1)
        on.world.change('app', 'status', { name: 'Pressed more' });
      return result;
    };
    const { effect, changes = [] } = await on.engine.click({ ...DEADLINE, ref });
    expect(effect).toBe('confirmed');
    expect(mirrored.slice(0, 3)).toEqual([false, true, true]);
    expect(changes.map(({ after }) => after)).toContain('name "Pressed more"');
  });

  it('begin at once, and hold if it was quiet for 20 ms', async () => {
    const { on, ref } = await pressable(false);
    const began = on.world.clock.now();
    const lookedAt: number[] = [];
    const read = on.desktop.readTree.bind(on.desktop);
    on.desktop.readTree = async (request: TreeRequest) => {
      if (request.mirrored === true) lookedAt.push(on.world.clock.now() - began);
      return read(request);
    };
    await on.engine.click({ ...DEADLINE, ref });
    expect(lookedAt).toHaveLength(1);
    expect(on.world.clock.now() - began - (lookedAt[0] ?? 0)).toBeGreaterThanOrEqual(10);
  });

  it('ask anew if what is known shows no effect, so that none is missed', async () => {
    const { on, ref, mirrored } = await pressable(true);
    const { effect, changes = [] } = await on.engine.click({ ...DEADLINE, ref });
    expect(effect).toBe('confirmed');
    expect(changes.map(({ after }) => after)).toContain('name "Pressed"');
    expect(mirrored.slice(0, 2)).toEqual([false, true]);
    expect(mirrored.at(-1)).toBe(false);
  });
});

describe('a click of the pointer, which no application acknowledges,', () => {
  /** How long it takes from the click until its answer. */
  async function answered(press: (world: SimulatedWorld) => void): Promise<readonly [Receipt, number]> {
    let pressedAt = 0;
    const go = button('go', 'Go', {
      onPress: (world) => {
        pressedAt = world.clock.now();
        press(world);
      },
    });
    const on = await stage(oneWindow([{ ...STATUS }, go, button('odd', 'Odd')]));
    const ref = await refOf(on.engine, 'Go');
    await on.world.clock.sleep(5000);
    const receipt = await on.engine.click({ ...DEADLINE, ref, mode: 'pointer' });
    return [receipt, on.world.clock.now() - pressedAt];
  }
  const show = (world: SimulatedWorld, name: string): void => world.change('app', 'status', { name });

  it('is answered after 80 ms of quiet if its effect is proven by then', async () => {
    const [{ effect }, tookMs] = await answered((world) => show(world, 'Pressed'));
    expect(effect).toBe('confirmed');
    expect(tookMs).toBeGreaterThanOrEqual(80);
    expect(tookMs).toBeLessThan(200);
  });

  it('tells what the application does after a short pause', async () => {
    const [{ changes = [] }] = await answered((world) => {
      show(world, 'Pressed');
      world.clock.after(60, () => show(world, 'Done'));
    });
    expect(changes.map(({ after }) => after)).toContain('name "Done"');
  });

  it.each<[string, (world: SimulatedWorld) => void]>([
    ['shows nothing', () => undefined],
    ['makes something disappear, which more may follow', (world) => world.remove('app', 'odd')],
  ])('waits for as long as a slow application takes if it %s', async (_when, press) => {
    const [, tookMs] = await answered(press);
    expect(tookMs).toBeGreaterThanOrEqual(330);
  });
});
