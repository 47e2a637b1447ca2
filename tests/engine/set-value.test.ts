import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import {
  button,
  DEADLINE,
  failureOf,
  oneWindow,
  refOf,
  refsByName,
  snapshot,
  stage,
} from './support/stage.ts';
import type { Stage } from './support/stage.ts';

const field = (more: Partial<SimulatedNode> = {}): SimulatedNode => ({
  id: 'name',
  role: 'textbox',
  name: 'Name',
  value: 'old',
  accepts: 'text',
  ...more,
});
const slider = (more: Partial<SimulatedNode> = {}): SimulatedNode => ({
  id: 'volume',
  role: 'slider',
  name: 'Volume',
  value: '30',
  accepts: 'number',
  range: { minimum: 0, maximum: 100, step: 1 },
  ...more,
});

async function write(on: Stage, name: string, value: string): Promise<Receipt> {
  return on.engine.setValue({ ...DEADLINE, ref: await refOf(on.engine, name), value });
}

/** Stores the written value as `take` returns it, and sends the events `tells`. */
function takes(on: Stage, take: (value: string) => string, tells = true): void {
  on.desktop.setValue = async (node, value) => {
    if (tells) on.world.change(node.app, node.path, { value: take(value) });
    else on.world.node(node.app, node.path).value = take(value);
    return { accepted: true, delivered: true, via: 'test' };
  };
}

describe('writing a value', () => {
  it('is confirmed by a fresh read and the element’s own event', async () => {
    const on = await stage(oneWindow([field()]));
    expect(await write(on, 'Name', 'Ada')).toMatchObject({
      effect: 'confirmed',
      evidence: ['fresh read: "Ada"', 'application events: text-changed'],
      changes: [{ kind: 'changed', before: 'value "old"', after: 'value "Ada"' }],
    });
  });

  it('does not wait for the delay with which its toolkit activates buttons', async () => {
    const on = await stage(oneWindow([field()], { activationDelayMs: 250 }));
    const receipt = await write(on, 'Name', 'Ada');
    expect(receipt.effect).toBe('confirmed');
    expect(receipt.duration_ms).toBeLessThan(100);
  });

  it('that its application stores within that delay is waited for', async () => {
    const on = await stage(oneWindow([field()], { activationDelayMs: 250 }));
    on.desktop.setValue = async (node, value) => {
      on.world.clock.after(120, () => on.world.change(node.app, node.path, { value }));
      return { accepted: true, delivered: true, via: 'test' };
    };
    expect(await write(on, 'Name', 'Ada')).toMatchObject({ effect: 'confirmed' });
  });

  it('that is already there is confirmed without an act', async () => {
    const on = await stage(oneWindow([field()]));
    expect(await write(on, 'Name', 'old')).toMatchObject({ effect: 'confirmed', retry_safe: true });
  });

  it('is a no-op if the application accepts it and does nothing', async () => {
    const on = await stage(oneWindow([field({ accepts: 'lies' })]));
    expect(await failureOf(write(on, 'Name', 'Ada'))).toMatchObject({
      code: 'ACTION_FAILED',
      delivered: true,
      result: { effect: 'no_op' },
    });
  });

  it('is a no-op although the application reports success', async () => {
    const on = await stage(oneWindow([field()]));
    takes(on, () => 'old');
    expect(await failureOf(write(on, 'Name', 'Ada'))).toMatchObject({ result: { effect: 'no_op' } });
  });

  describe('without effect', () => {
    const typed = field({ value: '', onAct: { focus: (world) => world.focus('app', 'name') } });
    const spin = slider({ ...typed, id: 'spin', role: 'spinbutton', name: 'Spin', value: '100' });
    const complaint: SimulatedNode = { id: 'complaint', role: 'text', name: 'Fine' };
    const unheeded = async (react: (on: Stage) => void = () => undefined): Promise<Stage> => {
      const on = await stage(oneWindow([{ ...typed }, { ...spin }, { ...complaint }]));
      on.desktop.setValue = async () => {
        react(on);
        return { accepted: true, delivered: true, via: 'test' };
      };
      return on;
    };

    it('is typed if the application did nothing at all', async () => {
      expect(await write(await unheeded(), 'Name', 'Ada')).toMatchObject({
        effect: 'confirmed',
        via: 'accessibility: test changed nothing; then keyboard:3 characters',
        evidence: expect.arrayContaining([expect.stringMatching(/^pending: the field still has the focus/)]),
      });
    });

    it('is not pending in a text of several lines, which is not entered', async () => {
      const on = await stage(oneWindow([{ ...typed, states: ['multiline'] }]));
      on.desktop.setValue = async () => ({ accepted: true, delivered: true, via: 'test' });
      const { evidence } = await write(on, 'Name', 'Ada');
      expect(evidence.join()).not.toContain('pending');
    });

    it.each([
      ['it threw the value out again', 'Name', 'name', { value: '' }],
      ['it complained', 'Name', 'complaint', { name: 'No!' }],
      ['it cannot take as much', 'Spin', undefined, {}],
    ] as const)('is not tried in another way where %s', async (_, name, changed, fields) => {
      const on = await unheeded(({ world }) => {
        if (changed !== undefined) world.change('app', changed, fields);
      });
      expect(await failureOf(write(on, name, '500'))).toMatchObject({
        code: 'ACTION_FAILED',
        result: { effect: 'no_op', via: 'test', retry_safe: false },
      });
      expect(on.desktop.input.record).toEqual([]);
    });
  });

  it('is partial if something else is there afterwards', async () => {
    const on = await stage(oneWindow([slider(), field()]));
    expect(await failureOf(write(on, 'Volume', '500'))).toMatchObject({ result: { effect: 'partial' } });
    takes(on, (value) => value.slice(0, 2));
    expect(await failureOf(write(on, 'Name', 'Ada'))).toMatchObject({ result: { effect: 'partial' } });
  });

  it('treats 55.0 and 55 as the same number, but not 007 and 7 as the same text', async () => {
    const on = await stage(oneWindow([slider(), field()]));
    expect(await write(on, 'Volume', '55.0')).toMatchObject({ effect: 'confirmed' });
    takes(on, (value) => String(Number(value)));
    for (const text of ['007', '1e3', '0x10'])
      expect(await failureOf(write(on, 'Name', text))).toMatchObject({ result: { effect: 'partial' } });
  });

  it('is unverified if the value is there but no event reported it', async () => {
    const on = await stage(oneWindow([field(), { id: 'clock', role: 'text', name: '12:00:01' }]));
    takes(
      on,
      (value) => {
        on.world.change('app', 'clock', { name: 'noon' });
        on.world.emit('app', 'name', 'state-changed', 'busy=0');
        return value;
      },
      false,
    );
    expect(await write(on, 'Name', 'Ada')).toMatchObject({ effect: 'unverified' });
  });

  it('is confirmed by an entry inside the element, or a text that repeats the value', async () => {
    const entry: SimulatedNode = { id: 'entry', role: 'textbox', name: 'Inner', value: '1' };
    for (const parts of [
      [slider({ role: 'spinbutton', children: [entry] })],
      [slider({ role: 'spinbutton' }), { ...entry, role: 'text' as const }],
    ]) {
      const on = await stage(oneWindow(parts));
      takes(
        on,
        (value) => {
          on.world.change('app', 'entry', { value });
          return value;
        },
        false,
      );
      expect(await write(on, 'Volume', '7')).toMatchObject({ effect: 'confirmed' });
    }
  });

  it('is unverified if the element no longer exists afterwards', async () => {
    const on = await stage(oneWindow([field(), button('other', 'Other')]));
    takes(on, (value) => {
      on.world.clock.after(5, () => on.world.remove('app', 'name'));
      return value;
    });
    expect(await write(on, 'Name', 'Ada')).toMatchObject({ effect: 'unverified', delivered: true });
  });

  it.each([
    ['a disabled field', { states: ['disabled'] }],
    ['a read-only field', { states: ['readonly'] }],
  ] as const)('is refused for %s', async (_, { states }) => {
    const on = await stage(oneWindow([field({ states: [...states] })]));
    expect(await failureOf(write(on, 'Name', 'x'))).toMatchObject({
      code: 'NOT_ACTIONABLE',
      delivered: false,
    });
    expect(on.world.node('app', 'name').value).toBe('old');
  });

  it('is refused if no value can be written, and text instead of a number', async () => {
    const on = await stage(oneWindow([button('b', 'B'), slider()]));
    expect(await failureOf(write(on, 'B', 'x'))).toMatchObject({
      code: 'ACTION_NOT_SUPPORTED',
      delivered: false,
    });
    expect(await failureOf(write(on, 'Volume', 'loud'))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      delivered: false,
    });
  });
});

describe('a password', () => {
  const SECRET = 'correct-horse';
  const password = (): SimulatedNode => field({ name: 'Password', value: 'hunter2', states: ['protected'] });

  it('is never confirmed because it cannot be read back', async () => {
    const on = await stage(oneWindow([password()]));
    expect(await write(on, 'Password', SECRET)).toMatchObject({ effect: 'unverified', delivered: true });
  });

  it('appears in no answer', async () => {
    const inner: SimulatedNode = { id: 'inner', role: 'text', name: 'hunter2', value: 'hunter2' };
    const on = await stage(oneWindow([{ ...password(), children: [inner] }]));
    const { desktop } = on;
    const setValue = desktop.setValue.bind(desktop);
    desktop.setValue = async (node, value, options) => {
      on.world.change('app', 'inner', { name: value, value });
      return setValue(node, value, options);
    };
    const refs = await refsByName(on.engine);
    const ref = refs.get('Password') ?? '';
    const answers = [
      await on.engine.setValue({ ...DEADLINE, ref, value: SECRET }),
      await on.engine.describe({ ...DEADLINE, ref }),
      await snapshot(on.engine, { wholeTree: true }),
      await on.engine.find({ ...DEADLINE, by: 'contains', query: 'o', limit: 50, wholeTree: true }),
      await on.engine.find({ ...DEADLINE, by: 'exact', query: SECRET, limit: 50, wholeTree: true }),
    ];
    for (const answer of answers) expect(JSON.stringify(answer)).not.toMatch(/correct-horse|hunter2/);
  });
});

it('a cell that was written to keeps its ref although its name changed', async () => {
  const cell = field({ id: 'cell', role: 'cell', name: '5', value: '5' });
  const on = await stage(oneWindow([{ id: 'sheet', role: 'table', name: 'Sheet', children: [cell] }]));
  const ref = await refOf(on.engine, '5');
  on.desktop.setValue = async (node, value) => {
    on.world.change(node.app, node.path, { name: value, value });
    return { accepted: true, delivered: true, via: 'test' };
  };
  expect(await on.engine.setValue({ ...DEADLINE, ref, value: '7' })).toMatchObject({ effect: 'confirmed' });
  expect((await on.engine.describe({ ...DEADLINE, ref })).node.name).toBe('7');
});

it('an application that processes a text gradually is waited for, and is not a failure', async () => {
  const on = await stage(oneWindow([field({ id: 'slow', name: 'Slow' })]));
  const ref = await refOf(on.engine, 'Slow');
  on.desktop.setValue = async (node, value) => {
    for (let length = 1; length <= value.length; length++)
      on.world.clock.after(length * 150, () =>
        on.world.change(node.app, node.path, { value: value.slice(0, length) }),
      );
    return { accepted: true, delivered: true, via: 'test' };
  };
  expect(await on.engine.setValue({ ...DEADLINE, ref, value: 'slow' })).toMatchObject({
    effect: 'unverified',
  });
});
