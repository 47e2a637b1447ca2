/**
 * `npm run test:bare`: runs both README commands on a minimal Debian with only Node, made with debootstrap in a temporary folder. It finds
 * installation steps that are missing but happen to be done on this machine.
 * Needs root.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readArguments } from './lib/arguments.mjs';
import { baseArchive, demoOutputProblems, prepareRoot, runInside } from './lib/bare-root.mjs';
import { SetupError, createProgress, duration, main } from './lib/progress.mjs';
import { endAll } from './lib/run.mjs';
import { closingLine, exitCode } from './lib/tally.mjs';
import { root } from './setup.mjs';

const progress = createProgress({ stream: process.stdout });
const cache = path.join(root, '.cache/bare');
const MINUTE = 60_000;

function removeRoot(folder) {
  execFileSync('rm', ['-rf', '--one-file-system', folder]);
}

async function inside(folder, name, commandLine, minutes) {
  progress.say(`${name}: ${commandLine}`);
  const stop = progress.heartbeat(name);
  const result = await runInside({
    folder,
    cache,
    commandLine,
    timeoutMs: minutes * MINUTE,
    onLine: (line) => progress.say(`  | ${line}`),
  });
  stop();
  writeFileSync(path.join(cache, `${name}.log`), result.output);
  const outcome = result.timedOut ? 'time limit exceeded' : `exit ${result.code}`;
  progress.say(`${name}: ${outcome}, ${duration(result.milliseconds)}`);
  return result;
}

/** Runs the demo twice: the first run installs, the second measures how long a newcomer waits after that. */
async function demo(folder, clone, verdict) {
  const first = await inside(folder, 'demo', 'npm run demo -- --yes', 25);
  verdict('npm run demo -- --yes', first.code === 0 ? [] : [`exit ${first.code}`]);
  const output = path.join(clone, 'demo-output');
  verdict('demo-output/', demoOutputProblems(output));
  rmSync(path.join(cache, 'demo-output'), { recursive: true, force: true });
  if (existsSync(output)) cpSync(output, path.join(cache, 'demo-output'), { recursive: true });
  if (first.code !== 0) return;
  const second = await inside(folder, 'demo-again', 'npm run demo -- --yes', 5);
  const what = `second run of the demo: ${duration(second.milliseconds)} (goal: under 15 s on a quiet machine)`;
  verdict(what, second.code === 0 ? [] : [`exit ${second.code}`]);
}

const USAGE = `Usage: sudo npm run test:bare -- [--only demo|test] [--test-args="…"] [--fresh] [--keep]
Runs both commands of the README on a minimal Debian that has only Node.
  --only demo|test  only this command
  --test-args="…"   arguments for npm test
  --fresh           make the base again
  --keep            keep the folder`;

await main(async () => {
  const { values } = readArguments(USAGE, {
    options: {
      only: { type: 'string' },
      'test-args': { type: 'string' },
      fresh: { type: 'boolean' },
      keep: { type: 'boolean' },
    },
  });
  if (process.getuid?.() !== 0)
    throw new SetupError('The bare test creates a chroot, which needs root: sudo npm run test:bare');
  if (values.only !== undefined && !['demo', 'test'].includes(values.only))
    throw new SetupError('Use --only demo or --only test.', 5);
  mkdirSync(cache, { recursive: true });

  const verdicts = [];
  function verdict(what, problems) {
    verdicts.push({ what, problems });
    progress.say(problems.length === 0 ? `ok: ${what}` : `FAILED: ${what}: ${problems.join('; ')}`);
  }
  const archive = await baseArchive({ cache, fresh: values.fresh, progress });
  const folder = mkdtempSync(path.join(tmpdir(), 'deskterity-bare-'));
  if (!values.keep) {
    process.on('exit', () => removeRoot(folder));
  }
  try {
    const clone = await prepareRoot({ folder, archive, project: root });
    progress.say('bare system ready: a minimal Debian, Node, and the committed project');
    if (values.only !== 'test') await demo(folder, clone, verdict);
    if (values.only !== 'demo') {
      const result = await inside(folder, 'test', `npm test -- --yes ${values['test-args'] ?? ''}`, 45);
      const line = /^\d+ passed, \d+ failed, \d+ skipped$/m.exec(result.stdout)?.[0];
      verdict(
        `npm test: ${line ?? 'no closing line'}`,
        result.code === 0 && line !== undefined ? [] : [`exit ${result.code}`],
      );
    }
  } finally {
    await endAll();
    if (values.keep) progress.say(`kept the folder: ${folder}`);
  }
  const failed = verdicts.filter(({ problems }) => problems.length > 0).length;
  const sum = { passed: verdicts.length - failed, failed, skipped: 0 };
  process.stdout.write(`${closingLine(sum)}\n`);
  return exitCode(sum);
});
