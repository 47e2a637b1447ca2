import { availableParallelism } from 'node:os';
import { SandboxProblem } from '../problem.ts';
import type { SpawnWorker } from './spawner.ts';

/** How to make a worker, and what it is good for. */
export interface WorkerKind<W> {
  /** Workers of one key are interchangeable. */
  readonly key: string;
  /** Changes when the places that its rules name are others: rules hold for what was there when they were made. */
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

/** Ready workers per kind, and over all kinds. Each is a thread with an engine of its own, about 8 MB. */
const IDLE_PER_KIND = 2;
const IDLE_OVER_ALL = 6;
/** More operations at once have to wait, so that the machine does not run out of memory. */
const MOST_WORKERS = 128;
/** So that none of many is so slow that it is given up. */
const MADE_AT_ONCE = 4;
/**
 * Of one kind: making one keeps a processor busy for as long as ten short programs take, and what those leave is there to be taken. For programs
 * that run long it makes no difference, as the processors are what they wait for.
 */
const MADE_AT_ONCE_PER_KIND = Math.min(MADE_AT_ONCE, Math.max(1, Math.floor(availableParallelism() / 4)));
/** A spare is made when the start that took the last one is through. */
const SPARE_AFTER_MS = 100;
const LONGEST_WAIT_MS = 30_000;

/**
 * Workers that are ready. One that has started something is taken until all of that is gone: what is below one thread shares its Landlock domain,
 * and could trace and signal each other.
 */
export class WorkerPool<W extends PooledWorker> {
  private readonly idle = new Map<string, Held<W>[]>();
  private readonly taken = new Map<W, Held<W>>();
  private readonly spares = new Map<string, NodeJS.Timeout>();
  private waiters: Waiter<W>[] = [];
  /** Kinds of which one is being made just now, once for each. */
  private making: WorkerKind<W>[] = [];
  private closed = false;

  /** Makes sure that a worker is ready. @throws what making one throws */
  async prepare(kind: WorkerKind<W>): Promise<void> {
    if (this.fresh(kind).length === 0) this.keep(await this.acquire(kind));
  }

  /** A worker for one operation alone. @throws what making one throws; SandboxProblem when too many are taken for too long */
  async take(kind: WorkerKind<W>): Promise<W> {
    const held = this.fresh(kind).shift() ?? (await this.acquire(kind));
    this.taken.set(held.worker, held);
    this.makeSpareLater(kind);
    return held.worker;
  }

  /** Everything that the worker has started is gone. */
  release(worker: W): void {
    const held = this.taken.get(worker);
    if (held === undefined) return;
    this.taken.delete(worker);
    this.keep(held);
    this.makeForWaiters();
  }

  /** Ends the workers; what they have started goes on. */
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

  /** The next that is made or given back. */
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
      // Before the rules are made: a change meanwhile counts as one.
      const stamp = kind.stamp();
      this.keep({ worker: await kind.make(), kind, stamp });
    } catch (error) {
      // Those who wait for the same are told by the next attempts, which are theirs.
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

  /** Hands a worker to whoever waits for one of its kind, or puts it by. */
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
    // Kinds that were used last stand last.
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
      // Whoever needs one hears of what goes wrong.
      if (!this.closed) this.prepare(kind).catch(() => undefined);
    }, SPARE_AFTER_MS);
    timer.unref();
    this.spares.set(kind.key, timer);
  }

  /** Those of a kind that can be used; others are ended. */
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
    message: `No place became free for another operation within ${LONGEST_WAIT_MS / 1000} s; ${MOST_WORKERS} run at once at most.`,
    suggestion: 'Wait until one has ended, or cancel one.',
  });
}

function closedProblem(): SandboxProblem {
  return new SandboxProblem({
    message: 'Nothing is started any more: this process is about to end.',
    suggestion: 'Try again; another one is started.',
  });
}
