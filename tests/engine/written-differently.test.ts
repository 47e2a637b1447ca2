import { describe, expect, it } from 'vitest';
import { comparableFormula, isSameWritten } from '../../src/engine/tree/value-forms.ts';
import type { Role } from '../../src/model/tree/role.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { DEADLINE, failureOf, oneWindow, refOf, stage, type Stage } from './support/stage.ts';

it.each([
  ['03', '3', true],
  ['3', '03', false],
  ['7', '007', false],
  ['1.1', '1.10', false],
  ['0.50', '0.5', true],
  ['2026-01-05', '2026-1-5', true],
  ['09:05', '9:5', true],
  ['30', '3', false],
  ['-3', '3', false],
  ['a3', '3', false],
  ['3 pieces', '3', false],
  ['3 px', '3 mm', false],
  ['3.00 px', '3px', true],
  ['3.00', '3', true],
  ['0.5', '.5', true],
  ['-3.0', '-3', true],
  ['3 px', '3', false],
  ['42k', '42', false],
  ['+3', '3', false],
  ['3.', '3', false],
  ['9007199254740993', '9007199254740992', false],
  ['Section 1.10', 'Section 1.1', false],
  ['Room 3a', 'Room 3', false],
  ['Room 03', 'Room 3', false],
  ['Invoice 7k', 'Invoice 7', false],
  ['9:50', '9:5', false],
  ['9:5.0', '9:5', false],
  ['1:02:03', '1:2:3', true],
  ['2026-01-05 09:05', '2026-1-5 9:5', true],
  ['Ada', 'ada', false],
  ['', '3', false],
  ['1,234', '1234', false],
  ['1.234', '1234', false],
  ['555 123 4', '5551234', true],
  ['(555) 123-4', '5551234', true],
  ['12/34', '1234', true],
  ['GB29 NWBK 6016', 'GB29NWBK6016', true],
  ['555 123', '5551234', false],
  ['-555', '555', false],
  ['5551234', '555-1234', false],
  ['1 2', '12', false],
  ['ab c', 'abc', false],
])('%s is written for %s: %s', (read, wanted, isSame) => {
  expect(isSameWritten(read, wanted, { role: 'textbox', was: '' })).toBe(isSame);
});

it.each<[string, string, string, Role, boolean]>([
  ['3 px', '3', '10 px', 'textbox', true],
  ['3 px', '3', 'px', 'textbox', true],
  ['3.00 mm', '3', '0.50 mm', 'textbox', true],
  ['50%', '50', '20%', 'textbox', true],
  ['€3', '3', '€10', 'textbox', true],
  ['€3', '3', '10', 'textbox', false],
  ['42k', '42', '41', 'textbox', false],
  ['42k', '42', 'work', 'textbox', false],
  ['42k', '42', '41 mm', 'textbox', false],
  ['10 mm', '10', '', 'spinbutton', true],
  ['10 mm', '10', 'Automatic', 'spinbutton', true],
  ['2 days', '2', '1 day', 'spinbutton', true],
  ['42k', '42', '41', 'spinbutton', false],
  ['420 mm', '42', '41 mm', 'spinbutton', false],
])('%s is written for %s after %s in a %s: %s', (read, wanted, was, role, isSame) => {
  expect(isSameWritten(read, wanted, { role, was })).toBe(isSame);
});

it('formulas are compared without blanks and capitals, except in quotes', () => {
  expect(comparableFormula('=sum( a1:a3 ; 2)')).toBe(comparableFormula('=SUM(A1:A3,2)'));
  expect(comparableFormula('="a b"')).not.toBe(comparableFormula('="A B"'));
});

const field = (more: Partial<SimulatedNode> = {}): SimulatedNode => ({
  id: 'day',
  role: 'textbox',
  name: 'Day',
  value: '',
  accepts: 'text',
  ...more,
});

/** The field shows what `take` makes of a text that was written. */
async function rewriting(take: (text: string) => string, value = ''): Promise<Stage> {
  const on = await stage(oneWindow([field({ value })]));
  on.desktop.setValue = async (node, text) => {
    on.world.change(node.app, node.path, { value: take(text) });
    return { accepted: true, delivered: true, via: 'test' };
  };
  return on;
}

async function write(on: Stage, value: string) {
  return on.engine.setValue({ ...DEADLINE, ref: await refOf(on.engine, 'Day'), value });
}

describe('a value that the application writes its own way', () => {
  it('is confirmed, and the receipt shows how', async () => {
    const receipt = await write(await rewriting((text) => text.padStart(2, '0')), '3');
    expect(receipt.effect).toBe('confirmed');
    expect(receipt.evidence[0]).toBe('fresh read: "03", which is how the application writes "3"');
  });

  it('is confirmed if it looks as before', async () => {
    const receipt = await write(await rewriting((text) => text.padStart(2, '0'), '03'), '3');
    expect(receipt.effect).toBe('confirmed');
  });

  it.each([
    ['Section 1.1', '0'],
    ['Room 3', 'a'],
    ['42', 'k'],
  ])('%s, with %s that somebody typed after it, is not', async (wanted, typed) => {
    const error = await failureOf(write(await rewriting((text) => text + typed), wanted));
    expect(error).toMatchObject({ code: 'ACTION_FAILED', result: { effect: 'partial' } });
  });

  it('that may be the result of a formula is unverified, not a failure', async () => {
    const receipt = await write(await rewriting(() => '7'), '3+4');
    expect(receipt.effect).toBe('unverified');
    expect(receipt.evidence[0]).toContain('may be the result of "3+4"');
  });

  it('that is another value is partial', async () => {
    const error = await failureOf(write(await rewriting(() => '12'), '3'));
    expect(error).toMatchObject({ code: 'ACTION_FAILED', result: { effect: 'partial' } });
  });

  it('is a no-op where nothing tells that the text was taken', async () => {
    const on = await stage(oneWindow([field({ value: '03', accepts: 'lies' })]));
    expect(await failureOf(write(on, '3'))).toMatchObject({ result: { effect: 'no_op' } });
  });
});
