import { expect, it } from 'vitest';
import { applicationsPage } from '../../scripts/generate/applications-page.ts';

const ROW = {
  toolkit: 'Qt 5 (Qt 5.15.8)',
  commit: 'abc',
  repeats: 10,
  passes: 9,
  held_out: false,
  holds: false,
  counts: { agree: 9, gap: 1, excluded: 2 },
  kinds: { click: 10 },
  widgets: { seen: 40, tried: 8 },
  calibration: { acts: 3, disagreements: [] },
  excluded: { 'not there again': 2 },
  harmless: {},
  run: 1,
};
const GAP = {
  verdict: 'gap',
  act: 'click button "Go"',
  toolkit: 'Qt',
  route: '',
  receipt: 'failed: no',
  differs: [],
  twin: [],
};

const show = (...rows: readonly object[]): string => applicationsPage(JSON.stringify({ rows }));

it('lists each application with what did not agree, and the way round it', () => {
  const text = show(
    { ...ROW, row: 'able', disagreements: [GAP] },
    { ...ROW, row: 'fine', passes: 10, disagreements: [] },
    { ...ROW, row: 'mute', repeats: 0, passes: 0, no_tree: true, disagreements: [] },
  );
  expect(text).toContain('| [able](#able) | Qt 5 (Qt 5.15.8) | 10 | 90 % | 8 of 40 | 2 |');
  expect(text).toContain('| fine | Qt 5 (Qt 5.15.8) | 10 | 100 % |');
  expect(text).toMatch(/## able\n\n[^\n]*--mode pointer[^\n]*\n\n- `click button "Go"`: `failed: no`/);
  expect(text).not.toContain('## fine');
  expect(text).toMatch(/## mute\n\n[^\n]*no accessibility tree/);
});

it('adds all up, the ones drawn by lot apart, and says which goals are not met', () => {
  const text = show(
    { ...ROW, row: 'able', visible: 8, disagreements: [GAP] },
    {
      ...ROW,
      row: 'drawn',
      held_out: true,
      counts: { agree: 9, false_success: 1 },
      disagreements: [{ ...GAP, verdict: 'false_success', act: 'select tab "Two"' }],
      first_run: { commit: 'abc', repeats: 4, passes: 2, counts: { agree: 2, wrong_target: 2 } },
    },
  );
  expect(text).toContain('| worked with while this was built | 1 | 10 | 0 | 0 | 0 | 0 | 1 | 2 |');
  expect(text).toContain(
    '| drawn by lot, and unknown before their first run | 1 | 10 | 0 | 1 | 0 | 0 | 0 | 0 |',
  );
  expect(text).toContain('| the first run of these | 1 | 4 | 2 | 0 | 0 | 0 | 0 | 0 |');
  expect(text).toContain('| no false `confirmed` | 1 | **not met** |');
  expect(text).toContain('| no wrong target | 0 | met |');
  expect(text).toMatch(/at least 100 acts of each kind \| `click` 20, `double-click` 0/);
  expect(text).toContain('1 of 2 applications | 0.00 % | met |');
  expect(text).toContain('| false `confirmed` | Qt 5 | `select` 1 |');
  expect(text).toContain('| not there again | 4 |');
});

it('counts for each accessibility action how often it did the same as by hand, for each toolkit', () => {
  const ways = (click: [number, number]) => ({
    'click push button by at-spi:Action.DoAction(Press)': click,
    'type text by at-spi:EditableText.InsertText': [1, 0],
    'press frame by keyboard': [5, 0],
  });
  const text = show(
    { ...ROW, row: 'one', ways: ways([3, 0]), disagreements: [] },
    {
      ...ROW,
      row: 'two',
      ways: { ...ways([2, 1]), 'click page tab by at-spi:Action.DoAction(Press)': [1, 0] },
      disagreements: [],
    },
    { ...ROW, row: 'older', disagreements: [] },
  );
  expect(text).toContain('this is of 2 of 3 applications');
  expect(text).toContain('| Qt 5 | `click` | page tab, push button | `Press` | 2 | 6 | 1 |');
  expect(text).toContain('| Qt 5 | `type` | text | `EditableText.InsertText` | 2 | 2 | 0 |');
  expect(text).not.toContain('| frame |');
  expect(show({ ...ROW, row: 'older', disagreements: [] })).not.toContain('in place of the hand');
});

it('says what gives a GTK 2 application its tree, also where all agreed', () => {
  const text = show({ ...ROW, row: 'old', toolkit: 'GTK 2 (gtk 2.24.33)', disagreements: [] });
  expect(text).toContain('| [old](#old) |');
  expect(text).toMatch(/## old\n\n[^\n]*GTK_MODULES=gail:atk-bridge/);
});

it('leaves out the fixture of planted lies, and refuses what is no proof', () => {
  expect(show({ ...ROW, row: 'planted-lies', disagreements: [GAP] })).not.toContain('planted-lies');
  expect(() => applicationsPage('{"rows":[{"row":"x"}]}')).toThrow('toolkit');
});
