/** `npm run proof -- NAME [--json] [--repeats N] [--minutes N]`: counts how often each promise holds; writes docs/proof/NAME.json. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createProgress, main } from './lib/progress.mjs';
import { importTs } from './run-ts.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(root, 'scripts/proof');

await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      repeats: { type: 'string' },
      minutes: { type: 'string' },
    },
  });
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.proof.ts'))
    .map((entry) => entry.name.replace('.proof.ts', ''));
  const [name] = positionals;
  if (name === undefined || !names.includes(name)) {
    process.stderr.write(
      `usage: npm run proof -- NAME [--json] [--repeats N] [--minutes N]\nproofs: ${names.join(', ')}\n`,
    );
    return 5;
  }
  const progress = createProgress();
  const { prove } = await importTs(`scripts/proof/${name}.proof.ts`);
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
  const repeats = values.repeats === undefined ? undefined : Number(values.repeats);
  // The proof is about the state of the repository at the beginning.
  const at = commit();
  const rows = await prove({ say: progress.say, repeats, minutes });
  const report = { name, commit: at, machine: machine(), rows };
  const text = `${JSON.stringify(report, null, 2)}\n`;
  // Only full runs are recorded: a shortened run proves less.
  if (repeats === undefined) {
    mkdirSync(path.join(root, 'docs/proof'), { recursive: true });
    writeFileSync(path.join(root, 'docs/proof', `${name}.json`), text);
  }
  if (values.json) process.stdout.write(text);
  else
    for (const row of rows)
      process.stdout.write(`${holds(row) ? 'pass' : 'FAIL'}  ${row.passes}/${row.repeats}  ${row.row}\n`);
  return rows.every(holds) ? 0 : 1;
});

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
