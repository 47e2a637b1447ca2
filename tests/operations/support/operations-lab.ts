import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { z } from 'zod';
import type { Confinement } from '../../../src/model/tools/confinement.ts';
import { createOperations } from '../../../src/operations/operations.ts';
import type { OperationsParts } from '../../../src/operations/operation-parts.ts';
import { createProcessIdentity } from '../../../src/platform/linux/process/facts.ts';
import { holderSocket } from '../../../src/platform/paths.ts';
import type { OperationRequest, OperationsPort } from '../../../src/ports/operations.ts';
import { until } from '../../until.ts';

/** Folders of its own for one test, and what is started in them. */
export class OperationsLab {
  readonly folder: string;
  readonly programs: string;
  readonly daemons: ChildProcess[] = [];

  constructor(folder: string, programs: string) {
    this.folder = folder;
    this.programs = programs;
  }

  get stateFolder(): string {
    return join(this.folder, 'state');
  }

  get scope(): string {
    return join(this.folder, 'scope');
  }

  get holderFile(): string {
    return join(this.programs, 'unconfined-holder.js');
  }

  parts(changes: Partial<OperationsParts> = {}): OperationsParts {
    const environment = { PATH: process.env['PATH'], XDG_RUNTIME_DIR: join(this.folder, 'run') };
    return {
      stateFolder: this.stateFolder,
      logFolder: join(this.folder, 'logs'),
      environment,
      build: 'test',
      holderFile: this.holderFile,
      workerFile: '/nonexistent',
      socketFor: (name) => holderSocket(environment, name),
      identity: createProcessIdentity(),
      ...changes,
    };
  }

  operations(changes: Partial<OperationsParts> = {}): OperationsPort {
    return createOperations(this.parts(changes));
  }

  /** A process of its own that uses operations, as the daemon does. */
  daemon(): StandIn {
    const child = spawn(
      process.execPath,
      [join(this.programs, 'daemon-stand-in.js'), this.folder, this.holderFile],
      {
        env: { PATH: process.env['PATH'], XDG_RUNTIME_DIR: join(this.folder, 'run') },
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    this.daemons.push(child);
    return new StandIn(child);
  }

  /** Process ids of the holders that keep this lab's state. */
  holders(): number[] {
    return pidsWith((pid) => {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return line.includes('holder.js') && line.includes(`--state=${this.stateFolder}`);
    });
  }

  /** Everything that was started by operations of this lab: it runs in the scope. */
  strays(): number[] {
    return pidsWith((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`LAB=${this.folder}`));
  }

  async stop(): Promise<void> {
    for (const child of this.daemons) if (child.exitCode === null) child.kill('SIGKILL');
    for (const pid of [...this.holders(), ...this.strays()]) kill(pid);
    await until(() => this.holders().length + this.strays().length === 0, 'everything is gone');
    await rm(this.folder, { recursive: true, force: true });
  }

  confinement(): Confinement {
    return {
      by: 'none',
      scope: this.scope,
      read: [],
      write: [],
      network: true,
      unixSockets: true,
      denyReport: false,
    };
  }

  /** A shell script as an operation of one step; an array makes several. */
  request(
    scripts: string | readonly string[],
    {
      confinement = this.confinement(),
      ...changes
    }: Partial<OperationRequest> & { readonly confinement?: Confinement } = {},
  ): OperationRequest {
    const environment = { PATH: process.env['PATH'] ?? '', LAB: this.folder };
    return {
      tool: 'test',
      steps: [scripts]
        .flat()
        .map((script) => ({ command: ['/bin/sh', '-c', script], cwd: this.scope, environment, confinement })),
      scope: this.scope,
      budgetBytes: 64 * 1024 * 1024,
      session: 'default',
      output: 'merged',
      ...changes,
    };
  }
}

const Reply = z.object({ id: z.int(), value: z.unknown().optional(), error: z.string().optional() });

/** The other end of `daemon-stand-in.ts`, or one like it. */
export class StandIn {
  readonly child: ChildProcess;
  private readonly waiting = new Map<number, (reply: z.output<typeof Reply>) => void>();
  private nextId = 1;

  constructor(child: ChildProcess) {
    this.child = child;
    if (child.stdout === null) throw new Error('there is no pipe');
    createInterface(child.stdout).on('line', (line) => {
      const reply = Reply.parse(JSON.parse(line));
      this.waiting.get(reply.id)?.(reply);
    });
  }

  async call(method: string, ...args: unknown[]): Promise<unknown> {
    const id = this.nextId;
    this.nextId += 1;
    const reply = new Promise<z.output<typeof Reply>>((resolve) => this.waiting.set(id, resolve));
    this.child.stdin?.write(`${JSON.stringify({ id, method, args })}\n`);
    const { value, error } = await reply;
    if (error !== undefined) throw new Error(error);
    return value;
  }

  /** Kills it so that it can do nothing about it. */
  async kill(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await gone;
  }
}

function pidsWith(matches: (pid: string) => boolean): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return matches(pid) && isAlive(Number(pid));
      } catch {
        return false;
      }
    })
    .map(Number);
}

export function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

export function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
}

/** Waits for the end of an operation for as long as a test may take. */
export function ended(operations: OperationsPort, operationId: string): ReturnType<OperationsPort['wait']> {
  return operations.wait(operationId, { timeoutMs: 50_000, signal: new AbortController().signal });
}

/** All of an output by its bytes. */
export function bytesOf(lab: OperationsLab, operationId: string): Buffer {
  const folder = join(lab.stateFolder, 'operations', operationId, 'output');
  // Made with the first byte.
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const segments = names.map((name) => ({ name, start: Number(name.split('-')[1]) }));
  return Buffer.concat(
    segments.toSorted((a, b) => a.start - b.start).map(({ name }) => readFileSync(join(folder, name))),
  );
}

/** Bundles the programs once for a file of tests, and gives each test a lab. */
export function useOperationsLab(): () => OperationsLab {
  let programs = '';
  let lab: OperationsLab | undefined;
  beforeAll(async () => {
    programs = await mkdtemp(join(tmpdir(), 'dkp-'));
    await build({
      entryPoints: [
        'tests/operations/support/unconfined-holder.ts',
        'tests/operations/support/daemon-stand-in.ts',
      ],
      outdir: programs,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      logLevel: 'error',
    });
    await writeFile(join(programs, 'package.json'), '{"type":"module"}');
  }, 60_000);
  afterAll(() => rm(programs, { recursive: true, force: true }));
  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dko-'));
    for (const name of ['run', 'state', 'logs', 'scope']) await mkdir(join(folder, name), { mode: 0o700 });
    lab = new OperationsLab(folder, programs);
  });
  afterEach(async () => lab?.stop());
  return () => {
    if (lab === undefined) throw new Error('there is no lab yet');
    return lab;
  };
}
