import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SMOKE_FILES } from './smoke-files.mjs';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const MINUTE = 60_000;

function tool(name, file) {
  return path.join(root, 'node_modules', name, file);
}

/** The binary of another Node line, installed by `tests/node-versions`. */
export function otherNode(line, architecture = process.arch) {
  const file = path.join(
    root,
    'tests/node-versions/node_modules',
    `node-${line}-${architecture}`,
    'bin/node',
  );
  return existsSync(file) ? file : undefined;
}

function check(id, what, args, minutes = 5) {
  return { id, what, kind: 'check', command: process.execPath, args, timeoutMs: minutes * MINUTE };
}

function vitest(id, what, projects, { node = process.execPath, minutes = 20, more = [] } = {}) {
  const selected = projects.flatMap((project) => ['--project', project]);
  const reporters = ['--reporter=default', '--reporter=./scripts/lib/vitest-reporter.mjs'];
  const args = [
    tool('vitest', 'vitest.mjs'),
    'run',
    ...selected,
    ...more,
    '--includeTaskLocation',
    ...reporters,
  ];
  return { id, what, kind: 'vitest', command: node, args, timeoutMs: minutes * MINUTE };
}

/** On a slow or loaded machine, real applications, shells, processes and timers have races of their own. A failed test is repeated once in its place; if it fails again, its file is run once more from the beginning. What passes only then is reported; too many of these fail the run. */
export const SECOND_TRY = '--retry=1';
/** Test files share their modules, which saves the work of loading them. `npm run test:unit` isolates them, and so finds tests that depend on each other. */
const SHARED = ['--no-isolate'];

function smokeOn(line) {
  const id = `node-${line}`;
  const what = `tests that depend on Node, on Node ${line}`;
  if (Number(process.versions.node.split('.')[0]) === line)
    return { id, what, kind: 'skip', reason: `this Node is ${line}` };
  const node = otherNode(line);
  if (node === undefined)
    return { id, what, kind: 'skip', reason: `Node ${line} is not available for ${process.arch}` };
  return vitest(id, what, ['unit', 'daemon'], {
    node,
    more: [...SHARED, SECOND_TRY, ...SMOKE_FILES.map((file) => `/${file}`)],
  });
}

/**
 * Everything `npm test` does after the set-up, in order. Each check counts as one test. A stage that is `beside` another one starts with it, if that
 * is run too, and continues in the background; it uses the processor time that tests leave idle while they wait.
 */
export function stages() {
  return [
    check('build', 'build', ['scripts/build.mjs']),
    check('generated', 'generated files are up to date', [
      'scripts/run-ts.mjs',
      'scripts/generate.ts',
      '--check',
    ]),
    check('format', 'format', [tool('oxfmt', 'bin/oxfmt'), '--check', '.']),
    check('lock', 'lock file is complete', ['scripts/complete-lock.mjs', '--check']),
    check('rooms', 'imports between rooms', ['scripts/check-rooms.mjs']),
    check('publint', 'package contents', [tool('publint', 'src/cli.js'), '--strict']),
    check('types', 'types', [tool('typescript', 'bin/tsc'), '--noEmit']),
    check('lint', 'lint with types', [tool('oxlint', 'bin/oxlint'), '--type-aware', '--deny-warnings']),
    vitest('unit', `unit tests on Node ${process.versions.node}`, ['unit'], {
      more: [...SHARED, SECOND_TRY],
    }),
    {
      ...check('unused', 'unused files, exports and dependencies', [tool('knip', 'bin/knip.js')]),
      beside: 'linux',
    },
    {
      ...check('unused-in-program', 'nothing in src that only tests use', [
        tool('knip', 'bin/knip.js'),
        '--production',
      ]),
      beside: 'linux',
    },
    {
      ...check('packed', 'packed package installs and runs without install scripts', [
        'scripts/smoke-packed.mjs',
      ]),
      beside: 'linux',
    },
    {
      ...check(
        'conformance',
        'the official MCP conformance suite and Inspector',
        ['scripts/conformance.mjs'],
        6,
      ),
      beside: 'linux',
    },
    { ...check('demo', 'the demo of the README', ['scripts/demo.mjs', '--skip-install']), beside: 'daemon' },
    vitest('daemon', 'daemons and clients as processes', ['daemon'], { more: [...SHARED, SECOND_TRY] }),
    vitest('linux', 'Linux adapter on real applications', ['linux'], {
      minutes: 30,
      more: [...SHARED, SECOND_TRY],
    }),
    smokeOn(22),
    smokeOn(24),
    vitest('e2e', 'the built program on real applications', ['e2e'], {
      minutes: 40,
      more: [...SHARED, SECOND_TRY],
    }),
    check('compatibility', 'no toolkit got worse', [
      'scripts/run-ts.mjs',
      'scripts/compatibility.ts',
      '--check',
    ]),
  ];
}

/** Stages that `--fast` omits: those that need a display, another Node or a network. */
export const SLOW = new Set([
  'node-22',
  'node-24',
  'packed',
  'conformance',
  'daemon',
  'linux',
  'demo',
  'e2e',
  'compatibility',
]);
