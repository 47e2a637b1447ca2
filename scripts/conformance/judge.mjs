/** Every scenario that sends anything has this check, so on its own it shows nothing about the scenario. */
const WIRE = 'wire-schema-valid';

function fails({ status }) {
  return status === 'FAILURE' || status === 'WARNING';
}

function succeeds({ status }) {
  return status === 'SUCCESS';
}

/**
 * Judges one run of a requirement set. A warning of the suite (a SHOULD that is not met) counts as a failure; what it only notes or skips does not
 * count.
 * @param {{
 *   name: string,
 *   required: readonly string[],
 *   optional: readonly string[],
 *   results: ReadonlyMap<string, readonly {id: string, status: string, errorMessage?: string, description?: string}[]>,
 *   expected: readonly {scenario: string, check: string, reason: string}[],
 *   leftOut: readonly {scenarios: readonly string[], reason: string}[],
 *   mayLeaveOutRequired?: boolean,
 * }} run `mayLeaveOutRequired`: for clients, of which the suite requires abilities that the protocol leaves to them, and that ours do not declare.
 * @returns `problems` are lines for a person; without any, the run is as expected.
 */
export function judge({ name, required, optional, results, expected, leftOut, mayLeaveOutRequired = false }) {
  const apart = new Map(leftOut.flatMap(({ scenarios, reason }) => scenarios.map((one) => [one, reason])));
  const problems = staleLeftOut({ apart, required, optional, results, mayLeaveOutRequired });
  const report = { name, passed: 0, failed: problems.length, expected_failures: [], left_out: [] };
  for (const scenario of [...required, ...optional]) {
    const checks = results.get(scenario) ?? [];
    if (apart.has(scenario)) {
      report.left_out.push({ scenario, reason: apart.get(scenario) });
      continue;
    }
    report.passed += checks.filter(succeeds).length;
    if (!checks.some((check) => check.id !== WIRE && (succeeds(check) || fails(check)))) {
      report.failed += 1;
      problems.push(`${scenario}: nothing was checked`);
    }
    for (const check of checks.filter(fails)) {
      const known = expected.find((one) => one.scenario === scenario && one.check === check.id);
      if (known === undefined) {
        report.failed += 1;
        problems.push(`${scenario}/${check.id}: ${check.errorMessage ?? check.description ?? check.status}`);
      } else report.expected_failures.push(known);
    }
  }
  for (const one of expected) {
    if (report.expected_failures.includes(one)) continue;
    report.failed += 1;
    problems.push(
      `${one.scenario}/${one.check}: does not fail any more; take it out of the expected failures`,
    );
  }
  return { report, problems };
}

function staleLeftOut({ apart, required, optional, results, mayLeaveOutRequired }) {
  const problems = [];
  for (const scenario of apart.keys()) {
    const shown = (results.get(scenario) ?? []).filter(({ id }) => id !== WIRE);
    const isRequired = required.includes(scenario);
    if (isRequired && !mayLeaveOutRequired)
      problems.push(`${scenario}: is required, so it cannot be left out`);
    else if (!isRequired && !optional.includes(scenario))
      problems.push(`${scenario}: is left out, but is not in this set`);
    else if (shown.some(succeeds) && !shown.some(fails))
      problems.push(`${scenario}: passes; take it out of what is left out`);
  }
  return problems;
}
