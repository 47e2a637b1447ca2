import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import type { Observation } from '../../src/engine/evidence/evidence.ts';
import { judgeRetyped, judgeTyped, wasInserted } from '../../src/engine/judging/judge-typed.ts';
import type { TypeRequest } from '../../src/engine/requests/acting.ts';
import type { NodeDetails } from '../../src/ports/desktop/elements.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { DEADLINE, failureOf, oneWindow, refOf, stage, windowWith, app } from './support/stage.ts';
import type { Stage } from './support/stage.ts';

function field(more: Partial<SimulatedNode> = {}): SimulatedNode {
  return {
    id: 'field',
    role: 'textbox',
    name: 'Name',
    value: 'Ada',
    accepts: 'text',
    states: ['editable'],
    bounds: { x: 10, y: 10, width: 200, height: 30 },
    onAct: { focus: (world) => world.focus('app', 'field') },
    ...more,
  };
}

async function type(on: Stage, more: Partial<TypeRequest> = {}) {
  const ref = await refOf(on.engine, 'Name');
  return on.engine.type({ ...DEADLINE, ref, text: ' Lovelace', delayMs: 0, clearFirst: false, ...more });
}

const held = (on: Stage): string | undefined => on.world.node('app', 'field').value;

describe('typing', () => {
  it('goes through accessibility, without keyboard or focus', async () => {
    const on = await stage(oneWindow([field()]));
    expect(await type(on)).toMatchObject({ effect: 'confirmed', via: 'simulated:insert-text' });
    expect(held(on)).toBe('Ada Lovelace');
    expect(on.desktop.input.record).toEqual([]);
  });

  it('uses the keyboard if accessibility has no way', async () => {
    const on = await stage(oneWindow([field({ accepts: 'text' })]));
    on.desktop.insertText = () => Promise.reject(refusal);
    const receipt = await type(on);
    expect(receipt).toMatchObject({
      effect: 'confirmed',
      via: 'accessibility: not offered; then keyboard:9 characters',
    });
    expect(held(on)).toBe('Ada Lovelace');
    expect(on.world.focusedWindow()?.id).toBe('win');
  });

  it('uses the keyboard if the field neither changed nor reacted, which inserting may have met with', async () => {
    const on = await stage(oneWindow([field()]));
    on.desktop.insertText = () =>
      Promise.resolve({ delivered: true, via: 'simulated:insert-text', accepted: true });
    const receipt = await type(on);
    expect(receipt).toMatchObject({
      effect: 'confirmed',
      via: 'accessibility: simulated:insert-text changed nothing; then keyboard:9 characters',
    });
    expect(held(on)).toBe('Ada Lovelace');
  });

  it('goes to the program in a terminal, whose text itself is not editable', async () => {
    const on = await stage(oneWindow([field({ role: 'terminal', states: [] })]));
    const describe = on.desktop.describe.bind(on.desktop);
    on.desktop.describe = async (...call) => ({ ...(await describe(...call)), interfaces: ['Text'] });
    on.desktop.insertText = () => Promise.reject(refusal);
    expect(await type(on)).toMatchObject({ effect: 'confirmed' });
    expect(held(on)).toBe('Ada Lovelace');
    on.world.node('app', 'field').role = 'textbox';
    expect(await failureOf(type(on))).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false });
  });

  it('does not type what the field has refused by itself, nor in the background', async () => {
    const on = await stage(oneWindow([field()]));
    on.desktop.insertText = () => {
      on.world.change('app', 'field', { value: 'Ada Lovelace' });
      on.world.change('app', 'field', { value: 'Ada' });
      return Promise.resolve({ delivered: true, via: 'simulated:insert-text', accepted: true });
    };
    expect(await failureOf(type(on))).toMatchObject({ code: 'ACTION_FAILED' });
    expect(on.desktop.input.record).toEqual([]);
    const quiet = await stage(oneWindow([field()]));
    quiet.desktop.insertText = () =>
      Promise.resolve({ delivered: true, via: 'simulated:insert-text', accepted: true });
    expect(await failureOf(type(quiet, { mode: 'background' }))).toMatchObject({ code: 'ACTION_FAILED' });
    expect(quiet.desktop.input.record).toEqual([]);
  });

  it('goes on at the caret as it was, although a field that refused the text moved it', async () => {
    const on = await stage(oneWindow([field({ caret: { offset: 1 } })]));
    on.desktop.insertText = (node) => {
      on.world.node(node.app, node.path).caret = { offset: 3 };
      return Promise.resolve({ delivered: true, via: 'simulated:insert-text', accepted: true });
    };
    const placed: unknown[] = [];
    const place = on.desktop.placeCaret.bind(on.desktop);
    on.desktop.placeCaret = (node, caret) => {
      placed.push(caret);
      return place(node, caret);
    };
    expect((await type(on)).via).toContain('; then keyboard:9 characters');
    expect(placed).toEqual([{ offset: 1 }]);
  });

  it('is not repeated where the field passed the text on, of which a late look shows nothing', async () => {
    const on = await stage(oneWindow([field()]));
    const [insert, describeIt] = [
      on.desktop.insertText.bind(on.desktop),
      on.desktop.describe.bind(on.desktop),
    ];
    let lookMs = 0;
    on.desktop.insertText = (...call) => {
      lookMs = 300;
      on.world.clock.after(200, () => on.world.change('app', 'field', { value: 'Ada' }));
      return insert(...call);
    };
    on.desktop.describe = async (...call) => {
      await on.world.clock.sleep(lookMs);
      return describeIt(...call);
    };
    expect(await failureOf(type(on))).toMatchObject({ code: 'ACTION_FAILED', delivered: true });
    expect(on.desktop.input.record).toEqual([]);
  });

  it('is not repeated where the text came late, and nothing tells of it', async () => {
    const on = await stage(oneWindow([field()]));
    on.desktop.insertText = () => {
      on.world.clock.after(400, () => (on.world.node('app', 'field').value = 'Ada Lovelace'));
      return Promise.resolve({ delivered: true, via: 'simulated:insert-text', accepted: true });
    };
    expect(await type(on)).toMatchObject({ effect: 'unverified', via: 'simulated:insert-text' });
    expect([held(on), on.desktop.input.record]).toEqual(['Ada Lovelace', []]);
  });

  it('uses keys for a pace, for Enter, and if requested', async () => {
    for (const more of [{ delayMs: 5 }, { text: 'a\n' }, { mode: 'focus' }] as const) {
      const on = await stage(oneWindow([field()]));
      expect((await type(on, more)).via).toMatch(/^keyboard:/);
    }
  });

  it('replaces the content if requested', async () => {
    const on = await stage(oneWindow([field()]));
    expect(await type(on, { clearFirst: true, text: 'Grace' })).toMatchObject({ effect: 'confirmed' });
    expect(held(on)).toBe('Grace');
  });

  it('ends when the focus moves elsewhere, and reports how far it got', async () => {
    const other = windowWith([], { id: 'other', title: 'Other' });
    const on = await stage([
      app({ windows: [windowWith([field()], { focused: true })] }),
      app({ id: 'b', pid: 2, windows: [other] }),
    ]);
    on.world.clock.after(400, () => {
      on.desktop.input.userActiveUntilMs = on.world.clock.now() + 300;
      for (const { windows } of on.world.apps)
        for (const window of windows) window.focused = window.id === 'other';
    });
    const error = await failureOf(type(on, { text: 'a long text that takes its time', delayMs: 50 }));
    expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: true });
    expect(error.message).toMatch(/\d+ of 31 characters had been typed\. The last \d+ of them may have gone/);
    expect(on.desktop.input.holder).toBeUndefined();
  });

  it('is refused for elements that cannot be edited or take no focus', async () => {
    const readOnly = await stage(oneWindow([field({ states: ['readonly'] })]));
    expect(await failureOf(type(readOnly))).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false });
    const stubborn = await stage(
      oneWindow([{ id: 'it', role: 'button', name: 'Name', bounds: { x: 0, y: 0, width: 9, height: 9 } }]),
    );
    expect(await failureOf(type(stubborn))).toMatchObject({ code: 'ACTION_NOT_SUPPORTED', delivered: false });
  });

  it('is no failure if the field shows the text two seconds after the keys, but after four it is', async () => {
    const typed = async (lateMs: number) => {
      const on = await stage(oneWindow([field({ accepts: 'lies', states: ['editable', 'focused'] })]));
      const ref = await refOf(on.engine, 'Name');
      on.world.clock.after(lateMs, () => {
        on.world.node('app', 'field').value = 'Ada Lovelace';
        on.world.emit('app', 'field', 'text-changed', 'insert');
      });
      return on.engine.type({
        ...DEADLINE,
        ref,
        text: ' Lovelace',
        delayMs: 0,
        clearFirst: false,
        mode: 'focus',
      });
    };
    expect((await typed(2000)).effect).toBe('unverified');
    expect(await failureOf(typed(4000))).toMatchObject({ code: 'ACTION_FAILED' });
  });

  it('is a failure if a fresh read does not show the text', async () => {
    const on = await stage(oneWindow([field({ accepts: 'lies', states: ['editable', 'focused'] })]));
    const error = await failureOf(type(on));
    expect(error).toMatchObject({ code: 'ACTION_FAILED', delivered: true, result: { effect: 'no_op' } });
  });
});

const refusal = await failureOf(
  (async () => {
    const on = await stage(oneWindow([{ id: 'x', role: 'button', name: 'X' }]));
    await on.desktop.insertText({ app: 'app', path: 'x' }, '', DEADLINE);
  })(),
);

describe('a text that was typed', () => {
  const text = fc.string({ maxLength: 8 });
  it('is recognised at any position and instead of any other selection', () => {
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.string({ minLength: 1, maxLength: 8 }),
        (head, selected, tail, typed) => {
          fc.pre(selected !== typed);
          expect(wasInserted({ before: head + selected + tail, after: head + typed + tail, typed })).toBe(
            true,
          );
        },
      ),
    );
  });

  it('is not recognised if it is absent', () => {
    expect(wasInserted({ before: 'abc', after: 'abc', typed: 'x' })).toBe(false);
    expect(wasInserted({ before: 'abc', after: 'xyz', typed: 'x' })).toBe(false);
    expect(wasInserted({ before: 'abc', after: 'abcxd', typed: 'x' })).toBe(false);
  });
});

describe('typing Enter or Tab into a field that is empty afterwards', () => {
  const node = (text: string): NodeDetails => ({
    handle: { app: 'app', path: 'field' },
    role: 'textbox',
    nativeRole: 'entry',
    name: 'Search',
    text,
    states: ['editable'],
    attributes: {},
    relations: [],
    interfaces: [],
  });
  const seen = (before: string, after: string): Observation => ({
    outcome: { delivered: true, via: 'keyboard' },
    before: node(before),
    after: node(after),
    events: [],
    changes: [],
    windowChanges: [],
    targetKey: 'app field',
  });

  it.each(['query\n', 'query\r', 'query\t'])('is no failure: %j', (text) => {
    expect(judgeTyped(seen('', ''), text).effect).toBe('unverified');
    expect(judgeTyped(seen('old ', ''), text).effect).toBe('unverified');
    expect(judgeRetyped(seen('old', ''), text)).toMatchObject({ effect: 'unverified', retrySafe: false });
  });

  it.each([
    ['', 'a😀b\nc', 'ab\nc'],
    ['old\nend', 'a😀b\nc', 'old\nab\ncend'],
    ['old', 'first\n🎉', 'first\n'],
  ])(
    'is one where the field keeps line breaks and lacks a character: after %j, %j as %j',
    (was, text, is) => {
      expect(judgeTyped(seen(was, is), text).effect).toBe('partial');
      expect(judgeRetyped(seen('before', is), text).effect).toBe('partial');
    },
  );

  it('is not proved by what changes elsewhere while the field neither changed nor reported anything', () => {
    const elsewhere = { app: 'app', path: 'other' };
    const other = { ...node(''), handle: elsewhere, name: 'Other', role: 'button' as const, children: [] };
    const change = { kind: 'disappeared' as const, role: 'button' as const, name: 'Other' };
    const event = {
      kind: 'children-changed' as const,
      app: 'app',
      node: elsewhere,
      detail: 'remove',
      atMs: 0,
    };
    const beside = (is: Observation): Observation => ({
      ...is,
      changes: [{ change, key: 'app other', node: other, lineage: [] }],
      events: [event],
    });
    expect(judgeTyped(beside(seen('', 'sent')), 'query\n').effect).toBe('confirmed');
    expect(judgeTyped(beside(seen('', '')), 'query\n').effect).toBe('unverified');
    expect(judgeRetyped(beside(seen('', '')), 'query\n').effect).toBe('unverified');
  });

  it('is none where it only adds to the lines, such as their indent', () => {
    expect(judgeTyped(seen('', 'if a:\n    b'), 'if a:\nb').effect).not.toBe('partial');
    expect(judgeRetyped(seen('old', 'if a:\n    b'), 'if a:\nb').effect).not.toBe('partial');
  });

  it('is one without Enter', () => {
    expect(judgeTyped(seen('old', ''), 'query').effect).toBe('partial');
    expect(judgeRetyped(seen('old', ''), 'query').effect).toBe('partial');
  });
});

describe('typing without naming an element', () => {
  const active = (on: Stage): void => {
    const [window] = on.world.apps.flatMap(({ windows }) => windows);
    if (window) window.focused = true;
  };
  async function typeThere(on: Stage, more: Partial<TypeRequest> = {}) {
    return on.engine.type({ ...DEADLINE, text: ' Lovelace', delayMs: 0, clearFirst: false, ...more });
  }

  it('goes to the element that has the focus, and names it', async () => {
    const on = await stage(oneWindow([field(), field({ id: 'other', name: 'Other' })]));
    active(on);
    on.world.focus('app', 'field');
    const receipt = await typeThere(on);
    expect(receipt).toMatchObject({ effect: 'confirmed', target: { role: 'textbox', name: 'Name' } });
    expect(receipt.target.ref).toMatch(/^@e/);
    expect(held(on)).toBe('Ada Lovelace');
    expect(on.world.node('app', 'other').value).toBe('Ada');
  });

  it('is keys for the window if no element reports the focus, and names the window', async () => {
    const on = await stage(oneWindow([field()]));
    active(on);
    const receipt = await typeThere(on);
    expect(receipt).toMatchObject({
      target: { ref: '@w1' },
      via: 'keyboard:9 characters',
      effect: 'unverified',
    });
    expect(await failureOf(typeThere(on, { clearFirst: true }))).toMatchObject({
      code: 'NOT_ACTIONABLE',
      delivered: false,
    });
  });

  it('reports how far keys for the window got when another one takes the focus', async () => {
    const on = await stage([
      app({ windows: [windowWith([field()], { focused: true })] }),
      app({ id: 'b', pid: 2, windows: [windowWith([], { id: 'other', title: 'Other' })] }),
    ]);
    on.world.clock.after(400, () => {
      on.desktop.input.userActiveUntilMs = on.world.clock.now() + 300;
      for (const { windows } of on.world.apps)
        for (const window of windows) window.focused = window.id === 'other';
    });
    const error = await failureOf(typeThere(on, { text: 'a long text that takes its time', delayMs: 50 }));
    expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: true, retryable: false });
    expect(error.message).toMatch(/\d+ of 31 characters had been typed\. The last \d+ of them may have gone/);
  });

  it('sends nothing to a button that has the focus: a space would press it', async () => {
    const on = await stage(oneWindow([field({ role: 'button', accepts: undefined })]));
    active(on);
    on.world.focus('app', 'field');
    expect(await failureOf(typeThere(on))).toMatchObject({ delivered: false });
    expect(on.desktop.input.record).toEqual([]);
  });

  it('sends nothing if no window has the focus', async () => {
    const on = await stage(oneWindow([field()]));
    expect(await failureOf(typeThere(on))).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false });
    expect(on.desktop.input.record).toEqual([]);
  });
});
