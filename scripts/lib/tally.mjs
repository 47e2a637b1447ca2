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

/**
 * Reads what `vitest-reporter.mjs` wrote: one JSON line per finished test, and a last one when the run was complete.
 * A run that failed without a failed test (crash, time limit, error outside a test, no tests) counts as one failure.
 */
export function readVitestLog(text, { code, timedOut }) {
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line));
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
