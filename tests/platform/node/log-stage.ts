import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { createLog, type LogOptions } from '../../../src/platform/node/logs/log.ts';
import { logFile } from '../../../src/platform/node/logs/log-folder.ts';
import { logFolder } from '../../../src/platform/paths.ts';
import type { FileLog, LogEntry } from '../../../src/ports/log.ts';

/** A cache folder and a clock for one test; the folder is removed after it. */
export class LogStage {
  root = '';
  /** What the logs take for the time. */
  moment = new Date(0);

  constructor() {
    beforeEach(async () => {
      this.root = await mkdtemp(join(tmpdir(), 'deskterity-log-'));
      this.moment = new Date(2026, 0, 31, 12, 3, 4, 123);
    });
    afterEach(() => rm(this.root, { recursive: true }));
  }

  get cache(): string {
    return join(this.root, 'cache');
  }

  get folder(): string {
    return logFolder(this.cache);
  }

  /** Path of the file of the day that is now. */
  get today(): string {
    return logFile(this.folder, this.moment);
  }

  open(options: Partial<LogOptions> = {}): FileLog {
    return createLog({
      folder: this.folder,
      level: 'debug',
      keepDays: 7,
      now: () => this.moment,
      ...options,
    });
  }

  raw(): Promise<string> {
    return readFile(this.today, 'utf8');
  }

  async lines(): Promise<Record<string, unknown>[]> {
    return parseLines(await this.raw());
  }

  async messages(): Promise<unknown[]> {
    return (await this.lines()).map(({ message }) => message);
  }
}

export function parseLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

export function info(message: string, fields?: LogEntry['fields']): LogEntry {
  return { level: 'info', message, fields };
}
