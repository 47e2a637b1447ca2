import type { LogPort } from '../ports/log.ts';

/** More faults than this in one minute are no accident. */
const MOST_FAULTS = 10;
const WINDOW_MS = 60_000;

/**
 * What nobody caught, such as a fault of an adapter in a callback, is logged and must not cost other sessions; a process that keeps failing ends.
 * Only where it happened is logged: messages may quote what somebody typed.
 */
export function surviveFaults(log: LogPort, giveUp: () => void): void {
  const times: number[] = [];
  const note = (message: string, error: unknown) => {
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    const at = stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 4)
      .map((line) => line.trim().replace(/\(?file:\/\/\S*\//, '('));
    const fields = { name: error instanceof Error ? error.name : typeof error, at: at.join(' ') };
    log.write({ level: 'error', message, fields });
    const now = performance.now();
    times.push(now);
    if (times.filter((time) => now - time < WINDOW_MS).length > MOST_FAULTS) giveUp();
  };
  process.on('uncaughtException', (error) => note('uncaught exception', error));
  process.on('unhandledRejection', (error) => note('unhandled rejection', error));
}
