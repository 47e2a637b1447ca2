import { describe, expect, it } from 'vitest';
import fill from '../../../src/commands/interaction/fill.ts';
import type { ElementInfo } from '../../../src/engine/requests/reading.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import type { Change, Receipt } from '../../../src/model/effects/effect.ts';
import type { Role } from '../../../src/model/tree/role.ts';
import type { State } from '../../../src/model/tree/state.ts';
import { fakeDesktop } from '../fake-engine.ts';
import { RECEIPT } from '../samples.ts';

type Element = readonly [role: Role, name: string, states?: readonly State[]];

/** A window with elements @e1, @e2, …, and what is run on them. */
function form(
  elements: readonly Element[],
  answer: (command: string, input: Readonly<Record<string, unknown>>) => Partial<Receipt> = () => ({}),
) {
  const ran: [string, Readonly<Record<string, unknown>>][] = [];
  const asked: string[] = [];
  const describeElement = async ({ ref }: { readonly ref: string }): Promise<ElementInfo> => {
    asked.push(ref);
    const at = elements.findIndex(([role, name], index) =>
      [
        `@e${index + 1}`,
        `role:${role}[name="${name}"]`,
        `app:"Shop" >> role:${role}[name="${name}"]`,
      ].includes(ref),
    );
    const [role, name, states = []] = elements[at] ?? [];
    if (role === undefined || name === undefined)
      throw new DeskterityError('ELEMENT_NOT_FOUND', `${ref} was not found.`, { suggestion: 'Look again.' });
    return {
      node: { ref: `@e${at + 1}`, role, name, states: [...states] },
      text: name,
      attributes: {},
      allStates: states,
      onScreen: true,
    };
  };
  let now = 0;
  const { ctx } = fakeDesktop(
    { describe: describeElement },
    {
      clock: { now: () => now, sleep: async (ms) => void (now += ms) },
      commands: {
        explainable: () => undefined,
        find: () => undefined,
        names: [],
        check: (_, input) => ({ ...input }),
        run: async (command, input) => {
          ran.push([command, input]);
          return { ...RECEIPT, ...answer(command, input) };
        },
      },
    },
  );
  const run = (fields: readonly (readonly [string, string | number | boolean])[], more = {}) =>
    fill.run(
      ctx,
      fill.input.parse({ fields: fields.map(([target, value]) => ({ target, value })), ...more }),
    );
  return { run, ran, asked, pass: (ms: number) => void (now += ms) };
}

const failureOf = async (promise: Promise<unknown>): Promise<DeskterityError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DeskterityError) return error;
  throw new Error(`It did not fail: ${String(error)}`);
};

describe('fill', () => {
  it.each([
    ['textbox', [], 'Ada', ['set-value', { value: 'Ada' }]],
    ['spinbutton', [], 5, ['set-value', { value: '5' }]],
    ['slider', [], '70', ['set-value', { value: '70' }]],
    ['checkbox', [], 'on', ['toggle', { to: 'on' }]],
    ['checkbox', ['checked'], false, ['toggle', { to: 'off' }]],
    ['switch', ['checked'], 'Off', ['toggle', { to: 'off' }]],
    ['togglebutton', [], true, ['toggle', { to: 'on' }]],
    ['radio', [], 'on', ['toggle', { to: 'on' }]],
    ['combobox', [], 'green', ['select', { value: 'green' }]],
    ['listbox', [], 'Cherry', ['select', { value: 'Cherry' }]],
  ] as const)(
    'a %s that is %j takes %j as a person would give it',
    async (role, states, value, [command, input]) => {
      const { run, ran } = form([[role, 'It', states]]);
      const output = fill.output.parse(await run([['@e1', value]], { mode: 'focus' }));
      expect(ran).toEqual([[command, { ref: '@e1', timeout_ms: 10_000, mode: 'focus', ...input }]]);
      expect(output).toMatchObject({ effect: 'confirmed', cursor: RECEIPT.cursor });
      expect(output.fields).toEqual([
        {
          target: { ref: '@e1', role, name: 'It' },
          effect: 'confirmed',
          evidence: RECEIPT.evidence.slice(0, 1),
        },
      ]);
    },
  );

  it.each([
    ['value "Wien"', 'value ""', 'unverified'],
    ['checked', 'none', 'unverified'],
    ['name "City"', 'name "City (checked)"', 'confirmed'],
    ['none', 'invalid', 'confirmed'],
  ] as const)('a field that a later one changes from %s to %s is %s', async (before, after, effect) => {
    const change: Change = { kind: 'changed', ref: '@e1', role: 'textbox', name: 'City', before, after };
    const { run } = form(
      [
        ['textbox', 'City'],
        ['combobox', 'Country'],
      ],
      (command) => (command === 'select' ? { changes: [change] } : {}),
    );
    const output = fill.output.parse(
      await run([
        ['@e1', 'Wien'],
        ['@e2', 'Chile'],
      ]),
    );
    expect(output.effect).toBe(effect);
    expect(output.fields.map((field) => field.effect)).toEqual([effect, 'confirmed']);
    expect(output.fields[0]?.evidence.join().includes(`${before} -> ${after}`)).toBe(effect === 'unverified');
  });

  it('does not mind what later fields change and restore', async () => {
    const turn = (before: string, after: string): Change => ({
      kind: 'changed',
      ref: '@e1',
      role: 'textbox',
      before,
      after,
    });
    const { run } = form(
      [
        ['textbox', 'City'],
        ['textbox', 'A'],
        ['textbox', 'B'],
      ],
      (_, { value }) => ({
        changes:
          value === 'a'
            ? [turn('value "x"', 'value ""')]
            : value === 'b'
              ? [turn('value ""', 'value "x"')]
              : [],
      }),
    );
    const output = await run([
      ['@e1', 'x'],
      ['@e2', 'a'],
      ['@e3', 'b'],
    ]);
    expect(output).toMatchObject({ effect: 'confirmed' });
  });

  it('types what an editable combo box does not offer', async () => {
    const { run, ran } = form([['combobox', 'Size', ['editable']]], (command) => {
      if (command === 'set-value') return {};
      throw new DeskterityError('ELEMENT_NOT_FOUND', 'No such option.', {
        suggestion: 'Look.',
        delivered: false,
      });
    });
    await run([['@e1', '13']]);
    expect(ran.map(([command]) => command)).toEqual(['select', 'set-value']);
  });

  it('searches its locators in the application given once', async () => {
    const { run, asked } = form([['textbox', 'Name']]);
    await run([['role:textbox[name=Name]', 'Ada']], { app: 'Shop' });
    expect(asked).toEqual(['app:"Shop" >> role:textbox[name="Name"]']);
  });

  it.each([
    [
      'no element',
      ['role:textbox[name="Nmae"]', 'x'],
      'ELEMENT_NOT_FOUND',
      'Field 2 (role:textbox[name="Nmae"])',
    ],
    ['a button', ['@e3', 'x'], 'ACTION_NOT_SUPPORTED', 'button "Save" @e3 is not a field'],
    ['a check box that would be neither', ['@e2', 'maybe'], 'INVALID_ARGUMENT', '"maybe" is neither'],
    ['a radio button to switch off', ['@e4', 'off'], 'INVALID_ARGUMENT', 'cannot be switched off'],
    ['the same element twice', ['@e1', 'x'], 'INVALID_ARGUMENT', 'Fields 1 and 2 are the same element'],
  ] as const)('touches nothing if one field is %s', async (_, wrong, code, words) => {
    const { run, ran } = form([
      ['textbox', 'Name'],
      ['checkbox', 'Agree'],
      ['button', 'Save'],
      ['radio', 'Small'],
    ]);
    const error = await failureOf(run([['role:textbox[name="Name"]', 'Ada'], wrong]));
    expect(error).toMatchObject({ code, delivered: false });
    expect(error.message).toContain(words);
    expect(error.message).toContain('No field was filled.');
    expect(ran).toEqual([]);
  });

  it('stops at the first field that fails, with the receipts of those before it and what was not tried', async () => {
    const { run, ran } = form(
      [
        ['textbox', 'Name'],
        ['textbox', 'Zip'],
        ['checkbox', 'Agree'],
      ],
      (_, { ref }) => {
        if (ref !== '@e2') return {};
        throw new DeskterityError('ACTION_FAILED', 'Nothing changed.', {
          suggestion: 'Look at it.',
          delivered: true,
          result: { ...RECEIPT, changes: [], effect: 'no_op', evidence: ['a fresh read still shows ""'] },
        });
      },
    );
    const error = await failureOf(
      run([
        ['@e1', 'Ada'],
        ['@e2', '0000'],
        ['@e3', 'on'],
      ]),
    );
    expect(ran).toHaveLength(2);
    expect(error).toMatchObject({ code: 'ACTION_FAILED', delivered: true, suggestion: 'Look at it.' });
    expect(error.message).toBe(
      'Field 2 of 3, textbox "Zip" @e2, was not filled (ACTION_FAILED): Nothing changed. Not tried: checkbox "Agree" @e3.',
    );
    expect(error.result).toMatchObject({
      fields: [
        { target: { ref: '@e1' }, effect: 'confirmed' },
        { target: { ref: '@e2' }, effect: 'no_op', evidence: ['a fresh read still shows ""'] },
      ],
      failed: { ref: '@e2', code: 'ACTION_FAILED' },
      not_tried: [{ ref: '@e3' }],
      cursor: RECEIPT.cursor,
    });
    expect(error.report?.split('\n')[1]).toBe('no_op: textbox "Zip" @e2: a fresh read still shows ""');
  });

  it('keeps its one deadline, and loses no receipt at it', async () => {
    const slow = form(
      [
        ['textbox', 'A'],
        ['textbox', 'B'],
      ],
      () => {
        slow.pass(900);
        return {};
      },
    );
    const fields = [
      ['@e1', '1'],
      ['@e2', '2'],
    ] as const;
    const error = await failureOf(slow.run(fields, { timeout_ms: 800 }));
    expect(slow.ran.map(([, input]) => input['timeout_ms'])).toEqual([800]);
    expect(error.message).toContain('(TIMEOUT)');
    expect(error.result).toMatchObject({ fields: [{ effect: 'confirmed' }], not_tried: [] });
  });

  it('tells what else changed once, and not what its fields are told for', async () => {
    const total = (before: string, after: string): Change => ({
      kind: 'changed',
      ref: '@e9',
      role: 'text',
      name: 'Total',
      before,
      after,
    });
    const own: Change = {
      kind: 'changed',
      ref: '@e1',
      role: 'spinbutton',
      before: 'value "0"',
      after: 'value "2"',
    };
    const tip: Change = { kind: 'appeared', role: 'tooltip', name: 'Hint' };
    const { run } = form(
      [
        ['spinbutton', 'A'],
        ['spinbutton', 'B'],
      ],
      (_, { ref }) => ({
        changes:
          ref === '@e1' ? [own, tip, total('0', '2')] : [{ ...tip, kind: 'disappeared' }, total('2', '5')],
      }),
    );
    const output = await run([
      ['@e1', 2],
      ['@e2', 3],
    ]);
    expect(output.changes).toEqual([total('0', '5')]);
    expect(fill.outline?.(output)).toContain('\n  changed text "Total" @e9 0 -> 5');
  });

  it('names the keyboard and the pointer, and no other way', async () => {
    const vias = [
      'at-spi:Value',
      'accessibility: not offered; then pointer:left button at 1,2',
      'keyboard:typing',
    ];
    const { run } = form(
      vias.map((_, index) => ['textbox', String(index)]),
      (_, { ref }) => ({ via: vias[Number(String(ref).slice(2)) - 1] ?? '' }),
    );
    const output = await run(vias.map((_, index) => [`@e${index + 1}`, 'x']));
    expect(output.fields.map(({ via }) => via)).toEqual([undefined, 'pointer', 'keyboard']);
  });
});
