import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { outlineChanges } from '../../src/model/tree/outline.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { pressing, STATUS } from './support/acting.ts';
import { askChanges, changesSince, form, linesSince } from './support/changes.ts';
import {
  app,
  button,
  DEADLINE,
  failureOf,
  oneWindow,
  refOf,
  snapshot,
  stage,
  windowWith,
} from './support/stage.ts';

function dialog(): SimulatedNode {
  return {
    id: 'confirm',
    role: 'dialog',
    name: 'Confirm',
    children: [
      { id: 'question', role: 'text', name: 'Really?' },
      {
        id: 'buttons',
        role: 'group',
        children: [button('ok', 'OK', { states: ['focused'] }), button('no', 'No')],
      },
    ],
  };
}

describe('changes since a snapshot', () => {
  it('are none if nothing happened', async () => {
    const on = await form();
    const { cursor } = await snapshot(on.engine);
    const result = await changesSince(on.engine, cursor);
    expect(result).toMatchObject({ changes: [], complete: true, elided: 0, refCount: 0, cursor: 'c2' });
    expect(result.window?.ref).toBe('@w1');
  });

  it('since the last look are those since the window was last shown', async () => {
    const on = await form();
    expect(await askChanges(on.engine, 'last')).toMatchObject({ cursor: 'c1', tree: { role: 'window' } });
    on.world.change('app', 'status', { name: 'Saved' });
    // The tree below the window was not shown.
    await snapshot(on.engine, { maxDepth: 0 });
    expect(await askChanges(on.engine, 'last')).toMatchObject({
      since: 'c1',
      cursor: 'c3',
      changes: [{ kind: 'changed', name: 'Saved' }],
    });
    expect(await askChanges(on.engine, ' last ')).toMatchObject({ since: 'c3', changes: [] });
  });

  it('list what changed, with usable refs', async () => {
    const on = await form();
    const { cursor } = await snapshot(on.engine);
    on.world.change('app', 'agree', { states: ['checked'] });
    on.world.change('app', 'status', { name: 'Saved' });
    expect(await linesSince(on.engine, cursor)).toEqual([
      '~ checkbox "Agree" @e1: none -> checked',
      '~ text "Saved": name "Ready" -> name "Saved"',
    ]);
  });

  it('list appeared elements with their content, and disappeared ones as one', async () => {
    const on = await form();
    const first = await snapshot(on.engine);
    on.world.insert('app', 'win-root', dialog());
    const second = await changesSince(on.engine, first.cursor);
    expect(outlineChanges(second.changes).trimEnd().split('\n')).toEqual([
      '+ dialog "Confirm"',
      '  + text "Really?"',
      '  + button "OK" @e3: focused',
      '  + button "No" @e4',
    ]);
    expect(second.refCount).toBe(2);
    on.world.change('app', 'ok', { states: ['disabled'] });
    const third = await changesSince(on.engine, second.cursor);
    expect(third.changes).toEqual([
      { kind: 'changed', ref: '@e3', role: 'button', name: 'OK', before: 'focused', after: 'disabled' },
    ]);
    on.world.remove('app', 'confirm');
    expect(await linesSince(on.engine, third.cursor)).toEqual(['- dialog "Confirm" (3 inside)']);
    // Compared with the beginning it never existed.
    expect(await linesSince(on.engine, first.cursor)).toEqual([]);
  });

  it('list disappeared elements one by one if a part of their container remains', async () => {
    const on = await stage(
      oneWindow([
        {
          id: 'panel',
          role: 'group',
          name: 'Panel',
          children: [button('a', 'A'), button('b', 'B'), button('c', 'C')],
        },
      ]),
    );
    const { cursor } = await snapshot(on.engine);
    on.world.remove('app', 'a');
    on.world.remove('app', 'c');
    expect(await linesSince(on.engine, cursor)).toEqual(['- button "A" @e1', '- button "C" @e3']);
  });

  it('notice an edit far beyond the shown part of a long text', async () => {
    const text = 'lorem ipsum '.repeat(400);
    const on = await stage(oneWindow([{ id: 'edit', role: 'textbox', name: 'Text', value: text }]));
    const { cursor } = await snapshot(on.engine);
    on.world.change('app', 'edit', { value: `${text}!` });
    const [change, ...others] = (await changesSince(on.engine, cursor)).changes;
    expect(others).toEqual([]);
    expect(change?.before).toMatch(/^value "lorem .*…" \(\d+ chars\)$/);
    expect(change?.after).not.toBe(change?.before);
    expect(JSON.stringify(await on.store.load('readings')).length).toBeLessThan(1500);
  });

  it('never contain what is typed into a password field, nor does the store', async () => {
    const secret: SimulatedNode = {
      id: 'pw',
      role: 'textbox',
      name: 'Password',
      states: ['protected'],
      value: 'hunter2',
    };
    const on = await stage(oneWindow([secret, button('x', 'X')]));
    const readTree = on.desktop.readTree.bind(on.desktop);
    // An adapter that reads too much.
    on.desktop.readTree = async (request) => {
      const read = await readTree(request);
      for (const node of read.root.children)
        if (node.states.includes('protected')) node.value = secret.value ?? '';
      return read;
    };
    const { cursor } = await snapshot(on.engine);
    secret.value = 'correct horse';
    expect((await changesSince(on.engine, cursor)).changes).toEqual([]);
    on.world.remove('app', 'pw');
    on.world.insert('app', 'win-root', { ...secret, id: 'pw2' });
    const { changes } = await changesSince(on.engine, cursor);
    expect(changes).toHaveLength(2);
    expect(JSON.stringify([changes, await on.store.load('readings')])).not.toMatch(/hunter2|correct horse/);
  });

  it('use the breadth of the earlier reading, whatever was filtered', async () => {
    const on = await stage(oneWindow([button('a', 'A'), button('far', 'Far', { states: ['offscreen'] })]));
    const wide = await snapshot(on.engine, {
      wholeTree: true,
      interactiveOnly: true,
      compact: true,
      maxDepth: 1,
    });
    const narrow = await snapshot(on.engine);
    expect(await linesSince(on.engine, wide.cursor)).toEqual([]);
    on.world.change('app', 'far', { name: 'Further' });
    expect(await linesSince(on.engine, wide.cursor)).toEqual([
      '~ button "Further" @e2: name "Far" -> name "Further"',
    ]);
    expect(await linesSince(on.engine, narrow.cursor)).toEqual([]);
  });

  it('stay below the element that was read', async () => {
    const panel: SimulatedNode = {
      id: 'panel',
      role: 'group',
      name: 'Panel',
      children: [button('in', 'In')],
    };
    const on = await stage(oneWindow([panel, button('out', 'Out')]));
    const shallow = await snapshot(on.engine, { maxDepth: 1 });
    const root = shallow.tree.children?.find(({ name }) => name === 'Panel')?.ref;
    const { cursor } = await snapshot(on.engine, { root });
    on.world.change('app', 'in', { name: 'Inner' });
    on.world.change('app', 'out', { name: 'Outer' });
    expect(await linesSince(on.engine, cursor)).toEqual(['~ button "Inner" @e3: name "In" -> name "Inner"']);
  });

  it('claim nothing about unread parts', async () => {
    const on = await form();
    const readTree = on.desktop.readTree.bind(on.desktop);
    on.desktop.readTree = (request) => readTree({ ...request, maxNodes: 3 });
    const { cursor } = await snapshot(on.engine);
    on.desktop.readTree = readTree;
    on.world.change('app', 'agree', { states: ['checked'] });
    const result = await changesSince(on.engine, cursor);
    expect(result.changes.map(({ kind }) => kind)).toEqual(['changed']);
    expect(result.complete).toBe(false);
    expect(result.incompleteReasons).toEqual([expect.stringContaining('c1 covers only part')]);
  });
});

describe('windows of the same application', () => {
  it('are reported when they open or close, with a ref', async () => {
    const on = await stage([
      app({ windows: [windowWith([button('a', 'A')], { focused: true })] }),
      app({ id: 'app2', name: 'Player', pid: 200, windows: [windowWith([], { id: 'w3', title: 'Third' })] }),
    ]);
    const first = await snapshot(on.engine);
    on.world.apps[0]?.windows.push(windowWith([button('y', 'Yes')], { id: 'sure', title: 'Sure?' }));
    on.world.apps[1]?.windows.push(windowWith([], { id: 'w4', title: 'Fourth' }));
    const second = await changesSince(on.engine, first.cursor);
    expect(second.changes).toEqual([{ kind: 'window_opened', ref: '@w2', role: 'window', name: 'Sure?' }]);
    on.world.apps[0]?.windows.pop();
    expect(await linesSince(on.engine, second.cursor)).toEqual(['- window "Sure?"']);
    expect(await linesSince(on.engine, first.cursor)).toEqual([]);
  });

  it('are reported after an act, too', async () => {
    const on = await stage(oneWindow([pressing(() => undefined)]));
    const ref = (await snapshot(on.engine)).tree.children?.[0]?.ref ?? '';
    const { cursor } = await on.engine.click({ ...DEADLINE, ref });
    on.world.apps[0]?.windows.push(windowWith([], { id: 'late', title: 'Late' }));
    expect(await linesSince(on.engine, cursor)).toEqual(['+ window "Late" @w2']);
  });
});

describe('changes since an act', () => {
  it('start from the reading of its receipt', async () => {
    const on = await stage(
      oneWindow([
        pressing((world) => world.change('app', 'status', { name: 'Pressed' })),
        structuredClone(STATUS),
      ]),
    );
    const before = await snapshot(on.engine);
    const ref = before.tree.children?.[0]?.ref ?? '';
    const { cursor } = await on.engine.click({ ...DEADLINE, ref });
    expect(await linesSince(on.engine, cursor)).toEqual([]);
    on.world.change('app', 'status', { name: 'Later' });
    expect(await linesSince(on.engine, cursor)).toEqual(['~ text "Later": name "Pressed" -> name "Later"']);
    expect(await linesSince(on.engine, before.cursor)).toEqual([
      '~ text "Later": name "Ready" -> name "Later"',
    ]);
  });

  it('report that its window has closed', async () => {
    const on = await stage([
      app({
        windows: [
          windowWith([pressing((world) => void world.apps[0]?.windows.splice(0, 1))]),
          windowWith([button('b', 'B')], { id: 'other', title: 'Other' }),
        ],
      }),
    ]);
    const ref = (await snapshot(on.engine, { window: 'win' })).tree.children?.[0]?.ref ?? '';
    const { cursor } = await on.engine.click({ ...DEADLINE, ref });
    expect((await failureOf(askChanges(on.engine, cursor))).code).toBe('WINDOW_NOT_FOUND');
  });
});

describe('a token budget', () => {
  const rows = (count: number): SimulatedNode => ({
    id: 'list',
    role: 'list',
    name: 'Results',
    children: Array.from({ length: count }, (_, index) => ({
      id: `r${index}`,
      role: 'listitem',
      name: `Item ${index} ünïcode`,
      children: [{ id: `t${index}`, role: 'text', name: `about ${index}` }],
    })),
  });

  it('bounds the changes; the important ones come first, the rest is counted and gets no refs', async () => {
    const on = await form();
    const agree = await refOf(on.engine, 'Agree');
    const { cursor } = await snapshot(on.engine);
    on.world.insert('app', 'win-root', rows(60));
    on.world.change('app', 'agree', { states: ['checked'] });
    const everything = (await changesSince(on.engine, cursor, { maxTokens: 100_000 })).changes.length;
    for (const maxTokens of [40, 100, 300, 1000]) {
      const on2 = await form();
      const first = await snapshot(on2.engine);
      on2.world.insert('app', 'win-root', rows(60));
      on2.world.change('app', 'agree', { states: ['checked'] });
      const print = (_rest: unknown, told: Parameters<typeof outlineChanges>[0]): string =>
        outlineChanges(told);
      const { changes, elided } = await changesSince(on2.engine, first.cursor, { maxTokens, print });
      expect(countTokens(outlineChanges(changes))).toBeLessThanOrEqual(maxTokens);
      expect(changes.length + elided).toBe(everything);
      expect(changes[0]).toMatchObject({ ref: agree, after: 'checked' });
      const refs = changes.flatMap(({ ref }) =>
        ref === undefined || ref === agree ? [] : [Number(ref.slice(2))],
      );
      expect(refs).toEqual(refs.map((_, index) => index + 3));
    }
    expect(
      (await failureOf(askChanges(on.engine, cursor, { maxTokens: 3, print: () => 'x '.repeat(50) }))).code,
    ).toBe('BUDGET_TOO_SMALL');
  });

  it('is not needed to keep an answer within bounds', async () => {
    const on = await form();
    const { cursor } = await snapshot(on.engine);
    on.world.insert('app', 'win-root', rows(500));
    const { changes, elided } = await changesSince(on.engine, cursor);
    expect(changes.length).toBe(200);
    expect(elided).toBeGreaterThan(700);
  });
});
