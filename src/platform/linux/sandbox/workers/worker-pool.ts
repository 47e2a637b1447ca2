import { availableParallelism } from 'node:os';
import { SandboxProblem } from '../problem.ts';
import type { SpawnWorker } from './spawner.ts';

/** How to create a worker, and which requests it can serve. */
export interface WorkerKind<W> {
  /** Workers with the same key are interchangeable. */
  readonly key: string;
  /** Changes when files named by its rules are replaced: rules apply to the files that existed when they were made. */
  stamp(): string;
  /** @throws SandboxProblem */
  make(): Promise<W>;
}

export type PooledWorker = Pick<SpawnWorker, 'isGone' | 'close'>;

interface Held<W> {
  readonly worker: W;
  readonly kind: WorkerKind<W>;
  readonly stamp: string;
}

interface Waiter<W> {
  readonly kind: WorkerKind<W>;
  readonly resolve: (held: Held<W>) => void;
  readonly reject: (error: unknown) => void;
}

/** Idle workers per kind, and in total. Each is a thread with its own V8 isolate, about 8 MB. */
const IDLE_PER_KIND = 2;
const IDLE_OVER_ALL = 6;
/** Further operations have to wait, so that the machine does not run out of memory. */
const MOST_WORKERS = 128;
/** A limit, so that no worker becomes so slow that it times out. */
const MADE_AT_ONCE = 4;
/**
 * Per kind. Creating a worker takes as much CPU time as ten short programs, whose workers are soon free again; long programs wait for the CPU
 * either way.
 */
const MADE_AT_ONCE_PER_KIND = Math.min(MADE_AT_ONCE, Math.max(1, Math.floor(availableParallelism() / 4)));
/** A spare is made after the start that took the last worker. */
const SPARE_AFTER_MS = 100;
const LONGEST_WAIT_MS = 30_000;

/**
 * Ready workers. A worker is reserved for an operation until all its processes have exited: programs of one thread share its Landlock domain,
 * and so could trace and signal each other.
 */
export class WorkerPool<W extends PooledWorker> {
  private readonly idle = new Map<string, Held<W>[]>();
  private readonly taken = new Map<W, Held<W>>();
  private readonly spares = new Map<string, NodeJS.Timeout>();
  private waiters: Waiter<W>[] = [];
  /** The kinds of the workers being created, one entry per worker. */
  private making: WorkerKind<W>[] = [];
  private closed = false;

  /** Ensures that a worker is ready. @throws errors of `make` */
  async prepare(kind: WorkerKind<W>): Promise<void> {
    if (this.fresh(kind).length === 0) this.keep(await this.acquire(kind));
  }

  /** Reserves a worker for one operation. @throws errors of `make`; SandboxProblem if too many are reserved for too long */
  async take(kind: WorkerKind<W>): Promise<W> {
    const held = this.fresh(kind).shift() ?? (await this.acquire(kind));
    this.taken.set(held.worker, held);
    this.makeSpareLater(kind);
    return held.worker;
  }

  /** Call when all processes of the worker have exited. */
  release(worker: W): void {
    const held = this.taken.get(worker);
    if (held === undefined) return;
    this.taken.delete(worker);
    this.keep(held);
    this.makeForWaiters();
  }

  /** Ends the workers; their programs continue. */
  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.spares.values()) clearTimeout(timer);
    for (const { reject } of this.waiters) reject(closedProblem());
    this.waiters = [];
    const workers = [...[...this.idle.values()].flat(), ...this.taken.values()].map(({ worker }) => worker);
    this.idle.clear();
    this.taken.clear();
    await Promise.all(workers.map((worker) => worker.close()));
  }

  /** The next worker that is created or released. */
  private async acquire(kind: WorkerKind<W>): Promise<Held<W>> {
    if (this.closed) throw closedProblem();
    let deadline: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Held<W>>((resolve, reject) => {
        const waiter = { kind, resolve, reject };
        deadline = setTimeout(() => {
          this.waiters = this.waiters.filter((other) => other !== waiter);
          reject(tooMany());
        }, LONGEST_WAIT_MS);
        this.waiters.push(waiter);
        this.makeForWaiters();
      });
    } finally {
      clearTimeout(deadline);
    }
  }

  private makeForWaiters(): void {
    for (const { kind } of this.waiters) {
      const full = this.making.length >= MADE_AT_ONCE || this.taken.size + this.making.length >= MOST_WORKERS;
      if (full) return;
      const count = (kinds: readonly { readonly key: string }[]) =>
        kinds.filter(({ key }) => key === kind.key).length;
      const wanted = count(this.waiters.map((waiter) => waiter.kind));
      if (count(this.making) < Math.min(wanted, MADE_AT_ONCE_PER_KIND)) void this.makeOne(kind);
    }
  }

  private async makeOne(kind: WorkerKind<W>): Promise<void> {
    this.making.push(kind);
    try {
      // Taken before the rules are made, so that a change in between is noticed.
      const stamp = kind.stamp();
      this.keep({ worker: await kind.make(), kind, stamp });
    } catch (error) {
      // Other waiters of this kind get the results of later attempts.
      this.next(kind.key)?.reject(error);
    } finally {
      this.making.splice(this.making.indexOf(kind), 1);
      this.makeForWaiters();
    }
  }

  private next(key: string): Waiter<W> | undefined {
    const index = this.waiters.findIndex(({ kind }) => kind.key === key);
    return index === -1 ? undefined : this.waiters.splice(index, 1)[0];
  }

  /** Gives a worker to a waiter of its kind, or keeps it as idle. */
  private keep(held: Held<W>): void {
    const { worker, kind, stamp } = held;
    if (this.closed || worker.isGone || stamp !== kind.stamp()) {
      end(worker);
      return;
    }
    const waiter = this.next(kind.key);
    if (waiter !== undefined) {
      waiter.resolve(held);
      return;
    }
    // The most recently used kinds come last.
    const ready = [...(this.idle.get(kind.key) ?? []), held];
    this.idle.delete(kind.key);
    this.idle.set(kind.key, ready);
    while (ready.length > IDLE_PER_KIND) end(ready.shift()?.worker);
    const count = [...this.idle.values()].reduce((sum, workers) => sum + workers.length, 0);
    for (let surplus = count - IDLE_OVER_ALL; surplus > 0; surplus -= 1) {
      const oldest = [...this.idle.values()].find((workers) => workers.length > 0);
      end(oldest?.shift()?.worker);
    }
  }

  private makeSpareLater(kind: WorkerKind<W>): void {
    if (this.spares.has(kind.key)) return;
    const timer = setTimeout(() => {
      this.spares.delete(kind.key);
      // The next request will report the error.
      if (!this.closed) this.prepare(kind).catch(() => undefined);
    }, SPARE_AFTER_MS);
    timer.unref();
    this.spares.set(kind.key, timer);
  }

  /** The usable idle workers of a kind; others are ended. */
  private fresh(kind: WorkerKind<W>): Held<W>[] {
    const stamp = kind.stamp();
    const all = this.idle.get(kind.key) ?? [];
    const usable = all.filter((held) => !held.worker.isGone && held.stamp === stamp);
    for (const held of all) if (!usable.includes(held)) end(held.worker);
    this.idle.set(kind.key, usable);
    return usable;
  }
}

function end(worker: PooledWorker | undefined): void {
  worker?.close().catch(() => undefined);
}

function tooMany(): SandboxProblem {
  return new SandboxProblem({
    message: `The operation could not start within ${LONGEST_WAIT_MS / 1000} s, because at most ${MOST_WORKERS} can run at once.`,
    suggestion: 'Wait until one ends, or cancel one.',
  });
}

function closedProblem(): SandboxProblem {
  return new SandboxProblem({
    message: 'Nothing can be started, because this process is about to exit.',
    suggestion: 'Try again; a new one will be started.',
  });
}
