/**
 * Renders docs/compatibility.md and docs/compatibility.json from the results of the end-to-end tests. With --check it writes nothing, and fails if a
 * row got worse than in the committed docs/compatibility.json, is missing there, or was not tested.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { compareRows, renderPage } from './compatibility/page.ts';
import {
  ALWAYS_TESTED,
  COMMANDS,
  CompatibilityRow,
  READING_COMMANDS,
  RESULTS_FOLDER,
  TOOLKITS,
  WHOLE_TABLE,
} from './compatibility/rows.ts';

const PAGE = path.resolve('docs/compatibility.md');
const COMMITTED = path.resolve('docs/compatibility.json');
const Committed = z.object({ rows: z.array(CompatibilityRow) });

async function measured(): Promise<CompatibilityRow[]> {
  const files = (await readdir(RESULTS_FOLDER).catch(() => [])).filter((file) => file.endsWith('.json'));
  const rows = await Promise.all(
    files.map(async (file) =>
      z.array(CompatibilityRow).parse(JSON.parse(await readFile(path.join(RESULTS_FOLDER, file), 'utf8'))),
    ),
  );
  const byKey = new Map(rows.flat().map((row) => [`${row.toolkit} ${row.command}`, row]));
  const wanted = TOOLKITS.flatMap((toolkit) => COMMANDS.map((command) => `${toolkit} ${command}`));
  return wanted.flatMap((key) => byKey.get(key) ?? []);
}

/**
 * Every toolkit needs a row for every reading command and for everything tested before; a missing row must not pass for a success. With --check
 * only the commands that every test run tries are expected.
 */
function missingRows(rows: readonly CompatibilityRow[], committed: readonly CompatibilityRow[]): string[] {
  const tested = new Set(rows.map(({ toolkit, command }) => `${toolkit}: ${command}`));
  const read = TOOLKITS.flatMap((toolkit) => READING_COMMANDS.map((command) => `${toolkit}: ${command}`));
  const asked: readonly string[] = isCheck ? ALWAYS_TESTED : COMMANDS;
  const known = committed.filter(({ command }) => asked.includes(command));
  const wanted = new Set([...read, ...known.map(({ toolkit, command }) => `${toolkit}: ${command}`)]);
  return [...wanted].filter((key) => !tested.has(key)).map((key) => `${key} was not tested`);
}

const isCheck = process.argv.includes('--check');

const rows = await measured();
const committed = Committed.parse(JSON.parse(await readFile(COMMITTED, 'utf8')));
const problems = missingRows(rows, committed.rows);
if (isCheck) {
  const { worse, notes } = compareRows(committed.rows, rows);
  for (const note of notes) console.log(`note: ${note}`);
  problems.push(...worse);
  if ((await readFile(PAGE, 'utf8')) !== renderPage(committed.rows))
    problems.push('docs/compatibility.md does not match docs/compatibility.json');
} else if (problems.length === 0) {
  await writeFile(COMMITTED, `${JSON.stringify({ rows }, undefined, 2)}\n`);
  await writeFile(PAGE, renderPage(rows));
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(
    `Run the end-to-end tests (${WHOLE_TABLE}=1 npm run test:e2e), then: node scripts/run-ts.mjs scripts/compatibility.ts`,
  );
  process.exitCode = 1;
}
