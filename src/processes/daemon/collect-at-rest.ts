import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_MS = 3000;
/** So many looks in a row without work. */
const LOOKS_AT_REST = 2;
/** Work between two looks that counts as rest, such as the events of a clock. */
const REST_CPU_MS = 60;
/** V8 keeps the pages that a collection has freed, for the next one to give them back. */
const AGAIN_MS = 500;
/** What less work than this leaves behind is not worth a collection, which takes about 40 ms. */
const WORTH_CPU_MS = 300;

export interface RestParts {
  /** Processor time of this process so far. */
  readonly cpuMs: () => number;
  /** `new`: only objects that were made since the last collection, which takes some 3 ms. */
  readonly collect: (which: 'new' | 'all') => void;
}

/**
 * Collects garbage when this process is at rest after work. V8 does so only when it makes new objects: after 500 commands the daemon kept 180 MB, with
 * 27 MB in use, until the next one. A smaller limit on the heap instead would cost time in each reading of a large window.
 */
export function collectAtRest(parts: RestParts = { cpuMs, collect: collector() }): () => void {
  let seenMs = parts.cpuMs();
  let collectedMs = 0;
  let looksAtRest = 0;
  const timer = setInterval(() => {
    const nowMs = parts.cpuMs();
    const isAtRest = nowMs - seenMs <= REST_CPU_MS;
    looksAtRest = isAtRest ? looksAtRest + 1 : 0;
    seenMs = nowMs;
    if (!isAtRest) {
      // A collection gives back the 32 MB for new objects only if few were made in the five seconds before it, and all since the one before it count.
      parts.collect('new');
      return;
    }
    if (looksAtRest < LOOKS_AT_REST || nowMs - collectedMs < WORTH_CPU_MS) return;
    parts.collect('all');
    seenMs = parts.cpuMs();
    collectedMs = seenMs;
    setTimeout(() => parts.collect('all'), AGAIN_MS).unref();
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Node offers no call for it. The flag is taken back, since V8 takes what it had compiled only with the flags it was compiled with. */
function collector(): RestParts['collect'] {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return (which) => {
    if (typeof collect !== 'function') return;
    // With any argument, Node 20 collects new objects only.
    if (which === 'all') collect();
    else collect({ type: 'minor' });
  };
}
