/**
 * `npm run proof -- NAME [--json] [--repeats N] [--minutes N] [--only ROW[,ROW]] [--seed N] [--display KIND] [--resume]`: counts how often each promise holds;
 * writes docs/proof/NAME.json, or NAME-KIND.json for another display. A proof that exports `merge` can be run in parts (`--only`), each of which can be continued (`--resume`). The
 * row of one that exports `total` is made of all others, also those of earlier parts. What a proof that exports `packages` works with is installed first.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './lib/arguments.mjs';
import { SetupError, createProgress, main } from './lib/progress.mjs';
import { ensurePackages } from './lib/system-packages.mjs';
import { importTs } from './run-ts.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(root, 'scripts/proof');

const USAGE = `Usage: npm run proof -- NAME [--json] [--repeats N] [--minutes N] [--only ROW[,ROW]] [--seed N] [--display KIND] [--resume]
Counts how often each promise holds, and writes docs/proof/NAME.json.
  --json          print the result as one JSON object
  --repeats N     repeat each row N times; a shortened run is not recorded
  --minutes N     take at most so long
  --only ROW,ROW  only these rows
  --seed N        choose otherwise where a proof chooses at random; such a run is not recorded
  --display KIND  on another kind of display, such as wayland; recorded as NAME-KIND.json
  --resume        continue where the last run ended`;

await main(async () => {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.proof.ts'))
    .map((entry) => entry.name.replace('.proof.ts', ''));
  const usage = `${USAGE}\nproofs: ${names.join(', ')}`;
  const { values, positionals } = readArguments(usage, {
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      repeats: { type: 'string' },
      minutes: { type: 'string' },
      only: { type: 'string' },
      seed: { type: 'string' },
      display: { type: 'string' },
      resume: { type: 'boolean', default: false },
    },
  });
  const [name] = positionals;
  if (name === undefined || !names.includes(name)) {
    const problem = name === undefined ? 'Which proof?' : `There is no proof "${name}".`;
    throw new SetupError(`${problem}\n${usage}`, 5);
  }
  const progress = createProgress();
  const { prove, merge, total, packages, displays = [] } = await importTs(`scripts/proof/${name}.proof.ts`);
  if (merge === undefined && (values.only !== undefined || values.resume)) {
    process.stderr.write(`The proof "${name}" has no parts: leave out --only and --resume.\n`);
    return 5;
  }
  if (values.display !== undefined && !displays.includes(values.display)) {
    process.stderr.write(`The proof "${name}" runs on no display "${values.display}".\n`);
    return 5;
  }
  const record = values.display === undefined ? name : `${name}-${values.display}`;
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
  const repeats = values.repeats === undefined ? undefined : Number(values.repeats);
  const seed = values.seed === undefined ? undefined : Number(values.seed);
  // The proof is about the state of the repository at the beginning.
  const at = commit();
  const only = values.only?.split(',');
  if (packages !== undefined) await ensurePackages(packages(only), progress);
  const run = await prove({
    say: progress.say,
    repeats,
    minutes,
    only,
    seed,
    display: values.display,
    resume: values.resume,
    recorded: recordedRows(record),
    commit: at,
  });
  const merged = merge === undefined ? run : merge(recordedRows(record), run, values.resume);
  const totals = total === undefined ? [] : [total(merged, values.display)];
  const rows = [...merged, ...totals];
  const report = { name: record, commit: at, machine: machine(), rows };
  const text = `${JSON.stringify(report, null, 2)}\n`;
  // Only full runs are recorded: a shortened run proves less, and rows of several runs belong together.
  if (repeats === undefined && seed === undefined) {
    mkdirSync(path.join(root, 'docs/proof'), { recursive: true });
    writeFileSync(path.join(root, 'docs/proof', `${record}.json`), text);
  }
  if (values.json) process.stdout.write(text);
  else
    for (const row of [...run, ...totals])
      process.stdout.write(`${holds(row) ? 'pass' : 'FAIL'}  ${row.passes}/${row.repeats}  ${row.row}\n`);
  // A part answers for itself alone.
  return (only === undefined ? [...run, ...totals] : run).every(holds) ? 0 : 1;
});

function recordedRows(record) {
  const file = path.join(root, 'docs/proof', `${record}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).rows : [];
}

function holds(row) {
  return row.holds ?? row.passes === row.repeats;
}

function commit() {
  const revision = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
  const dirty =
    execFileSync('git', ['status', '--porcelain', '--', 'src', 'fixtures'], {
      cwd: root,
      encoding: 'utf8',
    }).trim() !== '';
  return dirty ? `${revision}+changes` : revision;
}

function machine() {
  const [cpu] = os.cpus();
  return `${os.type()} ${os.arch()}, ${os.cpus().length} × ${cpu?.model.trim() ?? 'unknown CPU'}, Node ${process.versions.node}`;
}
