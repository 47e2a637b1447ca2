import type { X11Wire } from '../wire.ts';

/** Parents by window, as the server has just named them; `undefined` for a window that is gone. */
export type Parents = ReadonlyMap<number, number | undefined>;

/** The parents of several windows; one round trip. */
export async function readParents(wire: X11Wire, windows: readonly number[]): Promise<Parents> {
  const trees = await Promise.all(windows.map((id) => wire.tryCall('QueryTree', id)));
  return new Map(windows.map((id, index) => [id, trees[index]?.parent]));
}

/** A window and its ancestors below the root, innermost first. */
export interface Lineage {
  readonly windows: readonly number[];
  /** A window in it was gone, so that those further out are missing. */
  readonly isBroken: boolean;
}

/**
 * Each parent that `known` lacks costs a round trip: callers ask for those of the last lineage together with what else they read, and reparenting
 * shows by one of them being another.
 */
export async function climb(wire: X11Wire, window: number, known: Parents, most = MOST): Promise<Lineage> {
  const windows: number[] = [];
  let current = window;
  while (current !== wire.root && current !== 0 && windows.length < most) {
    windows.push(current);
    const parent = known.has(current)
      ? known.get(current)
      : (await wire.tryCall('QueryTree', current))?.parent;
    if (parent === undefined) return { windows, isBroken: true };
    current = parent;
  }
  return { windows, isBroken: false };
}

/** An endless nesting must not block us. */
const MOST = 64;
