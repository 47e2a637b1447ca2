import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CannotMeasure } from '../support/figures.ts';

const execute = promisify(execFile);
const LIMIT_MS = 20_000;
const LARGEST_OUTPUT = 64 * 1024 * 1024;

/** The usual tools of wlroots compositors, each run as people run it: as a process for each call. */
export class WaylandTools {
  readonly #environment: Readonly<Record<string, string>>;

  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = environment;
  }

  /** Whether a tool that distributions have only in newer releases is on the PATH. */
  async has(tool: string): Promise<boolean> {
    return execute('sh', ['-c', `command -v ${tool}`], { env: this.#environment }).then(
      () => true,
      () => false,
    );
  }

  /** Milliseconds from the call to the end of the process. @throws CannotMeasure if it is not installed, or fails */
  async time(tool: string, ...args: readonly string[]): Promise<number> {
    const began = performance.now();
    await this.run(tool, ...args);
    return performance.now() - began;
  }

  /** What it printed. @throws CannotMeasure */
  async run(tool: string, ...args: readonly string[]): Promise<string> {
    const options = { env: this.#environment, timeout: LIMIT_MS, maxBuffer: LARGEST_OUTPUT };
    try {
      return (await execute(tool, args, options)).stdout;
    } catch (error) {
      throw new CannotMeasure(`${tool} does not work here: ${String(error).slice(0, 300)}`);
    }
  }
}
