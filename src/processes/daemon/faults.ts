import type { EventEmitter } from 'node:events';
import type { LogPort } from '../../ports/log.ts';

/** More exceptions than this in one minute are no accident; more rejections are not worth logging. */
const MOST_FAULTS = 10;
const WINDOW_MS = 60_000;

/**
 * What nobody caught, such as a fault of an adapter in a callback, is logged and must not cost other sessions. A process that keeps throwing ends:
 * an exception leaves whatever it went through half done. A rejection does not end it, however often: it tells of a promise that nobody awaits, and
 * a client that found a way to cause it could otherwise end everybody's daemon.
 * Only where it happened is logged: messages may quote what somebody typed.
 */
export function surviveFaults(
  log: Pick<LogPort, 'write'>,
  giveUp: () => void,
  faults: Pick<EventEmitter, 'on'> = process,
): void {
  const exceptions = new Window();
  const rejections = new Window();
  faults.on('uncaughtException', (error: unknown) => {
    log.write({ level: 'error', message: 'uncaught exception', fields: whereOf(error) });
    if (exceptions.count() > MOST_FAULTS) giveUp();
  });
  faults.on('unhandledRejection', (error: unknown) => {
    const count = rejections.count();
    if (count <= MOST_FAULTS)
      log.write({ level: 'error', message: 'unhandled rejection', fields: whereOf(error) });
    else if (count === MOST_FAULTS + 1)
      log.write({ level: 'error', message: 'unhandled rejections go on; no more are logged this minute' });
  });
}

/** Counts what happens in one minute. */
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

function whereOf(error: unknown): { readonly name: string; readonly at: string } {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const at = stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 4)
    .map((line) => line.trim().replace(/\(?file:\/\/\S*\//, '('));
  return { name: error instanceof Error ? error.name : typeof error, at: at.join(' ') };
}
