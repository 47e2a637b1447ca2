import type { TerminalRecord } from '../../../model/terminals/terminal-record.ts';
import { isDiskFull } from '../../../operations/operation-folder.ts';
import type { ProcessExit } from '../../../ports/process.ts';
import type { TerminalStart } from '../../../ports/terminals.ts';
import type { HeldTerminalParts } from './held-session.ts';
import type { OpenedSession } from './open-session.ts';
import { writeTerminalRecord } from '../terminal-folder.ts';

/** The record of one terminal on disk. */
export class TerminalFile {
  private readonly parts: Pick<HeldTerminalParts, 'log' | 'reserve'>;
  private readonly folder: string;
  private readonly record: TerminalRecord;

  /** Writes the first record. @throws Error of the file system */
  constructor(
    parts: Pick<HeldTerminalParts, 'log' | 'reserve' | 'holder'>,
    { id, folder, pty }: OpenedSession,
    { name, shell, confinement, size, budgetBytes }: TerminalStart,
    startedAt: Date,
  ) {
    this.parts = parts;
    this.folder = folder;
    this.record = {
      format: 1,
      terminal_id: id,
      project_path: name.projectPath,
      tag: name.tag,
      shell,
      sandbox: confinement.by,
      tty: pty.path,
      size,
      started_at: startedAt.toISOString(),
      budget_bytes: budgetBytes,
      process: { pid: pty.pid, start_time: pty.startTime },
      holder: parts.holder,
    };
    writeTerminalRecord(folder, this.record);
  }

  /** Never rejects: if the end is not written, readers can tell from the holder that it is over. */
  async end({ exitCode, signal }: ProcessExit, problem: string | undefined): Promise<void> {
    const record: TerminalRecord = {
      ...this.record,
      ended_at: new Date().toISOString(),
      ...(exitCode === undefined ? {} : { exit_code: exitCode }),
      ...(signal === undefined ? {} : { signal }),
      ...(problem === undefined ? {} : { problem }),
    };
    try {
      await this.writeWithReserve(record);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      this.parts.log.write({
        level: 'error',
        message: 'the end of a terminal could not be recorded',
        fields: { code },
      });
    }
  }

  private async writeWithReserve(record: TerminalRecord): Promise<void> {
    const { reserve } = this.parts;
    try {
      writeTerminalRecord(this.folder, record);
    } catch (error) {
      if (!isDiskFull(error) || !(await reserve.release())) throw error;
      writeTerminalRecord(this.folder, record);
      await reserve.keep();
    }
  }
}
