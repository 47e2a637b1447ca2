import { DeskterityError } from '../model/errors.ts';
import type { CallSettings } from './host.ts';
import type { SessionPlace } from './session-registry.ts';

/** For a watch to become live. */
const START_DEADLINE_MS = 5000;

/** What somebody wants to be told of. */
export interface WatchTopic {
  readonly app?: string | undefined;
}

/** Everybody who waits for changes on a desktop. */
export class Watches {
  private readonly open = new Set<() => void>();

  /** As a phrase: what the process is needed for. */
  get why(): readonly string[] {
    const { size } = this.open;
    return size === 0 ? [] : [`${size} ${size === 1 ? 'watch' : 'watches'}`];
  }

  /** Resolves when the watch is live. @throws DeskterityError */
  async start(
    place: Pick<SessionPlace, 'engine'>,
    topic: WatchTopic,
    listener: () => void,
    { signal }: Pick<CallSettings, 'signal'>,
  ): Promise<() => void> {
    let stop: (() => void) | undefined;
    let isOver = false;
    const end = (): void => {
      isOver = true;
      this.open.delete(end);
      signal?.removeEventListener('abort', end);
      stop?.();
      stop = undefined;
    };
    // It counts from now on: the process must not leave while the watch is being set up.
    this.open.add(end);
    try {
      const engine = await place.engine();
      stop = await engine.watch({ app: topic.app, deadlineMs: START_DEADLINE_MS, signal }, () => {
        if (!isOver) listener();
      });
    } catch (error) {
      end();
      throw error;
    }
    // Closed or given up meanwhile.
    if (isOver || signal?.aborted === true) {
      end();
      throw new DeskterityError('CANCELLED', 'The watch was ended before it had begun.', {
        suggestion: 'Begin it again when it is wanted.',
      });
    }
    signal?.addEventListener('abort', end, { once: true });
    return end;
  }

  close(): void {
    for (const end of this.open) end();
  }
}
