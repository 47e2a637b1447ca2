import type { EventEmitter } from 'node:events';
import type { LogPort } from '../ports/log.ts';

/** More exceptions per minute end the process; more rejections are not logged. */
const MAX_FAULTS = 10;
const WINDOW_MS = 60_000;

/**
 * Logs uncaught errors, such as a fault of an adapter in a callback, without ending other sessions. A process that keeps throwing ends, because an
 * exception leaves work half done. Rejections never end it: they concern a promise that nobody awaits, and a client that can cause them could
 * otherwise end everybody's daemon. Only the location is logged, because messages may quote typed text.
 */
export function surviveFaults(
  log: Pick<LogPort, 'write'>,
  giveUp: () => void,
  faults: Pick<EventEmitter, 'on'> = process,
): void {
  const exceptions = new Window();
  const rejections = new Window();
  faults.on('uncaughtException', (error: unknown) => {
    log.write({ level: 'error', message: 'uncaught exception', fields: locationOf(error) });
    if (exceptions.count() > MAX_FAULTS) giveUp();
  });
  faults.on('unhandledRejection', (error: unknown) => {
    const count = rejections.count();
    if (count <= MAX_FAULTS)
      log.write({ level: 'error', message: 'unhandled rejection', fields: locationOf(error) });
    else if (count === MAX_FAULTS + 1)
      log.write({ level: 'error', message: 'unhandled rejections continue; no more are logged this minute' });
  });
}

/** Counts events per minute. */
class Window {
  private since = Number.NEGATIVE_INFINITY;
  private happened = 0;

  count(): number {
    const now = performance.now();
    if (now - this.since >= WINDOW_MS) {
      this.since = now;
      this.happened = 0;
    }
    this.happened += 1;
    return this.happened;
  }
}

/** Where an error was thrown, without its message, which may quote typed text. */
export function locationOf(error: unknown): { readonly name: string; readonly at: string } {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const at = stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 4)
    .map((line) => line.trim().replace(/\(?file:\/\/\S*\//, '('));
  return { name: error instanceof Error ? error.name : typeof error, at: at.join(' ') };
}
