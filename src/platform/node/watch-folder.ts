import { statSync, watch } from 'node:fs';
import type { BigIntStats, FSWatcher } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** How often a watch that the system does not give is looked after; also how often one is checked that may have lost its folder. */
const LOOK_AFTER_MS = 2000;

/**
 * Watches a folder that need not be there yet: meanwhile the nearest one above it is watched. A folder that is removed and made again is
 * another one to the system, so the watch is put up anew.
 */
export function watchFolder(folder: string, listener: () => void): () => void {
  const wanted = resolve(folder);
  let watcher: FSWatcher | undefined;
  let watched: { readonly path: string; readonly identity: string } | undefined;
  let hasEnded = false;

  const drop = () => {
    watcher?.close();
    watcher = undefined;
    watched = undefined;
  };
  const settle = () => {
    const nearest = nearestFolder(wanted);
    if (watched !== undefined && watched.path === nearest?.path && watched.identity === nearest.identity)
      return;
    const before = watched;
    drop();
    if (nearest !== undefined) {
      try {
        watcher = watch(nearest.path, { persistent: false }, heard);
        watcher.on('error', drop);
        watched = nearest;
      } catch {
        // No watches left, or the folder has gone again: the timer tries once more.
        return;
      }
    }
    // What was put there before the watch was up made no event.
    if (before !== undefined) listener();
    if (nearest !== undefined && nearestFolder(wanted)?.path !== nearest.path) settle();
  };
  const heard = () => {
    if (hasEnded) return;
    settle();
    if (watched?.path === wanted) listener();
  };

  settle();
  // Not everything makes an event, such as a file system of another machine that goes away.
  const timer = setInterval(settle, LOOK_AFTER_MS);
  timer.unref();
  return () => {
    hasEnded = true;
    clearInterval(timer);
    drop();
  };
}

/** The folder itself, or the nearest one above it that is there; `undefined` where there is none. */
function nearestFolder(path: string): { readonly path: string; readonly identity: string } | undefined {
  for (let at = path; ; at = dirname(at)) {
    const facts = factsOf(at);
    if (facts?.isDirectory() === true) return { path: at, identity: `${facts.dev}:${facts.ino}` };
    if (at === dirname(at)) return undefined;
  }
}

function factsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false, bigint: true });
  } catch {
    return undefined;
  }
}
