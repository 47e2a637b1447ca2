import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SetupError } from '../lib/progress.mjs';
import { run } from '../lib/run.mjs';

/** A whole set takes a few seconds. */
const SET_TIMEOUT_MS = 60_000;
const SCENARIO_TIMEOUT_MS = 15_000;
const CLIENT_TIMEOUT_MS = 60_000;
const CLIENTS_AT_ONCE = 4;

/** The scenarios of one side (`server` or `client`) in a frozen requirement set: those that count, and the optional ones that the suite also runs. */
export function readRequirements(folder, revision, side) {
  const file = path.join(
    folder,
    'node_modules/@modelcontextprotocol/conformance/requirements',
    `${revision}.yaml`,
  );
  const { parse } = createRequire(path.join(folder, 'package.json'))('yaml');
  const { [side]: required, not_scored: beside } = parse(readFileSync(file, 'utf8'));
  const optional = beside.filter(({ leg }) => leg === side).map(({ scenario }) => scenario);
  return { required, optional };
}

/** Runs a requirement set against a server; resolves with the checks of each completed scenario. */
export async function runSet({ node, folder, url, revision }) {
  const output = mkdtempSync(path.join(tmpdir(), 'deskterity-conformance-'));
  try {
    const program = path.join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
    const flags = ['--url', url, '--requirements', revision, '--timeout', String(SCENARIO_TIMEOUT_MS)];
    const result = await run(node, [program, 'server', ...flags, '--output-dir', output], {
      cwd: output,
      timeoutMs: SET_TIMEOUT_MS,
    });
    // A run with failed checks also exits with 1; these are judged one by one.
    if (result.timedOut || result.code > 1) {
      const why = result.timedOut ? `not finished within ${SET_TIMEOUT_MS} ms` : `exit ${result.code}`;
      throw new SetupError(`The suite ended early (${why}):\n${result.output.slice(-4000)}`, 1);
    }
    return readResults(output);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

/**
 * Runs scenarios for clients; resolves with the checks of each. The suite would start all of them at once, which takes longer than its patience.
 * @param {{node: string, folder: string, command: string, revision: string, scenarios: readonly string[]}} options
 */
export async function runClientScenarios({ node, folder, command, revision, scenarios }) {
  const output = mkdtempSync(path.join(tmpdir(), 'deskterity-conformance-'));
  const program = path.join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const results = new Map();
  const left = [...scenarios];
  const runLeft = async () => {
    for (let scenario = left.shift(); scenario !== undefined; scenario = left.shift()) {
      const place = path.join(output, String(left.length));
      const flags = ['--command', command, '--scenario', scenario, '--spec-version', revision, '--force'];
      const limit = ['--timeout', String(CLIENT_TIMEOUT_MS), '--output-dir', place];
      await run(node, [program, 'client', ...flags, ...limit], {
        cwd: output,
        timeoutMs: 2 * CLIENT_TIMEOUT_MS,
      });
      // Without a file nothing was checked, which counts as a failure.
      const file = existsSync(place)
        ? readdirSync(place, { recursive: true }).find((name) => name.endsWith('checks.json'))
        : undefined;
      if (file !== undefined) results.set(scenario, JSON.parse(readFileSync(path.join(place, file), 'utf8')));
    }
  };
  try {
    await Promise.all(Array.from({ length: CLIENTS_AT_ONCE }, runLeft));
    return results;
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

/** One folder `server-SCENARIO-TIME` per scenario. */
function readResults(folder) {
  const results = new Map();
  for (const name of readdirSync(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1];
    if (scenario === undefined) throw new SetupError(`The suite wrote an unknown folder: ${name}`, 1);
    results.set(scenario, JSON.parse(readFileSync(path.join(folder, name, 'checks.json'), 'utf8')));
  }
  return results;
}
