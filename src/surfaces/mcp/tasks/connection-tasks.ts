import { randomUUID } from 'node:crypto';
import type { TaskRecords } from '../../../app/app.ts';
import type { DeskterityError } from '../../../model/effects/errors.ts';
import type { ReachedList } from '../../../model/policy/reached.ts';
import { isTaskOver, type TaskRecord } from '../../../model/tasks/task-record.ts';
import { TIMERS, within } from '../../../model/within.ts';
import type { ClientTasks, OperationDoor, TaskState } from './client-tasks.ts';
import { endedRecord, interruptedRecord } from './ended-record.ts';
import { askedAlready, notTakenOver, tooMany, unknownTask } from './task-errors.ts';
import { TaskRun, type Responses } from './task-run.ts';
import { operationWork } from './tool-work.ts';
import { withheldRecord } from './withheld.ts';

export interface ConnectionTasksParts {
  readonly records: () => Promise<TaskRecords>;
  /** Tasks of a connection that is gone belong to the next one of the same principal that knows their ids. */
  readonly principal: string;
  /** Absent if this connection cannot follow operations. */
  readonly operations?: OperationDoor | undefined;
  /** Why what came from all this may not be given away now. Absent if nothing is judged. */
  readonly refusalOf?: ((reached: ReachedList) => Promise<DeskterityError | undefined>) | undefined;
  /** See {@link ClientTasks.atOnceMs}. */
  readonly atOnceMs?: number | undefined;
}

/** Most calls end within this time, and a client would have to ask once more for each that became a task. */
const AT_ONCE_MS = 500;

/** For one connection. */
const MOST_RUNNING = 32;
const MOST_KEPT = 256;
/** Time for a cancelled call to end; an operation's processes are told three times. */
const CANCEL_MS = 20_000;
/** Time for results to be recorded when the client disconnects. */
const LAST_RESULTS_MS = 1500;

interface Running {
  readonly run: TaskRun;
  /** The record with the operation that it has started. Rejects if that cannot be recorded. */
  readonly named: Promise<TaskRecord>;
  /** Resolves when the end is recorded. */
  readonly recorded: Promise<void>;
}

/** The tasks of one client. No other client can see, cancel or read them while this connection is open. */
export class ConnectionTasks implements ClientTasks {
  readonly operations: OperationDoor | undefined;
  readonly atOnceMs: number;
  private readonly parts: ConnectionTasksParts;
  private readonly owner = randomUUID();
  private readonly running = new Map<string, Running>();
  /** In the order of their creation. */
  private readonly own = new Set<string>();
  private readonly adopting = new Map<string, Promise<TaskRecord>>();
  private readonly watchers = new Set<(state: TaskState) => void>();
  private opening: Promise<TaskRecords> | undefined;
  private starting = 0;
  private isClosed = false;

  constructor(parts: ConnectionTasksParts) {
    this.parts = parts;
    this.operations = parts.operations;
    this.atOnceMs = parts.atOnceMs ?? AT_ONCE_MS;
  }

  get hasRoom(): boolean {
    return !this.isClosed && this.running.size + this.starting < MOST_RUNNING;
  }

  async keep(
    run: TaskRun,
    task: { readonly tool: string; readonly keepMs: number; readonly account: string },
  ): Promise<TaskState> {
    if (!this.hasRoom) throw tooMany(MOST_RUNNING, MOST_KEPT);
    this.starting += 1;
    try {
      const records = await this.records();
      await this.makeRoom(records);
      const record = await records.create({
        principal: this.principal(task.account),
        owner: this.owner,
        tool: task.tool,
        keep_ms: task.keepMs,
        created_at: new Date().toISOString(),
        ...(run.operationId === undefined ? {} : { operation_id: run.operationId }),
      });
      if (!run.becomeTask()) {
        await records.forget(record.task_id);
        throw askedAlready();
      }
      this.own.add(record.task_id);
      this.attach(records, record, run);
      return { record, run };
    } finally {
      this.starting -= 1;
    }
  }

  async named({ record, run }: TaskState): Promise<TaskState> {
    const named = await this.running.get(record.task_id)?.named;
    return { record: named ?? record, run };
  }

  async find(taskId: string, account: string): Promise<TaskState> {
    const records = await this.records();
    const record = await records.find(taskId);
    if (record === undefined || record.principal !== this.principal(account)) throw unknownTask();
    if (record.owner === this.owner)
      return { record: await this.allowed(record), run: this.running.get(taskId)?.run };
    if (records.isHeld(record) || this.isClosed) throw unknownTask();
    // Two requests for it may arrive at once.
    const adopting = this.adopting.get(taskId) ?? this.adopt(records, record);
    this.adopting.set(taskId, adopting);
    try {
      return { record: await this.allowed(await adopting), run: this.running.get(taskId)?.run };
    } finally {
      this.adopting.delete(taskId);
    }
  }

  async list(account: string): Promise<readonly TaskState[]> {
    const records = await this.records();
    const states: TaskState[] = [];
    for (const id of this.own) {
      const record = await records.find(id);
      if (record === undefined) this.own.delete(id);
      else if (record.principal === this.principal(account))
        states.push({ record: await this.allowed(record), run: this.running.get(id)?.run });
    }
    return states;
  }

  async untilOverOrAsking(taskId: string, account: string, signal: AbortSignal): Promise<TaskState> {
    for (;;) {
      const state = await this.find(taskId, account);
      const running = this.running.get(taskId);
      if (isTaskOver(state.record) || running === undefined || running.run.isAsking) return state;
      const changed = new AbortController();
      const unwatch = this.watch(({ record }) => {
        if (record.task_id === taskId) changed.abort();
      });
      try {
        await Promise.race([running.recorded, aborted(changed.signal), aborted(signal)]);
      } finally {
        unwatch();
      }
      signal.throwIfAborted();
    }
  }

  async cancel(taskId: string, account: string): Promise<TaskState> {
    const state = await this.find(taskId, account);
    const running = this.running.get(taskId);
    if (running === undefined) return state;
    await running.run.cancel();
    await within(TIMERS, running.recorded, CANCEL_MS);
    return this.find(taskId, account);
  }

  async answer(taskId: string, account: string, responses: Responses): Promise<void> {
    const { run } = await this.find(taskId, account);
    run?.answer(responses);
  }

  watch(onChange: (state: TaskState) => void): () => void {
    const own = (state: TaskState) => onChange(state);
    this.watchers.add(own);
    return () => void this.watchers.delete(own);
  }

  /** Ends the calls of a client that has disconnected; operations go on. Never rejects. */
  async close(): Promise<void> {
    this.isClosed = true;
    if (this.opening === undefined) return;
    const records = await this.opening.catch(() => undefined);
    const ending = [...this.running.values()].filter(({ run }) => run.operationId === undefined);
    for (const { run } of this.running.values()) run.stop();
    await within(TIMERS, Promise.all(ending.map(({ recorded }) => recorded)), LAST_RESULTS_MS).catch(
      () => undefined,
    );
    records?.leave(this.owner);
    this.watchers.clear();
  }

  /** A record whose result may be given away now. */
  private async allowed(record: TaskRecord): Promise<TaskRecord> {
    if (!isTaskOver(record)) return record;
    const refusal = await this.parts.refusalOf?.(record.reached ?? { isWhole: true, all: [] });
    return refusal === undefined ? record : withheldRecord(record, refusal);
  }

  private principal(account: string): string {
    return account === '' ? this.parts.principal : `${this.parts.principal} ${account}`;
  }

  private records(): Promise<TaskRecords> {
    if (this.opening !== undefined) return this.opening;
    const opening = this.parts.records().then((records) => {
      if (!this.isClosed) records.enter(this.owner);
      return records;
    });
    this.opening = opening;
    // The next request tries again.
    opening.catch(() => (this.opening = undefined));
    return opening;
  }

  /** Forgets those that have expired. @throws DeskterityError RATE_LIMITED */
  private async makeRoom(records: TaskRecords): Promise<void> {
    if (this.own.size < MOST_KEPT) return;
    for (const id of this.own) if ((await records.find(id)) === undefined) this.own.delete(id);
    if (this.own.size >= MOST_KEPT) throw tooMany(MOST_RUNNING, MOST_KEPT);
  }

  private async adopt(records: TaskRecords, record: TaskRecord): Promise<TaskRecord> {
    const adopted = await records.adopt(record, this.owner).catch((error: unknown) => {
      throw notTakenOver(error);
    });
    if (adopted === undefined) throw unknownTask();
    this.own.add(record.task_id);
    if (isTaskOver(adopted)) return adopted;
    const { operations } = this;
    const { operation_id: operationId } = adopted;
    if (operationId === undefined || operations === undefined) {
      const failed = interruptedRecord(adopted);
      await records.save(failed);
      return failed;
    }
    const run = new TaskRun({
      work: operationWork(operations, operationId),
      operationId,
      reached: record.reached,
      cancelOperation: (id) => operations.cancel(id),
    });
    run.becomeTask();
    this.attach(records, adopted, run);
    return adopted;
  }

  private attach(records: TaskRecords, record: TaskRecord, run: TaskRun): void {
    run.onChange = () => this.tell({ record, run });
    const named = nameOperation(records, record, run);
    // Who needs it waits for it.
    named.catch(() => undefined);
    const recorded = this.recordEnd(records, { record, run, named });
    this.running.set(record.task_id, { run, named, recorded });
  }

  private async recordEnd(
    records: TaskRecords,
    { record: begun, run, named }: { readonly record: TaskRecord } & Pick<Running, 'run' | 'named'>,
  ): Promise<void> {
    const outcome = await run.ended;
    // Must not be replaced by what it was before its end.
    const record = await named.catch(() => withOperation(begun, run));
    // Another connection takes its operation over.
    if (this.isClosed && run.operationId !== undefined) return;
    const ended = endedRecord({ ...record, reached: run.reached.list }, outcome, this.isClosed);
    await records.save(ended);
    this.running.delete(record.task_id);
    this.tell({ record: await this.allowed(ended), run: undefined });
  }

  private tell(state: TaskState): void {
    for (const onChange of this.watchers) onChange(state);
  }
}

/** Records which operation carries a task on, once it has begun. @throws Error of the file system */
async function nameOperation(records: TaskRecords, record: TaskRecord, run: TaskRun): Promise<TaskRecord> {
  await run.begun;
  const named = { ...withOperation(record, run), reached: run.reached.list };
  if (named.operation_id !== record.operation_id) await records.replace(named);
  return named;
}

function withOperation(record: TaskRecord, { operationId }: TaskRun): TaskRecord {
  return operationId === undefined ? record : { ...record, operation_id: operationId };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
