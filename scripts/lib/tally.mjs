/** Sums rows of `{passed, failed, skipped}`. */
export function total(rows) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const row of rows) for (const key of Object.keys(sum)) sum[key] += row[key];
  return sum;
}

/**
 * How many different `it(...)` were run, and how often in total: a table of cases runs one many times, and so do several Node lines.
 * Each row may have the `tests` of {@link readVitestLog}.
 */
export function sitesAndRuns(rows) {
  const ran = rows.flatMap(({ tests }) => tests ?? []).filter(({ state }) => state !== 'skipped');
  return {
    sites: new Set(ran.map(({ site, file, name }) => site ?? `${file}: ${name}`)).size,
    runs: ran.length,
  };
}

/** The last line of every run. */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** A run in which nothing passed proves nothing. */
export function exitCode({ passed, failed }) {
  return failed > 0 || passed === 0 ? 1 : 0;
}

/** The most tests of a stage that may pass only at the second try. Each is a race in the test or in the program and should be investigated. */
export const MOST_SECOND_TRIES = 3;

/** Only so many files are run anew: many failures are no races. */
const MOST_ANEW = 3;

/**
 * The files to run once more, from the beginning. A test that failed is repeated in its place first, where folders, sessions and applications
 * of the failed attempt may be in its way.
 */
export function filesToRunAnew(text) {
  const rows = rowsOf(text);
  const files = new Set(rows.filter(({ state }) => state === 'failed').map(({ file }) => file));
  return files.size <= MOST_ANEW && rows.some(({ end }) => end === true) ? [...files] : [];
}

/**
 * The lines of a log in which files that passed as a whole in the second run take the place of what failed in the first. What had failed is
 * marked as passed at the second try.
 */
export function withSecondRun(text, anew) {
  const first = rowsOf(text);
  const second = rowsOf(anew);
  const mended = filesToRunAnew(text).filter((file) => {
    const states = second.filter((row) => row.file === file).map(({ state }) => state);
    return states.includes('passed') && !states.includes('failed');
  });
  const isMended = ({ file }) => mended.includes(file);
  const passedAnew = mended.flatMap((file) => {
    const failures = first.filter((row) => row.file === file && row.state === 'failed');
    const errors = failures.flatMap((row) => row.errors ?? []);
    const rows = second.filter((row) => row.file === file);
    const isSecond = ({ name }) => failures.some((row) => row.name === name);
    const marked = rows.map((row) => (isSecond(row) ? { ...row, isSecondTry: true, errors } : row));
    // What failed in a hook has no test of its name.
    return marked.some(({ isSecondTry }) => isSecondTry)
      ? marked
      : marked.map((row, index) => (index === 0 ? { ...row, isSecondTry: true, errors } : row));
  });
  return [...passedAnew, ...first.filter((row) => !isMended(row))]
    .map((row) => JSON.stringify(row))
    .join('\n');
}

function rowsOf(text) {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line));
}

/**
 * Reads what `vitest-reporter.mjs` wrote: one JSON line per finished test, and a last one when the run was complete.
 * A run that failed without a failed test (crash, time limit, error outside a test, no tests) counts as one failure.
 */
export function readVitestLog(text, { code, timedOut }) {
  const rows = rowsOf(text);
  const tests = rows.filter((row) => row.state !== undefined);
  const end = rows.find((row) => row.end === true);
  const count = (state) => tests.filter((test) => test.state === state).length;
  const result = {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    problems: [],
  };
  if (timedOut) result.problems.push('the time limit was exceeded');
  else if (end === undefined) result.problems.push(`vitest ended early (exit ${code})`);
  if (end !== undefined) result.problems.push(...end.errors);
  const secondTries = tests.filter((test) => test.state === 'passed' && test.isSecondTry === true);
  if (secondTries.length > MOST_SECOND_TRIES)
    result.problems.push(`${secondTries.length} tests passed at the second try only`);
  if (tests.length === 0) result.problems.push('no test was run');
  if (code !== 0 && result.failed === 0 && result.problems.length === 0)
    result.problems.push(`vitest exited with ${code}`);
  if (result.problems.length > 0) result.failed += 1;
  return { ...result, tests, secondTries };
}
