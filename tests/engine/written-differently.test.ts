import { describe, expect, it } from 'vitest';
import { comparableFormula, writtenForm, type WrittenForm } from '../../src/engine/tree/value-forms.ts';
import type { Role } from '../../src/model/tree/role.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { DEADLINE, failureOf, oneWindow, refOf, stage, type Stage } from './support/stage.ts';

it.each<[string, string, WrittenForm | undefined]>([
  ['03', '3', 'known'],
  ['3', '03', undefined],
  ['7', '007', undefined],
  ['1.1', '1.10', undefined],
  ['1.10', '1.1', 'possible'],
  ['1-05', '1-5', 'possible'],
  ['1:02', '1:2', 'possible'],
  ['0.50', '0.5', 'possible'],
  ['2026-01-05', '2026-1-5', 'known'],
  ['09:05', '9:5', 'possible'],
  ['30', '3', undefined],
  ['-3', '3', undefined],
  ['a3', '3', undefined],
  ['3 pieces', '3', undefined],
  ['3 px', '3 mm', undefined],
  ['3.00 px', '3px', 'possible'],
  ['3.00', '3', 'possible'],
  ['0.5', '.5', 'known'],
  ['-3.0', '-3', 'possible'],
  ['3 px', '3', undefined],
  ['42k', '42', undefined],
  ['+3', '3', undefined],
  ['3.', '3', undefined],
  ['9007199254740993', '9007199254740992', undefined],
  ['Section 1.10', 'Section 1.1', undefined],
  ['Room 3a', 'Room 3', undefined],
  ['Room 03', 'Room 3', undefined],
  ['Invoice 7k', 'Invoice 7', undefined],
  ['9:50', '9:5', undefined],
  ['9:5.0', '9:5', undefined],
  ['1:02:03', '1:2:3', 'possible'],
  ['2026-01-05 09:05', '2026-1-5 9:5', 'known'],
  ['Ada', 'ada', undefined],
  ['', '3', undefined],
  ['1,234', '1234', undefined],
  ['1.234', '1234', undefined],
  ['555 123 4', '5551234', 'known'],
  ['(555) 123-4', '5551234', 'known'],
  ['12/34', '1234', 'possible'],
  ['GB29 NWBK 6016', 'GB29NWBK6016', 'known'],
  ['555 123', '5551234', undefined],
  ['-555', '555', undefined],
  ['5551234', '555-1234', undefined],
  ['1 2', '12', undefined],
  ['ab c', 'abc', undefined],
])('%s is written for %s: %s', (read, wanted, form) => {
  expect(writtenForm(read, wanted, { role: 'textbox', was: '' })).toBe(form);
});

it.each<[string, string, string, Role, WrittenForm | undefined]>([
  ['3 px', '3', '10 px', 'textbox', 'known'],
  ['3 px', '3', 'px', 'textbox', 'known'],
  ['3.00 mm', '3', '0.50 mm', 'textbox', 'known'],
  ['50%', '50', '20%', 'textbox', 'known'],
  ['€3', '3', '€10', 'textbox', 'known'],
  ['€3', '3', '10', 'textbox', undefined],
  ['42k', '42', '41', 'textbox', undefined],
  ['42k', '42', 'work', 'textbox', undefined],
  ['42k', '42', '41 mm', 'textbox', undefined],
  ['10 mm', '10', '', 'spinbutton', 'known'],
  ['10 mm', '10', 'Automatic', 'spinbutton', 'known'],
  ['2 days', '2', '1 day', 'spinbutton', 'known'],
  ['42k', '42', '41', 'spinbutton', undefined],
  ['420 mm', '42', '41 mm', 'spinbutton', undefined],
  ['0.50', '0.5', '', 'spinbutton', 'known'],
  ['03', '3', '', 'spinbutton', 'known'],
  ['1.10', '1.1', '2.10', 'textbox', 'possible'],
  ['3.00', '3', '2.00', 'textbox', 'known'],
  ['3.00', '3', '2', 'textbox', 'possible'],
  ['3.00', '3', '3.00', 'textbox', 'possible'],
  ['1.10', '1.1', '1.10', 'textbox', 'possible'],
  ['1.10', '1.1', '', 'cell', 'possible'],
  ['3.50 mm', '3.5', '0.5 mm', 'textbox', 'possible'],
  ['03 px', '3', '10 px', 'textbox', 'known'],
  ['(555) 123-4', '5551234', '(444) 123-4', 'textbox', 'known'],
  ['12/34', '1234', '5678', 'textbox', 'possible'],
  ['12/34', '1234', '12/34', 'textbox', 'possible'],
  ['01-05', '1-5', '03-04', 'textbox', 'known'],
])('%s is written for %s after %s in a %s: %s', (read, wanted, was, role, form) => {
  expect(writtenForm(read, wanted, { role, was })).toBe(form);
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
async function rewriting(take: (text: string) => string, value = '', role: Role = 'textbox'): Promise<Stage> {
  const on = await stage(oneWindow([field({ value, role })]));
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
  const padded = (text: string): string => text.padStart(2, '0');

  it('is confirmed in a field for numbers, and the receipt shows how', async () => {
    const receipt = await write(await rewriting(padded, '', 'spinbutton'), '3');
    expect(receipt.effect).toBe('confirmed');
    expect(receipt.evidence[0]).toBe('fresh read: "03", which is how the application writes "3"');
  });

  it('is confirmed if it looks as before', async () => {
    const receipt = await write(await rewriting(padded, '03', 'spinbutton'), '3');
    expect(receipt.effect).toBe('confirmed');
  });

  it.each([
    ['1.1', ''],
    ['1.1', '2.10'],
    ['1.1', '1.10'],
  ])(
    '%s in a text that showed "%s" is unverified with 0 after it: it may be a version',
    async (wanted, was) => {
      const receipt = await write(await rewriting((text) => `${text}0`, was), wanted);
      expect(receipt).toMatchObject({ effect: 'unverified', retry_safe: false });
      expect(receipt.evidence[0]).toContain('"1.10", which may be how the application writes "1.1"');
    },
  );

  it('is not undone where somebody may have typed on', async () => {
    const on = await rewriting((text) => `${text}0`);
    const left: unknown[] = [];
    const ref = await refOf(on.engine, 'Day');
    await on.engine.setValue({ ...DEADLINE, ref, value: '1.1', onReversal: (how) => left.push(how) });
    expect(left).toEqual([{ irreversible: expect.stringContaining('may be what somebody typed') }]);
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
