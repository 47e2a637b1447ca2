import { expect, it } from 'vitest';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { DEADLINE, failureOf, oneWindow, refOf, stage } from './support/stage.ts';

/** A table whose first row is scrolled halfway behind its header, and reported as being there, as Qt does. */
const table = (): SimulatedNode => ({
  id: 'table',
  role: 'table',
  bounds: { x: 10, y: 40, width: 300, height: 200 },
  children: [
    { id: 'header', role: 'columnheader', name: 'Name', bounds: { x: 10, y: 40, width: 300, height: 20 } },
    { id: 'behind', role: 'cell', name: 'First', bounds: { x: 10, y: 30, width: 300, height: 29 } },
    { id: 'below', role: 'cell', name: 'Second', bounds: { x: 10, y: 60, width: 300, height: 29 } },
  ],
});

async function click(name: string) {
  const on = await stage(oneWindow([table()]));
  const ref = await refOf(on.engine, name);
  return { on, clicking: on.engine.click({ ...DEADLINE, deadlineMs: 1000, ref, mode: 'pointer' }) };
}

it('a cell that is scrolled behind the header is not clicked through it', async () => {
  const { on, clicking } = await click('First');
  const error = await failureOf(clicking);
  expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false });
  expect(error.message).toContain('covered by a columnheader "Name"');
  expect(on.desktop.input.record.join()).not.toContain('down');
});

it.each(['Name', 'Second'])('%s is clicked', async (name) => {
  expect((await (await click(name)).clicking).via).toContain('pointer:left button');
});
