import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { STATUS } from './support/acting.ts';
import { MemoryStore } from './support/memory-store.ts';
import { app, button, DEADLINE, failureOf, oneWindow, refOf, stage, windowWith } from './support/stage.ts';
import type { Stage } from './support/stage.ts';

/** A second session on the same desktop. */
async function another({ desktop, world }: Stage): Promise<Stage['engine']> {
  return createEngine({ desktop, session: new MemoryStore(), clock: world.clock });
}

/** A button that is pressed for a while before it acts, and ignores further presses meanwhile, as Qt's. */
function slowButton(): { readonly node: SimulatedNode; readonly presses: () => number } {
  let presses = 0;
  let isDown = false;
  const node = button('go', 'Go', {
    onPress: (world) => {
      if (isDown) return;
      isDown = true;
      world.clock.after(100, () => {
        isDown = false;
        world.change('app', 'status', { name: `Pressed ${++presses}` });
      });
    },
  });
  return { node, presses: () => presses };
}

describe('two acts at once in one application', () => {
  it('are carried out one after another, and one press confirms only one of them', async () => {
    const { node, presses } = slowButton();
    const on = await stage(oneWindow([{ ...STATUS }, node]));
    const other = await another(on);
    const [mine, theirs] = [await refOf(on.engine, 'Go'), await refOf(other, 'Go')];
    const receipts = await Promise.all([
      on.engine.click({ ...DEADLINE, ref: mine }),
      other.click({ ...DEADLINE, ref: theirs }),
    ]);
    expect(receipts.map(({ effect }) => effect)).toEqual(['confirmed', 'confirmed']);
    expect(presses()).toBe(2);
    const shown = receipts.flatMap(({ changes = [] }) => changes.map(({ after }) => after));
    expect(new Set(shown)).toEqual(new Set(['name "Pressed 1"', 'name "Pressed 2"']));
  });

  it('act on different elements without seeing each other’s effect', async () => {
    const lamp = (id: string, lateMs: number): SimulatedNode[] => [
      { id: `${id} lamp`, role: 'text', name: `${id} off` },
      button(id, id, {
        onPress: (world) =>
          world.clock.after(lateMs, () => world.change('app', `${id} lamp`, { name: `${id} on` })),
      }),
    ];
    const on = await stage(oneWindow([...lamp('left', 50), ...lamp('right', 50)]));
    const refs = [await refOf(on.engine, 'left'), await refOf(on.engine, 'right')];
    const receipts = await Promise.all(refs.map((ref) => on.engine.click({ ...DEADLINE, ref })));
    expect(receipts.map(({ changes = [] }) => changes.map(({ after }) => after))).toEqual([
      ['name "left on"'],
      ['name "right on"'],
    ]);
  });

  it('that do not fit into the deadline: the second is a conflict, and sends nothing', async () => {
    let presses = 0;
    const slow = button('slow', 'Slow', { answersAfterMs: 3000 });
    const on = await stage(oneWindow([slow, button('go', 'Go', { onPress: () => presses++ })]));
    const [first, second] = [await refOf(on.engine, 'Slow'), await refOf(on.engine, 'Go')];
    const long = on.engine.click({ ...DEADLINE, ref: first });
    const error = await failureOf(on.engine.click({ deadlineMs: 1000, ref: second }));
    expect(error).toMatchObject({ code: 'CONFLICT', delivered: false, retryable: true });
    await long;
    expect(presses).toBe(0);
  });

  it('wait for a window command, whose changes are not theirs', async () => {
    const on = await stage(oneWindow([button('go', 'Go')]));
    const ref = await refOf(on.engine, 'Go');
    const [receipt, minimized] = await Promise.all([
      on.engine.click({ ...DEADLINE, ref }),
      on.engine.controlWindow({ ...DEADLINE, request: { kind: 'minimize' } }),
    ]);
    expect(receipt.effect).toBe('unverified');
    expect(minimized.effect).toBe('confirmed');
  });
});

it('acts in different applications do not wait for each other', async () => {
  const slow = button('slow', 'Slow', { answersAfterMs: 3000 });
  const on = await stage([
    app({ windows: [windowWith([slow])] }),
    app({
      id: 'second',
      name: 'Second',
      pid: 200,
      windows: [windowWith([button('go', 'Go')], { id: 'two', title: 'Two' })],
    }),
  ]);
  const first = await refOf(on.engine, 'Slow');
  const { tree } = await on.engine.snapshot({
    ...DEADLINE,
    app: 'Second',
    includeBounds: false,
    includeActions: false,
    interactiveOnly: false,
    compact: false,
    wholeTree: false,
    form: 'outline',
  });
  const second = tree.children?.find(({ name }) => name === 'Go')?.ref ?? '';
  const long = on.engine.click({ ...DEADLINE, ref: first });
  expect((await on.engine.click({ deadlineMs: 1500, ref: second })).delivered).toBe(true);
  await long;
});

it('an act that waits for its element lets another act make it ready', async () => {
  const on = await stage(
    oneWindow([
      button('next', 'Next', { states: ['disabled'] }),
      button('accept', 'Accept', { onPress: (world) => world.change('app', 'next', { states: [] }) }),
    ]),
  );
  const [next, accept] = [await refOf(on.engine, 'Next'), await refOf(on.engine, 'Accept')];
  const [waiting, enabling] = await Promise.all([
    on.engine.click({ ...DEADLINE, ref: next }),
    on.world.clock.sleep(300).then(() => on.engine.click({ ...DEADLINE, ref: accept })),
  ]);
  expect([waiting.delivered, enabling.effect]).toEqual([true, 'confirmed']);
});
