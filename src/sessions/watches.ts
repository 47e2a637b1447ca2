import type { DesktopEvent } from '../ports/desktop/events.ts';
import type { Engine } from '../engine/engine.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { SessionPlace } from './session-registry.ts';

/** For a watch to start. */
const START_DEADLINE_MS = 5000;
/** Pauses between attempts to find a lost desktop again; the last one repeats. */
const RETURN_PAUSES_MS = [250, 500, 1000, 2000, 5000, 10_000, 30_000];

/** The changes that a client watches. */
export interface WatchTopic {
  /** Name or pid of an application; default all. */
  readonly app?: string | undefined;
  /** Only windows and applications that open, close or become active; ignored with `app`. */
  readonly windowsOnly?: boolean | undefined;
  /** Only what the journal notes; excludes the other options. */
  readonly journal?: boolean | undefined;
  /** Only changes of the clipboard, without its content; excludes the other options. */
  readonly clipboard?: boolean | undefined;
}

type Place = Pick<SessionPlace, 'engine' | 'isOver' | 'noteWatch'>;

/** All watches for changes on desktops. */
export class Watches {
  private readonly clock: ClockPort;
  private readonly open = new Set<() => void>();

  constructor(clock: ClockPort) {
    this.clock = clock;
  }

  /** Why the process is still needed, as phrases. */
  get reasons(): readonly string[] {
    const { size } = this.open;
    return size === 0 ? [] : [`${size} ${size === 1 ? 'watch' : 'watches'}`];
  }

  /**
   * Resolves when the watch has started. It lasts until it is ended, the signal is aborted or the session ends. The listener is also called when
   * the desktop is lost and when it is back. @throws DeskterityError
   */
  async start(
    place: Place,
    topic: WatchTopic,
    listener: () => void,
    { signal }: { readonly signal?: AbortSignal | undefined },
  ): Promise<() => void> {
    const watch = new Watch(this.clock, place, topic, listener);
    let forget = (): void => undefined;
    const end = (): void => {
      this.open.delete(end);
      forget();
      signal?.removeEventListener('abort', end);
      watch.end();
    };
    // Counts from now on: the process must not exit while the watch is starting.
    this.open.add(end);
    watch.onOver = end;
    signal?.addEventListener('abort', end, { once: true });
    try {
      if (signal?.aborted === true) throw endedEarly();
      await watch.begin();
      forget = place.noteWatch();
      // It may have ended before it was noted.
      if (!this.open.has(end)) forget();
      return end;
    } catch (error) {
      end();
      throw error;
    }
  }

  close(): void {
    for (const end of this.open) end();
  }
}

class Watch {
  onOver: () => void = () => undefined;
  private readonly clock: ClockPort;
  private readonly place: Place;
  private readonly topic: WatchTopic;
  private readonly listener: () => void;
  private readonly ending = new AbortController();
  private stop: (() => void) | undefined;

  constructor(clock: ClockPort, place: Place, topic: WatchTopic, listener: () => void) {
    this.clock = clock;
    this.place = place;
    this.topic = topic;
    this.listener = listener;
  }

  async begin(awaitsApp = false): Promise<void> {
    const { signal } = this.ending;
    const engine: Engine = await this.place.engine();
    if (signal.aborted) throw endedEarly();
    let isLost = false;
    const stop = await engine.watch(
      { ...this.topic, awaitsApp, deadlineMs: START_DEADLINE_MS, signal },
      ({ kind }: DesktopEvent) => {
        if (signal.aborted || isLost) return;
        isLost = kind === 'desktop-lost';
        if (isLost) void this.returnLater();
        this.listener();
      },
    );
    if (!signal.aborted && !isLost) {
      this.stop = stop;
      return;
    }
    stop();
    if (signal.aborted) throw endedEarly();
  }

  end(): void {
    this.ending.abort();
    this.stop?.();
    this.stop = undefined;
  }

  /** Resumes when the desktop is back; ends if the session has ended. */
  private async returnLater(): Promise<void> {
    this.stop?.();
    this.stop = undefined;
    const { signal } = this.ending;
    for (let attempt = 0; ; attempt++) {
      const pause = RETURN_PAUSES_MS[Math.min(attempt, RETURN_PAUSES_MS.length - 1)] ?? START_DEADLINE_MS;
      try {
        await this.clock.sleep(pause, signal);
        await this.begin(true);
        break;
      } catch (error) {
        if (signal.aborted) return;
        if (this.place.isOver || isOver(error)) {
          this.onOver();
          break;
        }
      }
    }
    this.listener();
  }
}

function isOver(error: unknown): boolean {
  return error instanceof DeskterityError && error.code === 'SESSION_NOT_FOUND';
}

function endedEarly(): DeskterityError {
  return new DeskterityError('CANCELLED', 'The watch was ended before it had started.', {
    suggestion: 'Start it again when you need it.',
  });
}
