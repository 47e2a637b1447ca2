import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Stage } from './stage.ts';

/** Somebody else's folder, as hostile programs would like to change it. */
export function layOutside(stage: Stage, user: number): string {
  const outside = stage.path('outside');
  for (const name of ['home', 'home/alice', 'empty', 'sockets']) mkdirSync(join(outside, name));
  writeFileSync(join(outside, 'secret'), 'SECRET');
  writeFileSync(join(outside, 'precious'), 'precious');
  writeFileSync(join(outside, 'home/alice/diary'), 'dear diary');
  copyFileSync('/usr/bin/true', join(outside, 'program'));
  chmodSync(join(outside, 'program'), 0o755);
  for (const name of readdirSync(outside, { recursive: true, encoding: 'utf8' }))
    chownSync(join(outside, name), user, user);
  return outside;
}

/** All that a change outside would show in: names, kinds, owners, modes, sizes, links and contents. */
export function picture(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const path = join(folder, name);
      const { mode, uid, gid, size, nlink, mtimeMs } = lstatSync(path);
      const content = lstatSync(path).isFile()
        ? readFileSync(path, 'latin1')
        : lstatSync(path).isSymbolicLink() && readlinkSync(path);
      return [name, mode.toString(8), uid, gid, size, nlink, mtimeMs, content].join(' ');
    })
    .toSorted();
}

/** Servers of all kinds that say who reaches them. */
export class Ears {
  readonly places: Readonly<Record<string, string | number>>;
  private readonly server: ChildProcess;
  private readonly lines: string[] = [];

  private constructor(server: ChildProcess, reader: Interface, places: string) {
    this.server = server;
    this.places = JSON.parse(places);
    reader.on('line', (line) => this.lines.push(line));
  }

  static async open(stage: Stage): Promise<Ears> {
    const folder = stage.path('outside', 'sockets');
    const server = spawn(
      '/usr/bin/python3',
      [join(import.meta.dirname, 'hostile', 'ears.py'), folder, `deskterity-${stage.pid}`],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const reader = createInterface(server.stdout);
    const [places] = await once(reader, 'line');
    return new Ears(server, reader, String(places));
  }

  /** Who was reached so far. */
  get reached(): string[] {
    return [...new Set(this.lines)].toSorted();
  }

  close(): void {
    this.server.kill('SIGKILL');
  }
}

/** A process of the user that is no part of the sandbox: it has a secret in its environment, a folder and an open file outside. */
export function startDaemon(stage: Stage, user: number): ChildProcess {
  const secret = openSync(stage.path('outside', 'secret'), 'r');
  const daemon = spawn('/usr/bin/sleep', ['600'], {
    cwd: stage.path('outside'),
    env: { DAEMON_SECRET: 'hunter2-of-the-daemon' },
    stdio: [secret, 'ignore', 'ignore'],
    ...(process.getuid?.() === 0 ? { uid: user, gid: user } : {}),
  });
  closeSync(secret);
  return daemon;
}
