import { Worker } from 'node:worker_threads';
import { DeskterityError } from '../../model/effects/errors.ts';

/**
 * The code of the thread: returns the indexes of matching lines. Plain JavaScript in a string, so that bundles need no extra file.
 */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const pattern = new RegExp(workerData.source, workerData.flags);
parentPort.on('message', (lines) => {
  const found = [];
  for (let index = 0; index < lines.length; index += 1) if (pattern.test(lines[index])) found.push(index);
  parentPort.postMessage(found);
});
`;
const THREAD_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/** The search exceeded its time limit. */
export class SearchTimeout extends Error {
  override readonly name = 'SearchTimeout';
}

/**
 * Runs an untrusted regular expression in its own thread: some never finish on a single line, and only ending the thread stops them. In the
 * main thread they would block the whole daemon.
 */
export class PatternSearch {
  private readonly worker: Worker;
  private readonly end: number;

  /** @param limitMs for the whole search @throws DeskterityError INVALID_ARGUMENT for an invalid pattern */
  constructor(pattern: string, ignoreCase: boolean, limitMs: number) {
    const workerData = { source: pattern, flags: flagsOf(pattern, ignoreCase) };
    this.end = performance.now() + limitMs;
    this.worker = new Worker(THREAD, { eval: true, workerData, resourceLimits: THREAD_LIMITS, env: {} });
    this.worker.on('error', () => undefined);
    this.worker.unref();
  }

  /** Indexes of the matching lines. One call at a time. @throws SearchTimeout, which ends the search */
  async matching(lines: readonly string[]): Promise<readonly number[]> {
    const left = this.end - performance.now();
    if (left <= 0) throw new SearchTimeout();
    return new Promise((resolve, reject) => {
      const finish = (step: () => void) => {
        clearTimeout(timer);
        this.worker.off('message', onMessage).off('exit', onExit);
        step();
      };
      const onMessage = (found: readonly number[]) => finish(() => resolve(found));
      // The thread exits on its own only if a pattern used up its memory.
      const onExit = () => finish(() => reject(new SearchTimeout()));
      const timer = setTimeout(() => finish(() => reject(new SearchTimeout())), left);
      this.worker.on('message', onMessage).on('exit', onExit);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      this.worker.postMessage(lines);
    });
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }
}

/** Unicode mode if the pattern is valid in it: it rejects escapes that other dialects allow. */
function flagsOf(pattern: string, ignoreCase: boolean): string {
  const flags = ignoreCase ? 'i' : '';
  try {
    return new RegExp(pattern, `${flags}u`).flags;
  } catch {
    // Retry without Unicode mode.
  }
  try {
    return new RegExp(pattern, flags).flags;
  } catch (error) {
    throw new DeskterityError(
      'INVALID_ARGUMENT',
      `The pattern is not a regular expression: ${error instanceof Error ? error.message : String(error)}.`,
      { suggestion: 'To match characters such as ( [ * + ? literally, escape them with a backslash.' },
    );
  }
}
