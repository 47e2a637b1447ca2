import type { ConfinementPlan } from '../landlock/confine-thread.ts';
import type { Canary } from '../levels/functional-probe.ts';
import type { SpawnDetails } from '../processes/posix-spawn.ts';
import type { Problem } from '../problem.ts';

/** The task of a worker. Without a plan it starts unconfined programs; with `observe` it starts none. */
export interface WorkerOrder {
  /** Descriptor that wakes an observer of denied accesses. */
  readonly observe?: number | undefined;
  readonly plan?: { readonly confinement: ConfinementPlan; readonly canary: Canary } | undefined;
  /** One 32-bit integer, which becomes 1 when the worker may start its test program. */
  readonly gate?: SharedArrayBuffer | undefined;
}

export interface SpawnOrder extends SpawnDetails {
  readonly id: number;
}

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'unusable'; readonly problem: Problem }
  | { readonly type: 'listening'; readonly listener: number }
  /** The worker is about to start its test program once the gate opens; then, that program has exited. */
  | { readonly type: 'trying' }
  | { readonly type: 'tried' }
  | { readonly type: 'started'; readonly id: number; readonly pid: number }
  /** `code` such as `ENOENT`. */
  | { readonly type: 'not-started'; readonly id: number; readonly code: string };
