import { readFileSync } from 'node:fs';
import type { TerminalRecord } from '../../../model/terminals/terminal-record.ts';
import { errorCode } from '../../../model/error-code.ts';
import { recordText, replaceRecord, replaceWithReserve } from '../../../operations/record-folders.ts';
import type { ProcessExit } from '../../../ports/process.ts';
import type { TerminalStart } from '../../../ports/terminals.ts';
import type { HeldTerminalParts } from './held-session.ts';
import type { OpenedSession } from './open-session.ts';
import { terminalRecordFile } from '../terminal-folder.ts';

/** Writes the first record of a terminal. @throws Error of the file system */
export function writeStart(
  { id, folder, pty }: OpenedSession,
  { name, owner, shell, confinement, size, budgetBytes }: TerminalStart,
  startedAt: Date,
  holder: TerminalRecord['holder'],
): TerminalRecord {
  const record: TerminalRecord = {
    format: 1,
    terminal_id: id,
    project_path: name.projectPath,
    tag: name.tag,
    ...(owner === undefined ? {} : { owner }),
    shell,
    sandbox: confinement.by,
    tty: pty.path,
    size,
    started_at: startedAt.toISOString(),
    budget_bytes: budgetBytes,
    process: { pid: pty.pid, start_time: pty.startTime },
    holder,
  };
  replaceRecord(terminalRecordFile(folder), record);
  return record;
}

/** Writes the first record again unless it is there. Never throws: the next call tries again. */
export function keepStart(folder: string, record: TerminalRecord): void {
  const path = terminalRecordFile(folder);
  try {
    if (readFileSync(path, 'utf8') === recordText(record)) return;
  } catch {
    // Missing or unreadable.
  }
  try {
    replaceRecord(path, record);
  } catch {
    // The disk is full, or the folder was removed.
  }
}

/** Writes the final record. Never rejects: if the end is not written, readers can tell from the holder that it is over. */
export async function writeEnd(
  { log, reserve }: Pick<HeldTerminalParts, 'log' | 'reserve'>,
  folder: string,
  started: TerminalRecord,
  {
    exitCode,
    signal,
    isClosed,
    problem,
  }: ProcessExit & {
    /** A caller closed it. */
    readonly isClosed: boolean;
    readonly problem: string | undefined;
  },
): Promise<void> {
  const record: TerminalRecord = {
    ...started,
    ended_at: new Date().toISOString(),
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
    ...(signal === undefined ? {} : { signal }),
    ...(isClosed ? { closed: true } : {}),
    ...(problem === undefined ? {} : { problem }),
  };
  try {
    await replaceWithReserve(terminalRecordFile(folder), record, reserve);
  } catch (error) {
    const code = errorCode(error) ?? 'unknown';
    log.write({ level: 'error', message: 'the end of a terminal could not be recorded', fields: { code } });
  }
}
