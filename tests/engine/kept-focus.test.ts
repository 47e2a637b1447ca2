import { expect, it } from 'vitest';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { DEADLINE, failureOf, oneWindow, refOf, stage } from './support/stage.ts';

const field = (id: string, name: string): SimulatedNode => ({
  id,
  role: 'textbox',
  name,
  value: '',
  accepts: 'text',
  states: ['editable'],
  bounds: { x: 10, y: 10, width: 200, height: 30 },
  onAct: { focus: (world) => world.focus('app', id) },
});

it('typing ends when something outside the page takes the focus, though the field goes on saying that it has it', async () => {
  const page: SimulatedNode = {
    id: 'page',
    role: 'document',
    name: 'Page',
    children: [field('name', 'Name')],
  };
  const on = await stage(oneWindow([field('address', 'Address'), page]));
  const describe = on.desktop.describe.bind(on.desktop);
  // As Chromium does.
  on.desktop.describe = async (node, options) => ({
    ...(await describe(node, options)),
    keepsFocus: true,
  });
  on.world.clock.after(600, () => {
    on.world.node('app', 'address').states = ['editable', 'focused'];
    on.desktop.input.userActiveUntilMs = on.world.clock.now() + 100;
  });
  const ref = await refOf(on.engine, 'Name');
  const text = 'a long text that takes its time';
  const error = await failureOf(on.engine.type({ ...DEADLINE, ref, text, delayMs: 50, clearFirst: false }));
  expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: true });
  expect(error.message).toContain('lost the keyboard focus to the textbox "Address"');
  expect(error.message).toMatch(/[1-9]\d* of 31 characters had been typed/);
});
