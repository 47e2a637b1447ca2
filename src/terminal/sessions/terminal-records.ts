import { readdir, readFile } from 'node:fs/promises';
import { TerminalRecord } from '../../model/terminals/terminal-record.ts';
import type { ProcessIdentityPort } from '../../ports/process.ts';
import type { TerminalName } from '../../ports/terminals.ts';
import { unknownTerminal } from '../failures.ts';
import { isTerminalId, terminalFolder, terminalRecordFile, terminalsFolder } from './terminal-folder.ts';
import type { TerminalFactsView } from '../../ports/terminals.ts';

/** Files read concurrently. */
const BATCH = 64;

/** The records of terminals on disk, of all holders. */
export class TerminalRecords {
  readonly stateFolder: string;
  private readonly identity: ProcessIdentityPort;

  constructor(stateFolder: string, identity: ProcessIdentityPort) {
    this.stateFolder = stateFolder;
    this.identity = identity;
  }

  /** All ids, including those of ended terminals and broken records. */
  async ids(): Promise<readonly string[]> {
    const names = await readdir(terminalsFolder(this.stateFolder)).catch(() => []);
    return names.filter(isTerminalId);
  }

  /** `undefined` if there is no valid record. */
  async read(id: string): Promise<TerminalRecord | undefined> {
    if (!isTerminalId(id)) return undefined;
    try {
      const text = await readFile(terminalRecordFile(terminalFolder(this.stateFolder, id)), 'utf8');
      const parsed = TerminalRecord.safeParse(JSON.parse(text));
      return parsed.success && parsed.data.terminal_id === id ? parsed.data : undefined;
    } catch {
      return undefined;
    }
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
    const ids = await this.ids();
    const found: TerminalRecord[] = [];
    for (let at = 0; at < ids.length; at += BATCH) {
      const records = await Promise.all(ids.slice(at, at + BATCH).map((id) => this.read(id)));
      found.push(...records.filter((record) => record !== undefined));
    }
    return found.toSorted((a, b) => Date.parse(b.started_at) - Date.parse(a.started_at));
  }

  async living(): Promise<readonly TerminalRecord[]> {
    return (await this.all()).filter((record) => this.isLiving(record));
  }

  async named({ projectPath, tag }: TerminalName): Promise<TerminalRecord | undefined> {
    return (await this.living()).find((record) => record.project_path === projectPath && record.tag === tag);
  }
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
