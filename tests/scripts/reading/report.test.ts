import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Records } from '../../../scripts/proof/reading/records.ts';
import { mergeRows, rowOf, type ReadingRow } from '../../../scripts/proof/reading/report.ts';
import type { ProofRow } from '../../../scripts/proof/row.ts';
import type { Application } from '../../../scripts/proof/twins/applications.ts';
import { frame, node, seen } from '../twins/seen.ts';

const APPLICATION: Application = {
  name: 'app',
  toolkit: 'GTK 3',
  command: ['app'],
  dismiss: [],
  tree: true,
  pool: false,
};
const START = seen([node('push button', 'OK')]);
const LOOK = {
  before: START,
  after: START,
  frame: frame(0x10_20_30, [4, 4, 6, 4]),
  listing: { roots: [], gaps: ['Window: too many elements'] },
};

const folder = mkdtempSync(join(tmpdir(), 'deskterity-reading-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function row(): ReadingRow & ProofRow {
  return rowOf(APPLICATION, [{ steps: [], shown: START, look: LOOK }], 'abc', false);
}

describe('the rows of applications', () => {
  it('count what is seen and lost, and keep what the snapshots themselves say is missing', () => {
    expect(row()).toMatchObject({
      row: 'app',
      toolkit: 'GTK 3 (gtk 3)',
      repeats: 2,
      passes: 0,
      holds: false,
      counts: { places: 1, failed: 0, seen: 2, lost: 2, listed: 0, ghosts: 0 },
      gaps: ['Window: too many elements'],
    });
  });

  it('keep the figures of the first run, beside rows that are none of applications', () => {
    const fixture = { row: 'gtk3: something', repeats: 3, passes: 3 };
    const first = mergeRows([fixture], [row()], false);
    const second = mergeRows(first, [{ ...row(), passes: 2, commit: 'def' } as ProofRow], false);
    expect(second[0]).toEqual(fixture);
    expect(second[1]).toMatchObject({
      run: 2,
      passes: 2,
      commit: 'def',
      first_run: { passes: 0, commit: 'abc' },
    });
  });
});

describe('the record of a run', () => {
  it('gives back what was read, so that it can be judged again', () => {
    const records = new Records(join(folder, 'places'));
    records.add({ steps: [], shown: START, look: LOOK });
    records.add({
      steps: [{ application: 'app', role: 'menu', name: 'File', path: [0, 1] }],
      failed: 'gone',
    });
    const places = records.read();
    expect(places[0]?.look).toEqual(LOOK);
    expect(places[1]).toMatchObject({ failed: 'gone' });
    expect(rowOf(APPLICATION, places, 'abc', false).counts).toMatchObject({ places: 1, failed: 1 });
    records.clear();
    expect(records.read()).toEqual([]);
  });
});
