import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { allowEveryCall } from '../../../fixtures/unlimited-calls.ts';
import { Reply } from './reply.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Far beyond any deadline of the commands used here. */
const HUNG_AFTER_MS = 60_000;
const POLL_MS = 50;

/** A process that belongs to a world. */
export interface Member {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  /** From its environment; an application on the user's desktop has that one's. */
  readonly display: string | undefined;
}

/** A running call. */
export interface Call {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly reply: Promise<Reply>;
}

/**
 * A separate user as far as Deskterity can tell, with its own home, runtime and temporary folder. Every process started by its calls has the path of its
 * folder in its environment or command line, and can thus be told apart from all others.
 */
export class World {
  readonly folder = mkdtempSync('/tmp/k-');
  readonly program: string;
  private readonly environment: Environment;
  private readonly userDisplay: string | undefined;
  /** Every daemon and every display seen so far. */
  private readonly daemonPids = new Set<number>();
  private readonly displays = new Set<string>();

  /** `user`: environment of the desktop that its calls find; `program`: the built command line. */
  constructor(program: string, user: Environment) {
    this.program = program;
    const kept = Object.entries(user).filter(
      ([name]) =>
        !/^(?:XDG_(?:CACHE|CONFIG|DATA|STATE)_HOME|DESKTERITY_PRIVATE_DESKTOP|NODE_OPTIONS)$/.test(name),
    );
    this.environment = {
      ...Object.fromEntries(kept),
      HOME: join(this.folder, 'h'),
      TMPDIR: join(this.folder, 't'),
      XDG_RUNTIME_DIR: join(this.folder, 'r'),
      // If the test itself is killed, idle daemons soon exit.
      DESKTERITY_DAEMON_IDLE_TIMEOUT_MS: '120000',
    };
    this.userDisplay = user['DISPLAY'];
    for (const name of ['h', 't', 'r']) mkdirSync(join(this.folder, name), { mode: 0o700 });
    allowEveryCall(join(this.folder, 'h'));
  }

  call(args: readonly string[], program = this.program): Call {
    const started = performance.now();
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...this.environment },
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: HUNG_AFTER_MS,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    const reply = new Promise<Reply>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        const exitCode = code ?? signal ?? 'unknown';
        resolve(new Reply({ args, exitCode, stdout, stderr, durationMs: performance.now() - started }));
      });
    });
    return { process: child, pid: child.pid ?? 0, reply };
  }

  async desk(...args: readonly string[]): Promise<Reply> {
    return this.call(args).reply;
  }

  /** All running processes of this world. */
  members(): Member[] {
    const own = `${this.folder}/`;
    const members = names('/proc', /^\d+$/).flatMap((name): Member[] => {
      const command = readText(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim();
      const environment = readText(`/proc/${name}/environ`);
      if (Number(name) === process.pid || !(command.includes(own) || environment.includes(own))) return [];
      const [state, parent] = readText(`/proc/${name}/stat`)
        .replace(/^.*\) /s, '')
        .split(' ');
      if (state === undefined || state === 'Z' || state === 'X' || state === '') return [];
      const display = environment
        .split('\0')
        .find((entry) => entry.startsWith('DISPLAY='))
        ?.slice('DISPLAY='.length);
      return [{ pid: Number(name), parent: Number(parent), command, display }];
    });
    for (const { pid, command } of members) {
      if (isDaemon(command)) this.daemonPids.add(pid);
      const number = /\bXvfb :(\d+)/.exec(command)?.[1];
      if (number !== undefined) this.displays.add(number);
    }
    for (const number of this.locks()) this.displays.add(number);
    return members;
  }

  daemons(): number[] {
    return this.members()
      .filter(({ command }) => isDaemon(command))
      .map(({ pid }) => pid);
  }

  /** The daemon according to its own record, which is much faster than reading all processes. */
  recordedDaemon(): number | undefined {
    const pid = Number(readText(join(this.socketFolder, 'daemon.sock.pid')));
    return this.noted(pid > 0 && isDaemon(cmdline(pid)) ? pid : undefined);
  }

  /** The daemon that a client is currently starting. */
  startedBy(client: number): number | undefined {
    const children = readText(`/proc/${client}/task/${client}/children`).trim().split(' ');
    return this.noted(children.map(Number).find((pid) => pid > 0 && isDaemon(cmdline(pid))));
  }

  /** Its locks are recognized by its process id, even if it is killed before they are read. */
  private noted(pid: number | undefined): number | undefined {
    if (pid !== undefined) this.daemonPids.add(pid);
    return pid;
  }

  /** Applications that were launched on the user's desktop; these should keep running. */
  applications(members = this.members()): Member[] {
    return members.filter(
      ({ display, command }) =>
        this.userDisplay !== undefined && display === this.userDisplay && command.startsWith('/usr/bin/gal'),
    );
  }

  /**
   * What is left over although nothing is going on. Private desktops count, and so do daemons unless they may keep running.
   */
  leftovers(mayLive: 'daemon' | 'nothing'): string[] {
    const members = this.members();
    const spared = new Set(this.applications(members).map(({ pid }) => pid));
    const processes = members.filter(
      ({ pid, command }) => !spared.has(pid) && !(mayLive === 'daemon' && isDaemon(command)),
    );
    const daemons = members.filter(({ command }) => isDaemon(command));
    return [
      ...processes.map(({ pid, command }) => `process ${pid} ${command.slice(0, 160)}`),
      ...(daemons.length > 1 ? [`${daemons.length} daemons`] : []),
      ...this.locks().map((number) => `/tmp/.X${number}-lock`),
      ...[...this.displays].map((number) => `/tmp/.X11-unix/X${number}`).filter((path) => existsSync(path)),
      ...names(join(this.folder, 't'), /^(?!node-compile-cache)/).map((name) => `temporary ${name}`),
      ...names(this.socketFolder, /./)
        .filter((name) => mayLive === 'nothing' || !name.startsWith('daemon.sock'))
        .map((name) => `runtime ${name}`),
    ];
  }

  /** Waits until nothing is left over; after the limit, returns what is. */
  async untilClean(mayLive: 'daemon' | 'nothing', limitMs: number): Promise<string[]> {
    const end = performance.now() + limitMs;
    for (;;) {
      const left = this.leftovers(mayLive);
      if (left.length === 0 || performance.now() > end) return left;
      await sleep(POLL_MS);
    }
  }

  /** Ends the remaining processes, by process id, and removes the folder. */
  end(): void {
    for (const { pid } of this.members()) kill(pid);
    // Only a failed round leaves any.
    for (const number of this.displays)
      for (const path of [`/tmp/.X${number}-lock`, `/tmp/.X11-unix/X${number}`])
        rmSync(path, { force: true });
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  private get socketFolder(): string {
    return join(this.folder, 'r', 'deskterity');
  }

  /** Display numbers that daemons of this world have locked. */
  private locks(): string[] {
    return names('/tmp', /^\.X\d+-lock$/)
      .filter((name) => this.daemonPids.has(Number(readText(join('/tmp', name)))))
      .map((name) => name.replaceAll(/\D/g, ''));
  }
}

/** Sends SIGKILL; the process may have exited already. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has exited by itself.
  }
}

function isDaemon(command: string): boolean {
  return command.split(' ').some((part) => basename(part) === 'daemon.cjs');
}

function cmdline(pid: number): string {
  return readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

function names(folder: string, pattern: RegExp): string[] {
  try {
    return readdirSync(folder).filter((name) => pattern.test(name));
  } catch {
    return [];
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
