import { TerminalRecord } from '../../model/terminals/terminal-record.ts';
import {
  isRecordId,
  readAll,
  readRecord,
  recordIds,
  replaceRecord,
} from '../../operations/record-folders.ts';
import { removeOldRecords, type Retention } from '../../operations/record-folders.ts';
import type { ProcessIdentityPort } from '../../ports/process.ts';
import type { TerminalFactsView, TerminalName } from '../../ports/terminals.ts';
import { unknownTerminal } from '../failures.ts';
import { TERMINAL, terminalFolder, terminalRecordFile, terminalsFolder } from './terminal-folder.ts';

/** The records of terminals on disk, of all holders. */
export class TerminalRecords {
  readonly stateFolder: string;
  private readonly identity: ProcessIdentityPort;

  constructor(stateFolder: string, identity: ProcessIdentityPort) {
    this.stateFolder = stateFolder;
    this.identity = identity;
  }

  /** `undefined` if there is no valid record. */
  async read(id: string): Promise<TerminalRecord | undefined> {
    if (!isRecordId(TERMINAL, id)) return undefined;
    const path = terminalRecordFile(terminalFolder(this.stateFolder, id));
    const record = readRecord(path, (data) => TerminalRecord.safeParse(data).data);
    return record?.terminal_id === id ? record : undefined;
  }

  /** @throws DeskterityError TERMINAL_NOT_FOUND */
  async find(id: string): Promise<TerminalRecord> {
    const record = await this.read(id);
    if (record === undefined) throw unknownTerminal(id);
    return record;
  }

  /** Whether its shell runs, judging by its record and holder. */
  isLiving({ ended_at, holder }: TerminalRecord): boolean {
    if (ended_at !== undefined) return false;
    return this.identity.isRunning({
      pid: holder.pid,
      startTime: holder.start_time,
      bootId: holder.boot_id,
    });
  }

  /** Whether processes may still run after the holder has exited: only if the machine has not been rebooted. */
  mayHaveLeft({ ended_at, holder }: TerminalRecord): boolean {
    return ended_at === undefined && holder.boot_id === this.identity.self().bootId;
  }

  /** Newest first. */
  async all(): Promise<readonly TerminalRecord[]> {
    const ids = await recordIds(terminalsFolder(this.stateFolder), TERMINAL);
    const found = await readAll(ids, (id) => this.read(id));
    return found.toSorted((a, b) => Date.parse(b.started_at) - Date.parse(a.started_at));
  }

  async living(): Promise<readonly TerminalRecord[]> {
    return (await this.all()).filter((record) => this.isLiving(record));
  }

  async named(name: TerminalName): Promise<TerminalRecord | undefined> {
    return (await this.living()).find((record) => isOf(record, name));
  }

  /** The latest record of a name, whether its terminal runs or not. */
  async latest(name: TerminalName): Promise<TerminalRecord | undefined> {
    return (await this.all()).find((record) => isOf(record, name));
  }

  /** Whether its terminal has ended without being closed and left something that concerns the next one of its name. */
  hasRemains(record: TerminalRecord): boolean {
    return record.closed !== true && (record.sandbox !== 'none' || this.mayHaveLeft(record));
  }

  /** Notes that a caller has closed a terminal whose holder has exited. @throws Error of the file system */
  noteClosed(record: TerminalRecord): void {
    const path = terminalRecordFile(terminalFolder(this.stateFolder, record.terminal_id));
    replaceRecord(path, { ...record, ended_at: record.ended_at ?? new Date().toISOString(), closed: true });
  }
}

function isOf(record: TerminalRecord, { projectPath, tag }: TerminalName): boolean {
  return record.project_path === projectPath && record.tag === tag;
}

/** The facts of a terminal whose holder does not respond. */
export function factsOfRecord(record: TerminalRecord): TerminalFactsView {
  return {
    id: record.terminal_id,
    name: { projectPath: record.project_path, tag: record.tag },
    pid: record.process.pid,
    ttyPath: record.tty,
    shell: record.shell,
    startedAt: new Date(record.started_at),
    isConfined: record.sandbox !== 'none',
    size: record.size,
    title: '',
    cwd: undefined,
    state: 'running',
    restsOn: ['its holder is running but does not respond'],
    prompt: undefined,
    running: undefined,
    exitCode: undefined,
    attached: 0,
  };
}

/** Removes the files of ended terminals that are too old or too many. @returns the ids */
export async function removeOldTerminals(
  records: TerminalRecords,
  retention: Retention,
  now: number = Date.now(),
): Promise<readonly string[]> {
  const all = await records.all();
  const recorded = new Set(all.map(({ terminal_id }) => terminal_id));
  const ended = all.filter((record) => !records.isLiving(record));
  return removeOldRecords({
    parent: terminalsFolder(records.stateFolder),
    prefix: TERMINAL,
    ended: ended.map((record) => ({ id: record.terminal_id, at: record.ended_at ?? record.started_at })),
    hasRecord: async (id) => recorded.has(id),
    retention,
    now,
  });
}
