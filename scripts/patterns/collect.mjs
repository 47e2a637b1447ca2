/**
 * Collects the corpus of the pattern detector anew: starts each application of screens.json on a private desktop, does the steps that lead to a
 * screen, and writes what `snapshot` reads there, with a picture for whoever labels it.
 *
 *     node scripts/patterns/collect.mjs HOME OUT [APPLICATION…]
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

const [home, out, ...only] = process.argv.slice(2);
if (home === undefined || out === undefined)
  throw new Error('Give a HOME folder and a folder for the results.');
const root = join(import.meta.dirname, '../..');
const session = `corpus${process.pid}`;
const applications = JSON.parse(readFileSync(join(import.meta.dirname, 'screens.json'), 'utf8'));
mkdirSync(out, { recursive: true });

async function desk(...args) {
  try {
    const { stdout } = await promisify(execFile)(
      'node',
      [join(root, 'dist/desk.cjs'), '--session', session, ...args],
      { maxBuffer: 1e8 },
    );
    return JSON.parse(stdout);
  } catch (error) {
    const text = String(error.stdout ?? '');
    return text.startsWith('{') ? JSON.parse(text) : { ok: false, error: { message: String(error.message) } };
  }
}

const snapshot = () =>
  desk('snapshot', '--include-bounds', '--max-tokens', '1000000', '--timeout', '8000', '--format', 'json');

/** Reads until two readings are alike, for at most some seconds: what moves never is. */
async function settled() {
  let last = '';
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const answer = await snapshot();
    const shape = JSON.stringify(answer.tree ?? answer);
    if (shape.replaceAll(/"ref":"[^"]*"/g, '') === last) return answer;
    last = shape.replaceAll(/"ref":"[^"]*"/g, '');
    await sleep(700);
  }
  return snapshot();
}

const STEPS = {
  k: (key) => desk('press', key, '--format', 'json'),
  t: (text) => desk('type', text, '--format', 'json'),
  c: (target) => desk('click', target, '--format', 'json'),
  r: (target) => desk('right-click', target, '--format', 'json'),
  m: (path) => desk('menu', path, '--format', 'json'),
  w: (ms) => sleep(Number(ms)),
  f: (title) => desk('focus-window', '--window', title, '--format', 'json'),
};

async function start(command) {
  const [program, ...args] = command.map((part) => part.replaceAll('~', home));
  return desk('launch', program, '--wait', '--timeout', '25000', '--format', 'json', '--', ...args);
}

const opened = await desk('session', 'new', session, '--private', '--size', '1280x900', '--home', home);
if (!opened.ok) throw new Error(JSON.stringify(opened));
try {
  for (const { app, toolkit, launch, screens } of applications) {
    if (only.length > 0 && !only.includes(app)) continue;
    let running = await start(launch);
    const started = [running.pid];
    for (const { id, steps = [], command, moves = false } of screens) {
      const notes = running.ok ? [] : [running.error?.message];
      if (command !== undefined) {
        running = await start(command);
        if (!running.ok) notes.push(running.error?.message);
        started.push(running.pid);
      }
      for (const step of steps) {
        const answer = await STEPS[step[0]](step.slice(2).replaceAll('~', home));
        if (answer?.ok === false) notes.push(`${step}: ${answer.error?.message}`);
      }
      // What moves may be over soon.
      const answer = moves ? await snapshot() : await settled();
      await desk('screenshot', join(out, `${id}.png`), '--screen');
      const title = answer.window?.title;
      writeFileSync(join(out, `${id}.json`), JSON.stringify({ id, app, toolkit, title, tree: answer.tree }));
      process.stdout.write(
        `${id}: ${answer.ok ? `${title} ${answer.node_count}` : answer.error?.message} ${notes.join(' | ')}\n`,
      );
    }
    for (const pid of new Set(started))
      if (pid !== undefined) await desk('close-app', String(pid), '--force');
  }
} finally {
  await desk('session', 'kill', session);
}
