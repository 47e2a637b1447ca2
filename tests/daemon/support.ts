import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { z } from 'zod';
import { deskOptions, hostOptions } from '../../scripts/build.mjs';
import { DAEMON_PROTOCOL, encodeClientFrame, serverFrame } from '../../src/wire/daemon-protocol.ts';
import type { ClientFrame } from '../../src/wire/client-frames.ts';
import type { ServerFrame } from '../../src/wire/daemon-protocol.ts';
import { FrameReader } from '../../src/wire/frames.ts';
import { copyProgram, HOLDER_FILES } from '../program-copy.ts';
import { until } from '../until.ts';

const Envelope = z.looseObject({
  ok: z.boolean(),
  command: z.string(),
  error: z
    .looseObject({
      code: z.string(),
      message: z.string(),
      suggestion: z.string(),
      delivered: z.boolean().optional(),
    })
    .optional(),
});

/** The output and exit code of one run of the program. */
export interface Ran {
  readonly exitCode: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

export function envelope(ran: Ran): z.output<typeof Envelope> {
  try {
    return Envelope.parse(JSON.parse(ran.stdout));
  } catch (error) {
    throw new Error(`no envelope: ${JSON.stringify(ran)}`, { cause: error });
  }
}

/** The bundled program with its own folders: it touches no file and no daemon of the user. */
export class Lab {
  readonly folder: string;
  readonly program: string;
  private readonly children: ChildProcess[] = [];

  constructor(folder: string, program: string) {
    this.folder = folder;
    this.program = program;
  }

  get runtime(): string {
    return join(this.folder, 'run');
  }

  get socket(): string {
    return join(this.runtime, 'deskterity', 'daemon.sock');
  }

  /** Process id of the daemon, from its pid file. */
  get daemonPid(): number | undefined {
    try {
      return Number(readFileSync(`${this.socket}.pid`, 'utf8'));
    } catch {
      return undefined;
    }
  }

  environment(changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    const own = {
      PATH: process.env['PATH'],
      HOME: join(this.folder, 'home'),
      XDG_RUNTIME_DIR: this.runtime,
      TMPDIR: this.folder,
      ...changes,
    };
    return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  }

  spawn(
    args: readonly string[],
    changes: NodeJS.ProcessEnv = {},
    stdin: 'ignore' | 'pipe' = 'ignore',
  ): ChildProcess {
    const child = spawn(process.execPath, [join(this.program, 'desk.cjs'), ...args], {
      env: this.environment(changes),
      cwd: this.folder,
      stdio: [stdin, 'pipe', 'pipe'],
    });
    this.children.push(child);
    return child;
  }

  async desk(args: readonly string[], changes: NodeJS.ProcessEnv = {}): Promise<Ran> {
    return ended(this.spawn(args, changes));
  }

  /** A raw connection. */
  async raw(): Promise<RawClient> {
    const socket = connect(this.socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', () => resolve());
      socket.once('error', reject);
    });
    return new RawClient(socket);
  }

  /** Ends all of its remaining processes. */
  async stop(): Promise<void> {
    for (const child of this.children) if (child.exitCode === null) child.kill('SIGKILL');
    const left = () => [...this.daemons(), ...this.running('holder.js')];
    for (const pid of left()) kill(pid);
    await until(() => left().length === 0, 'the daemons are gone');
    // Servers that the daemon had started end a moment later, and may write that down.
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Process ids of all daemons with this lab's runtime folder. */
  daemons(): number[] {
    return this.running('daemon.cjs');
  }

  private running(file: string): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          return (
            readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(join(this.program, file)) &&
            readFileSync(`/proc/${pid}/environ`, 'utf8').includes(this.folder)
          );
        } catch {
          return false;
        }
      })
      .map(Number);
  }
}

/** A client that sends arbitrary frames. */
export class RawClient {
  readonly socket: Socket;
  readonly frames: ServerFrame[] = [];
  isClosed = false;
  private readonly reader = new FrameReader(serverFrame);

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isClosed = true;
    });
    socket.on('data', (piece) => {
      this.frames.push(...this.reader.push(piece));
    });
  }

  send(frame: ClientFrame): void {
    this.socket.write(encodeClientFrame(frame));
  }

  hello(version: string, environment: NodeJS.ProcessEnv = {}): void {
    this.send({
      type: 'hello',
      protocol: DAEMON_PROTOCOL,
      version,
      pid: process.pid,
      cwd: '/',
      environment,
      colour: false,
    });
  }

  async frame(type: ServerFrame['type']): Promise<ServerFrame> {
    await until(() => this.frames.some((frame) => frame.type === type), `a frame of type ${type}`);
    const found = this.frames.find((frame) => frame.type === type);
    if (found === undefined) throw new Error('it is gone again');
    return found;
  }

  end(): void {
    this.socket.destroy();
  }
}

export async function ended(child: ChildProcess): Promise<Ran> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (text) => (stdout += String(text)));
  child.stderr?.on('data', (text) => (stderr += String(text)));
  const exitCode = await new Promise<number | string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  return { exitCode, stdout, stderr };
}

export function kill(pid: number | undefined, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (pid === undefined) throw new Error('there is no process to kill');
  try {
    process.kill(pid, signal);
  } catch {
    // It has already exited.
  }
}

export function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

/**
 * Gives each test a lab with a copy of the built program, or one lab to all of them.
 * @param options.plugins builds the program for this file, without holder; they run before the plugins of the build itself
 */
export function useLab({
  hasHolder = false,
  isShared = false,
  plugins = [],
}: {
  readonly hasHolder?: boolean;
  readonly isShared?: boolean;
  readonly plugins?: readonly Plugin[];
} = {}): () => Lab {
  let program = '';
  let lab: Lab | undefined;
  beforeAll(async () => {
    program = await mkdtemp(join(tmpdir(), 'dk-'));
    if (plugins.length === 0) {
      await copyProgram(program, (name) => hasHolder || !HOLDER_FILES.includes(name));
    } else {
      await Promise.all(
        [deskOptions(program), hostOptions(program)].map((one) =>
          build({ ...one, plugins: [...plugins, ...(one.plugins ?? [])] }),
        ),
      );
    }
    if (hasHolder) {
      await symlink(resolve('node_modules'), join(program, 'node_modules'));
      await writeFile(join(program, 'package.json'), '{"type":"module"}');
    }
  }, 60_000);
  afterAll(() => rm(program, { recursive: true, force: true }));
  const [before, after] = isShared ? [beforeAll, afterAll] : [beforeEach, afterEach];
  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dkl-'));
    await mkdir(join(folder, 'run'), { mode: 0o700 });
    await mkdir(join(folder, 'home'), { mode: 0o700 });
    chmodSync(folder, 0o700);
    lab = new Lab(folder, program);
  });
  after(async () => lab?.stop());
  return () => {
    if (lab === undefined) throw new Error('there is no lab yet');
    return lab;
  };
}

/** The version that clients of this build send. */
export async function versionOf(lab: Lab): Promise<string> {
  const ran = await lab.desk(['daemon', 'start']);
  return z.looseObject({ daemon_version: z.string() }).parse(JSON.parse(ran.stdout)).daemon_version;
}
