import { operationProcesses } from './operation-processes.ts';
import type { Leader } from './operation-processes.ts';
import type { ProcessEntry } from './process-table.ts';
import type { Runtime } from '../bubblewrap/runtime.ts';
import type { SpawnWorker } from '../workers/spawner.ts';

interface Entry {
  /** Starts whose leader has not ended. */
  running: number;
  readonly workers: Set<SpawnWorker>;
}

/**
 * Operations of which nothing is left, whose marks are still known. Whoever ends one of them looks once more: by the mark at what is below this
 * process, without it at every process of the machine, which takes ten times as long.
 */
const MOST_SETTLED = 64;

/** Which workers belong to which operation, until nothing of it is left. */
export class OperationLedger {
  private readonly runtime: Pick<Runtime, 'marks'>;
  private readonly release: (worker: SpawnWorker) => void;
  private readonly entries = new Map<string, Entry>();
  private readonly settled = new Set<string>();

  constructor(runtime: Pick<Runtime, 'marks'>, release: (worker: SpawnWorker) => void) {
    this.runtime = runtime;
    this.release = release;
  }

  /** A leader is about to be started, by this worker if nobody else may use it meanwhile. */
  begin(operationId: string, worker: SpawnWorker | undefined): void {
    const entry = this.entries.get(operationId) ?? { running: 0, workers: new Set() };
    this.entries.set(operationId, entry);
    this.settled.delete(operationId);
    entry.running += 1;
    if (worker !== undefined) entry.workers.add(worker);
  }

  /** A leader has ended, or was not started. */
  end(operationId: string): void {
    const entry = this.entries.get(operationId);
    if (entry === undefined) return;
    entry.running -= 1;
    this.settle(operationId);
  }

  /** Every living process of an operation. */
  processes(operationId: string, leader: Leader | undefined): ProcessEntry[] {
    return operationProcesses(this.runtime.marks, operationId, leader);
  }

  /** Gives back the workers of operations that were left behind by their leaders and are gone by now. */
  settleAll(): void {
    for (const operationId of this.entries.keys()) this.settle(operationId);
  }

  private settle(operationId: string): void {
    const entry = this.entries.get(operationId);
    if (entry === undefined || entry.running > 0 || this.processes(operationId, undefined).length > 0) return;
    this.entries.delete(operationId);
    this.settled.add(operationId);
    const [oldest] = this.settled;
    if (this.settled.size > MOST_SETTLED && oldest !== undefined) this.forget(oldest);
    for (const worker of entry.workers) this.release(worker);
  }

  private forget(operationId: string): void {
    this.settled.delete(operationId);
    this.runtime.marks.forget(operationId);
  }
}
