import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { until } from '../../until.ts';

/** Runs input-process.ts any number of times; `stop` ends what is left. */
export class InputProcesses {
  readonly #folder: string;
  readonly #children: ChildProcess[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async build(): Promise<InputProcesses> {
    const folder = mkdtempSync(path.join(tmpdir(), 'input-process-'));
    const program = '../../../src/platform/linux/display/x11/input/release-held.ts';
    await build({
      entryPoints: {
        main: fileURLToPath(new URL('./input-process.ts', import.meta.url)),
        'release-held': fileURLToPath(new URL(program, import.meta.url)),
      },
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
      banner: {
        js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
      },
    });
    return new InputProcesses(folder);
  }

  start(display: string, ...args: string[]): InputProcess {
    const child = spawn(process.execPath, [path.join(this.#folder, 'main.mjs'), display, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#children.push(child);
    return new InputProcess(child);
  }

  stop(): void {
    for (const child of this.#children) child.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true });
  }
}

export class InputProcess {
  readonly pid: number;
  readonly #child: ChildProcess;
  #said = '';

  constructor(child: ChildProcess) {
    this.#child = child;
    this.pid = child.pid ?? 0;
    child.stdout?.on('data', (data: Buffer) => {
      this.#said += data.toString();
    });
  }

  /** The lines that it has printed so far. */
  get lines(): string[] {
    return this.#said.split('\n').slice(0, -1);
  }

  async says(line: string): Promise<void> {
    await until(() => this.lines.includes(line), `"${line}" after ${this.#said}`);
  }

  async signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const ended = name === 'SIGKILL' && new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill(name);
    await ended;
  }
}
