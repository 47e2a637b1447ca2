/**
 * Commands in terminals as a daemon runs them, on the published holder: whether every byte of their output arrives, what they cost compared with plain
 * spawns and script(1), alternately; how long it takes to read a screen; the memory of an idle session.
 */
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { makeLabFolder } from '../tests/daemon/terminal-lab.ts';
import { endHolders } from '../tests/daemon/terminal-support.ts';
import type { Report, Say } from './support/figures.ts';
import { FULL_SCREEN } from './support/terminal-commands.ts';
import { terminalFigures } from './support/terminal-figures.ts';
import type { FromTerminalClient, TerminalOrder, TerminalTimes } from './support/terminal-client.ts';

const LIMIT_MS = 900_000;
const SHELL = '/bin/bash';
const SCRIPT = '/usr/bin/script';
const COUNTS = { short: 1000, large: 100, rounds: 300, idle: 20 };

export async function run({ say }: { readonly say: Say }): Promise<Report> {
  say('building');
  const folder = await makeLabFolder();
  try {
    await writeFile(path.join(folder, 'full-screen.py'), FULL_SCREEN);
    await build({
      entryPoints: ['bench/support/terminal-client.ts'],
      outdir: path.join(folder, 'programs'),
      absWorkingDir: process.cwd(),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      logLevel: 'error',
    });
    const order = { ...COUNTS, folder, shell: SHELL, script: existsSync(SCRIPT) ? SCRIPT : undefined };
    return { name: 'terminal', figures: terminalFigures(order, await measure(order, say)) };
  } finally {
    await endHolders(path.join(folder, 'state'));
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(order: TerminalOrder, say: Say): Promise<TerminalTimes> {
  const client = fork(path.join(order.folder, 'programs', 'terminal-client.js'), [JSON.stringify(order)], {
    env: { PATH: process.env['PATH'], XDG_RUNTIME_DIR: path.join(order.folder, 'run'), SHELL },
    execArgv: ['--expose-gc'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise((resolve) => client.once('exit', resolve));
  try {
    return await new Promise<TerminalTimes>((resolve, reject) => {
      client.on('message', (received) => {
        const message = received as FromTerminalClient;
        if (message.type === 'progress') say(message.text);
        else if (message.type === 'times') resolve(message.times);
        else reject(new Error(message.problem));
      });
      client.once('error', reject);
      client.once('exit', (code, signal) => reject(new Error(`The daemon ended with ${code ?? signal}.`)));
    });
  } finally {
    client.kill('SIGKILL');
    await ended;
  }
}
