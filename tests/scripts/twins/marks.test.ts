import { describe, expect, it } from 'vitest';
import { keyOf } from '../../../scripts/proof/twins/act/widgets.ts';
import { placed } from '../../../scripts/proof/twins/look/tree.ts';
import { isSame, NOTHING_RESTLESS } from '../../../scripts/proof/twins/look/compare.ts';
import {
  differenceButMarks,
  edgesOfMenuBars,
  entryBeside,
  isCaretIn,
  isInPage,
  underlines,
} from '../../../scripts/proof/twins/look/marks.ts';
import { frame, node, seen, view } from './seen.ts';

const ROW = [0, 0, 48, 40] as const;
const INSIDE: [number, number, number, number] = [16, 16, 8, 8];

describe('the mark of the focus', () => {
  const row = (...states: string[]) =>
    node('list item', 'General', { box: [...ROW], states: ['sensitive', 'showing', ...states] });
  const isMark = (before: string[], after: string[]): boolean =>
    isSame(
      differenceButMarks(
        view(seen([row(...before)]), frame(0, INSIDE)),
        view(seen([row(...after)])),
        NOTHING_RESTLESS,
      ),
    );

  it('fills a row that stays selected', () => {
    expect(isMark(['selected', 'focused'], ['selected'])).toBe(true);
  });

  it('is only the rim of another one', () => {
    expect(isMark(['focused'], [])).toBe(false);
    // What is in a row that never had the focus is no mark.
    expect(isMark(['selected'], ['selected'])).toBe(false);
  });
});

it('a place is in a page if all of it is', () => {
  const page = seen([node('document web', 'Page', { box: [0, 16, 64, 48] })]);
  expect(isInPage(page, [8, 16, 24, 8])).toBe(true);
  expect(isInPage(page, [8, 8, 24, 16])).toBe(false);
  expect(isInPage(seen([node('entry', 'Name', { box: [0, 0, 64, 64] })]), [8, 16, 24, 8])).toBe(false);
});

it('a caret is a thin place in a field whose text is the same on both sides', () => {
  const side = (text: string, role = 'text', toolkit = 'GTK') => {
    const states = ['editable', 'showing'];
    const shown = seen([node(role, 'Note', { box: [0, 0, 64, 64], text, states })]);
    return view({ ...shown, applications: shown.applications.map((one) => ({ ...one, toolkit })) });
  };
  const both = { ours: side('twin'), twin: side('twin') };
  expect(isCaretIn(both, [16, 8, 8, 24])).toBe(true);
  expect(isCaretIn(both, [16, 8, 16, 24])).toBe(false);
  expect(isCaretIn(both, [16, 60, 8, 24])).toBe(false);
  expect(isCaretIn({ ...both, ours: side('twin 42') }, [16, 8, 8, 24])).toBe(false);
  expect(isCaretIn({ ours: side('a', 'label'), twin: side('a', 'label') }, [16, 8, 8, 24])).toBe(false);
  // Only GTK 4 keeps the caret as it was: other carets go with the focus.
  const other = side('twin', 'text', 'gtk');
  expect(isCaretIn({ ours: other, twin: other }, [16, 8, 8, 24])).toBe(false);
});

it('the entry beside a button may show its text as marked once the button has opened its list on both sides', () => {
  const side = (...states: string[]) => {
    const button = node('toggle button', '', { states: ['sensitive', 'showing', ...states], index: 1 });
    const entry = node('text', '', { text: 'G1', box: [16, 16, 8, 8] });
    return view(seen([node('filler', '', { children: [entry, button] }), node('text', 'Other')]));
  };
  const [open, closed] = [side('checked'), side()];
  const key = [...placed(open.seen)].filter(({ node: { role } }) => role === 'toggle button').map(keyOf)[0];
  if (key === undefined) throw new Error('it has a button');
  expect([...entryBeside({ ours: open, twin: open }, key)]).toContain(2 * 8 + 2);
  expect(entryBeside({ ours: closed, twin: open }, key).size).toBe(0);
  expect(entryBeside({ ours: open, twin: closed }, key).size).toBe(0);
});

describe('the line under a letter of a menu item', () => {
  const item = (name: string) => seen([node('menu item', name, { box: [8, 8, 40, 24] })]);
  const drawn = (line: [number, number, number, number], name = 'Import') =>
    underlines(view(item('Import'), frame(0, line)), view(item(name))).size > 0;

  it('is one thin line within the item, which both sides show alike', () => {
    expect(drawn([16, 26, 6, 1])).toBe(true);
    expect(drawn([16, 26, 6, 1], 'Export')).toBe(false);
  });

  it('is no other difference', () => {
    expect(drawn([16, 26, 24, 1])).toBe(false);
    expect(drawn([16, 16, 6, 10])).toBe(false);
    expect(drawn([16, 50, 6, 1])).toBe(false);
  });
});

it('the lower edge of a menu bar of Swing is where a line comes and goes, if both sides show the bar there', () => {
  const side = (toolkit: string, height = 21) => {
    const of = seen([node('menu bar', '', { box: [0, 0, 16, height] })]);
    return view({ ...of, applications: of.applications.map((one) => ({ ...one, toolkit })) });
  };
  const swing = side('J2SE-access-bridge');
  expect([...edgesOfMenuBars(swing, swing)]).toEqual([16, 17]);
  expect(edgesOfMenuBars(swing, side('J2SE-access-bridge', 22)).size).toBe(0);
  expect(edgesOfMenuBars(side('Qt'), side('Qt')).size).toBe(0);
});
