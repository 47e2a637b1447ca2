import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowEveryCall } from '../../fixtures/unlimited-calls.ts';
import { builtProgram } from '../../tests/e2e/support/build.ts';

export interface Reply {
  readonly exitCode: number;
  readonly stdout: string;
  readonly tookMs: number;
}

/** The built program with folders of its own. */
export class Place {
  readonly folder: string;
  readonly entry: string;
  readonly environment: Readonly<Record<string, string>>;

  constructor(entry: string, folder: string) {
    this.entry = entry;
    this.folder = folder;
    this.environment = {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: join(folder, 'home'),
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      XDG_RUNTIME_DIR: join(folder, 'run'),
      XDG_STATE_HOME: join(folder, 'state'),
    };
  }

  desk(...args: string[]): Promise<Reply> {
    const begun = performance.now();
    return new Promise((resolve) => {
      const options = { env: this.environment, cwd: join(this.folder, 'project'), timeout: 60_000 };
      const child = execFile(process.execPath, [this.entry, ...args], options, (_, stdout) => {
        resolve({ exitCode: child.exitCode ?? -1, stdout, tookMs: performance.now() - begun });
      });
    });
  }

  /** The daemon of this place. */
  async daemon(): Promise<number> {
    const { stdout } = await this.desk('status');
    const pid = Number(/"pid":(\d+)/.exec(stdout)?.[1]);
    if (!Number.isInteger(pid) || !isDaemon(pid)) throw new Error(`no daemon in ${stdout.slice(0, 200)}`);
    return pid;
  }

  socket(): string {
    const folder = join(this.folder, 'run', 'deskterity');
    const name = readdirSync(folder).find(
      (file) => /daemon.*\.sock$|\.sock$/.test(file) && !file.includes('holder'),
    );
    return join(folder, name ?? '');
  }
}

function isDaemon(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('daemon');
  } catch {
    return false;
  }
}

/** Runs `body` with a place of its own, whose terminals and daemon are ended afterwards. */
export async function inPlace<T>(body: (place: Place) => Promise<T>): Promise<T> {
  const { folder: program, entry } = await builtProgram();
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'dkt-')));
  for (const name of ['home', 'project', 'run', 'state']) await mkdir(join(folder, name), { mode: 0o700 });
  allowEveryCall(join(folder, 'home'));
  const place = new Place(entry, folder);
  try {
    return await body(place);
  } finally {
    for (const [, tag = ''] of (await place.desk('terminal', 'list')).stdout.matchAll(/"tag":"([^"]+)"/g))
      await place.desk('terminal', 'close', '--tag', tag);
    await place.desk('daemon', 'stop');
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    await rm(program, { recursive: true, force: true });
  }
}
