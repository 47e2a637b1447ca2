/**
 * `npm run -s bench -- NAME`: runs a benchmark and prints its figures, as a table or as one JSON object
 * `{name, figures}`. Progress goes to standard error. Exit codes: 0 measured, whatever the figures; 5 no such benchmark; 11 something is missing.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { chdir } from 'node:process';
import { promisify } from 'node:util';
import { readArguments } from './lib/arguments.mjs';
import { mergeBench } from './lib/merge-bench.mjs';
import { SetupError, createProgress, main } from './lib/progress.mjs';
import { importTs } from './run-ts.mjs';
import { GROUPS, root, setup } from './setup.mjs';

const BENCHMARKS = {
  'cold-snapshot':
    'reading windows of real applications, compared with pyatspi and with the service time (minutes)',
  'attribute-read': 'one attribute of one element, compared with libatspi',
  act: 'how long acts take, step by step, how often a driver has to look, and acts over MCP beside xdotool and cua-driver (minutes)',
  reliability:
    'right, wrong and falsely reported results: a few attempts at every command in every toolkit (minutes)',
  startup: 'the cost of a call compared with an empty Node, first calls, sizes of the bundles',
  sessions: 'twenty sessions compared with one, memory of each, eight idle private desktops',
  wake: 'from a change in an application, as it recorded it, to the reply of a command that waits for it',
  live: 'the live page: from a change to its picture, compared with one capture, and what it costs the daemon',
  mcp: 'the cost of MCP: calls, tool lists, many clients, warm and cold starts (minutes)',
  policy:
    'what it costs to judge a request by 20 and 500 rules, and to record an act in the audit log, compared with the same act without one',
  operations:
    'starting operations that survive the daemon, with daemons of several sizes, compared with plain spawns and bubblewrap (minutes)',
  'warm-snapshot':
    'a snapshot of a window that the daemon knows already, and from the command line (minutes)',
  scale: 'what a snapshot costs as nodes, applications and sessions grow (minutes)',
  memory: 'memory of the daemon after 10,000 mixed commands (minutes)',
  terminal:
    'commands in terminals: every byte, cost compared with plain spawns and script(1), screens, memory of idle sessions (minutes)',
  wayland:
    'click, typing, screenshot and list-windows on sway, compared with swaymsg, wtype and grim, in the same window (minutes)',
  tokens: 'the tokens that outlines and JSON cost a model, compared with the formats of other tools',
};

function usage() {
  const names = Object.entries(BENCHMARKS).map(([name, what]) => `  ${name.padEnd(16)}${what}`);
  return `Usage: npm run -s bench -- NAME [--json] [--record] [--only PATTERN] [--yes] [--skip-install]
Measures one of these; installs what it needs, after asking on a terminal.
${names.join('\n')}
  --json          print the figures as one JSON object
  --record        also write the figures to docs/bench/NAME.json, from which docs/benchmarks.md is generated; those of a part (--only)
                  are added to what is recorded of the others
  --only PATTERN  only parts whose names match
  --yes           install what is missing without asking
  --skip-install  install nothing; only name what is missing`;
}

/** Benchmarks that need no applications. */
const LIGHT = {
  tokens: [],
  startup: ['private-desktop'],
  operations: ['private-desktop', 'work'],
  terminal: ['private-desktop', 'work', 'shells'],
  wayland: ['private-desktop', 'fixtures', 'wayland'],
};

/** What benchmarks need beside what the tests need. */
const MORE = { 'cold-snapshot': ['toolkit-examples'] };

await main(async () => {
  const { values, positionals } = readArguments(usage(), {
    allowPositionals: true,
    options: {
      json: { type: 'boolean' },
      record: { type: 'boolean' },
      only: { type: 'string' },
      yes: { type: 'boolean' },
      'skip-install': { type: 'boolean' },
    },
  });
  const [name, ...rest] = positionals;
  if (name === undefined) throw new SetupError(`Which benchmark?\n${usage()}`, 5);
  if (!Object.hasOwn(BENCHMARKS, name))
    throw new SetupError(`There is no benchmark "${name}".\n${usage()}`, 5);
  if (rest.length > 0) throw new SetupError(`Give one name only; remove "${rest.join(' ')}".\n${usage()}`, 5);
  chdir(root);
  const progress = createProgress({ stream: process.stderr });
  const { say } = progress;
  // Everything in one go, not one missing program after another.
  const groups = LIGHT[name] ?? [...GROUPS.test, ...(MORE[name] ?? [])];
  await setup({ groups, assumeYes: values.yes, skipInstall: values['skip-install'], progress });
  const bench = await importTs(`bench/${name}.ts`);
  try {
    const only = values.only === undefined ? undefined : new RegExp(values.only, 'i');
    const report = await bench.run({ json: values.json === true, say, only });
    if (values.record) await record(report, values.only);
    process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : table(report));
  } catch (error) {
    // The class is in the bundle, so `instanceof` would not recognize it.
    if (error?.name !== 'CannotMeasure') throw error;
    throw new SetupError(error.message, 11);
  }
  return 0;
});

/** What the figures need to be judged later: the machine, its load, the build. No name of a machine or user. */
async function record(report, only) {
  const { stdout } = await promisify(execFile)('git', ['rev-parse', '--short', 'HEAD']);
  const [load = 0] = loadavg();
  const [processor] = cpus();
  const machine = {
    node: process.versions.node,
    system: `${process.platform} ${process.arch}`,
    processors: cpus().length,
    processor: processor?.model.trim() ?? 'unknown',
    load_after: Math.round(load * 10) / 10,
  };
  const recorded = {
    name: report.name,
    date: new Date().toISOString().slice(0, 10),
    commit: stdout.trim(),
    ...(only === undefined ? {} : { only }),
    machine,
    figures: report.figures,
  };
  await mkdir('docs/bench', { recursive: true });
  const file = `docs/bench/${report.name}.json`;
  const earlier = await readFile(file, 'utf8').then(JSON.parse, () => undefined);
  await writeFile(file, `${JSON.stringify(mergeBench(earlier, recorded), null, 2)}\n`);
}

function table({ name, figures }) {
  const rows = figures.map((figure) => [
    figure.what,
    `${figure.value} ${figure.unit}`,
    figure.baseline === undefined ? '' : `${figure.baseline}`,
    figure.ratio === undefined ? '' : `${figure.ratio}`,
    figure.goal ?? '',
    figure.met === undefined ? '' : figure.met ? 'met' : 'NOT MET',
    figure.note ?? '',
  ]);
  const head = ['figure', 'ours', 'beside', 'ratio', 'goal', '', ''];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const lines = [head, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
  return `${name}\n${lines.join('\n')}\n`;
}
