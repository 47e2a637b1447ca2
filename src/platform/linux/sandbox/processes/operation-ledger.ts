import { operationProcesses, type Leader } from './operation-processes.ts';
import type { ProcessEntry } from '../../process/facts.ts';
import type { Runtime } from '../bubblewrap/runtime.ts';
import type { SpawnWorker } from '../workers/spawner.ts';

interface Entry {
  /** Started leaders that have not exited. */
  running: number;
  readonly workers: Set<SpawnWorker>;
}

/**
 * Finished operations whose marks are still known. Ending one of them searches again: with a mark only our descendants, without it every
 * process on the machine, which takes ten times as long.
 */
const MOST_SETTLED = 64;

/** Tracks the workers of each operation until all its processes have exited. */
export class OperationLedger {
  private readonly runtime: Pick<Runtime, 'marks'>;
  private readonly release: (worker: SpawnWorker) => void;
  private readonly entries = new Map<string, Entry>();
  private readonly settled = new Set<string>();

  constructor(runtime: Pick<Runtime, 'marks'>, release: (worker: SpawnWorker) => void) {
    this.runtime = runtime;
    this.release = release;
  }

  /** A leader is about to start; `worker` if it is reserved for this operation. */
  begin(operationId: string, worker: SpawnWorker | undefined): void {
    const entry = this.entries.get(operationId) ?? { running: 0, workers: new Set() };
    this.entries.set(operationId, entry);
    this.settled.delete(operationId);
    entry.running += 1;
    if (worker !== undefined) entry.workers.add(worker);
  }

  /** A leader has exited, or was not started. */
  end(operationId: string): void {
    const entry = this.entries.get(operationId);
    if (entry === undefined) return;
    entry.running -= 1;
    this.settle(operationId);
  }

  /** All running processes of an operation. */
  processes(operationId: string, leader: Leader | undefined): ProcessEntry[] {
    return operationProcesses(this.runtime.marks, operationId, leader);
  }

  /** Releases the workers of operations whose last background process has exited. */
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
