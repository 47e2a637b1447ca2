import { Worker } from 'node:worker_threads';
import { DeskterityError } from '../../model/effects/errors.ts';

/**
 * Runs in the thread: says which of some lines match, by their indexes. Plain JavaScript in a text, so that no bundle needs a file for it.
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

/** The search took longer than it may. */
export class SearchTimeout extends Error {
  override readonly name = 'SearchTimeout';
}

/**
 * A regular expression that somebody else wrote, in a thread of its own: there are some that take for ever on one line, and nothing but the end of
 * its thread stops one. Without such a thread the whole daemon would wait for it.
 */
export class PatternSearch {
  private readonly worker: Worker;
  private readonly end: number;

  /** @param limitMs for all of the search @throws DeskterityError INVALID_ARGUMENT for a pattern that is none */
  constructor(pattern: string, ignoreCase: boolean, limitMs: number) {
    const workerData = { source: pattern, flags: flagsOf(pattern, ignoreCase) };
    this.end = performance.now() + limitMs;
    this.worker = new Worker(THREAD, { eval: true, workerData, resourceLimits: THREAD_LIMITS, env: {} });
    this.worker.on('error', () => undefined);
    this.worker.unref();
  }

  /** Indexes of the lines that match. One call at a time. @throws SearchTimeout; the search is over then */
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
      // It ends by itself only where a pattern has used up its memory.
      const onExit = () => finish(() => reject(new SearchTimeout()));
      const timer = setTimeout(() => finish(() => reject(new SearchTimeout())), left);
      this.worker.on('message', onMessage).on('exit', onExit);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
      this.worker.postMessage(lines);
    });
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }
}

/** Unicode rules where the pattern keeps to them: they refuse escapes that other dialects allow. */
function flagsOf(pattern: string, ignoreCase: boolean): string {
  const flags = ignoreCase ? 'i' : '';
  try {
    return new RegExp(pattern, `${flags}u`).flags;
  } catch {
    // Tried again without.
  }
  try {
    return new RegExp(pattern, flags).flags;
  } catch (error) {
    throw new DeskterityError(
      'INVALID_ARGUMENT',
      `The pattern is no regular expression: ${error instanceof Error ? error.message : String(error)}.`,
      { suggestion: 'Escape characters such as ( [ * + ? with a backslash when they are meant literally.' },
    );
  }
}
