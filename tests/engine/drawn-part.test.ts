import { expect, it } from 'vitest';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { DEADLINE, failureOf, oneWindow, refOf, stage, type Stage } from './support/stage.ts';

const PLACE = { x: 10, y: 70, width: 200, height: 29 };

/** A row whose parts have no place until the pointer is on it, as GTK 3 keeps the places of the row that it drew last only. */
function table(whatIsDrawn: string, place = PLACE): SimulatedNode {
  const part = (id: string, name: string): SimulatedNode => ({ id, role: 'cell', name });
  const row = (id: string, y: number, more: Partial<SimulatedNode>): SimulatedNode => ({
    id,
    role: 'cell',
    name: '',
    bounds: { ...PLACE, y },
    ...more,
  });
  return {
    id: 'table',
    role: 'table',
    bounds: { x: 10, y: 40, width: 300, height: 200 },
    children: [
      row('first', 41, { children: [part('title', 'Places')] }),
      row('second', PLACE.y, {
        children: [part('heading', 'Home'), part('label', 'Home'), part('old', 'Music')],
        onHover: (world) => world.change('app', whatIsDrawn, { bounds: place }),
      }),
    ],
  };
}

async function click(on: Stage, name: string) {
  const ref = await refOf(on.engine, name);
  return on.engine.click({ ...DEADLINE, deadlineMs: 1500, ref, mode: 'pointer' });
}

it.each(['heading', 'label'])(
  'a part without a place is clicked where its text is drawn: %s',
  async (drawn) => {
    const on = await stage(oneWindow([table(drawn)]));
    expect((await click(on, 'Home')).via).toContain('pointer:left button at 110,84');
  },
);

it('nothing is clicked where the row shows something else', async () => {
  const on = await stage(oneWindow([table('label')]));
  const error = await failureOf(click(on, 'Music'));
  expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false });
  expect(error.message).toContain('its row is on screen, but does not show this text');
  expect(on.desktop.input.record.join()).not.toContain('down');
});

it('nor where the place of a part is not in its row', async () => {
  const on = await stage(oneWindow([table('label', { ...PLACE, y: 150 })]));
  expect(await failureOf(click(on, 'Home'))).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false });
  expect(on.desktop.input.record.join()).not.toContain('down');
});
