import { describe, expect, it } from 'vitest';
import type { Role } from '../../../../src/model/tree/role.ts';
import { STATES } from '../../../../src/model/tree/state.ts';
import {
  hasState,
  mapStates,
  placeOfExtents,
  STATE,
} from '../../../../src/platform/linux/atspi/tree/states.ts';
import type { StateContext } from '../../../../src/platform/linux/atspi/tree/states.ts';
import { bits } from './support/bits.ts';

/** What an ordinary widget on the screen says. */
const ORDINARY = [STATE.ENABLED, STATE.SENSITIVE, STATE.SHOWING, STATE.VISIBLE];

function map(states: number[], changes: Partial<StateContext> = {}): string[] {
  return mapStates(bits(...states), {
    role: 'button',
    showingIsTruthful: true,
    isPassword: false,
    isBoxless: false,
    hasPlace: false,
    ...changes,
  });
}

it('every bit of both words is distinguished', () => {
  for (let state = 0; state < 64; state++) {
    const set = Array.from({ length: 64 }, (_, other) => other).filter((other) =>
      hasState(bits(state), other),
    );
    expect(set).toEqual([state]);
  }
});

it('an ordinary button on the screen has no states', () => {
  expect(map(ORDINARY)).toEqual([]);
});

describe('a native state', () => {
  it.each([
    [STATE.ACTIVE, 'active'],
    [STATE.BUSY, 'busy'],
    [STATE.DEFUNCT, 'defunct'],
    [STATE.EDITABLE, 'editable'],
    [STATE.FOCUSABLE, 'focusable'],
    [STATE.FOCUSED, 'focused'],
    [STATE.ICONIFIED, 'minimized'],
    [STATE.INDETERMINATE, 'indeterminate'],
    [STATE.INVALID_ENTRY, 'invalid'],
    [STATE.MODAL, 'modal'],
    [STATE.MULTI_LINE, 'multiline'],
    [STATE.MULTISELECTABLE, 'multiselectable'],
    [STATE.READ_ONLY, 'readonly'],
    [STATE.REQUIRED, 'required'],
    [STATE.SELECTABLE, 'selectable'],
    [STATE.SELECTED, 'selected'],
    [STATE.VISITED, 'visited'],
    [STATE.CHECKED, 'checked'],
    [STATE.PRESSED, 'pressed'],
    [STATE.EXPANDED, 'expanded'],
    [STATE.EXPANDABLE, 'collapsed'],
    [STATE.COLLAPSED, 'collapsed'],
  ])('%i is %s', (bit, state) => {
    expect(map([...ORDINARY, bit])).toEqual([state]);
  });

  it('that we do not use is omitted, and the result is sorted', () => {
    const all = Array.from({ length: 64 }, (_, bit) => bit);
    const states = map(all);
    expect(states).toEqual([...states].sort());
    expect(new Set(states).size).toBe(states.length);
    for (const state of states) expect(STATES).toContain(state);
  });
});

it('a header without size is hidden, though its toolkit says that it shows', () => {
  const nowhere = placeOfExtents({ width: 0, height: 19 });
  expect(map(ORDINARY, { role: 'columnheader', ...nowhere })).toEqual(['hidden']);
  expect(map(ORDINARY, { role: 'columnheader', ...placeOfExtents({ width: 60, height: 19 }) })).toEqual([]);
  expect(map(ORDINARY, { role: 'columnheader', ...placeOfExtents(undefined) })).toEqual([]);
  expect(map(ORDINARY, { role: 'group', ...nowhere })).toEqual([]);
});

describe('a role', () => {
  it('decides what checked means', () => {
    expect(map([...ORDINARY, STATE.CHECKED], { role: 'togglebutton' })).toEqual(['pressed']);
    expect(map([...ORDINARY, STATE.CHECKED, STATE.PRESSED], { role: 'togglebutton' })).toEqual(['pressed']);
    expect(map([...ORDINARY, STATE.CHECKED], { role: 'checkbox' })).toEqual(['checked']);
  });

  it.each<[Role, string[]]>([
    ['button', ['disabled']],
    ['menu', ['disabled']],
    ['textbox', ['disabled']],
    ['text', []],
    ['group', []],
    ['window', []],
  ])('%s with neither state for enabled: %j', (role, states) => {
    expect(map([STATE.SHOWING, STATE.VISIBLE], { role })).toEqual(states);
  });

  it('is enabled with either state: GTK 4 sets only SENSITIVE', () => {
    expect(map([STATE.SENSITIVE], { showingIsTruthful: false })).toEqual([]);
    expect(map([STATE.ENABLED], { showingIsTruthful: false })).toEqual([]);
    expect(map([], { showingIsTruthful: false })).toEqual(['disabled']);
  });

  it('both expanded and expandable is expanded', () => {
    expect(map([...ORDINARY, STATE.EXPANDABLE, STATE.EXPANDED, STATE.COLLAPSED])).toEqual(['expanded']);
  });
});

describe('an invisible element', () => {
  const on = [STATE.ENABLED, STATE.SENSITIVE];
  it.each([
    [[STATE.VISIBLE, STATE.SHOWING], []],
    [[STATE.VISIBLE], ['offscreen']],
    [[STATE.SHOWING], ['hidden']],
    [[], ['hidden']],
  ])('with the states %j is %j', (states, expected) => {
    expect(map([...on, ...states])).toEqual(expected);
    expect(map([...on, ...states], { isBoxless: true })).toEqual(expected);
  });

  it('is not one that shows and has a place, as the pictures that Firefox has for buttons', () => {
    expect(map([...on, STATE.SHOWING], { hasPlace: true })).toEqual([]);
    expect(map(on, { hasPlace: true })).toEqual(['hidden']);
    expect(placeOfExtents({ width: 18, height: 24 })).toEqual({ hasPlace: true, isBoxless: false });
    expect(placeOfExtents({ width: 18, height: 0 })).toEqual({ hasPlace: false, isBoxless: true });
    expect(placeOfExtents(undefined)).toEqual({ hasPlace: false, isBoxless: false });
  });

  it('is recognised by its box if the states are wrong', () => {
    expect(map(on, { showingIsTruthful: false })).toEqual([]);
    expect(map(on, { showingIsTruthful: false, isBoxless: true })).toEqual(['hidden']);
  });
});

it('a password field is protected', () => {
  expect(map(ORDINARY, { role: 'textbox', isPassword: true })).toEqual(['protected']);
});
