import { describe, expect, it } from 'vitest';
import { distill, present, prune } from '../../src/model/tree/distill/distill.ts';
import { renderOutline } from '../../src/model/tree/outline.ts';
import { COMPACT, counter, distilled, INTERACTIVE, lines, PLAIN, raw } from './raw-tree.ts';

describe('visibility', () => {
  const tree = raw('window', '', {}, [
    raw('button', 'seen'),
    raw('button', 'hidden', { states: ['hidden'] }, [raw('button', 'inside')]),
    raw('button', 'off', { states: ['offscreen'] }),
    raw('group', 'flat', { bounds: { x: 0, y: 0, width: 10, height: 0 } }, [raw('button', 'overflows')]),
    raw('button', 'gone', { states: ['defunct'] }),
  ]);

  it('shows what is on screen', () => {
    expect(lines(tree)).toStrictEqual([
      'window',
      '  button "seen" @e1',
      '  group "flat"',
      '    button "overflows" @e2',
    ]);
  });

  it('shows no empty box without a place beside those that have one', () => {
    const box = { bounds: { x: 0, y: 0, width: 100, height: 100 } };
    const hidden = raw('menubar', '', {}, [raw('menuitem', 'File', { states: ['offscreen'] })]);
    const boxes = (main: object) => [
      raw('toolbar', 'Hidden', {}, [hidden]),
      raw('toolbar', 'Main', main, [raw('button', 'New')]),
    ];
    expect(lines(raw('window', '', box, boxes(box)))).toStrictEqual([
      'window',
      '  toolbar "Main"',
      '    button "New" @e1',
    ]);
    // That windows have places does not tell whether their elements do.
    expect(lines(raw('window', '', box, boxes({})))).toContain('  toolbar "Hidden"');
  });

  it('shows the whole tree with its states if requested', () => {
    expect(lines(tree, { wholeTree: true })).toStrictEqual([
      'window',
      '  button "seen" @e1',
      '  button "hidden" @e2 hidden',
      '    button "inside" @e3',
      '  button "off" @e4 offscreen',
      '  group "flat"',
      '    button "overflows" @e5',
    ]);
  });
});

describe('tabs that a notebook does not show', () => {
  const box = { bounds: { x: 0, y: 0, width: 100, height: 100 } };
  const page = (): ReturnType<typeof raw> => raw('group', 'Icons', box, [raw('button', 'Trash', box)]);

  it('are left out, without their pages', () => {
    const notebook = raw('tablist', '', box, [raw('tab', '', {}, [page()])]);
    expect(lines(raw('window', '', {}, [notebook]), COMPACT)).toStrictEqual([
      'window',
      '  tablist',
      '    group "Icons"',
      '      button "Trash" @e1',
    ]);
  });

  it('are not those that say something or have a place', () => {
    const notebook = raw('tablist', '', box, [raw('tab', 'One', {}, [page()]), raw('tab', '', box)]);
    expect(lines(raw('window', '', {}, [notebook]), COMPACT)).toStrictEqual([
      'window',
      '  tablist',
      '    tab "One" @e1',
      '      group "Icons"',
      '        button "Trash" @e2',
      '    tab @e3',
    ]);
  });
});

describe('interactive only', () => {
  it('keeps controls, their structure, focus, values and elements with something left out', () => {
    const tree = raw('window', 'W', {}, [
      raw('heading', 'Title'),
      raw('text', 'Some prose'),
      raw('group', 'Network', {}, [raw('text', 'Explanation'), raw('checkbox', 'Proxy')]),
      raw('group', '', {}, [raw('tablist', '', {}, [raw('tab', 'One', { states: ['selected'] })])]),
      raw('text', 'Result', { value: '42' }),
      raw('document', 'Page', { states: ['focused'] }, [raw('paragraph', 'Prose')]),
      raw('list', 'Rows', { elided: 'too_many', childCount: 9 }),
      raw('status', '', {}, [raw('text', '3 files')]),
      raw('status', '', { nativeRole: 'status bar' }, [raw('text', 'Line 3')]),
      raw('list', 'Empty', {}, [raw('text', 'nothing here')]),
    ]);
    expect(lines(tree, INTERACTIVE)).toStrictEqual([
      'window "W"',
      '  group "Network"',
      '    checkbox "Proxy" @e1',
      '  tab "One" @e2 selected',
      '  text "Result" value="42"',
      '  document "Page" @e3 focused',
      '  list "Rows" (9 items) @e4+',
      '  status',
      '    text "3 files"',
    ]);
  });

  it('keeps the question of a message box but not the prose of a large dialog', () => {
    const buttons = (count: number) =>
      Array.from({ length: count }, (_, index) => raw('button', `B${index}`));
    const ask = (count: number) =>
      raw('dialog', 'Save?', {}, [raw('text', 'Save changes?'), ...buttons(count)]);
    expect(lines(ask(3), INTERACTIVE)).toContain('  text "Save changes?"');
    expect(lines(ask(8), INTERACTIVE)).not.toContain('  text "Save changes?"');
    expect(
      lines(raw('window', '', {}, [raw('alert', 'Low disk', {}, [raw('text', '1 MB left')])]), INTERACTIVE),
    ).toHaveLength(3);
  });
});

describe('compact', () => {
  it('leaves out decoration, layout, bounds, descriptions and identifiers', () => {
    const tree = raw('window', 'W', { bounds: { x: 0, y: 0, width: 9, height: 9 } }, [
      raw('group', '', {}, [
        raw('button', 'A', { description: 'Does A', identifier: 'a' }),
        raw('separator'),
        raw('image'),
        raw('button', 'B'),
      ]),
      raw('scrollbar', 'Vertical', {}, [raw('button', 'Line up')]),
    ]);
    const { root } = distilled(tree, { ...COMPACT, includeBounds: true });
    expect(root).toStrictEqual({
      role: 'window',
      name: 'W',
      children: [
        { ref: '@e1', role: 'button', name: 'A' },
        { ref: '@e2', role: 'button', name: 'B' },
      ],
    });
    const full = distilled(tree, { includeBounds: true }).root;
    expect(full.bounds).toStrictEqual({ x: 0, y: 0, width: 9, height: 9 });
    expect(full.children?.[0]?.children?.[0]).toMatchObject({ description: 'Does A', identifier: 'a' });
    expect(full.children?.[1]?.role).toBe('scrollbar');
  });
});

describe('states', () => {
  it('shows those that change what an agent would do, in one order', () => {
    const states = [
      'visited',
      'selectable',
      'focusable',
      'disabled',
      'editable',
      'checked',
      'focused',
    ] as const;
    expect(lines(raw('checkbox', 'A', { states }))).toStrictEqual([
      'checkbox "A" @e1 focused checked disabled',
    ]);
    expect(lines(raw('text', 'A', { states: ['readonly', 'multiselectable', 'active'] }))).toStrictEqual([
      'text "A"',
    ]);
    expect(lines(raw('textbox', 'A', { states: ['required', 'readonly'] }))).toStrictEqual([
      'textbox "A" @e1 readonly required',
    ]);
    expect(lines(raw('dialog', 'A', { states: ['modal', 'active'] }))).toStrictEqual([
      'dialog "A" modal active',
    ]);
    expect(lines(raw('togglebutton', 'A', { states: ['checked', 'pressed'] }))).toStrictEqual([
      'togglebutton "A" @e1 pressed',
    ]);
  });
});

describe('values', () => {
  it('cuts long ones and reports their length', () => {
    const { root } = distilled(raw('textbox', 'Editor', { value: 'x'.repeat(5000) }));
    expect(root.value).toHaveLength(1001);
    expect(root.value_length).toBe(5000);
    expect(renderOutline(root)).toContain('…" (5000 chars)');
  });

  it('reports no length if the adapter itself cut the value', () => {
    const { root } = distilled(raw('textbox', 'Editor', { value: `${'x'.repeat(4000)}…` }));
    expect(root.value_length).toBeUndefined();
    expect(renderOutline(root)).not.toContain('chars');
  });

  it('masks password fields wherever their content appears', () => {
    const tree = raw('group', '', { value: 'hunter2' }, [
      raw('textbox', 'Password', { states: ['protected'], value: 'hunter2', description: 'hunter2' }, [
        raw('text', 'hunter2'),
      ]),
    ]);
    expect(JSON.stringify(distilled(tree).root)).not.toContain('hunter2');
  });

  it('leaves out values that repeat states or names', () => {
    expect(lines(raw('checkbox', 'A', { value: '1', states: ['checked'] }))).toStrictEqual([
      'checkbox "A" @e1 checked',
    ]);
    expect(lines(raw('cell', 'A1', { value: 'A1' }))).toStrictEqual(['cell "A1" @e1']);
    expect(lines(raw('textbox', 'A', { value: 'A' }))).toStrictEqual(['textbox "A" @e1 value="A"']);
  });
});

describe('depth and refs', () => {
  const tree = raw('window', 'W', {}, [
    raw('group', 'G', {}, [
      raw('button', 'A'),
      raw('list', 'L', {}, [raw('listitem', 'x'), raw('listitem', 'y')]),
    ]),
    raw('button', 'B'),
  ]);

  it('replaces deeper elements by a count and a ref', () => {
    expect(lines(tree, { maxDepth: 1 })).toStrictEqual([
      'window "W"',
      '  group "G" (4 items) @e1+',
      '  button "B" @e2',
    ]);
    expect(distilled(tree, { maxDepth: 1 }).elided).toBe(4);
    expect(lines(tree, { maxDepth: 0 })).toStrictEqual(['window "W" (6 items) @e1+']);
  });

  it('shows the ref the root has and does not count it', () => {
    const result = distilled(tree, { rootRef: '@w1' });
    expect(result.root.ref).toBe('@w1');
    expect(result.refCount).toBe(4);
    expect(lines(tree, { rootRef: '@w1', maxDepth: 0 })).toStrictEqual(['window "W" (6 items) @w1+']);
  });

  it('assigns refs only within the budget, with the raw node', () => {
    const many = raw(
      'window',
      'W',
      {},
      Array.from({ length: 200 }, (_, index) => raw('button', `Button ${index}`)),
    );
    const asked: string[] = [];
    const result = distill(many, { ...PLAIN, budget: { maxTokens: 120, form: 'outline' } }, (node) => {
      asked.push(node.name);
      return `@e${asked.length}`;
    });
    expect(asked[0]).toBe('W');
    expect(asked).toHaveLength(result.refCount);
    expect(asked.length).toBeGreaterThan(8);
    expect(result.elided).toBe(200 - (asked.length - 1));
  });

  it('gives the same answer twice', () => {
    expect(distill(tree, PLAIN, counter()).root).toStrictEqual(distill(tree, PLAIN, counter()).root);
  });
});

it('a pruned tree can be shown again, with other refs and limits', () => {
  const root = raw('window', 'Form', {}, [
    raw('button', 'One'),
    raw('group', 'Box', {}, [raw('button', 'Two')]),
  ]);
  const pruned = prune(root, PLAIN);
  const before = structuredClone(pruned.root);
  const refsOf = (rootRef: string, from: number, maxTokens: number): unknown[] => {
    let next = from;
    const shown = present(pruned, { rootRef, budget: { maxTokens, form: 'outline' } }, () => `@e${next++}`);
    const refs = (node: typeof shown.root): unknown[] => [node.ref, ...(node.children ?? []).flatMap(refs)];
    return refs(shown.root);
  };
  expect(refsOf('@w1', 1, 1000)).toEqual(['@w1', '@e1', undefined, '@e2']);
  expect(refsOf('@w1', 1, 1000)).toEqual(['@w1', '@e1', undefined, '@e2']);
  expect(refsOf('@w2', 7, 1000)).toEqual(['@w2', '@e7', undefined, '@e8']);
  expect(refsOf('@w2', 1, 20).length).toBeLessThan(4);
  expect(refsOf('@w1', 1, 1000)).toEqual(['@w1', '@e1', undefined, '@e2']);
  expect(pruned.root).toEqual(before);
});
