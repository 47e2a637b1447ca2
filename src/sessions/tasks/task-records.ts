import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DeskterityError } from '../../model/effects/errors.ts';
import { errorCode } from '../../model/error-code.ts';
import { isTaskId, TaskRecord, taskExpiry } from '../../model/tasks/task-record.ts';
import type { ProcessIdentityPort } from '../../ports/process.ts';
import { DRAFT, writeDurably } from './write-durably.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
/** Each letter has five bits. */
const ID_LETTERS = 32;
const SUFFIX = '.json';
const LOCK_SUFFIX = '.lock';
/** Between searches for what has expired while there is no room. */
const FULL_MS = 1000;
/** An older draft is what a process left that was killed while it wrote. */
const DRAFT_AGE_MS = 60_000;
/** Files that are read at the same time. */
const BATCH = 32;

export interface TaskLimits {
  /** Tasks of all clients. */
  readonly mostTasks: number;
  /** What all their records take on disk. */
  readonly mostBytes: number;
  /** A longer record is not read. */
  readonly longestBytes: number;
  /** Between searches for what has expired. */
  readonly tidyMs: number;
}

export interface TaskParts {
  readonly folder: string;
  readonly identity: ProcessIdentityPort;
  /** Runs `body` while no other process holds the lock file. Rejects with the code `ELOCKED` if it is held for too long. */
  readonly locked: <T>(lockFile: string, body: () => Promise<T>) => Promise<T>;
}

export const TASK_LIMITS: TaskLimits = {
  mostTasks: 2048,
  mostBytes: 256 * 1024 * 1024,
  longestBytes: 8 * 1024 * 1024,
  tidyMs: 30_000,
};

/** What a new task is recorded with. */
export type TaskDraft = Pick<
  TaskRecord,
  'principal' | 'owner' | 'tool' | 'keep_ms' | 'operation_id' | 'status_message' | 'created_at'
>;

/** The tasks of all MCP clients of one user, in a folder with one file each. A record is on disk, synced, before anybody knows its id. */
export class TaskRecords {
  private readonly folder: string;
  private readonly identity: ProcessIdentityPort;
  private readonly locked: TaskParts['locked'];
  private readonly limits: TaskLimits;
  private readonly now: () => number;
  /** Connections of this process that are open. */
  private readonly owners = new Set<string>();
  /** Bytes by task, as far as this process knows. */
  private readonly sizes = new Map<string, number>();
  /** The last write of each task, because each must replace the one before. */
  private readonly writes = new Map<string, Promise<void>>();
  /** Those that a connection of this process is taking over. */
  private readonly adopting = new Set<string>();
  /** Records that could not be written, because the disk is full, for instance. */
  private readonly unwritten = new Map<string, TaskRecord>();
  private tidiedAt = Number.NEGATIVE_INFINITY;

  constructor(
    { folder, identity, locked }: TaskParts,
    {
      limits = TASK_LIMITS,
      now = () => Date.now(),
    }: { readonly limits?: TaskLimits; readonly now?: () => number } = {},
  ) {
    this.folder = folder;
    this.identity = identity;
    this.locked = locked;
    this.limits = limits;
    this.now = now;
  }

  /** A connection of this process; its tasks are out of reach for all others until {@link leave}. */
  enter(owner: string): void {
    this.owners.add(owner);
  }

  leave(owner: string): void {
    this.owners.delete(owner);
  }

  /** Resolves when it is on disk. @throws DeskterityError RATE_LIMITED; Error of the file system */
  async create(draft: TaskDraft): Promise<TaskRecord> {
    await this.tidy();
    const { mostTasks, mostBytes } = this.limits;
    const bytes = [...this.sizes.values()].reduce((sum, size) => sum + size, 0);
    if (this.sizes.size >= mostTasks || bytes >= mostBytes) throw tooMany(this.sizes.size);
    const record: TaskRecord = {
      format: 1,
      task_id: newTaskId(),
      ...draft,
      runner: this.runner(),
      status: 'working',
      updated_at: new Date(this.now()).toISOString(),
    };
    // Counted before it is written, because others may be created meanwhile.
    this.sizes.set(record.task_id, 0);
    try {
      await this.write(record);
    } catch (error) {
      this.sizes.delete(record.task_id);
      throw error;
    }
    return record;
  }

  /** Replaces the record of a task. Resolves when it is on disk. @throws Error of the file system */
  async replace(record: TaskRecord): Promise<void> {
    await this.write(record);
    this.unwritten.delete(record.task_id);
  }

  /** Replaces the record of a task; one that cannot be written is remembered as long as this process runs. */
  async save(record: TaskRecord): Promise<void> {
    try {
      await this.replace(record);
    } catch {
      this.unwritten.set(record.task_id, record);
    }
  }

  /**
   * The record as now belonging to this process and connection; `undefined` if another connection, also of another process, is taking it or has taken
   * it. Once adopted, {@link isHeld} tells. @throws Error of the file system
   */
  async adopt(record: TaskRecord, owner: string): Promise<TaskRecord | undefined> {
    const { task_id: id } = record;
    if (this.adopting.has(id)) return undefined;
    this.adopting.add(id);
    try {
      return await this.locked(this.lockOf(id), async () => {
        // Another one may have taken it since it was read.
        const current = await this.find(id);
        if (current === undefined || this.isHeld(current)) return undefined;
        const adopted = { ...current, owner, runner: this.runner() };
        // What is not on the disk, another process would take, too.
        await this.replace(adopted);
        return adopted;
      });
    } catch (error) {
      if (errorCode(error) === 'ELOCKED') return undefined;
      throw error;
    } finally {
      this.adopting.delete(id);
    }
  }

  /** `undefined` if there is none, or no more. */
  async find(taskId: string): Promise<TaskRecord | undefined> {
    if (!isTaskId(taskId)) return undefined;
    await this.writes.get(taskId)?.catch(() => undefined);
    const record = this.unwritten.get(taskId) ?? (await this.read(taskId));
    if (record === undefined || !this.isExpired(record)) return record;
    await this.remove(taskId);
    return undefined;
  }

  /** Removes a task that nobody knows of. Never rejects. */
  async forget(taskId: string): Promise<void> {
    await this.writes.get(taskId)?.catch(() => undefined);
    await this.remove(taskId);
  }

  /** Whether the connection that a task belongs to is still open, in this process or another one. */
  isHeld({ owner, runner }: Pick<TaskRecord, 'owner' | 'runner'>): boolean {
    const self = this.identity.self();
    const named = { pid: runner.pid, startTime: runner.start_time, bootId: runner.boot_id };
    const isOurs =
      named.pid === self.pid && named.startTime === self.startTime && named.bootId === self.bootId;
    return isOurs ? this.owners.has(owner) : this.identity.isRunning(named);
  }

  private runner(): TaskRecord['runner'] {
    const { pid, startTime, bootId } = this.identity.self();
    return { pid, start_time: startTime, boot_id: bootId };
  }

  private isExpired(record: TaskRecord): boolean {
    const at = taskExpiry(record, this.isHeld(record));
    return at !== undefined && at <= this.now();
  }

  private async write(record: TaskRecord): Promise<void> {
    const { task_id: id } = record;
    const write = this.writeAfter(this.writes.get(id), record);
    this.writes.set(id, write);
    try {
      await write;
    } finally {
      if (this.writes.get(id) === write) this.writes.delete(id);
    }
  }

  private async writeAfter(before: Promise<void> | undefined, record: TaskRecord): Promise<void> {
    await before?.catch(() => undefined);
    const text = `${JSON.stringify(record)}\n`;
    await writeDurably(this.folder, `${record.task_id}${SUFFIX}`, text);
    this.sizes.set(record.task_id, Buffer.byteLength(text));
  }

  private async read(taskId: string): Promise<TaskRecord | undefined> {
    const path = join(this.folder, `${taskId}${SUFFIX}`);
    try {
      if ((await stat(path)).size > this.limits.longestBytes) return undefined;
      const { data } = TaskRecord.safeParse(JSON.parse(await readFile(path, 'utf8')));
      return data?.task_id === taskId ? data : undefined;
    } catch {
      return undefined;
    }
  }

  private async remove(taskId: string): Promise<void> {
    this.sizes.delete(taskId);
    this.unwritten.delete(taskId);
    for (const path of [join(this.folder, `${taskId}${SUFFIX}`), this.lockOf(taskId)])
      await rm(path, { force: true }).catch(() => undefined);
  }

  /** Left behind only by a process that was killed. */
  private lockOf(taskId: string): string {
    return join(this.folder, `${taskId}${LOCK_SUFFIX}`);
  }

  /** Removes what has expired, and counts what is there: other processes may have changed it. */
  private async tidy(): Promise<void> {
    const now = performance.now();
    const { mostTasks, tidyMs } = this.limits;
    if (now - this.tidiedAt < (this.sizes.size < mostTasks ? tidyMs : FULL_MS)) return;
    this.tidiedAt = now;
    const names = await readdir(this.folder).catch(() => []);
    const ids = names
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => name.slice(0, -SUFFIX.length))
      .filter((name) => isTaskId(name));
    for (let at = 0; at < ids.length; at += BATCH)
      await Promise.all(ids.slice(at, at + BATCH).map((id) => this.examine(id)));
    for (const name of names.filter((each) => each.startsWith(DRAFT))) {
      const facts = await stat(join(this.folder, name)).catch(() => undefined);
      if (facts === undefined || Date.now() - facts.mtimeMs < DRAFT_AGE_MS) continue;
      await rm(join(this.folder, name), { force: true }).catch(() => undefined);
    }
    const there = new Set(ids);
    for (const id of this.sizes.keys()) if (!there.has(id) && !this.writes.has(id)) this.sizes.delete(id);
  }

  private async examine(taskId: string): Promise<void> {
    if (this.writes.has(taskId)) return;
    const path = join(this.folder, `${taskId}${SUFFIX}`);
    const facts = await stat(path).catch(() => undefined);
    const record = facts && (await this.read(taskId));
    // A file that cannot be read is nobody's task.
    if (record === undefined || this.isExpired(record)) await this.remove(taskId);
    else this.sizes.set(taskId, facts?.size ?? 0);
  }
}

/** Nobody can guess it: 160 random bits. */
function newTaskId(): string {
  let id = 'task-';
  for (const byte of randomBytes(ID_LETTERS)) id += LETTERS.charAt(byte & 31);
  return id;
}

function tooMany(count: number): DeskterityError {
  return new DeskterityError('RATE_LIMITED', `${count} tasks are kept already, or they are too large.`, {
    suggestion: 'Make the call without a task, or wait until others have expired.',
    retryable: true,
    delivered: false,
  });
}
