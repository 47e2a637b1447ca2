import { spawn, type ChildProcess } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { CannotMeasure } from './figures.ts';
import type { User } from './program.ts';

const READY_LIMIT_MS = 20_000;
const POLL_MS = 20;
const READINGS = 3;
const BETWEEN_READINGS_MS = 300;

const Memory = z.object({ rss: z.number(), heapUsed: z.number(), external: z.number() });

/** Memory of the daemon after it has collected its garbage, in bytes. */
export interface Weight {
  readonly resident: number;
  /** The size of its objects, including their buffers. */
  readonly objects: number;
}

/** The daemon of a user, started so that its memory can be measured. */
export class WeighedDaemon {
  readonly process: ChildProcess;
  private readonly answer: string;

  private constructor(started: ChildProcess, answer: string) {
    this.process = started;
    this.answer = answer;
  }

  static async start(user: User): Promise<WeighedDaemon> {
    const answer = path.join(user.environment['HOME'] ?? '', 'memory.json');
    const child = spawn(
      process.execPath,
      [
        '--expose-gc',
        '--import',
        `data:text/javascript,${encodeURIComponent(onSignal(answer))}`,
        user.program.daemon,
      ],
      { cwd: '/', env: withoutDisplay(user.environment), stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const end = performance.now() + READY_LIMIT_MS;
    while (!said.includes('"ready":true')) {
      if (child.exitCode !== null || performance.now() > end) {
        child.kill('SIGKILL');
        throw new CannotMeasure(`The daemon did not start: ${said.trim() || 'it printed nothing'}`);
      }
      await sleep(POLL_MS);
    }
    return new WeighedDaemon(child, answer);
  }

  /** The minimum of some readings, because freed memory leaves the process a little later. */
  async weigh(): Promise<Weight> {
    const readings: Weight[] = [];
    for (let reading = 0; reading < READINGS; reading++) {
      if (reading > 0) await sleep(BETWEEN_READINGS_MS);
      readings.push(await this.read());
    }
    return {
      resident: Math.min(...readings.map(({ resident }) => resident)),
      objects: Math.min(...readings.map(({ objects }) => objects)),
    };
  }

  private async read(): Promise<Weight> {
    await rm(this.answer, { force: true });
    this.process.kill('SIGUSR2');
    const end = performance.now() + READY_LIMIT_MS;
    while (performance.now() < end) {
      const text = await readFile(this.answer, 'utf8').catch(() => undefined);
      if (text !== undefined) {
        const { rss, heapUsed, external } = Memory.parse(JSON.parse(text));
        return { resident: rss, objects: heapUsed + external };
      }
      await sleep(POLL_MS);
    }
    throw new CannotMeasure('The daemon did not report how much memory it uses.');
  }
}

/** Runs in the daemon. */
function onSignal(answer: string): string {
  return `import { renameSync, writeFileSync } from 'node:fs';
process.on('SIGUSR2', () => {
  for (let turn = 0; turn < 3; turn++) globalThis.gc();
  const file = ${JSON.stringify(answer)};
  writeFileSync(file + '.new', JSON.stringify(process.memoryUsage()));
  renameSync(file + '.new', file);
});`;
}

/** The environment of a daemon: what a call needs comes with the call. */
function withoutDisplay(environment: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(environment).filter(
    ([name]) => !/^(?:DISPLAY|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS|AT_SPI_BUS_ADDRESS)$/.test(name),
  );
  return Object.fromEntries(kept);
}
