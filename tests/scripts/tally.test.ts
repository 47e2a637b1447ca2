import { describe, expect, it } from 'vitest';
import {
  closingLine,
  exitCode,
  filesToRunAnew,
  MOST_SECOND_TRIES,
  readVitestLog,
  sitesAndRuns,
  total,
  withSecondRun,
} from '../../scripts/lib/tally.mjs';

describe('the closing line', () => {
  it('sums every stage', () => {
    const rows = [
      { passed: 1, failed: 0, skipped: 0, what: 'build' },
      { passed: 40, failed: 2, skipped: 3, what: 'unit' },
    ];
    expect(closingLine(total(rows))).toBe('41 passed, 2 failed, 3 skipped');
  });

  it('goes with a failing exit when anything failed or nothing passed', () => {
    expect(exitCode({ passed: 3, failed: 0 })).toBe(0);
    expect(exitCode({ passed: 3, failed: 1 })).toBe(1);
    expect(exitCode({ passed: 0, failed: 0 })).toBe(1);
  });
});

it('counts a test once, however many cases and Node lines it is run with', () => {
  const test = (site: string, state = 'passed') => ({ file: 'a.test.ts', name: 'works', site, state });
  const rows = [
    {},
    { tests: [test('a.test.ts:3:1'), test('a.test.ts:3:1', 'failed'), test('b.test.ts:3:1')] },
    { tests: [test('a.test.ts:3:1'), test('a.test.ts:9:1', 'skipped')] },
  ];
  expect(sitesAndRuns(rows)).toEqual({ sites: 2, runs: 4 });
});

describe('reading a vitest run', () => {
  const passed = JSON.stringify({ file: 'a.test.ts', name: 'works', state: 'passed', errors: [] });
  const failed = JSON.stringify({ file: 'a.test.ts', name: 'breaks', state: 'failed', errors: ['no'] });
  const skipped = JSON.stringify({ file: 'a.test.ts', name: 'waits', state: 'skipped', note: 'no display' });
  const end = JSON.stringify({ end: true, errors: [] });
  const read = (lines: readonly string[], result = { code: 0, timedOut: false }) =>
    readVitestLog(lines.join('\n'), result);

  it('counts each state', () => {
    const result = read([passed, failed, skipped, end], { code: 1, timedOut: false });
    expect(result).toMatchObject({ passed: 1, failed: 1, skipped: 1, problems: [] });
  });

  it.each([
    ['no test at all', [end], { code: 1, timedOut: false }, 'no test was run'],
    ['a crash', [passed], { code: 139, timedOut: false }, 'vitest ended early (exit 139)'],
    ['a breached time limit', [passed], { code: 124, timedOut: true }, 'the time limit was exceeded'],
    ['an unexplained exit code', [passed, end], { code: 1, timedOut: false }, 'vitest exited with 1'],
    [
      'an error outside a test',
      [passed, JSON.stringify({ end: true, errors: ['late rejection'] })],
      { code: 1, timedOut: false },
      'late rejection',
    ],
  ])('counts %s as a failure', (_what, lines, result, problem) => {
    const counted = read(lines, result);
    expect(counted.failed).toBe(1);
    expect(counted.problems).toContain(problem);
  });

  it('names what passed at the second try only, and fails when that is more than a few', () => {
    const again = JSON.stringify({ file: 'a.test.ts', name: 'races', state: 'passed', isSecondTry: true });
    const times = (count: number) => Array.from({ length: count }, () => again);
    expect(read([passed, ...times(1), end])).toMatchObject({
      passed: 2,
      failed: 0,
      secondTries: [{ name: 'races' }],
    });
    expect(read([...times(MOST_SECOND_TRIES), end]).failed).toBe(0);
    expect(read([...times(MOST_SECOND_TRIES + 1), end]).failed).toBe(1);
  });

  it('survives a line that was cut short', () => {
    expect(read([passed, '{"file":"b'], { code: 137, timedOut: true })).toMatchObject({
      passed: 1,
      failed: 1,
    });
  });
});

describe('a second run of the files that failed', () => {
  const line = (file: string, name: string, state: string, errors: readonly string[] = []) =>
    JSON.stringify({ file, name, state, errors });
  const end = JSON.stringify({ end: true, errors: [] });
  const log = (...lines: readonly string[]) => [...lines, end].join('\n');
  const first = log(
    line('a.test.ts', 'works', 'passed'),
    line('b.test.ts', 'works', 'passed'),
    line('b.test.ts', 'races', 'failed', ['EEXIST']),
  );
  const read = (text: string) => readVitestLog(text, { code: 0, timedOut: false });

  it('is made of a few files of a complete run', () => {
    expect(filesToRunAnew(first)).toEqual(['b.test.ts']);
    expect(filesToRunAnew(log(line('a.test.ts', 'works', 'passed')))).toEqual([]);
    expect(filesToRunAnew(line('b.test.ts', 'races', 'failed'))).toEqual([]);
    const many = Array.from({ length: 4 }, (_, index) => line(`${index}.test.ts`, 'races', 'failed'));
    expect(filesToRunAnew(log(...many))).toEqual([]);
  });

  it('decides, and names what passed only then', () => {
    const anew = log(line('b.test.ts', 'works', 'passed'), line('b.test.ts', 'races', 'passed'));
    expect(read(withSecondRun(first, anew))).toMatchObject({
      passed: 3,
      failed: 0,
      secondTries: [{ name: 'races', errors: ['EEXIST'] }],
    });
  });

  it.each([
    ['anything fails again', log(line('b.test.ts', 'works', 'failed'), line('b.test.ts', 'races', 'passed'))],
    ['no test is run', log()],
    ['it ends early', ''],
  ])('changes nothing if %s', (_when, anew) => {
    expect(read(withSecondRun(first, anew))).toMatchObject({ passed: 2, failed: 1, secondTries: [] });
  });

  it('also decides about a hook that failed', () => {
    const hook = log(
      line('b.test.ts', '(the file itself)', 'failed', ['no display']),
      line('b.test.ts', 'works', 'skipped'),
    );
    expect(read(withSecondRun(hook, log(line('b.test.ts', 'works', 'passed'))))).toMatchObject({
      passed: 1,
      failed: 0,
      skipped: 0,
      secondTries: [{ name: 'works', errors: ['no display'] }],
    });
  });
});
