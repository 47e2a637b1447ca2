import { rm, writeFile } from 'node:fs/promises';
import { holderSettings } from '../../app/holder/holder-settings.ts';
import { socketFolderProblem } from '../../platform/paths.ts';
import type { LogPort } from '../../ports/log.ts';
import type { Platform } from '../../ports/platform.ts';
import { locationOf } from '../faults.ts';
import { startHolder, type HolderParts } from './holder.ts';

const KEEP_LOG_DAYS = 7;
/** Further uncaught errors of this process are not logged. */
const MAX_FAULTS = 100;

/** Runs the process. Exit code 0 if another holder is running or this one is no longer needed, 1 if it cannot work. */
export async function runHolder(
  args: readonly string[],
  platform: HolderParts['platform'] & Pick<Platform, 'logs'>,
): Promise<never> {
  const settings = holderSettings(args);
  const { problemFile, socket } = settings;
  try {
    const log = platform.logs.open({ folder: settings.logFolder, level: 'info', keepDays: KEEP_LOG_DAYS });
    surviveFaults(log);
    // The terminal it was started from may close.
    process.on('SIGHUP', () => undefined);
    const problem = socketFolderProblem(socket);
    if (problem !== undefined) throw new Error(`the folder of ${socket} ${problem}`);
    await platform.makeFolder(settings.folder, 0o700);
    await rm(problemFile, { force: true });
    const holder = await startHolder({ settings, platform, log });
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => void holder?.leave(`signal ${signal}`));
    const how = await holder?.gone;
    await log.flush();
    // Node waits for its threads before it exits; a thread stuck in a system call would keep it for ever.
    if (how === 'stuck') process.kill(process.pid, 'SIGKILL');
    process.exit(0);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await writeFile(problemFile, reason, { mode: 0o600 }).catch(() => undefined);
    process.exit(1);
  }
}

/** An uncaught error must not end the operations: its location is logged, and the process continues. */
function surviveFaults(log: Pick<LogPort, 'write'>): void {
  let count = 0;
  const note = (message: string) => (error: unknown) => {
    count += 1;
    if (count > MAX_FAULTS) return;
    log.write({ level: 'error', message, fields: locationOf(error) });
  };
  process.on('uncaughtException', note('uncaught exception'));
  process.on('unhandledRejection', note('unhandled rejection'));
}
