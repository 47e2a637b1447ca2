import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/engine/evidence/evidence.ts';
import type { ObservedChange } from '../../src/engine/evidence/window-diff.ts';
import { judgeChoice, type Choice } from '../../src/engine/judging/judge-choice.ts';
import { judgeFocus } from '../../src/engine/judging/judge-state.ts';
import type { State } from '../../src/model/tree/state.ts';
import { handleKey, type TreeNode } from '../../src/model/tree/node.ts';
import type { NodeDetails } from '../../src/ports/desktop/elements.ts';
import type { DesktopEvent } from '../../src/ports/desktop/events.ts';

const handleOf = (path: string) => ({ app: 'office', path });

function node(path: string, more: Partial<TreeNode> = {}): TreeNode {
  const blank = { role: 'generic', nativeRole: 'panel', name: '', states: [], children: [] } as const;
  return { ...blank, children: [], handle: handleOf(path), ...more };
}

function details(path: string, more: Partial<NodeDetails>): NodeDetails {
  const { children: _children, ...blank } = node(path);
  return { ...blank, attributes: {}, relations: [], interfaces: [], ...more };
}

function eventOf(path: string, kind: DesktopEvent['kind'], detail = ''): DesktopEvent {
  return { kind, detail, node: handleOf(path), atMs: 1 };
}

function choiceOf(path: string, label: string): Choice {
  return {
    ref: '@e1',
    refersTo: 'option',
    option: handleOf(path),
    container: handleOf('/container'),
    label,
    isListOpen: false,
    adds: false,
    isAlone: true,
    isUnique: false,
  };
}

const ACCEPTED = { accepted: true, delivered: true, via: 'test' };
const QUIET = { outcome: ACCEPTED, events: [], changes: [], windowChanges: [] } as const;

describe('a cell of a sheet', () => {
  const cell = (...states: State[]): NodeDetails =>
    details('/cell', { role: 'cell', name: 'M1', states, interfaces: ['Accessible', 'Text', 'Value'] });
  const nameBox = node('/name', { role: 'textbox', value: 'M1' });
  const moved: ObservedChange = {
    change: { kind: 'changed', role: 'textbox', before: 'value "A1"', after: 'value "M1"' },
    key: handleKey(nameBox.handle),
    lineage: [],
    node: nameBox,
  };
  const seen = (after: NodeDetails, more: Partial<Observation> = {}): Observation => ({
    ...QUIET,
    before: cell(),
    after,
    targetKey: handleKey(handleOf('/cell')),
    ...more,
  });
  const shown = { changes: [moved], events: [eventOf('/name', 'text-changed', 'insert')] };
  const choice = choiceOf('/cell', 'M1');

  it('is chosen if it has the cell cursor, as after a click, and the application shows that elsewhere', () => {
    expect(judgeChoice(seen(cell('focused'), shown), choice)).toMatchObject({ effect: 'confirmed' });
    expect(judgeFocus(seen(cell('focused'), shown))).toMatchObject({ effect: 'confirmed' });
    expect(judgeChoice(seen(cell('focused')), choice)).toMatchObject({ effect: 'unverified' });
    expect(judgeChoice(seen(cell('selected'), shown), choice)).toMatchObject({ effect: 'no_op' });
  });

  it('is chosen only in part if other cells stay marked', () => {
    const at = (y: number) => ({ x: 0, y, width: 60, height: 20 });
    const other = node('/other', { role: 'cell', name: 'B2', states: ['selected'], bounds: at(20) });
    const own = node('/cell', { role: 'cell', name: 'M1', states: ['focused'], bounds: at(0) });
    const root = node('/container', { role: 'table', children: [other, own] });
    const reading = { root, complete: true };
    const trees = { before: reading, after: reading };
    expect(judgeChoice(seen(cell('focused'), { ...shown, trees }), choice)).toMatchObject({
      effect: 'partial',
    });
    // Nothing was taken, so that the next strategy may be tried.
    expect(judgeChoice(seen(cell(), { ...shown, trees }), choice)).toMatchObject({ effect: 'no_op' });
  });
});

describe('a tab', () => {
  const tab = (path: string, name: string, ...states: State[]): TreeNode =>
    node(path, { role: 'tab', name, states: ['selectable', ...states] });
  const page = node('/page', { role: 'checkbox', name: 'Justified' });
  const appeared: ObservedChange = {
    change: { kind: 'appeared', role: 'checkbox', name: 'Justified' },
    key: handleKey(page.handle),
    lineage: [handleKey(handleOf('/dialog'))],
    node: page,
  };
  const reading = (...children: TreeNode[]) => ({ root: node('/dialog', { children }), complete: true });
  const before = reading(tab('/1', 'Indents', 'selected'), tab('/2', 'Alignment'));
  const seen = (after: ReturnType<typeof reading>, more: Partial<Observation> = {}): Observation => ({
    ...QUIET,
    before: details('/2', { role: 'tab', name: 'Alignment' }),
    after: undefined,
    targetKey: handleKey(handleOf('/2')),
    trees: { before, after },
    changes: [appeared],
    events: [eventOf('/dialog', 'children-changed', 'add')],
    ...more,
  });
  const choice = choiceOf('/2', 'Alignment');
  const after = reading(tab('/8', 'Alignment', 'selected'), tab('/9', 'Indents'));

  it('that was made anew in another row is the one of its name', () => {
    expect(judgeChoice(seen(after), choice)).toMatchObject({ effect: 'confirmed' });
  });

  it('that was made anew proves nothing alone, without its name, or if it is not selected', () => {
    expect(judgeChoice(seen(after, { changes: [], events: [] }), choice).effect).toBe('unverified');
    const others = [
      reading(tab('/8', 'Alignment'), tab('/9', 'Indents', 'selected')),
      reading(tab('/8', 'Alignment', 'selected'), tab('/9', 'Alignment')),
      reading(tab('/8', 'Area', 'selected')),
    ];
    for (const other of others)
      expect(judgeChoice(seen(other), choice)).toMatchObject({
        effect: 'unverified',
        evidence: ['the element could not be read again'],
      });
  });
});

describe('an option that is gone, and whose label is in a field', () => {
  const seen = (was: string, is: string): Observation => {
    const field = (value: string): TreeNode => node('/field', { role: 'textbox', value });
    const reading = (value: string) => ({
      root: node('/window', { children: [field(value)] }),
      complete: true,
    });
    const changed: ObservedChange = {
      change: { kind: 'changed', role: 'textbox', before: `value "${was}"`, after: `value "${is}"` },
      key: handleKey(handleOf('/field')),
      lineage: [],
      node: field(is),
    };
    return {
      ...QUIET,
      before: details('/2', { role: 'option', name: 'Ann' }),
      after: undefined,
      targetKey: handleKey(handleOf('/2')),
      trees: { before: reading(was), after: reading(is) },
      changes: [
        changed,
        {
          change: { kind: 'disappeared', role: 'option', name: 'Ann' },
          key: handleKey(handleOf('/2')),
          lineage: [],
          node: node('/2', { role: 'option', name: 'Ann' }),
        },
      ],
      events: [eventOf('/field', 'text-changed', 'insert')],
    };
  };
  const effect = (was: string, is: string): string =>
    judgeChoice(seen(was, is), choiceOf('/2', 'Ann')).effect;

  it.each([
    ['', 'Ann'],
    ['an', 'Ann'],
    ['an', 'Ann, '],
    ['Bob, an', 'Bob, Ann'],
    ['Bob an Eve', 'Bob Ann Eve'],
    ['Ann', 'Ann Ann'],
  ])('was put into it: %j became %j', (was, is) => expect(effect(was, is)).toBe('confirmed'));

  it.each([
    ['', 'Annual report'],
    ['Bob', 'Dear Ann, where is Bob'],
    ['Total: 3', 'Selected: Ann'],
  ])('may only be a part of another text: %j became %j', (was, is) =>
    expect(effect(was, is)).toBe('unverified'),
  );
});

describe('an option that a fresh read shows selected, of which nothing tells', () => {
  const option = (...states: State[]): NodeDetails =>
    details('/layer', {
      role: 'listitem',
      name: 'Layer 2',
      states,
      bounds: { x: 0, y: 0, width: 60, height: 20 },
    });
  const judged = (more: Partial<Observation>) => {
    const seen = { ...QUIET, before: option(), after: option('selected') };
    return judgeChoice(
      { ...seen, targetKey: handleKey(handleOf('/layer')), ...more },
      choiceOf('/layer', 'Layer 2'),
    );
  };

  it('may be confirmed by its picture, unless the application denies it or a window came', () => {
    expect(judged({})).toMatchObject({ effect: 'unverified', mayBePictured: true });
    const denied = { outcome: { ...ACCEPTED, accepted: false } };
    for (const more of [denied, { hasUnrelated: true }]) expect(judged(more).mayBePictured).not.toBe(true);
  });
});
