import { describe, expect, it } from 'vitest';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { button, DEADLINE, failureOf, oneWindow, stage } from './support/stage.ts';

const field = (id: string, name: string, value: string): SimulatedNode => ({
  id,
  role: 'textbox',
  name,
  value,
  accepts: 'text',
  bounds: { x: 10, y: 300, width: 80, height: 30 },
});
const of = (name: string) => `role:textbox[name="${name}"]`;
const values = (first: string, second: string) => [
  { ref: of('First'), expected: { value: first } },
  { ref: of('Second'), expected: { value: second } },
];

describe('expecting something of several elements', () => {
  it('returns the checks of each, with what it is of', async () => {
    const on = await stage(
      oneWindow([field('a', 'First', '1'), button('ok', 'OK', { states: ['disabled'] })]),
    );
    const { met, notes } = await on.engine.expectAll({
      ...DEADLINE,
      conditions: [
        { ref: of('First'), expected: { value: '1', focused: false } },
        { ref: 'role:button[name="OK"]', expected: { enabled: false } },
        { ref: 'role:dialog', expected: { exists: false } },
      ],
    });
    expect(met.flatMap(({ checks }) => checks)).toEqual([
      { target: of('First'), property: 'focused', expected: false, actual: false, passed: true },
      { target: of('First'), property: 'value', expected: '1', actual: '1', passed: true },
      { target: 'role:button[name="OK"]', property: 'enabled', expected: false, actual: false, passed: true },
      { target: 'role:dialog', property: 'exists', expected: false, actual: false, passed: true },
    ]);
    expect(met.map(({ ref }) => ref)).toEqual(['@e1', '@e2', undefined]);
    expect(notes).toEqual([]);
  });

  it('fails with all that failed, and lists all that was checked', async () => {
    const on = await stage(oneWindow([field('a', 'First', '1'), field('b', 'Second', '2')]));
    const conditions = [...values('1', '3'), { ref: 'role:dialog', expected: { visible: true } }];
    const error = await failureOf(on.engine.expectAll({ deadlineMs: 600, conditions }));
    expect(error).toMatchObject({ code: 'EXPECTATION_FAILED', exitCode: 1 });
    const { result } = error;
    expect(result).toMatchObject({
      passed: false,
      failures: [
        { target: of('Second'), property: 'value', expected: '3', actual: '2', passed: false },
        { target: 'role:dialog', property: 'exists', expected: true, actual: false, passed: false },
        { target: 'role:dialog', property: 'visible', expected: true, actual: null, passed: false },
      ],
    });
    expect(result?.['checks']).toHaveLength(4);
    expect(result?.['checks']).toMatchObject([{ target: of('First'), passed: true }, {}, {}, {}]);
    expect(error.message).toContain('2 of 3 elements were not as expected within 600 ms.');
    expect(error.message).toContain('value: expected "3", is "2"');
    expect(error.message).toContain('role:dialog\n  exists: expected true, is false');
  });

  it('waits until all holds at once', async () => {
    const on = await stage(oneWindow([field('a', 'First', 'x'), field('b', 'Second', 'x')]));
    on.world.clock.after(300, () => on.world.change('app', 'a', { value: '1' }));
    on.world.clock.after(600, () => on.world.change('app', 'a', { value: 'x' }));
    on.world.clock.after(600, () => on.world.change('app', 'b', { value: '2' }));
    on.world.clock.after(900, () => on.world.change('app', 'a', { value: '1' }));
    await on.engine.expectAll({ ...DEADLINE, conditions: values('1', '2') });
    expect(on.world.clock.now()).toBeGreaterThanOrEqual(900);
    expect(on.world.clock.now()).toBeLessThan(1400);
  });

  it('does not put together what was so at different moments', async () => {
    const on = await stage(oneWindow([field('a', 'First', '1'), field('b', 'Second', 'x')]));
    const describeNode = on.desktop.describe.bind(on.desktop);
    // Whenever the first was read, both change: each is as expected, but never both at once.
    on.desktop.describe = async (node, options) => {
      const details = await describeNode(node, options);
      await on.world.clock.sleep(5);
      if (node.path === 'a' && details.value === '1') {
        on.world.change('app', 'a', { value: 'x' });
        on.world.change('app', 'b', { value: '2' });
      } else if (node.path === 'b' && details.value === '2') {
        on.world.change('app', 'b', { value: 'x' });
        on.world.change('app', 'a', { value: '1' });
      }
      return details;
    };
    const error = await failureOf(on.engine.expectAll({ deadlineMs: 1500, conditions: values('1', '2') }));
    expect(error.code).toBe('EXPECTATION_FAILED');
  });

  it('looks only once without time to wait', async () => {
    const on = await stage(oneWindow([field('a', 'First', '1'), field('b', 'Second', '2')]));
    const { met } = await on.engine.expectAll({ deadlineMs: 0, conditions: values('1', '2') });
    expect(met).toHaveLength(2);
    const error = await failureOf(on.engine.expectAll({ deadlineMs: 0, conditions: values('9', '9') }));
    expect(error.message).toContain('2 of 2 elements were not as expected.');
    expect(on.world.clock.now()).toBe(0);
  });

  it('says that changes could not be watched for, and what was not there to be looked at', async () => {
    const on = await stage(oneWindow([field('a', 'First', '1'), field('b', 'Second', '2')]));
    const conditions = [
      ...values('1', '2'),
      { ref: 'app:Nobody >> role:button', expected: { exists: false } },
    ];
    on.desktop.watch = async () => Promise.reject(new Error('no events'));
    const { met, notes } = await on.engine.expectAll({ ...DEADLINE, conditions });
    expect(notes.join()).toContain('could not be watched');
    expect(met[2]?.checks).toMatchObject([
      { property: 'exists', passed: true, because: expect.stringContaining('Nobody') },
    ]);
  });

  it('names a target that cannot be resolved, and never learns a secret', async () => {
    const secret = { ...field('p', 'Password', 'horse'), states: ['protected' as const] };
    const on = await stage(
      oneWindow([field('a', 'First', '1'), secret, button('x', 'OK'), button('y', 'OK')]),
    );
    const twins = [{ ref: 'role:button', expected: { enabled: true } }, ...values('1', '2')];
    expect((await failureOf(on.engine.expectAll({ ...DEADLINE, conditions: twins }))).code).toBe(
      'AMBIGUOUS_TARGET',
    );
    const conditions = [
      { ref: of('First'), expected: { value: '1' } },
      { ref: of('Password'), expected: { value: 'horse' } },
    ];
    const error = await failureOf(on.engine.expectAll({ deadlineMs: 300, conditions }));
    expect(JSON.stringify(error.result)).not.toContain('"actual":"horse"');
    expect(error.result).toMatchObject({ failures: [{ target: of('Password'), passed: false }] });
  });
});
