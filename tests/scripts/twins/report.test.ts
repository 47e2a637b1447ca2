import { describe, expect, it } from 'vitest';
import { APPLICATIONS, heldOut, known } from '../../../scripts/proof/twins/applications.ts';
import { mergeRows, rowOf, type TwinRow } from '../../../scripts/proof/twins/report.ts';
import { actsOfBuild, type ActRecord } from '../../../scripts/proof/twins/run/records.ts';
import { usableWidgets } from '../../../scripts/proof/twins/act/widgets.ts';
import { checkLies } from '../../../scripts/proof/twins/self-check.ts';
import { node, seen } from './seen.ts';

const APPLICATION = { name: 'app', toolkit: 'GTK 3', command: ['app'], dismiss: [], tree: true, pool: false };

function record(name: string, verdict: ActRecord['verdict'], reason?: string): ActRecord {
  const [target] = usableWidgets(seen([node('push button', name)]));
  if (target === undefined) throw new Error('no widget');
  return {
    phase: 'acts',
    act: { kind: 'click', target, more: [] },
    trail: [],
    verdict,
    toolkit: 'gtk 3',
    ...(reason === undefined ? {} : { reason }),
    shown: [],
    durationMs: 1,
  };
}

function row(...acts: ActRecord[]): TwinRow {
  return rowOfBuild('one', ...acts);
}

function rowOfBuild(build: string, ...acts: ActRecord[]): TwinRow {
  return rowOf(APPLICATION, { start: undefined, acts }, { commit: 'abc', build, isHeldOut: false });
}

describe('a row', () => {
  it('counts each verdict and lists every disagreement', () => {
    const made = row(
      record('a', 'agree'),
      record('b', 'false_success'),
      record('c', 'excluded', 'its middle is covered'),
    );
    expect(made).toMatchObject({
      repeats: 2,
      passes: 1,
      holds: false,
      excluded: { 'its middle is covered': 1 },
    });
    expect(made.disagreements.map(({ act }) => act)).toEqual(['click push button "b"']);
  });

  it('counts what a person saw, and by which way each kind of act was done', () => {
    const by = (route: string, verdict: ActRecord['verdict'], isVisible = true): ActRecord => ({
      ...record('a', verdict),
      isVisible,
      answer: { effect: 'confirmed', route, words: '' },
    });
    const made = row(
      by('at-spi:Action.DoAction(expand or contract)', 'agree'),
      by('accessibility: not offered; then pointer:left button at 4,5', 'agree'),
      by('pointer:left button at 40,5', 'gap', false),
      by('at-spi:Selection.SelectChild(3)', 'agree'),
      by('', 'agree'),
    );
    expect(made.visible).toBe(4);
    expect(made.ways).toEqual({
      'click push button by at-spi:Action.DoAction(expand or contract)': [1, 0],
      'click push button by at-spi:Selection.SelectChild': [1, 0],
      'click push button by pointer': [1, 1],
    });
  });

  it('holds if all agree, and does not if nothing was tried', () => {
    expect(row(record('a', 'agree')).holds).toBe(true);
    expect(row().holds).toBe(false);
  });
});

it('the acts of another build are left out, and its calibration is kept', () => {
  const [old, now] = ['old', 'now'].map((build) => ({ ...record(build, 'agree'), build }));
  const unknown = record('before builds were recorded', 'agree');
  const calibration: ActRecord = { ...record('mouse', 'agree'), phase: 'calibration' };
  if (old === undefined || now === undefined) throw new Error('two were made');
  expect(actsOfBuild([old, calibration, unknown, now], 'now')).toEqual([calibration, now]);
});

describe('merging', () => {
  it('keeps other rows, and the figures of the first run whatever follows', () => {
    const first = row(record('a', 'agree'), record('b', 'false_success'));
    const other = { ...first, row: 'other' };
    const merged = mergeRows(mergeRows([other], [first], false), [row(record('a', 'agree'))], false);
    expect(merged.map((one) => one.row)).toEqual(['app', 'other']);
    expect(merged[0]).toMatchObject({ run: 2, repeats: 1, passes: 1, first_run: { repeats: 2, passes: 1 } });
  });

  it('counts a continued first run as one', () => {
    const begun = mergeRows([], [row(record('a', 'agree'))], false);
    const continued = mergeRows(begun, [row(record('a', 'agree'), record('b', 'gap'))], true);
    expect(continued[0]).toMatchObject({ run: 1, first_run: { repeats: 2, passes: 1 } });
  });

  it('takes a run in which no act was tried for none', () => {
    const begun = mergeRows([], [rowOfBuild('one')], false);
    const tried = mergeRows(begun, [rowOfBuild('two', record('a', 'gap'))], false);
    expect(tried[0]).toMatchObject({ run: 1, first_run: { repeats: 1, passes: 0 } });
  });

  it('counts a run that is continued with another build as a new one', () => {
    const begun = mergeRows([], [rowOfBuild('one', record('a', 'gap'))], false);
    const anew = mergeRows(begun, [rowOfBuild('two', record('a', 'agree'))], true);
    expect(anew[0]).toMatchObject({ run: 2, build: 'two', first_run: { repeats: 1, passes: 0 } });
  });
});

describe('the self-check', () => {
  it('tells what was found and who was accused', () => {
    const check = checkLies([
      record('lie a', 'false_success'),
      record('lie b', 'agree'),
      record('honest c', 'gap'),
      record('honest d', 'agree'),
    ]);
    expect(check).toEqual({
      lies: ['lie a', 'lie b'],
      found: ['lie a'],
      honest: ['honest c', 'honest d'],
      accused: ['honest c'],
    });
  });
});

describe('the applications', () => {
  it('are forty at least, half of them drawn from a longer list', () => {
    const packaged = known().filter((application) => application.package !== undefined);
    expect(packaged.length + heldOut().length).toBeGreaterThanOrEqual(40);
    expect(heldOut()).toHaveLength(20);
    expect(APPLICATIONS.filter(({ pool }) => pool).length).toBeGreaterThan(40);
    const drawn = new Set(heldOut());
    expect(APPLICATIONS.filter(({ opened }) => opened).filter((one) => drawn.has(one))).toEqual([]);
  });

  it('have one name each', () => {
    expect(new Set(APPLICATIONS.map(({ name }) => name)).size).toBe(APPLICATIONS.length);
  });

  it('that are held out stay the same', () => {
    expect(
      heldOut()
        .map(({ name }) => name)
        .toSorted(),
    ).toMatchInlineSnapshot(`
      [
        "assistant-qt6",
        "baobab",
        "caja",
        "codeblocks",
        "dconf-editor",
        "dino",
        "file-roller",
        "freecad",
        "freeplane",
        "gitk",
        "gnome-clocks",
        "gnucash",
        "hexchat",
        "idle",
        "kmymoney",
        "libreoffice-impress",
        "meld",
        "pidgin",
        "smplayer",
        "texmaker",
      ]
    `);
  });
});
