import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TerminalRecord } from '../../model/terminals/terminal-record.ts';
import type { Retention } from '../../operations/remove-old-operations.ts';
import type { ProcessIdentityPort } from '../../ports/process.ts';
import type { TerminalFactsView, TerminalName } from '../../ports/terminals.ts';
import { unknownTerminal } from '../failures.ts';
import {
  isTerminalId,
  shownFolder,
  terminalFolder,
  terminalRecordFile,
  terminalsFolder,
} from './terminal-folder.ts';

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

/** Folders are renamed before removal, so that nobody finds half of a terminal. */
const MARKED_FOR_REMOVAL = /^gone-term-[a-z2-7]{6}$/;
/** A younger folder without a record may belong to a terminal that is just starting. */
const UNRECORDED_AGE_MS = 3_600_000;

/** Removes the files of ended terminals that are too old or too many. Several processes may do this at once. @returns the ids */
export async function removeOldTerminals(
  records: TerminalRecords,
  retention: Retention,
  now: number = Date.now(),
): Promise<readonly string[]> {
  const { stateFolder } = records;
  const all = await records.all();
  const removed: string[] = [];
  let bytes = 0;
  let count = 0;
  for (const record of all) {
    if (records.isLiving(record)) continue;
    bytes += await bytesIn(shownFolder(terminalFolder(stateFolder, record.terminal_id)));
    count += 1;
    const age = now - Date.parse(record.ended_at ?? record.started_at);
    if (age > retention.maxAgeMs || bytes > retention.maxBytes || count > retention.maxCount)
      removed.push(record.terminal_id);
  }
  const recorded = new Set(all.map(({ terminal_id }) => terminal_id));
  for (const id of await records.ids()) {
    if (recorded.has(id)) continue;
    const facts = await stat(terminalFolder(stateFolder, id)).catch(() => undefined);
    if (facts !== undefined && now - facts.mtimeMs > UNRECORDED_AGE_MS) removed.push(id);
  }
  const folder = terminalsFolder(stateFolder);
  // Another process may have renamed it already.
  for (const id of removed)
    await rename(terminalFolder(stateFolder, id), join(folder, `gone-${id}`)).catch(() => undefined);
  for (const name of await readdir(folder).catch(() => []))
    if (MARKED_FOR_REMOVAL.test(name))
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  return removed;
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const facts = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)));
  return facts.reduce((sum, each) => sum + (each?.size ?? 0), 0);
}
