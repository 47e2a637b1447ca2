import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll } from 'vitest';
import { z } from 'zod';

const OwnerReport = z.object({
  id: z.string(),
  display: z.string(),
  readyInMs: z.number(),
  environment: z.record(z.string(), z.string()),
});
export type OwnerReport = z.output<typeof OwnerReport>;

/** What remains of an owner and its desktop; all lists are empty when nothing does. */
export interface Remains {
  readonly processes: readonly string[];
  readonly folders: readonly string[];
  readonly locks: readonly string[];
  readonly sockets: readonly string[];
}

let ownerProgram: Promise<string> | undefined;
/** To be called by each test file that starts owners. It is not done on import, which files of one worker share. */
export function useOwnerProgram(): void {
  afterAll(async () => {
    if (ownerProgram !== undefined) rmSync(path.dirname(await ownerProgram), { recursive: true });
    ownerProgram = undefined;
  });
}

function ownerFile(): Promise<string> {
  ownerProgram ??= (async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'owner-'));
    // Another user must be able to run it.
    chmodSync(folder, 0o755);
    const outfile = path.join(folder, 'owner.mjs');
    const entry = fileURLToPath(new URL('./owner.ts', import.meta.url));
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    });
    return outfile;
  })();
  return ownerProgram;
}

/** A process that owns a desktop, for tests to kill. */
export class Owner {
  readonly process: ChildProcess;
  readonly tag: string;
  #output = '';

  private constructor(process: ChildProcess, tag: string) {
    this.process = process;
    this.tag = tag;
    process.stdout?.on('data', (chunk: Buffer) => {
      this.#output += chunk.toString('utf8');
    });
  }

  static async start(
    args: readonly string[] = [],
    options: SpawnOptions = {},
    prefix: readonly string[] = [],
  ): Promise<Owner> {
    const tag = `tag-${process.pid}-${Math.round(performance.now() * 1000)}`;
    const command = [...prefix, process.execPath, await ownerFile(), ...args];
    const child = spawn(command[0] ?? '', command.slice(1), {
      ...options,
      env: { ...(options.env ?? process.env), DESKTERITY_TEST_TAG: tag },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return new Owner(child, tag);
  }

  async ready(): Promise<OwnerReport> {
    for (;;) {
      const end = this.#output.indexOf('\n');
      if (end >= 0) return OwnerReport.parse(JSON.parse(this.#output.slice(0, end)));
      if (this.process.exitCode !== null) throw new Error('the owner ended before its desktop was ready');
      await pause(10);
    }
  }

  /** Waits for the first trace of the desktop. */
  async begun(): Promise<void> {
    while (this.#folders().length === 0) {
      if (this.process.exitCode !== null) throw new Error('the owner ended before its desktop had a folder');
      await pause(1);
    }
  }

  remains(): Remains {
    const pid = `${this.process.pid}`;
    const locks = names('/tmp', /^\.X\d+-lock$/).filter((lock) => readText(`/tmp/${lock}`).trim() === pid);
    return {
      processes: taggedProcesses(`DESKTERITY_TEST_TAG=${this.tag}`, this.process.pid),
      folders: this.#folders(),
      locks,
      sockets: locks.filter((lock) => names('/tmp/.X11-unix', /./).includes(lock.slice(1, -5))),
    };
  }

  #folders(): string[] {
    return names('/tmp', /^deskterity-desktop-/).filter((folder) =>
      readText(`/tmp/${folder}/owner`).includes(`"pid":${this.process.pid},`),
    );
  }

  /** Waits until nothing remains; returns what does after `limitMs`. */
  async gone(limitMs: number): Promise<Remains> {
    const end = performance.now() + limitMs;
    for (;;) {
      const remains = this.remains();
      const count = Object.values(remains).flat().length;
      if (count === 0 || performance.now() > end) return remains;
      await pause(50);
    }
  }
}

export const NOTHING: Remains = { processes: [], folders: [], locks: [], sockets: [] };

/** Processes whose environment holds `entry`, as `pid program`. */
export function taggedProcesses(entry: string, except?: number): string[] {
  return names('/proc', /^\d+$/)
    .filter((pid) => Number(pid) !== except && readText(`/proc/${pid}/environ`).split('\0').includes(entry))
    .map((pid) => `${pid} ${readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`);
}

/** Processes whose command line holds `text`, as `pid program`. */
export function processesRunning(text: string): string[] {
  return names('/proc', /^\d+$/)
    .map((pid) => `${pid} ${readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()}`)
    .filter((line) => line.includes(text));
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
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
