import { expect, it } from 'vitest';
import { z } from 'zod';
import { seatFiles } from '../../scripts/generate/seats.ts';

const Uses = z.array(z.string());
const Table = z.array(z.object({ manager: z.string(), toolkit: z.string(), uses: Uses, besideUser: Uses }));

interface Measured {
  readonly repeats?: number;
  readonly passes?: number;
  readonly counts?: Readonly<Record<string, number>>;
}

const WHOLE: Measured = { repeats: 10, passes: 10 };

/** What is allowed, by `manager: toolkit`. */
function allowed(
  rows: Readonly<Record<string, Measured>>,
  where: 'uses' | 'besideUser' = 'uses',
): Record<string, string[]> {
  const measured = Object.entries(rows).map(([row, { repeats = 1, passes = 1, counts = {} }]) => ({
    row,
    repeats,
    passes,
    counts,
  }));
  const [[, table] = ['', '[]']] = seatFiles(JSON.stringify({ rows: measured }));
  const cells = Table.parse(JSON.parse(table));
  return Object.fromEntries(cells.map((cell) => [`${cell.manager}: ${cell.toolkit}`, cell[where]]));
}

it('allows an act that arrived each time, at least ten times', () => {
  const rows = {
    'mutter: gtk3: hover': WHOLE,
    'mutter: gtk3: click': { repeats: 10, passes: 9 },
    'mutter: gtk3: keys': { repeats: 9, passes: 9 },
    "mutter: gtk3: the user's work": WHOLE,
  };
  expect(allowed(rows)).toEqual({ 'mutter: gtk3': ['hover'] });
});

it('allows nothing where it is not known what the user lost', () => {
  expect(allowed({ 'mutter: gtk3: hover': WHOLE })).toEqual({ 'mutter: gtk3': [] });
});

it('counts what the user lost against the last act, if no act explains it', () => {
  const lost = { repeats: 1, passes: 0, counts: { 'keys of the user lost': 2 } };
  const rows = {
    'mutter: gtk3: hover': WHOLE,
    'mutter: gtk3: keys': WHOLE,
    "mutter: gtk3: the user's work": lost,
  };
  expect(allowed(rows)).toEqual({ 'mutter: gtk3': ['hover'] });
});

it('refuses with every toolkit what harmed the user under another setting of the window manager', () => {
  const rows = {
    'openbox: gtk3: click': WHOLE,
    'openbox: gtk3: hover': WHOLE,
    "openbox: gtk3: the user's work": WHOLE,
    'openbox (focus follows the pointer): qt6: click': WHOLE,
    'openbox (focus follows the pointer): qt6: hover': {
      repeats: 10,
      passes: 9,
      counts: { 'keys in a wrong place': 1 },
    },
    "openbox (focus follows the pointer): qt6: the user's work": WHOLE,
  };
  expect(allowed(rows)).toEqual({ 'openbox: gtk3': ['click'] });
});

it('allows no menu of a program that takes what the user has', () => {
  const rows = {
    'mutter: gtk3: popup': WHOLE,
    "mutter: gtk3: the user's work": WHOLE,
    'mutter: gtk3: what menus take of the user': WHOLE,
    'mutter: gtk4: popup': WHOLE,
    "mutter: gtk4: the user's work": WHOLE,
    'mutter: gtk4: what menus take of the user': { repeats: 1, passes: 0, counts: { 'keyboard taken': 1 } },
    'mutter: qt5: popup': WHOLE,
    "mutter: qt5: the user's work": WHOLE,
  };
  expect(allowed(rows)).toEqual({ 'mutter: gtk3': ['popup'], 'mutter: gtk4': [], 'mutter: qt5': [] });
});

it('allows beside a user in the same application only what holds there, too', () => {
  const rows = {
    'mutter: gtk3: click': WHOLE,
    'mutter: gtk3: keys': WHOLE,
    "mutter: gtk3: the user's work": WHOLE,
    'mutter: gtk3 (same application): click': WHOLE,
    'mutter: gtk3 (same application): keys': { repeats: 3, passes: 0 },
    'mutter: gtk3 (same application): wheel': WHOLE,
    "mutter: gtk3 (same application): the user's work": WHOLE,
    'mutter: qt6: click': WHOLE,
    "mutter: qt6: the user's work": WHOLE,
  };
  expect(allowed(rows)).toEqual({ 'mutter: gtk3': ['click', 'keys'], 'mutter: qt6': ['click'] });
  expect(allowed(rows, 'besideUser')).toEqual({ 'mutter: gtk3': ['click'], 'mutter: qt6': [] });
});

it('allows drags only if rows of lists can be dragged, too, where that was measured', () => {
  const rows = {
    'mutter: gtk3: drag': WHOLE,
    "mutter: gtk3: the user's work": WHOLE,
    'mutter: qt6: drag': WHOLE,
    "mutter: qt6: the user's work": WHOLE,
    'mutter: qt6 (two lists): drag': { repeats: 10, passes: 9 },
    "mutter: qt6 (two lists): the user's work": WHOLE,
    'mutter: qt5: drag': WHOLE,
    "mutter: qt5: the user's work": WHOLE,
    'mutter: qt5 (two lists): drag': WHOLE,
    "mutter: qt5 (two lists): the user's work": WHOLE,
    'mutter: qt5 (two programs): drag': { repeats: 10, passes: 9 },
    "mutter: qt5 (two programs): the user's work": WHOLE,
  };
  expect(allowed(rows)).toEqual({ 'mutter: gtk3': ['drag'], 'mutter: qt5': [], 'mutter: qt6': [] });
});

it('says what could not be judged, and allows nothing of it', () => {
  const rows = [
    { row: 'openbox: libreoffice: measured', repeats: 1, passes: 0, counts: {}, failures: ['no window'] },
    {
      row: 'openbox: wine: measured',
      repeats: 0,
      passes: 0,
      counts: {},
      failures: ['wine is not installed'],
    },
    { row: 'openbox: gtk3: measured', repeats: 1, passes: 1, counts: {} },
  ];
  const files = new Map(seatFiles(JSON.stringify({ rows })));
  const page = files.get('docs/reference/seats.md');
  expect(files.get('src/platform/linux/desktop/proven-seat.generated.json')).toBe('[]\n');
  expect(page).toContain('- openbox: libreoffice: not judged: no window');
  expect(page).toContain('- openbox: wine: not judged: wine is not installed');
  expect(page).not.toContain('openbox: gtk3');
});
