import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SetupError } from '../lib/progress.mjs';
import { run } from '../lib/run.mjs';
import { root } from '../setup.mjs';

const CALL_TIMEOUT_MS = 30_000;
const BUILD_TIMEOUT_MS = 120_000;
const TOOLSETS = ['core', 'all', 'inspect'];
const ERAS = ['legacy', 'modern'];
/** Methods that need no desktop, apart from the list of tools. */
const OTHERS = [
  { method: 'prompts/list', flags: [] },
  { method: 'resources/templates/list', flags: [] },
  { method: 'tools/call', flags: ['--tool-name', 'desktop_version'] },
];

/**
 * Runs the MCP Inspector's command line as a client of the built program over standard input and output, with both generations of the protocol.
 * Anything that its --strict reports about a tool's schemas counts as a failure, even a warning.
 */
export async function inspect({ node, folder }) {
  const built = await run(process.execPath, ['scripts/build.mjs'], {
    cwd: root,
    timeoutMs: BUILD_TIMEOUT_MS,
  });
  if (built.code !== 0) throw new SetupError(`The build failed (exit ${built.code}):\n${built.output}`, 1);
  const place = createPlace();
  try {
    const problems = [];
    const rows = ERAS.flatMap((era) => [
      ...TOOLSETS.map((toolset) => ({ era, toolset, method: 'tools/list', flags: ['--strict'] })),
      ...OTHERS.map((other) => ({ era, toolset: 'all', ...other })),
    ]);
    for (const row of rows) problems.push(...(await check(row, { node, folder, place })));
    const failed = new Set(problems.map(({ row }) => row)).size;
    const report = {
      name: 'inspector --strict',
      passed: rows.length - failed,
      failed,
      expected_failures: [],
      left_out: [],
    };
    return {
      report,
      problems: problems.map(({ row, what }) => `${row.method} of ${row.toolset}, ${row.era}: ${what}`),
    };
  } finally {
    await desk(['daemon', 'stop'], place);
    rmSync(place.folder, { recursive: true, force: true });
  }
}

/** Separate folders, so that the user's files and daemon are not used. */
function createPlace() {
  const folder = mkdtempSync(path.join(tmpdir(), 'deskterity-inspector-'));
  const home = path.join(folder, 'home');
  const runtime = path.join(folder, 'run');
  mkdirSync(home);
  mkdirSync(runtime, { mode: 0o700 });
  return { folder, env: { PATH: process.env.PATH ?? '', HOME: home, XDG_RUNTIME_DIR: runtime } };
}

function desk(args, { folder, env }) {
  const program = path.join(root, 'dist/desk.cjs');
  return run(process.execPath, [program, ...args], { cwd: folder, env, timeoutMs: CALL_TIMEOUT_MS });
}

/** @returns one entry per problem */
async function check(row, { node, folder, place }) {
  const { era, toolset, method, flags } = row;
  const inspector = path.join(
    folder,
    'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
  );
  // The Inspector passes its server only the variables that are listed.
  const variables = Object.entries(place.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const asked = [
    '--cli',
    ...variables,
    '--protocol-era',
    era,
    '--format',
    'json',
    '--method',
    method,
    ...flags,
  ];
  const server = [process.execPath, path.join(root, 'dist/desk.cjs'), 'mcp', '--toolsets', toolset];
  const result = await run(node, [inspector, ...asked, ...server], {
    cwd: place.folder,
    env: place.env,
    timeoutMs: CALL_TIMEOUT_MS,
  });
  if (result.timedOut) return [{ row, what: `no answer within ${CALL_TIMEOUT_MS} ms` }];
  const findings = findingsIn(result.output);
  if (findings.length > 0) return findings.map((what) => ({ row, what }));
  if (result.code !== 0) return [{ row, what: `exit ${result.code}: ${result.output.trim().slice(-500)}` }];
  return answers(method, result.stdout) ? [] : [{ row, what: `answered ${result.stdout.slice(0, 500)}` }];
}

/** `Warning: tool "NAME"`, then indented lines `Path: …` and `Issue: …`. */
export function findingsIn(output) {
  return [...output.matchAll(/^(Error|Warning): tool "(.+)"\n +Path: (.+)\n +Issue: (.+)$/gm)].map(
    ([, severity, tool, where, issue]) => `${severity.toLowerCase()}: ${tool} ${where}: ${issue}`,
  );
}

/** An empty list of tools would produce no findings. */
function answers(method, stdout) {
  try {
    const { result } = JSON.parse(stdout);
    return method === 'tools/list'
      ? result.tools.length > 0
      : result !== undefined && result.isError !== true;
  } catch {
    return false;
  }
}
