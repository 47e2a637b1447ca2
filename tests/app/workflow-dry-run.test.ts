import { expect, it } from 'vitest';
import { z } from 'zod';
import { app, button, windowWith } from '../engine/support/stage.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { deskWorld } from '../surfaces/mcp/resources/desk-world.ts';

const Results = z.object({
  results: z.array(
    z.looseObject({
      detail: z.string(),
      targets: z.array(z.object({ found: z.boolean(), detail: z.string() })).optional(),
    }),
  ),
});
const FAR = { x: 10, y: 5000, width: 80, height: 30 };

function combobox(states: SimulatedNode['states']): SimulatedNode {
  const option: SimulatedNode = {
    id: 'green',
    role: 'menuitem',
    name: 'green',
    states: ['hidden', ...(states ?? [])],
    onChoose: touch,
  };
  const menu: SimulatedNode = { id: 'menu', role: 'menu', states: ['hidden'], children: [option] };
  return {
    id: 'combo',
    role: 'combobox',
    name: 'Colour',
    value: 'red',
    actions: ['press'],
    children: [menu],
  };
}

const touched: string[] = [];
function touch(): void {
  touched.push('touched');
}

async function checked(nodes: SimulatedNode[], command: string, input: Readonly<Record<string, unknown>>) {
  touched.length = 0;
  const { app: program, desktop } = deskWorld([app({ windows: [windowWith(nodes)] })]);
  const answer = await program.call(
    'x',
    'workflow',
    { steps: [{ command, input }], dry_run: true, app: 'Editor' },
    { mayCreateSession: true },
  );
  // Whatever it says, nothing was touched.
  expect(touched).toEqual([]);
  expect(desktop.input.record).toEqual([]);
  const [result] = Results.parse(answer).results;
  return { detail: result?.detail ?? '', target: result?.targets?.[0] };
}

const go = (more: Partial<SimulatedNode>) => [button('go', 'Go', { onPress: touch, ...more })];
const field = (states: SimulatedNode['states'] = []): SimulatedNode => ({
  id: 'name',
  role: 'textbox',
  name: 'Name',
  value: '',
  accepts: 'text',
  states: ['editable', ...states],
  bounds: { x: 10, y: 100, width: 100, height: 30 },
});
const over: SimulatedNode = {
  id: 'over',
  role: 'dialog',
  name: 'Wait',
  bounds: { x: 0, y: 0, width: 200, height: 200 },
};
const GO = { ref: 'role:button[name="Go"]' };
const NAME = { ref: 'role:textbox[name="Name"]', value: 'Ada' };
const GREEN = { ref: 'role:combobox[name="Colour"]', value: 'green' };

it.each<[string, SimulatedNode[], string, Readonly<Record<string, unknown>>, RegExp]>([
  ['nothing', go({}), 'click', GO, /^button "Go" @e\d+; would click via accessibility$/],
  ['disabled', go({ states: ['disabled'] }), 'click', GO, /unless that changes: NOT_ACTIONABLE: .*disabled/],
  ['read-only', [field(['readonly'])], 'set-value', NAME, /refused now: NOT_ACTIONABLE: .*read-only/],
  [
    'covered, for the pointer',
    [...go({}), over],
    'click',
    { ...GO, mode: 'pointer' },
    /unless that changes: NOT_ACTIONABLE: .*covered by a dialog "Wait"/,
  ],
  ['covered, for a gesture', [...go({}), over], 'hover', GO, /covered by a dialog "Wait"/],
  [
    'out of view, for the pointer',
    go({ bounds: FAR }),
    'click',
    { ...GO, mode: 'pointer' },
    /not on screen|scroll it into view/,
  ],
  [
    'a disabled option',
    [combobox(['disabled'])],
    'select',
    GREEN,
    /refused now: NOT_ACTIONABLE: .*"green" is disabled/,
  ],
  [
    'a disabled option, for the pointer',
    [combobox(['disabled'])],
    'select',
    { ...GREEN, mode: 'pointer' },
    /NOT_ACTIONABLE: .*"green" is disabled/,
  ],
  ['a free option', [combobox([])], 'select', GREEN, /would select via accessibility/],
  [
    'no such option',
    [combobox([])],
    'select',
    { ...GREEN, value: 'pink', mode: 'background' },
    /no option "pink"/,
  ],
])('names what is in the way: %s', async (_, nodes, command, input, told) => {
  const { detail, target } = await checked(nodes, command, input);
  expect(target).toMatchObject({ found: true, detail: expect.stringMatching(told) });
  expect(detail.length).toBeGreaterThan(0);
});

it('says of a step without a target whether it would be refused', async () => {
  expect((await checked(go({}), 'close-window', { window: 'Document' })).detail).toContain('would close');
  expect((await checked(go({}), 'close-app', { app: 'Nobody' })).detail).toContain('APP_NOT_FOUND');
});

it('fills a form without touching it, and names the field that is in the way', async () => {
  const fields = [NAME.ref].map((target) => ({ target, value: 'Ada' }));
  expect((await checked([field()], 'fill', { fields })).target?.detail).toContain('would fill');
  const { target } = await checked([field(['disabled'])], 'fill', { fields });
  expect(target).toMatchObject({ found: true, detail: expect.stringContaining('NOT_ACTIONABLE') });
});
