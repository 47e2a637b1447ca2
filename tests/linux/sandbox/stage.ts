import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  cpSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { spawnWorkerOptions } from '../../../scripts/build.mjs';
import type { Confinement } from '../../../src/model/tools/confinement.ts';
import type { EndWaits, StartRequest } from '../../../src/ports/process.ts';
import type { Ended, Order, Reply } from './port-host.ts';

/** Somebody who is neither root nor any user of this machine. */
export const ORDINARY_USER = 54_321;

const root = dirname(dirname(dirname(import.meta.dirname)));

export interface StageOptions {
  /** Runs the host of the port as this user and group; as the user of the test without it. */
  readonly user?: number;
  readonly bubblewrap?: string;
  /** Breaks source files of the worker, to see that this is noticed. */
  readonly sabotage?: Sabotage | readonly Sabotage[];
  /** Leaves no room for the marks of operations. */
  readonly withoutMarks?: boolean;
}

export interface Sabotage {
  /** Name of a file of the sandbox, without its folder. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A process that confines programs, folders for it, and this process to look at both from outside. */
export class Stage {
  readonly folder: string;
  readonly pid: number;
  private readonly host: ChildProcess;
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private lastId = 0;

  private constructor(folder: string, host: ChildProcess) {
    this.folder = folder;
    this.host = host;
    if (host.pid === undefined) throw new Error('The host did not start.');
    this.pid = host.pid;
    host.on('message', (reply: Reply) => this.heard(reply));
    host.once('exit', (code, signal) => {
      const message = `the host has ended: ${code ?? signal}`;
      for (const id of this.waiting.keys())
        this.heard({ id, error: { code: 'gone', message, detail: undefined } });
    });
  }

  static async open(options: StageOptions = {}): Promise<Stage> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deskterity-sandbox-')));
    const hostFile = join(import.meta.dirname, 'port-host.ts');
    await buildHost(join(folder, 'app'), hostFile, [options.sabotage ?? []].flat());
    for (const name of ['scope', 'outside', 'made', 'probe']) mkdirSync(join(folder, name));
    const user = options.user ?? process.getuid?.() ?? 0;
    for (const name of ['', 'scope', 'outside', 'made', 'probe']) chownSync(join(folder, name), user, user);
    const app = join(folder, 'app');
    const host = fork(
      join(app, 'port-host.js'),
      [
        join(app, 'spawn-worker.js'),
        join(folder, 'probe'),
        ...(options.bubblewrap ? [options.bubblewrap] : []),
      ],
      {
        ...(options.withoutMarks === true
          ? { execPath: '/usr/bin/prlimit', execArgv: ['--locks=5:5', process.execPath] }
          : { execArgv: [] }),
        cwd: folder,
        env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOST_SECRET: 'hunter2-of-the-host', TMPDIR: folder },
        ...(options.user === undefined ? {} : { uid: options.user, gid: options.user }),
      },
    );
    return new Stage(folder, host);
  }

  /** Makes a folder of these tests readable for any user, below `app`. */
  copyIn(name: string): void {
    cpSync(join(import.meta.dirname, name), this.path('app', name), { recursive: true });
  }

  /** Makes everything below the folder belong to the user who confines, except what the host itself makes and removes meanwhile. */
  give(user: number): void {
    for (const top of readdirSync(this.folder).filter((name) => name !== 'app' && name !== 'probe')) {
      lchownSync(join(this.folder, top), user, user);
      if (!lstatSync(join(this.folder, top)).isDirectory()) continue;
      for (const name of readdirSync(join(this.folder, top), { recursive: true, encoding: 'utf8' }))
        lchownSync(join(this.folder, top, name), user, user);
    }
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  confinement(changes: Partial<Confinement> = {}): Confinement {
    return {
      by: 'landlock',
      scope: this.path('scope'),
      read: [],
      write: [this.path('made')],
      network: false,
      unixSockets: false,
      denyReport: false,
      ...changes,
    };
  }

  request(command: readonly [string, ...string[]], changes: Partial<StartRequest> = {}): StartRequest {
    return {
      command,
      cwd: this.path('scope'),
      environment: { PATH: '/usr/bin:/bin', HOME: this.path('made'), TMPDIR: this.path('made') },
      output: 'merged',
      operationId: randomUUID(),
      ...changes,
    };
  }

  /** What this machine can do, as a program that is run by `command` finds. */
  get levelProbe(): string {
    return this.path('app', 'spawn-worker.js');
  }

  async prepare(confinement: Confinement): Promise<void> {
    await this.ask({ do: 'prepare', confinement });
  }

  async start(confinement: Confinement, request: StartRequest): Promise<{ pid: number; startTime: string }> {
    return (await this.ask({ do: 'start', confinement, request })) as { pid: number; startTime: string };
  }

  async wait(operationId: string): Promise<Ended> {
    return (await this.ask({ do: 'wait', operationId })) as Ended;
  }

  /** Starts a program and waits for its end. */
  async run(
    command: readonly [string, ...string[]],
    confinement: Partial<Confinement> = {},
    request: Partial<StartRequest> = {},
  ): Promise<Ended> {
    const made = this.request(command, request);
    await this.start(this.confinement(confinement), made);
    return this.wait(made.operationId);
  }

  async end(operationId: string, waits: EndWaits): Promise<number> {
    return (await this.ask({ do: 'end', operationId, waits })) as number;
  }

  async ask(order: Order): Promise<unknown> {
    const id = ++this.lastId;
    const reply = await new Promise<Reply>((resolve) => {
      this.waiting.set(id, resolve);
      this.host.send({ id, order });
    });
    if (reply.error === undefined) return reply.result;
    throw Object.assign(new Error(`${reply.error.message} ${reply.error.detail ?? ''}`), {
      code: reply.error.code,
    });
  }

  private heard(reply: Reply): void {
    this.waiting.get(reply.id)?.(reply);
    this.waiting.delete(reply.id);
  }

  get isAlive(): boolean {
    return this.host.exitCode === null && this.host.signalCode === null;
  }

  async close(): Promise<void> {
    if (this.isAlive) {
      const ended = new Promise((resolve) => this.host.once('exit', resolve));
      this.host.kill('SIGKILL');
      await ended;
    }
    endStrays(this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The published worker and a host, with koffi beside them where any user can read it. */
export async function buildHost(
  folder: string,
  hostFile: string,
  sabotage: readonly Sabotage[] = [],
): Promise<void> {
  await build({
    ...spawnWorkerOptions(folder),
    plugins: sabotage.map(sabotagePlugin),
  });
  await build({
    ...spawnWorkerOptions(folder),
    entryPoints: { [basename(hostFile, '.ts')]: hostFile },
  });
  const modules = join(root, 'node_modules');
  for (const name of ['koffi', ...readdirSync(join(modules, '@koromix')).map((it) => `@koromix/${it}`)]) {
    cpSync(join(modules, name), join(folder, 'node_modules', name), {
      recursive: true,
      filter: (path) => !/\/koffi\/(?:doc|vendor|lib)$|\.(?:cc|hh|c|h|md)$/.test(path),
    });
  }
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
}

function sabotagePlugin({ file, from, to }: Sabotage): Plugin {
  return {
    name: 'sabotage',
    setup: (context) => {
      let isApplied = false;
      context.onLoad({ filter: new RegExp(`/sandbox/(?:.+/)?${file}$`) }, ({ path }) => {
        isApplied = true;
        const source = readFileSync(path, 'utf8');
        if (!source.includes(from)) throw new Error(`${file} does not contain ${from}`);
        return { contents: source.replace(from, to), loader: 'ts' };
      });
      context.onEnd(() => {
        if (!isApplied) throw new Error(`${file} is not part of the sandbox any more`);
      });
    },
  };
}

/** What a test that has failed may leave running names the folder of its stage. */
export function endStrays(folder: string): void {
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      if (readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(folder))
        process.kill(Number(name), 'SIGKILL');
    } catch {
      // It is gone.
    }
  }
}
