import { describe, expect, it } from 'vitest';
import { button, DEADLINE, failureOf, oneWindow, refOf, stage } from './support/stage.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';

const BOUNDS = { x: 10, y: 50, width: 80, height: 30 };
const FIELD: SimulatedNode = {
  id: 'f',
  role: 'textbox',
  name: 'Name',
  value: 'Ada',
  accepts: 'text',
  bounds: BOUNDS,
};

describe('expecting', () => {
  it('returns every check immediately if all hold', async () => {
    const on = await stage(oneWindow([button('b', 'Bold', { role: 'checkbox', states: ['checked'] })]));
    const ref = await refOf(on.engine, 'Bold');
    const { checks } = await on.engine.expect({
      ...DEADLINE,
      ref,
      expected: { exists: true, visible: true, enabled: true, focused: false, checked: true, title: 'Bold' },
    });
    expect(checks.map(({ property, actual }) => [property, actual])).toEqual([
      ['exists', true],
      ['visible', true],
      ['enabled', true],
      ['focused', false],
      ['checked', true],
      ['title', 'Bold'],
    ]);
    expect(on.world.clock.now()).toBe(0);
  });

  it('continues until all hold in the same reading', async () => {
    const on = await stage(oneWindow([{ ...FIELD, states: ['disabled'] }]));
    const ref = await refOf(on.engine, 'Name');
    on.world.clock.after(300, () => on.world.change('app', 'f', { states: [], value: 'Bob' }));
    on.world.clock.after(900, () => on.world.change('app', 'f', { value: 'Grace' }));
    await on.engine.expect({ ...DEADLINE, ref, expected: { enabled: true, value: 'Grace' } });
    expect(on.world.clock.now()).toBeGreaterThanOrEqual(900);
  });

  it('fails with exactly the failed checks', async () => {
    const on = await stage(oneWindow([FIELD]));
    const ref = await refOf(on.engine, 'Name');
    const expected = { enabled: true, focused: true, role: 'button', value: 'Grace\nHopper' } as const;
    const error = await failureOf(on.engine.expect({ deadlineMs: 600, ref, expected }));
    expect(error).toMatchObject({
      code: 'EXPECTATION_FAILED',
      exitCode: 1,
      retryable: true,
      result: {
        passed: false,
        failures: [
          { property: 'focused', expected: true, actual: false },
          { property: 'role', expected: 'button', actual: 'textbox' },
          { property: 'value', expected: 'Grace\nHopper', actual: 'Ada' },
        ],
        waited_ms: 600,
      },
    });
    expect(error.message.split('\n')).toEqual([
      `${ref} (textbox "Name") was not as expected within 600 ms.`,
      '  focused: expected true, is false',
      '  role: expected "button", is "textbox"',
      String.raw`  value: expected "Grace\nHopper", is "Ada"`,
    ]);
  });

  it('checks once if there is no time', async () => {
    const on = await stage(oneWindow([FIELD]));
    const ref = await refOf(on.engine, 'Name');
    on.world.clock.after(1, () => on.world.change('app', 'f', { value: 'Grace' }));
    const error = await failureOf(on.engine.expect({ deadlineMs: 0, ref, expected: { value: 'Grace' } }));
    expect(error.code).toBe('EXPECTATION_FAILED');
    expect(on.world.clock.now()).toBe(0);
    await on.engine.expect({ deadlineMs: 0, ref, expected: { value: 'Ada' } });
  });

  it('passes when an element disappears, and fails if it had disappeared before', async () => {
    const on = await stage(oneWindow([FIELD]));
    const ref = await refOf(on.engine, 'Name');
    on.world.clock.after(300, () => on.world.remove('app', 'f'));
    const { checks } = await on.engine.expect({ ...DEADLINE, ref, expected: { exists: false } });
    expect(checks).toMatchObject([{ property: 'exists', expected: false, actual: false }]);
    const error = await failureOf(on.engine.expect({ deadlineMs: 300, ref, expected: { enabled: false } }));
    expect(error.result).toMatchObject({
      failures: [
        { property: 'exists', expected: true, actual: false },
        { property: 'enabled', expected: false, actual: null },
      ],
    });
  });

  it('accepts a recreated element, but neither of two', async () => {
    const on = await stage(oneWindow([FIELD]));
    const ref = await refOf(on.engine, 'Name');
    on.world.remove('app', 'f');
    on.world.clock.after(400, () =>
      on.world.insert('app', 'win-root', { ...FIELD, id: 'f1', value: 'Grace' }),
    );
    await on.engine.expect({ ...DEADLINE, ref, expected: { value: 'Grace' } });
    on.world.remove('app', 'f1');
    on.world.insert('app', 'win-root', { ...FIELD, id: 'f2' });
    on.world.insert('app', 'win-root', { ...FIELD, id: 'f3' });
    const before = on.world.clock.now();
    const error = await failureOf(on.engine.expect({ ...DEADLINE, ref, expected: { exists: true } }));
    expect(error.code).toBe('AMBIGUOUS_TARGET');
    expect(on.world.clock.now()).toBe(before);
  });

  it('is an immediate error for a ref that was never issued', async () => {
    const on = await stage(oneWindow([FIELD]));
    const asked = on.engine.expect({ ...DEADLINE, ref: '@e9', expected: { exists: false } });
    expect(await failureOf(asked)).toMatchObject({ code: 'ELEMENT_NOT_FOUND' });
  });

  it('reports that an application does not answer, not that something differs', async () => {
    const on = await stage(oneWindow([FIELD]));
    const ref = await refOf(on.engine, 'Name');
    on.world.freeze('app', 60_000);
    const error = await failureOf(on.engine.expect({ deadlineMs: 700, ref, expected: { value: 'Grace' } }));
    expect(error).toMatchObject({ code: 'APP_UNRESPONSIVE', retryable: true });
    expect(on.world.clock.now()).toBe(700);
    on.world.freeze('app', 0);
    on.world.clock.after(300, () => on.world.freeze('app', 60_000));
    const later = await failureOf(on.engine.expect({ deadlineMs: 900, ref, expected: { value: 'Grace' } }));
    expect(later.code).toBe('EXPECTATION_FAILED');
    expect(later.message).toMatch(/is "Ada"\n {2}since then: /);
  });

  it('finds a text in nested elements, case-sensitively', async () => {
    const label: SimulatedNode = { id: 'l', role: 'text', name: 'All saved', bounds: BOUNDS };
    const group: SimulatedNode = {
      id: 'g',
      role: 'group',
      name: 'Box',
      bounds: BOUNDS,
      children: [label, button('b', 'Undo')],
    };
    const on = await stage(oneWindow([group]));
    const found = await on.engine.find({ ...DEADLINE, by: 'exact', query: 'Box', limit: 1, wholeTree: true });
    const ref = found.matches[0]?.ref ?? '';
    await on.engine.expect({ ...DEADLINE, ref, expected: { contains_text: 'l sav' } });
    const asked = on.engine.expect({ deadlineMs: 0, ref, expected: { contains_text: 'Saved' } });
    expect((await failureOf(asked)).message).toContain(
      'contains_text: expected "Saved", text is "Box All saved Undo"',
    );
  });

  it('does not let secrets be guessed', async () => {
    const secret = { ...FIELD, id: 'p', name: 'Password', states: ['protected' as const], value: 'horse' };
    const on = await stage(oneWindow([secret, FIELD]));
    const refs = [await refOf(on.engine, 'Password'), await refOf(on.engine, 'Name')];
    await on.engine.setValue({ ...DEADLINE, ref: refs[1] ?? '', value: 'battery', withheld: true });
    for (const [index, value] of ['horse', 'battery'].entries())
      for (const expected of [{ value }, { contains_text: value }, { value: '[withheld]' }]) {
        const asked = on.engine.expect({ deadlineMs: 0, ref: refs[index] ?? '', expected });
        const { result } = await failureOf(asked);
        expect(result).toMatchObject({ failures: [{ actual: '[withheld]' }] });
      }
  });
});
