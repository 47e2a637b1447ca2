/**
 * `npm run -s conformance [-- --json]`: the official conformance suite against our HTTP server with the tools that the suite requires, and against our
 * client for other servers, in both requirement sets; and the MCP Inspector against the built program. Prints what fails, or one JSON object
 * `{sets: [{name, passed, failed, expected_failures, left_out}]}`. Exit codes: 0 all as expected, 1 something failed or an expected failure passes,
 * 11 something is missing.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readArguments } from './lib/arguments.mjs';
import { inspect } from './conformance/inspector.mjs';
import { judge } from './conformance/judge.mjs';
import { readRequirements, runClientScenarios, runSet } from './conformance/suite.mjs';
import { ensureNodeModules } from './lib/npm.mjs';
import { SetupError, createProgress, main } from './lib/progress.mjs';
import { otherNode } from './lib/stages.mjs';
import { bundleTs, importTs } from './run-ts.mjs';
import { root } from './setup.mjs';

const folder = path.join(root, 'tests/conformance/suite');
const progress = createProgress();

const USAGE = `Usage: npm run -s conformance -- [--json]
Runs the official MCP conformance suite against our server and our client for other servers, and the MCP Inspector against the built program.
  --json  print the result as one JSON object`;

await main(async () => {
  const { values } = readArguments(USAGE, { options: { json: { type: 'boolean' } } });
  await ensureNodeModules({
    folder: path.join(root, 'tests/node-versions'),
    label: ' (Node 22 and 24)',
    progress,
  });
  await ensureNodeModules({ folder, label: ' (conformance)', progress });
  const node = newNode();
  const sets = [...(await judgeServer(node)), ...(await judgeClient(node)), await inspect({ node, folder })];
  if (values.json) process.stdout.write(`${JSON.stringify({ sets: sets.map(({ report }) => report) })}\n`);
  for (const { report, problems } of sets)
    show(report, problems, values.json ? process.stderr : process.stdout);
  return sets.every(({ problems }) => problems.length === 0) ? 0 : 1;
});

/** The suite needs a newer Node than Deskterity does. */
function newNode() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const node = otherNode(22);
  if (node !== undefined) return node;
  throw new SetupError(
    `The conformance suite needs Node 22, which is not available here for ${process.arch}.`,
  );
}

function readExpected() {
  return JSON.parse(readFileSync(path.join(root, 'tests/conformance/expected-failures.json'), 'utf8'));
}

/** Scenarios in which a program is the client, with our connections to other servers. */
async function judgeClient(node) {
  const command = `${process.execPath} ${await bundleTs('tests/conformance/client/main.ts')}`;
  const sets = [];
  for (const [revision, { expected_failures: expected, left_out: leftOut }] of Object.entries(
    readExpected().client,
  )) {
    const { required, optional } = readRequirements(folder, revision, 'client');
    const scenarios = [...required, ...optional];
    const results = await runClientScenarios({ node, folder, command, revision, scenarios });
    const name = `client ${revision}`;
    sets.push(judge({ name, required, optional, results, expected, leftOut, mayLeaveOutRequired: true }));
  }
  return sets;
}

async function judgeServer(node) {
  const { startFixture } = await importTs('tests/conformance/fixture/main.ts');
  const server = await startFixture();
  try {
    const sets = [];
    for (const [revision, { expected_failures: expected, left_out: leftOut }] of Object.entries(
      readExpected().server,
    )) {
      const results = await runSet({ node, folder, url: server.url, revision });
      sets.push(
        judge({
          name: revision,
          ...readRequirements(folder, revision, 'server'),
          results,
          expected,
          leftOut,
        }),
      );
    }
    return sets;
  } finally {
    await server.close();
  }
}

function show({ name, passed, failed, expected_failures: expected, left_out: leftOut }, problems, stream) {
  for (const problem of problems) stream.write(`FAILED   ${name}  ${problem}\n`);
  for (const { scenario, check, reason } of expected)
    stream.write(`expected ${name}  ${scenario}/${check}: ${reason}\n`);
  for (const why of new Set(leftOut.map(({ reason }) => reason))) {
    const scenarios = leftOut.filter(({ reason }) => reason === why).map(({ scenario }) => scenario);
    stream.write(`left out ${name}  ${scenarios.join(', ')}: ${why}\n`);
  }
  stream.write(
    `${name}: ${passed} passed, ${failed} failed, ${expected.length} expected failures, ${leftOut.length} scenarios left out\n`,
  );
}
