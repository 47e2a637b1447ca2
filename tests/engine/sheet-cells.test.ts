import { describe, expect, it, vi } from 'vitest';
import { choosing } from '../../src/engine/acting/select.ts';
import { heldValue, valueEquality } from '../../src/engine/tree/element-value.ts';
import type { Observation } from '../../src/engine/evidence/evidence.ts';
import { judgeTyped } from '../../src/engine/judging/judge-typed.ts';
import { judgeValue } from '../../src/engine/judging/judge-value.ts';
import type { ObservedChange } from '../../src/engine/evidence/window-diff.ts';
import type { Receipt } from '../../src/model/effects/effect.ts';
import { isSheetCell } from '../../src/engine/tree/sheet-cell.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import type { NodeDetails } from '../../src/ports/desktop/elements.ts';
import { DEADLINE, failureOf, oneWindow, refOf, stage, type Stage } from './support/stage.ts';

function cell(text: string, current: number, more: Partial<NodeDetails> = {}): NodeDetails {
  return {
    handle: { app: 'calc', path: '/sheet#16385' },
    role: 'cell',
    nativeRole: 'table cell',
    name: 'B2',
    states: ['editable'],
    text,
    range: { minimum: 0, maximum: 0, step: 0, current },
    attributes: {},
    relations: [],
    interfaces: ['Accessible', 'Text', 'Value'],
    ...more,
  };
}

describe('the value of a sheet cell', () => {
  it('is its number if it shows one, else its text', () => {
    expect(heldValue(cell('42', 42))).toBe('42');
    expect(heldValue(cell('Item 7', 0))).toBe('Item 7');
    expect(heldValue(cell('', 0))).toBe('');
    expect(heldValue(cell('0', 0))).toBe('0');
  });

  it('is its text if digits were entered as words', () => {
    for (const text of ['42', '007']) {
      expect(heldValue(cell(text, 0))).toBe(text);
      expect(valueEquality(cell(text, 0))(text, text)).toBe(true);
      for (const other of ['0', '42.0', '7']) expect(valueEquality(cell(text, 0))(text, other)).toBe(false);
    }
  });

  it('equals its text, number, percentage and formula, and nothing else', () => {
    const holds = (node: NodeDetails, wanted: string): boolean =>
      valueEquality(node)(heldValue(node) ?? '', wanted);
    expect(holds(cell('42', 42), '42.0')).toBe(true);
    expect(holds(cell('50%', 0.5), '0.5')).toBe(true);
    expect(holds(cell('2', 2, { attributes: { Formula: '1+1' } }), '=1+1')).toBe(true);
    expect(holds(cell('2', 2, { attributes: { Formula: '1+1' } }), '=1+2')).toBe(false);
    const separated = cell('10', 10, { attributes: { Formula: 'SUM(B1\\,3)' } });
    expect(holds(separated, '=SUM(B1;3)')).toBe(true);
    expect(holds(separated, '=SUM(B1;30)')).toBe(false);
    // LibreOffice ends its report at the first colon.
    const cut = cell('75', 75, { attributes: { Formula: 'SUM(A2\\' } });
    expect(holds(cut, '=sum(A2:A3)+70')).toBe(true);
    for (const other of ['=SUM(A2)', '=SUM(A20:A30)', '=A2']) expect(holds(cut, other)).toBe(false);
    // Words count as 0.
    expect(holds(cell('Item 7', 0), '0')).toBe(false);
    expect(holds(cell('', 0), '0')).toBe(false);
    expect(holds(cell('', 0), '')).toBe(true);
  });

  it('applies only to cells that accessibility reports as numbers', () => {
    expect(isSheetCell(cell('1', 1))).toBe(true);
    expect(isSheetCell(cell('1', 1, { interfaces: ['Text'] }))).toBe(false);
    expect(isSheetCell(cell('1', 1, { role: 'spinbutton' }))).toBe(false);
  });
});

describe('a cell that has the cell cursor and is not marked', () => {
  it('is chosen already, but added to no other cell that is marked', async () => {
    const { desktop } = await stage([]);
    const handle = { app: 'calc', path: '/sheet#16385' };
    const choice = { ref: '@e1', option: handle, container: handle, label: 'B2', isListOpen: false } as const;
    const already = (adds: boolean, isAlone: boolean): boolean =>
      choosing(desktop, { ...choice, refersTo: 'option', isUnique: true, adds, isAlone }).already?.(
        cell('1', 1, { states: ['focused'] }),
      ) !== undefined;
    expect(already(false, true)).toBe(true);
    expect(already(true, false)).toBe(false);
  });
});

describe('a number set in a sheet', () => {
  it('is read at once: the sheet has taken it, and sends no event', async () => {
    const { on, ref, cell: taken } = await sheet('');
    on.desktop.setValue = async (_node, value) => {
      taken.value = value;
      return { accepted: true, delivered: true, via: 'simulated:set-value' };
    };
    const began = on.world.clock.now();
    const receipt = await on.engine.setValue({ ...DEADLINE, ref, value: '42' });
    expect(receipt).toMatchObject({ effect: 'confirmed' });
    expect(on.world.clock.now() - began).toBeLessThan(40);
  });
});

describe('an entry in a sheet', () => {
  it('is completed with one Enter, with or without a line end in its text, and the autocompletion is deleted', async () => {
    for (const end of ['', '\n', '\r\n', '\r']) {
      const set = await sheet('word');
      const receipt = await set.on.engine.setValue({ ...BY_KEYS, ref: set.ref, value: `word${end}` });
      expect(receipt).toMatchObject({ effect: 'confirmed' });
      expect(keysOf(set.on)).toEqual(['Escape', 'w', 'o', 'r', 'd', 'Delete', 'Enter']);
      const typed = await sheet('word');
      await type(typed, `word${end}`, true);
      expect(keysOf(typed.on)).toEqual(keysOf(set.on));
    }
  });

  it('is not tried in a way that a sheet is known not to take, which would read its window once more', async () => {
    const readsFor = async (mode: 'focus' | undefined): Promise<number> => {
      const { on, ref } = await sheet('word');
      const reads = vi.spyOn(on.desktop, 'readTree');
      const sets = vi.spyOn(on.desktop, 'setValue');
      const receipt = await on.engine.setValue({ ...DEADLINE, mode, ref, value: 'word' });
      expect(receipt).toMatchObject({ effect: 'confirmed' });
      expect(sets).not.toHaveBeenCalled();
      return reads.mock.calls.length;
    };
    // Its own resolution is all that the other way costs.
    expect(await readsFor(undefined)).toBeLessThanOrEqual((await readsFor('focus')) + 1);
    const { on, ref } = await sheet('word');
    const refused = await failureOf(
      on.engine.setValue({ ...DEADLINE, mode: 'background', ref, value: 'word' }),
    );
    expect(refused).toMatchObject({ code: 'ACTION_NOT_SUPPORTED', delivered: false });
  });

  it('that is empty leaves no autocompletion behind', async () => {
    const { on, ref } = await sheet('');
    await on.engine.act({ ...BY_KEYS, ref, act: 'clear' });
    expect(keysOf(on)).toEqual(['Escape', 'x', 'Delete', 'Backspace', 'Enter']);
  });

  it('is refused before anything is sent if keys would move to other cells', async () => {
    for (const text of ['a\nb', 'a\tb', 'a\rb', '\na', 'a\n\n', 'a\r\n\n', '\n\n']) {
      for (const clearFirst of [true, false]) {
        const at = await sheet('');
        const error = await failureOf(type(at, text, clearFirst));
        expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', delivered: false });
        expect(at.on.desktop.input.record).toEqual([]);
      }
    }
    expect(await failureOf(type(await sheet(''), 'a\t', true))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('may be completed by its own text', async () => {
    for (const end of ['\n', '\t']) {
      const at = await sheet('');
      await type(at, `a${end}`, false).catch(() => undefined);
      expect(keysOf(at.on)).toEqual(['a', end]);
    }
  });

  it('deletes nothing if the cursor has moved elsewhere', async () => {
    const at = await sheet('');
    at.on.world.clock.after(600, () => at.on.world.focus('app', 'other'));
    const error = await failureOf(type(at, 'many words', true, 200));
    expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: true });
    expect(keysOf(at.on)).not.toContain('Delete');
  });
});

const AFTER_KEYS = { accepted: undefined, delivered: true, via: 'keyboard' };

describe('what was entered', () => {
  const seen = (
    before: NodeDetails,
    after: NodeDetails,
    changes: readonly ObservedChange[] = [],
  ): Observation => ({
    outcome: AFTER_KEYS,
    before,
    after,
    events: [],
    changes,
    windowChanges: [],
    targetKey: 'cell',
  });

  it('is confirmed by the sheet, which sends no event', () => {
    expect(judgeValue(seen(cell('5', 5), cell('word', 0)), 'word')).toMatchObject({ effect: 'confirmed' });
    expect(judgeValue(seen(cell('5', 5), cell('5', 5)), 'word')).toMatchObject({ effect: 'no_op' });
  });

  it('as a formula was not there before, although its result was', () => {
    const after = cell('5', 5, { attributes: { Formula: '2+3' } });
    expect(judgeValue(seen(cell('5', 5), after), '=2+3').evidence).not.toContain('already');
    expect(judgeValue(seen(after, after), '=2+3').evidence).toContain('already');
  });

  it('but not completed is in the editor over the cell', () => {
    const node = {
      handle: { app: 'calc', path: '/editor' },
      role: 'paragraph',
      nativeRole: 'paragraph',
    } as const;
    const editor: ObservedChange = {
      change: { kind: 'appeared', role: 'paragraph' },
      key: 'editor',
      lineage: [],
      node: { ...node, name: '', value: '=A1', states: [], children: [] },
    };
    expect(judgeTyped(seen(cell('5', 5), cell('', 0), [editor]), '=A1')).toMatchObject({
      effect: 'confirmed',
    });
    expect(judgeTyped(seen(cell('5', 5), cell('', 0)), '=A1')).toMatchObject({ effect: 'unverified' });
  });
});

const BY_KEYS = { ...DEADLINE, mode: 'focus' } as const;

interface OneCell {
  readonly cell: SimulatedNode;
  readonly on: Stage;
  readonly ref: string;
}

/** A cell that shows `taken` after Enter, beside another. */
async function sheet(taken: string): Promise<OneCell> {
  const bounds = { x: 10, y: 10, width: 80, height: 20 };
  const first: SimulatedNode = {
    id: 'cell',
    role: 'cell',
    name: 'B2',
    value: 'before',
    accepts: 'number',
    states: ['editable'],
    bounds,
    onAct: { focus: (world) => world.focus('app', 'cell') },
    onKey: (world, keys) => {
      if (keys === 'Enter') world.change('app', 'cell', { value: taken });
    },
  };
  const other: SimulatedNode = { id: 'other', role: 'cell', name: 'B3', bounds: { ...bounds, y: 30 } };
  const on = await stage(oneWindow([first, other]));
  return { on, ref: await refOf(on.engine, 'B2'), cell: first };
}

function type({ on, ref }: OneCell, text: string, clearFirst: boolean, delayMs = 0): Promise<Receipt> {
  return on.engine.type({ ...BY_KEYS, ref, text, delayMs, clearFirst });
}

function keysOf(on: Stage): string[] {
  return on.desktop.input.record.map((entry) => entry.replace(/^(?:key|type) /, ''));
}

describe('cells that are named by their places', () => {
  const named = (name: string, more: Partial<SimulatedNode> = {}): SimulatedNode => ({
    id: name,
    role: 'cell',
    name,
    isNamedByPlace: true,
    ...more,
  });
  const book = (): ReturnType<typeof stage> =>
    stage(
      oneWindow([
        { id: 'box', role: 'textbox', name: 'Name Box', value: 'A1' },
        {
          id: 'sheet',
          role: 'table',
          name: 'Prices',
          children: [
            named('A1', { value: 'A2' }),
            named('B1', { value: '7', formula: '=SUM()' }),
            named('A2'),
          ],
        },
        // Its text is its name, wherever it is.
        { id: 'list', role: 'table', name: 'List', children: [{ id: 'other', role: 'cell', name: 'A1' }] },
      ]),
    );
  const find = async (query: string, by: 'auto' | 'cell' | 'exact' = 'auto', role?: string) =>
    (await book()).engine.find({ ...DEADLINE, query, by, role, wholeTree: false });

  it('are found by name and range, empty ones too, with their formulas', async () => {
    const { matches, matchedBy, complete } = await find('a1:b2');
    expect(matches.map(({ name, value, formula }) => [name, value, formula])).toEqual([
      ['A1', 'A2', undefined],
      ['B1', '7', '=SUM()'],
      ['A2', undefined, undefined],
    ]);
    expect([matchedBy, complete]).toEqual(['cell', true]);
    expect((await find('A2')).matches.map(({ name }) => name)).toEqual(['A2']);
  });

  it('are not what a role or another method looks for', async () => {
    expect((await find('A1', 'exact')).matchedBy).toBe('exact');
    expect((await find('A1', 'exact')).total).toBe(3);
    expect((await find('A1', 'auto', 'textbox')).matches.map(({ name }) => name)).toEqual(['Name Box']);
    expect((await find('C9', 'cell')).total).toBe(0);
  });

  it('are refused if the query names none, or too many', async () => {
    for (const query of ['Save', 'A1:ZZ9999'])
      expect(await failureOf(find(query, 'cell'))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('are the targets of locators', async () => {
    const { engine } = await book();
    const { node } = await engine.describe({ ...DEADLINE, ref: 'B1' });
    expect(node).toMatchObject({ role: 'cell', name: 'B1' });
    expect(await failureOf(engine.describe({ ...DEADLINE, ref: 'cell:A1:B1' }))).toMatchObject({
      code: 'AMBIGUOUS_TARGET',
    });
  });
});
