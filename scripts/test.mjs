/**
 * `npm test`: set-up, then every check and every test, each with a time limit, and one closing line
 * `N passed, N failed, N skipped`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { readArguments } from './lib/arguments.mjs';
import { SetupError, createProgress, duration, main } from './lib/progress.mjs';
import { run } from './lib/run.mjs';
import { SECOND_TRY, SLOW, stages } from './lib/stages.mjs';
import {
  closingLine,
  exitCode,
  filesToRunAnew,
  readVitestLog,
  sitesAndRuns,
  total,
  withSecondRun,
} from './lib/tally.mjs';
import { ensureNodeModules } from './lib/npm.mjs';
import { root, setup } from './setup.mjs';

/** Tests start their own desktops; the desktop or session we were called from must not affect them. */
const HIDDEN =
  /^(DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DBUS_|AT_SPI_|XDG_(RUNTIME|SESSION|CURRENT)|DESKTERITY_|NODE_OPTIONS$|npm_)/;
const progress = createProgress({ stream: process.stdout });
const logs = path.join(root, '.cache/test-logs');

const USAGE = `Usage: npm test -- [--fast] [--only ID[,ID…]] [--list] [--yes] [--skip-install]
Runs every check and every test; ends with "N passed, N failed, N skipped".
  --fast          all checks and unit tests, without a desktop
  --only ID,ID    only these stages
  --list          list the stages
  --yes           install what is missing without asking
  --skip-install  install nothing`;

function readOptions() {
  const { values } = readArguments(USAGE, {
    options: {
      only: { type: 'string', multiple: true },
      fast: { type: 'boolean' },
      'skip-install': { type: 'boolean' },
      yes: { type: 'boolean' },
      list: { type: 'boolean' },
    },
  });
  return values;
}

function select(all, { only, fast }) {
  const names = (only ?? []).flatMap((value) => value.split(','));
  const unknown = names.filter((name) => !all.some((stage) => stage.id === name));
  if (unknown.length > 0) {
    throw new SetupError(
      `No such stage: ${unknown.join(', ')}. There are: ${all.map(({ id }) => id).join(', ')}`,
      5,
    );
  }
  return all.filter(({ id }) => (names.length > 0 ? names.includes(id) : fast !== true || !SLOW.has(id)));
}

function environment(log) {
  const kept = Object.entries(process.env).filter(([name]) => !HIDDEN.test(name));
  return { ...Object.fromEntries(kept), CI: 'true', NO_COLOR: '1', DESKTERITY_TEST_LOG: log };
}

/** Installs Node 22 and 24, which only their own stages need. */
async function installOtherNodes() {
  const folder = path.join(root, 'tests/node-versions');
  await ensureNodeModules({ folder, label: ' (Node 22 and 24)', progress });
}

async function perform(stage, more = {}) {
  if (stage.kind === 'skip') {
    const skips = [`${stage.what}: ${stage.reason}`];
    return { passed: 0, failed: 0, skipped: 1, skips, problems: [], secondTries: [] };
  }
  const { log, result, output } = await runStage(stage, stage.id, stage.args, more);
  const counted =
    stage.kind === 'vitest' ? await countTests(stage, log, result, more) : countCheck(stage, result);
  if (counted.failed > 0) {
    progress.say(`FAILED: ${stage.what}`);
    process.stdout.write(`${output.trim().slice(-12_000)}\n\n`);
  }
  return counted;
}

async function runStage(stage, name, args, more) {
  const log = path.join(logs, `${name}.jsonl`);
  rmSync(log, { force: true });
  const stop = progress.heartbeat(`at: ${stage.what}`);
  const result = await run(stage.command, args, {
    cwd: root,
    env: { ...environment(log), ...more },
    timeoutMs: stage.timeoutMs,
    onLine: (text) => {
      const line = stripVTControlCharacters(text);
      if (stage.kind === 'vitest' && /^ [✓❯×↓] .*\.test\.ts \(\d+ tests?/.test(line))
        progress.say(`  ${line.trim()}`);
    },
  });
  stop();
  const output = stripVTControlCharacters(result.output);
  writeFileSync(path.join(logs, `${name}.log`), output);
  return { log, result, output };
}

function countCheck(stage, { code, timedOut }) {
  const problems = timedOut
    ? [`no end within ${duration(stage.timeoutMs)}`]
    : code === 0
      ? []
      : [`exit ${code}`];
  return {
    passed: code === 0 ? 1 : 0,
    failed: code === 0 ? 0 : 1,
    skipped: 0,
    skips: [],
    problems,
    secondTries: [],
  };
}

async function countTests(stage, log, result, more) {
  let text = readLog(log);
  let { code } = result;
  const files = stage.args.includes(SECOND_TRY) ? filesToRunAnew(text) : [];
  if (files.length > 0) {
    progress.say(`${stage.id}: once more, from the beginning: ${files.join(', ')}`);
    const args = [...stage.args.filter((arg) => arg !== SECOND_TRY), ...files];
    const anew = await runStage(stage, `${stage.id}-anew`, args, more);
    text = withSecondRun(text, readLog(anew.log));
    ({ code } = anew.result);
  }
  const counted = readVitestLog(text, { ...result, code });
  const describe = (test) => `${test.file}: ${test.name}`;
  const failures = counted.tests.filter((test) => test.state === 'failed').map(describe);
  const skips = counted.tests
    .filter((test) => test.state === 'skipped')
    .map((test) => `${describe(test)}${test.note ? ` – ${test.note}` : ''}`);
  const secondTries = counted.secondTries.map((test) => `${describe(test)}: ${test.errors.join(' | ')}`);
  return { ...counted, problems: [...failures, ...counted.problems], skips, secondTries };
}

/** Empty if the stage never started, which counts as a failure. */
function readLog(log) {
  try {
    return readFileSync(log, 'utf8');
  } catch {
    return '';
  }
}

function report(rows, notes) {
  progress.say('');
  for (const { stage, passed, failed, skipped, milliseconds } of rows) {
    const mark = failed > 0 ? 'FAILED ' : passed === 0 ? 'skipped' : 'ok     ';
    const counts = stage.kind === 'vitest' ? ` – ${closingLine({ passed, failed, skipped })}` : '';
    progress.say(
      `${mark} ${stage.id.padEnd(9)} ${duration(milliseconds).padStart(11)}  ${stage.what}${counts}`,
    );
  }
  const skips = [...notes, ...rows.flatMap((row) => row.skips)];
  if (skips.length > 0) progress.say(`\nskipped:\n${skips.map((line) => `  ${line}`).join('\n')}`);
  const secondTries = rows.flatMap((row) => row.secondTries.map((line) => `  ${row.stage.id}: ${line}`));
  if (secondTries.length > 0)
    progress.say(`\npassed at the second try only, to be looked into:\n${secondTries.join('\n')}`);
  const problems = rows.flatMap((row) => row.problems.map((problem) => `  ${row.stage.id}: ${problem}`));
  if (problems.length > 0) progress.say(`\nfailed:\n${problems.join('\n')}\nFull output: .cache/test-logs/`);
  const { sites, runs } = sitesAndRuns(rows);
  progress.say(`\n${sites} different tests in ${runs} runs`);
  progress.say(`done in ${duration(progress.elapsedMs())}`);
}

function close(sum) {
  process.stdout.write(`${closingLine(sum)}\n`);
  return exitCode(sum);
}

await main(async () => {
  const options = readOptions();
  if (options.list) {
    for (const { id, what } of stages()) process.stdout.write(`${id.padEnd(10)} ${what}\n`);
    return 0;
  }
  mkdirSync(logs, { recursive: true });
  let unavailable;
  try {
    [unavailable] = await Promise.all([
      setup({
        purpose: 'test',
        assumeYes: options.yes,
        skipInstall: options['skip-install'],
        progress,
      }),
      options['skip-install'] ? undefined : installOtherNodes(),
    ]);
  } catch (error) {
    process.stdout.write(`\n${error instanceof SetupError ? error.message : error.stack}\n`);
    close({ passed: 0, failed: 1, skipped: 0 });
    return error.exitCode ?? 1;
  }

  const rows = [{ stage: { id: 'set-up', what: 'set-up', kind: 'check' }, ...passedSetup() }];
  const chosen = select(stages(), options);
  const isBeside = ({ beside }) => chosen.some(({ id }) => id === beside);
  let background = Promise.resolve([]);
  for (const stage of chosen.filter((candidate) => !isBeside(candidate))) {
    for (const other of chosen.filter(({ beside }) => beside === stage.id))
      background = background.then(async (done) => [...done, await timed(other, true)]);
    rows.push(await timed(stage));
  }
  rows.push(...(await background));
  report(
    rows,
    unavailable.map(({ group, reason }) => `everything that needs ${group}: ${reason}`),
  );
  return close(total(rows));
});

async function timed(stage, isBeside = false) {
  progress.say(`${stage.id}: ${stage.what}`);
  const startedAt = Date.now();
  // Each stage has its own temporary folder, so that none cleans up files of another.
  const folder = isBeside ? mkdtempSync(path.join(tmpdir(), 'beside-')) : undefined;
  const counted = await perform(stage, folder === undefined ? {} : { TMPDIR: folder });
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  return { stage, ...counted, milliseconds: Date.now() - startedAt };
}

function passedSetup() {
  const counts = { passed: 1, failed: 0, skipped: 0, skips: [], problems: [], secondTries: [] };
  return { ...counts, milliseconds: progress.elapsedMs() };
}
