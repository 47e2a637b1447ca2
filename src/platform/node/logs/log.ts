import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { FileLog, LogEntry, LogOptions as PortOptions } from '../../../ports/log.ts';
import { localDay } from '../../paths.ts';
import { logFile, LOG_STEM, prepareLogFolder, removeOldLogs } from './log-folder.ts';
import { toLogLine, isSevereEnough } from './log-format.ts';

/** Maximum size of a day's file, for all processes together. */
const DAY_LIMIT_BYTES = 20 * 1024 * 1024;
/** How long a log that failed to write stays off before the next attempt. */
const RETRY_MS = 30_000;
/** Characters that may be queued for a slow disk. */
const WAITING_LIMIT = 1024 * 1024;

const FULL_MESSAGE = 'the log is full for today';

export interface LogOptions extends PortOptions {
  readonly now?: () => Date;
  /** Default 20 MiB. */
  readonly dayLimitBytes?: number;
  /** Default 30 s. */
  readonly retryMs?: number;
}

interface WaitingLine {
  readonly moment: Date;
  readonly day: string;
  readonly line: string;
  /** Entries lost since the previous line. */
  readonly lostBefore: number;
}

/**
 * A log of JSON lines, one file per day, that several processes may share: each line is one appending write.
 *
 * Only facts about the program's work may be logged (command, session, counts, codes, durations); never what was typed or what an
 * application shows. Messages are constant; fields are strings, numbers and booleans, so that no tree, input or image can be logged.
 *
 * A full disk or a read-only folder turns the log off for a while; afterwards it records how many entries were lost.
 */
export function createLog(options: LogOptions): FileLog {
  const { folder, level, keepDays } = options;
  const { now = () => new Date(), dayLimitBytes = DAY_LIMIT_BYTES, retryMs = RETRY_MS } = options;
  const { isNamed = false, stem = LOG_STEM } = options;
  const waiting: WaitingLine[] = [];
  let waitingLength = 0;
  let draining: Promise<void> | undefined;
  let lost = 0;
  let offSince: number | undefined;
  let lastMoment = 0;
  let preparedDay: string | undefined;
  let fullDay: string | undefined;
  let isTorn = false;
  let isNewHere = true;

  const write = (entry: LogEntry) => {
    if (!isSevereEnough(entry.level, level)) return;
    try {
      const moment = now();
      const day = localDay(moment);
      lastMoment = moment.getTime();
      if (day === fullDay) return;
      // Absolute, in case the clock was set back.
      const isOff = offSince !== undefined && Math.abs(lastMoment - offSince) < retryMs;
      if (isOff || waitingLength > WAITING_LIMIT) {
        lost += 1;
        return;
      }
      const line = toLogLine(entry, moment, process.pid);
      waiting.push({ moment, day, line, lostBefore: lost });
      lost = 0;
      waitingLength += line.length;
      draining ??= drain();
    } catch {
      lost += 1;
    }
  };

  const drain = async () => {
    try {
      for (let next = waiting[0]; next !== undefined; next = waiting[0])
        await appendDay(next.day, next.moment);
      offSince = undefined;
    } catch {
      offSince = lastMoment;
      preparedDay = undefined;
      for (const { lostBefore } of waiting) lost += lostBefore + 1;
      clearWaiting(waiting.length);
    } finally {
      draining = undefined;
    }
  };

  const clearWaiting = (count: number) => {
    for (const { line } of waiting.splice(0, count)) waitingLength -= line.length;
  };

  /** Opens the file for each burst, so that one removed or replaced in the meantime needs no special case. */
  const appendDay = async (day: string, moment: Date) => {
    const path = logFile(folder, moment, stem);
    const file = await openDay(day, path, moment);
    try {
      const facts = await file.stat();
      if (!facts.isFile() && !facts.isCharacterDevice()) throw new Error(`${path} is not a file`);
      let size = facts.size;
      const appendLine = async (line: string) => {
        const bytes = Buffer.from(isTorn ? `\n${line}` : line);
        const { bytesWritten } = await file.write(bytes);
        isTorn = bytesWritten < bytes.length && (isTorn || bytesWritten > 0);
        if (bytesWritten < bytes.length) throw new Error(`${path} accepted only part of a line`);
        size += bytesWritten;
      };
      // Another process may have written half a line to a full disk.
      if (isNewHere && size > 0 && !(await tailOf(path, size)).endsWith('\n')) isTorn = true;
      isNewHere = false;
      for (let next = waiting[0]; next?.day === day; next = waiting[0]) {
        if (size >= dayLimitBytes) {
          fullDay = day;
          const otherDay = waiting.findIndex((line) => line.day !== day);
          clearWaiting(otherDay === -1 ? waiting.length : otherDay);
          // Another process, or this one before a restart, may have written the notice already.
          const hasNotice = (await tailOf(path, size)).includes(`"${FULL_MESSAGE}"`);
          if (!hasNotice) await appendLine(notice(FULL_MESSAGE, {}));
          return;
        }
        if (next.lostBefore > 0) {
          await appendLine(notice('entries were lost', { entries: next.lostBefore }));
          waiting[0] = { ...next, lostBefore: 0 };
        }
        await appendLine(next.line);
        clearWaiting(1);
      }
    } finally {
      await file.close();
    }
  };

  const notice = (message: string, fields: LogEntry['fields']) =>
    toLogLine({ level: 'warn', message, fields }, now(), process.pid);

  const openDay = async (day: string, path: string, moment: Date): Promise<FileHandle> => {
    // Do not block on a named pipe without a reader.
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);
    if (day === preparedDay) {
      try {
        return await open(path, flags, 0o600);
      } catch {
        // The folder may have been removed; it is created again below.
      }
    }
    await prepareLogFolder(folder, isNamed);
    const file = await open(path, flags, 0o600);
    if (day !== preparedDay) await removeOldLogs(folder, keepDays, moment, stem).catch(() => undefined);
    preparedDay = day;
    isNewHere = true;
    return file;
  };

  const flush = async () => {
    // Resolves only when the queue is empty.
    await draining;
  };

  return { write, flush, logFile: (moment) => logFile(folder, moment, stem) };
}

/** The last characters of a file. */
async function tailOf(path: string, size: number): Promise<string> {
  const file = await open(path, constants.O_RDONLY);
  try {
    const tail = Buffer.alloc(256);
    const { bytesRead } = await file.read(tail, 0, tail.length, Math.max(0, size - tail.length));
    return tail.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}
