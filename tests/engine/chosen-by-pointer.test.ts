import { expect, it } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import type { ActGuard, GuardedAct } from '../../src/engine/requests/acting.ts';
import { DeskterityError, type ErrorCode } from '../../src/model/effects/errors.ts';
import { parseKeyCombination } from '../../src/model/text/key-combination.ts';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { app, DEADLINE, oneWindow, refOf, stage, windowWith } from './support/stage.ts';

const BOX = { x: 10, y: 10, width: 80, height: 20 };

it.each([
  ['opened before', 1, true],
  ['was opened by', 0, false],
] as const)(
  'an option that the pointer chooses, and a window that %s the press: told apart by when it was pressed',
  async (_what, earlierMs, isToldApart) => {
    const choose = (world: SimulatedWorld): void => {
      world.change('app', 'combo', { value: 'green', states: [] });
      world.change('app', 'green', { states: ['hidden'] });
      world.apps[0]?.windows.push({
        ...windowWith([], {
          id: 'dialog',
          title: 'Saved',
          bounds: { x: 700, y: 500, width: 90, height: 90 },
        }),
        userTimeMs: pressedAt - earlierMs,
      });
      world.emit('app', 'dialog-root', 'window-opened', '');
    };
    let pressedAt = 0;
    const option: SimulatedNode = {
      id: 'green',
      role: 'option',
      name: 'green',
      states: ['hidden'],
      bounds: { ...BOX, y: 40 },
      onPointer: { left: choose },
    };
    const open = (world: SimulatedWorld): void => {
      pressedAt = world.clock.now();
      world.change('app', 'combo', { states: ['expanded'] });
      world.change('app', 'green', { states: [] });
    };
    const combo: SimulatedNode = {
      id: 'combo',
      role: 'combobox',
      name: 'Colour',
      value: 'red',
      bounds: BOX,
      onPointer: { left: open },
      children: [option],
    };
    const { engine } = await stage(oneWindow([combo]));
    const ref = await refOf(engine, 'Colour');
    const receipt = await engine.select({ ...DEADLINE, mode: 'pointer', ref, option: 'green' });
    expect(receipt.via).toBe('pointer:opened it and clicked the option');
    expect(receipt.evidence.join().includes('a window opened before')).toBe(isToldApart);
  },
);

/** A combo box whose only option is there all the time, or as long as its list is open. */
function dropDown(chosen: string[], isMadeByOpening: boolean): SimulatedNode {
  const option: SimulatedNode = {
    id: 'green',
    role: 'option',
    name: 'green',
    states: isMadeByOpening ? [] : ['hidden'],
    bounds: { ...BOX, y: 40 },
    onPointer: {
      left: (world) => {
        chosen.push('green');
        world.change('app', 'combo', { value: 'green', states: [] });
      },
    },
  };
  return {
    id: 'combo',
    role: 'combobox',
    name: 'Colour',
    value: 'red',
    bounds: BOX,
    onPointer: {
      left: (world) => {
        world.change('app', 'combo', { states: ['expanded'] });
        if (isMadeByOpening) world.insert('app', 'combo', { ...option });
        else world.change('app', 'green', { states: [] });
      },
    },
    children: isMadeByOpening ? [] : [option],
  };
}

/** A guard that refuses acts that reach the option. */
const refusing =
  (code: ErrorCode) =>
  async (about: GuardedAct): Promise<void> => {
    const reached = await about.elements();
    if (!reached.some(({ role, name }) => role === 'option' && name === 'green')) return;
    throw new DeskterityError(code, `This act, a ${about.act}, reaches the option.`, {
      suggestion: 'Do without it.',
      delivered: false,
    });
  };

it.each([
  ['POLICY_DENIED', false, false],
  ['POLICY_DENIED', true, true],
  // What is only seen in the open list could never be agreed to otherwise.
  ['CONFIRMATION_REQUIRED', true, false],
] as const)(
  '%s for an option (made by opening: %s) is thrown before it is clicked',
  async (code, isMadeByOpening, delivered) => {
    const chosen: string[] = [];
    const { engine } = await stage(oneWindow([dropDown(chosen, isMadeByOpening)]));
    const ref = await refOf(engine, 'Colour');
    const request = { ...DEADLINE, mode: 'pointer', ref, option: 'green' } as const;
    const refused = engine.select({ ...request, guard: refusing(code) });
    await expect(refused).rejects.toMatchObject({ code, delivered });
    expect(chosen).toEqual([]);
    await engine.select({ ...request, guard: async () => undefined });
    expect(chosen).toEqual(['green']);
  },
);

it.each<[string, (engine: Engine, ref: string, guard: ActGuard) => Promise<unknown>, boolean]>([
  ['an arrow key', (engine, _ref, guard) => press(engine, guard, 'Down'), true],
  ['a letter', (engine, _ref, guard) => press(engine, guard, 'g'), true],
  [
    'the wheel',
    (engine, ref, guard) => engine.scroll({ ...DEADLINE, ref, guard, direction: 'down', amount: 40 }),
    true,
  ],
  ['Tab', (engine, _ref, guard) => press(engine, guard, 'Tab'), false],
  ['a shortcut', (engine, _ref, guard) => press(engine, guard, 'Control+s'), false],
])('%s on a closed list reaches all of its options', async (_what, act, isRefused) => {
  const list: SimulatedNode = { ...dropDown([], false), states: ['focused', 'focusable'] };
  const { engine } = await stage([app({ windows: [windowWith([list], { focused: true })] })]);
  const ref = await refOf(engine, 'Colour');
  const code = await act(engine, ref, refusing('POLICY_DENIED')).then(
    () => '',
    (error: unknown) => (error instanceof DeskterityError ? error.code : ''),
  );
  expect(code === 'POLICY_DENIED').toBe(isRefused);
});

function press(engine: Engine, guard: ActGuard, keys: string): Promise<unknown> {
  return engine.press({ ...DEADLINE, guard, keys: parseKeyCombination(keys) });
}

it('keys reach the options of every list where nothing says that it has the focus', async () => {
  const { engine } = await stage([app({ windows: [windowWith([dropDown([], false)], { focused: true })] })]);
  await expect(press(engine, refusing('POLICY_DENIED'), 'Down')).rejects.toMatchObject({
    code: 'POLICY_DENIED',
  });
  await press(engine, refusing('POLICY_DENIED'), 'Tab');
});
