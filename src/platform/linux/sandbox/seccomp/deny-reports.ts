import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { DeniedAccess } from '../../../../model/tools/operation.ts';
import type { FromObserver, ToObserver } from './deny-observer.ts';
import type { PathRule } from '../landlock/landlock.ts';
import type { Kernel } from '../libc-library.ts';
import { SandboxProblem } from '../problem.ts';
import type { WorkerOrder } from '../workers/worker-messages.ts';

/** The accesses denied to one operation so far. */
export interface DenyReport {
  denied(): readonly DeniedAccess[];
}

class Report implements DenyReport {
  private readonly entries = new Map<string, DeniedAccess>();

  note({ denial, program }: Extract<FromObserver, { type: 'denied' }>): void {
    const key = JSON.stringify([denial.operation, denial.target, program]);
    const count = (this.entries.get(key)?.count ?? 0) + 1;
    // Further entries of a program that tries everything add nothing.
    if (count === 1 && this.entries.size >= MOST_ENTRIES) return;
    this.entries.set(key, { ...denial, program, count });
  }

  denied(): readonly DeniedAccess[] {
    return [...this.entries.values()];
  }
}

const MOST_ENTRIES = 1000;
const FLUSH_DEADLINE_MS = 2000;
const EFD_CLOEXEC_NONBLOCK = 0o2004000;

/** The observer thread for all listeners, and its reports by operation. A listener belongs to one worker, which serves one operation at a time. */
export class DenyReports {
  /** Unique for each observer. */
  readonly id = randomUUID();
  private readonly kernel: Kernel;
  private readonly worker: Worker;
  private readonly wake: number;
  private readonly reports = new Map<number, Report | undefined>();
  private readonly flushes = new Map<number, () => void>();
  private lastFlush = 0;
  private gone = false;

  /** @throws SandboxProblem */
  constructor(kernel: Kernel, workerFile: string) {
    this.kernel = kernel;
    this.wake = kernel.call('eventfd2', 0, EFD_CLOEXEC_NONBLOCK);
    if (this.wake < 0) {
      throw new SandboxProblem({
        message: 'Denied accesses cannot be recorded.',
        suggestion: 'Too many files are open; cancel some operations, or run without the report.',
        detail: kernel.describe('eventfd2', this.wake),
      });
    }
    this.worker = new Worker(workerFile, {
      workerData: { observe: this.wake } satisfies WorkerOrder,
      env: {},
      execArgv: [],
      trackUnmanagedFds: false,
    });
    this.worker.on('message', (message: FromObserver) => this.onMessage(message));
    this.worker.on('error', () => undefined);
    this.worker.on('exit', () => this.onExit());
    this.worker.unref();
  }

  /** The observer thread has exited. Its listeners are closed, so that waiting calls fail instead of blocking forever. */
  get isGone(): boolean {
    return this.gone;
  }

  /** Starts answering the calls of a listener. */
  serve(listener: number, rules: readonly PathRule[]): void {
    if (this.gone) {
      this.kernel.call('close', listener);
      return;
    }
    this.reports.set(listener, undefined);
    this.send({ type: 'serve', listener, rules });
  }

  /** Starts a new report: later calls of the listener belong to another operation. */
  begin(listener: number): DenyReport {
    const report = new Report();
    this.reports.set(listener, report);
    return report;
  }

  /** Resolves when everything denied so far is in its report. */
  async flush(): Promise<void> {
    if (this.gone) return;
    const id = ++this.lastFlush;
    await new Promise<void>((resolve) => {
      const deadline = setTimeout(resolve, FLUSH_DEADLINE_MS);
      this.flushes.set(id, () => {
        clearTimeout(deadline);
        resolve();
      });
      this.send({ type: 'flush', id });
    });
    this.flushes.delete(id);
  }

  close(): void {
    this.worker.terminate().catch(() => undefined);
    this.ring();
  }

  private onMessage(message: FromObserver): void {
    if (message.type === 'denied') this.reports.get(message.listener)?.note(message);
    else if (message.type === 'flushed') this.flushes.get(message.id)?.();
    else this.reports.delete(message.listener);
  }

  private onExit(): void {
    this.gone = true;
    for (const listener of this.reports.keys()) this.kernel.call('close', listener);
    for (const resolve of this.flushes.values()) resolve();
    this.kernel.call('close', this.wake);
  }

  private send(message: ToObserver): void {
    this.worker.postMessage(message, []);
    this.ring();
  }

  private ring(): void {
    if (!this.gone) this.kernel.call('write', this.wake, new BigUint64Array([1n]), 8);
  }
}
