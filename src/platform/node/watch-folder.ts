import { statSync, watch, type BigIntStats, type FSWatcher } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** How often a failed watch is retried and a working one is checked for a replaced folder. */
const CHECK_MS = 2000;

/**
 * Watches a folder that may not exist yet: until it does, its nearest existing ancestor is watched. A folder that is removed and created
 * again is a new one to the system, so the watch is renewed.
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
        watcher = watch(nearest.path, { persistent: false }, onEvent);
        watcher.on('error', drop);
        watched = nearest;
      } catch {
        // The system has no watches left, or the folder no longer exists: the timer tries again.
        return;
      }
    }
    // Changes before the watch started caused no event.
    if (before !== undefined) listener();
    if (nearest !== undefined && nearestFolder(wanted)?.path !== nearest.path) settle();
  };
  const onEvent = () => {
    if (hasEnded) return;
    settle();
    if (watched?.path === wanted) listener();
  };

  settle();
  // Some changes cause no event, such as a disconnected network file system.
  const timer = setInterval(settle, CHECK_MS);
  timer.unref();
  return () => {
    hasEnded = true;
    clearInterval(timer);
    drop();
  };
}

/** The folder or its nearest existing ancestor; `undefined` if there is none. */
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
