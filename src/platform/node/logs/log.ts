import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { LogEntry, LogOptions as UsualOptions, LogPort } from '../../../ports/log.ts';
import {
  localDay,
  logFile,
  LOG_STEM,
  prepareLogFolder,
  prepareNamedLogFolder,
  removeOldLogs,
} from './log-folder.ts';
import { toLogLine } from './log-line.ts';
import { isSevereEnough } from './log-terminal.ts';

type LogFields = NonNullable<LogEntry['fields']>;

/** A log that can hand out logs for parts of the program. */
export interface Log extends LogPort {
  /** The same log with fields that every entry carries, such as session and command; an entry's own fields win. */
  with(fields: LogFields): Log;
}

/** Adds {@link Log.with} to a bare log. */
function withChildren(log: LogPort): Log {
  return {
    write: (entry) => log.write(entry),
    flush: () => log.flush(),
    with: (fixed) =>
      withChildren({
        write: (entry) => log.write({ ...entry, fields: { ...fixed, ...entry.fields } }),
        flush: () => log.flush(),
      }),
  };
}

export { formatForTerminal } from './log-terminal.ts';

/** Size at which a day's file takes no more entries, of all processes together. */
const DAY_LIMIT_BYTES = 20 * 1024 * 1024;
/** How long a log that cannot be written stays off before it is tried again. */
const RETRY_MS = 30_000;
/** Text that may wait for a slow disk. */
const WAITING_LIMIT = 1024 * 1024;

const FULL_MESSAGE = 'the log is full for today';

export interface LogOptions extends UsualOptions {
  readonly now?: () => Date;
  /** Default 20 MiB. */
  readonly dayLimitBytes?: number;
  /** Default 30 s. */
  readonly retryMs?: number;
}

export interface FileLog extends Log {
  /** Path of the file that entries of this moment are in; it need not exist. */
  logFile(moment: Date): string;
}

interface WaitingLine {
  readonly moment: Date;
  readonly day: string;
  readonly line: string;
  /** Entries that were lost since the one in front of it. */
  readonly lostBefore: number;
}

/**
 * A log of JSON lines, one file a day, that several processes may share: each line is one appending write.
 *
 * What may be logged: facts about the program's work (command, session, counts, codes, durations). Never what somebody typed or what an
 * application shows. Messages are constant words; fields are texts, numbers and switches, so that a tree, an input or an image has no way in.
 *
 * A disk that is full or a folder that is read-only turns the log off for a while; how many entries were lost stands in it afterwards.
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
      // Also when the clock was set back.
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

  /** Opened for each burst: a file that was removed or replaced meanwhile is no special case. */
  const appendDay = async (day: string, moment: Date) => {
    const path = logFile(folder, moment, stem);
    const file = await openDay(day, path, moment);
    try {
      const facts = await file.stat();
      if (!facts.isFile() && !facts.isCharacterDevice()) throw new Error(`${path} is no file`);
      let size = facts.size;
      const appendLine = async (line: string) => {
        const bytes = Buffer.from(isTorn ? `\n${line}` : line);
        const { bytesWritten } = await file.write(bytes);
        isTorn = bytesWritten < bytes.length && (isTorn || bytesWritten > 0);
        if (bytesWritten < bytes.length) throw new Error(`${path} took only a part of a line`);
        size += bytesWritten;
      };
      // Another process may have left half a line there, on a full disk.
      if (isNewHere && size > 0 && !(await tailOf(path, size)).endsWith('\n')) isTorn = true;
      isNewHere = false;
      for (let next = waiting[0]; next?.day === day; next = waiting[0]) {
        if (size >= dayLimitBytes) {
          fullDay = day;
          const otherDay = waiting.findIndex((line) => line.day !== day);
          clearWaiting(otherDay === -1 ? waiting.length : otherDay);
          // Said already by another process, or by this one before it was started again: nothing comes after it.
          const isSaid = (await tailOf(path, size)).includes(`"${FULL_MESSAGE}"`);
          if (!isSaid) await appendLine(notice(FULL_MESSAGE, {}));
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
    // A named pipe without a reader must not make us wait.
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);
    if (day === preparedDay) {
      try {
        return await open(path, flags, 0o600);
      } catch {
        // The folder may have been removed; made anew below.
      }
    }
    await (isNamed ? prepareNamedLogFolder(folder) : prepareLogFolder(folder));
    const file = await open(path, flags, 0o600);
    if (day !== preparedDay) await removeOldLogs(folder, keepDays, moment, stem).catch(() => undefined);
    preparedDay = day;
    isNewHere = true;
    return file;
  };

  const flush = async () => {
    // Ends only when nothing waits any more.
    await draining;
  };

  return { ...withChildren({ write, flush }), logFile: (moment) => logFile(folder, moment, stem) };
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
