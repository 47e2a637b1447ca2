import { DeskterityError } from './effects/errors.ts';

/** One caller in a queue. */
interface QueuePlace {
  /** Whether somebody was there before. */
  readonly waits: boolean;
  /** Whether everybody before has left. */
  isFirst(): boolean;
  /** Resolves then. */
  readonly reached: Promise<void>;
  /** Leaves the queue, also from the middle; later calls do nothing. */
  leave(): void;
}

interface Entry {
  readonly arrive: () => void;
}

/** Callers that need the same thing, served one at a time in the order of their arrival. */
export class TurnQueue<Key> {
  readonly #queues = new Map<Key, Entry[]>();

  join(key: Key): QueuePlace {
    const queue = this.#queues.get(key) ?? [];
    this.#queues.set(key, queue);
    let arrive = (): void => undefined;
    const reached = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const entry: Entry = { arrive };
    queue.push(entry);
    const waits = queue.length > 1;
    if (!waits) arrive();
    return { waits, isFirst: () => queue[0] === entry, reached, leave: () => this.#leave(key, entry) };
  }

  #leave(key: Key, entry: Entry): void {
    const queue = this.#queues.get(key);
    const at = queue?.indexOf(entry) ?? -1;
    if (queue === undefined || at < 0) return;
    queue.splice(at, 1);
    if (queue.length === 0) this.#queues.delete(key);
    else if (at === 0) queue[0]?.arrive();
  }
}

/** How often a place in a queue is looked at by a clock. */
const LOOK_EVERY_MS = 10;

/**
 * Waits for a turn by a given clock.
 * @throws DeskterityError CONFLICT if somebody else still has it when time runs out
 */
export async function takeTurnBy<Key>(
  clock: { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> },
  { queue, key }: { readonly queue: TurnQueue<Key>; readonly key: Key },
  { deadlineMs, signal }: { readonly deadlineMs: number; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly waited: boolean; end(): void }> {
  const place = queue.join(key);
  const end = clock.now() + deadlineMs;
  try {
    while (!place.isFirst()) {
      if (clock.now() >= end) throw stillActing();
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
  } catch (error) {
    place.leave();
    throw error;
  }
  return { waited: place.waits, end: () => place.leave() };
}

/** The error for an act that another one kept from beginning. */
export function stillActing(cause?: unknown, processId?: number): DeskterityError {
  const byWhom = processId === undefined ? '' : ` by process ${processId}`;
  return new DeskterityError(
    'CONFLICT',
    `Nothing was sent: another act${byWhom} in this application was still under way.`,
    {
      suggestion:
        'Repeat the command later. Acts in one application run one after another, so that each is judged by its own effect.',
      retryable: true,
      delivered: false,
      cause,
    },
  );
}
