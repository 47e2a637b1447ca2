/**
 * Renders docs/compatibility.md and docs/compatibility.json from the results of the end-to-end tests; with --display wayland, the half of the page for
 * that, and docs/compatibility-wayland.json. With --check it writes nothing, and fails if a row got worse than in the committed table, is missing
 * there, or was not tested.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { compareRows, renderPage } from './compatibility/page.ts';
import {
  ALWAYS_TESTED,
  COMMANDS,
  CompatibilityRow,
  DISPLAYS,
  READING_COMMANDS,
  resultsFolder,
  TEST_DISPLAY,
  TOOLKITS_ON,
  WHOLE_TABLE,
  type TestedDisplay,
} from './compatibility/rows.ts';

const PAGE = path.resolve('docs/compatibility.md');
const TABLES: Readonly<Record<TestedDisplay, string>> = {
  x11: path.resolve('docs/compatibility.json'),
  wayland: path.resolve('docs/compatibility-wayland.json'),
};
const Committed = z.object({ rows: z.array(CompatibilityRow) });

async function measured(): Promise<CompatibilityRow[]> {
  const folder = resultsFolder(display);
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.json')).toSorted();
  const rows = await Promise.all(
    files.map(async (file) =>
      z.array(CompatibilityRow).parse(JSON.parse(await readFile(path.join(folder, file), 'utf8'))),
    ),
  );
  const byKey = new Map(rows.flat().map((row) => [`${row.toolkit} ${row.command}`, row]));
  const wanted = TOOLKITS_ON[display].flatMap((toolkit) =>
    COMMANDS.map((command) => `${toolkit} ${command}`),
  );
  return wanted.flatMap((key) => byKey.get(key) ?? []);
}

/**
 * Every toolkit needs a row for every reading command and for everything tested before; a missing row must not pass for a success. With --check
 * only the commands that every test run tries are expected.
 */
function missingRows(rows: readonly CompatibilityRow[], committed: readonly CompatibilityRow[]): string[] {
  const tested = new Set(rows.map(({ toolkit, command }) => `${toolkit}: ${command}`));
  const read = TOOLKITS_ON[display].flatMap((toolkit) =>
    READING_COMMANDS.map((command) => `${toolkit}: ${command}`),
  );
  const asked: readonly string[] = isCheck ? ALWAYS_TESTED : COMMANDS;
  const known = committed.filter(({ command }) => asked.includes(command));
  const wanted = new Set([...read, ...known.map(({ toolkit, command }) => `${toolkit}: ${command}`)]);
  return [...wanted].filter((key) => !tested.has(key)).map((key) => `${key} was not tested`);
}

async function committedRows(of: TestedDisplay): Promise<readonly CompatibilityRow[]> {
  const text = await readFile(TABLES[of], 'utf8').catch(() => '{"rows":[]}');
  return Committed.parse(JSON.parse(text)).rows;
}

const { values } = parseArgs({
  options: { check: { type: 'boolean' }, display: { type: 'string', default: 'x11' } },
});
const isCheck = values.check === true;
const display = z.enum(DISPLAYS).parse(values.display);

const rows = await measured();
const committed = { x11: await committedRows('x11'), wayland: await committedRows('wayland') };
const problems = missingRows(rows, committed[display]);
if (isCheck) {
  const { worse, notes } = compareRows(committed[display], rows);
  for (const note of notes) console.log(`note: ${note}`);
  problems.push(...worse);
  if ((await readFile(PAGE, 'utf8')) !== renderPage(committed))
    problems.push('docs/compatibility.md does not match the recorded tables');
} else if (problems.length === 0) {
  await writeFile(TABLES[display], `${JSON.stringify({ rows }, undefined, 2)}\n`);
  await writeFile(PAGE, renderPage({ ...committed, [display]: rows }));
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(
    `Run the end-to-end tests (${TEST_DISPLAY}=${display} ${WHOLE_TABLE}=1 npx vitest run --project e2e tests/e2e/compatibility), then: node scripts/run-ts.mjs scripts/compatibility.ts --display ${display}`,
  );
  process.exitCode = 1;
}
