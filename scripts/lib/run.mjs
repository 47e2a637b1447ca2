import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';

/** Every process started here has this variable, so that orphans can be found and ended after a time limit. */
const MARK = 'DESKTERITY_RUN';
const KEEP_CHARACTERS = 8 * 1024 * 1024;
const live = new Set();

function processTable() {
  const rows = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      rows.push({ pid: Number(entry), parent: Number(fields[1]) });
    } catch {
      // It exited meanwhile.
    }
  }
  return rows;
}

function carries(pid, mark) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${MARK}=${mark}`);
  } catch {
    return false;
  }
}

/** The process, its descendants, and those of its descendants that were adopted by init. */
function processTree(root, mark) {
  const rows = processTable();
  const found = new Set([root]);
  for (let grew = true; grew;) {
    grew = false;
    for (const { pid, parent } of rows) {
      if (found.has(pid) || pid === process.pid) continue;
      if (found.has(parent) || (mark !== undefined && carries(pid, mark))) {
        found.add(pid);
        grew = true;
      }
    }
  }
  return [...found];
}

function signalAll(pids, signal) {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has already exited.
    }
  }
}

async function endTree({ pid, mark }) {
  signalAll(processTree(pid, mark), 'SIGTERM');
  for (let round = 0; round < 15; round += 1) {
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
    const left = processTree(pid, mark).filter((one) => one !== pid || isAlive(one));
    if (left.length === 0) return;
  }
  signalAll(processTree(pid, mark), 'SIGKILL');
}

function isAlive(pid) {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

/** Ends everything that is still running; called after a signal. */
export async function endAll() {
  await Promise.all([...live].map(endTree));
}

for (const [signal, number] of [
  ['SIGINT', 2],
  ['SIGTERM', 15],
  ['SIGHUP', 1],
]) {
  process.on(signal, () => {
    void endAll().finally(() => process.exit(128 + number));
  });
}

/**
 * Runs one program without standard input. Resolves (never rejects) with `{code, output, timedOut, milliseconds}`;
 * past `timeoutMs` its whole process tree is ended. `onLine(text, from)` sees each line as it comes, from `stdout` or `stderr`.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number, ownSession?: boolean,
 *   onLine?: (text: string, from: string) => void}} options
 */
export function run(command, args, { cwd, env = process.env, timeoutMs, onLine, ownSession = true } = {}) {
  const startedAt = Date.now();
  const mark = randomUUID();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...env, [MARK]: mark },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: ownSession,
    });
    const entry = { pid: child.pid, mark };
    if (child.pid !== undefined) live.add(entry);
    let output = '';
    let stdout = '';
    let timedOut = false;
    let timer;

    function finish(code) {
      clearTimeout(timer);
      live.delete(entry);
      resolve({ code, output, stdout, timedOut, milliseconds: Date.now() - startedAt });
    }
    if (timeoutMs !== undefined) {
      timer = setTimeout(() => {
        timedOut = true;
        void endTree(entry).finally(() => finish(124));
      }, timeoutMs);
    }
    for (const from of ['stdout', 'stderr']) {
      let rest = '';
      child[from].setEncoding('utf8');
      child[from].on('data', (text) => {
        output = (output + text).slice(-KEEP_CHARACTERS);
        if (from === 'stdout') stdout = (stdout + text).slice(-KEEP_CHARACTERS);
        if (onLine === undefined) return;
        const lines = (rest + text).split(/\r?\n|\r/);
        rest = lines.pop() ?? '';
        for (const line of lines) onLine(line, from);
      });
      child[from].on('end', () => {
        if (rest !== '') onLine?.(rest, from);
      });
    }
    child.on('error', (error) => {
      output += `${error.message}\n`;
      finish(127);
    });
    // `close` also waits for inherited pipes; a background process that holds one must not block us.
    child.on('exit', (code, signal) => {
      const settle = setTimeout(() => done(code, signal), 2000);
      child.on('close', () => {
        clearTimeout(settle);
        done(code, signal);
      });
    });
    function done(code, signal) {
      if (!timedOut) finish(code ?? 128 + (signal === 'SIGKILL' ? 9 : 15));
    }
  });
}

/** Like {@link run}, but returns the standard output, or undefined if the program failed. */
export async function ask(command, args, options = {}) {
  const result = await run(command, args, { timeoutMs: 30_000, ...options });
  return result.code === 0 ? result.stdout.trim() : undefined;
}
