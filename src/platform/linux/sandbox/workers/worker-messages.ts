import type { ConfinementPlan } from '../landlock/confine-thread.ts';
import type { Canary } from '../levels/functional-probe.ts';
import type { SpawnDetails } from '../processes/posix-spawn.ts';
import type { Problem } from '../problem.ts';

/** What a worker is made for. Without a plan it starts programs unconfined; with `observe` it starts nothing. */
export interface WorkerOrder {
  /** Descriptor that wakes an observer of denied accesses. */
  readonly observe?: number | undefined;
  readonly plan?: { readonly confinement: ConfinementPlan; readonly canary: Canary } | undefined;
  /** One 32-bit integer, which becomes 1 when the worker may start what it tries its confinement with. */
  readonly gate?: SharedArrayBuffer | undefined;
}

export interface SpawnOrder extends SpawnDetails {
  readonly id: number;
}

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'unusable'; readonly problem: Problem }
  | { readonly type: 'listening'; readonly listener: number }
  /** About to start a program of no operation, once the gate is open; then that it has ended. */
  | { readonly type: 'trying' }
  | { readonly type: 'tried' }
  | { readonly type: 'started'; readonly id: number; readonly pid: number }
  /** `code` such as `ENOENT`. */
  | { readonly type: 'not-started'; readonly id: number; readonly code: string };
