import { randomBytes } from 'node:crypto';
import { liveDeadline } from '../../../model/live-deadline.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { ProbeEvent, ProbeWindow } from '../../../ports/probe-window.ts';
import type { Display } from '../display/display.ts';
import { noProbeWindow } from '../display/missing-parts.ts';
import type { Environment } from '../../../model/sessions/caller.ts';
import { PROBE_SIZE } from './probe-elements.ts';
import { ProbeTree } from './probe-tree.ts';

/** For a call from the accessibility bus for the window's position. */
const PLACE_MS = 1000;

/**
 * Shows a window with an accessibility tree. Both use separate connections, as an application's would.
 * @throws DeskterityError DISPLAY_UNAVAILABLE, BUS_UNAVAILABLE, TIMEOUT, CANCELLED; ACTION_NOT_SUPPORTED if the display has no windows
 */
export async function openProbe(
  { display, environment }: { readonly display: Display; readonly environment: Environment },
  call: CallOptions,
): Promise<ProbeWindow> {
  const options = liveDeadline(call, performance);
  const title = `Deskterity probe ${randomBytes(2).toString('hex')}`;
  const log = new ProbeLog();
  if (display.openProbe === undefined) throw noProbeWindow();
  const surface = await display.openProbe(
    { title, size: PROBE_SIZE, onEvent: (event) => log.add(event) },
    { deadlineMs: options.deadlineMs, signal: options.signal },
  );
  let tree: ProbeTree;
  try {
    tree = await ProbeTree.open(
      environment['DBUS_SESSION_BUS_ADDRESS'],
      {
        title,
        origin: () => surface.bounds({ deadlineMs: PLACE_MS }),
        onPress: () => log.add({ kind: 'pressed' }),
      },
      options,
    );
  } catch (error) {
    await surface.close();
    throw error;
  }
  surface.onLoss(() => log.end());
  tree.onLoss(() => log.end());
  return {
    title,
    windowId: surface.windowId,
    elements: tree.elements,
    colour: surface.colour,
    remedies: surface.remedies,
    clipboard: surface.clipboard,
    get content() {
      return tree.content;
    },
    record: log.events,
    until: (isWanted, waiting) => log.until(isWanted, waiting),
    toggle: () => tree.toggle(),
    bounds: (options) => surface.bounds(options),
    hasKeyboard: (options) => surface.hasKeyboard(options),
    cover: (options) => surface.cover(options),
    close: async () => {
      log.end();
      await Promise.all([surface.close(), tree.close()]);
    },
  };
}

/** Bounds the memory if a client floods the probe. */
const MAX_EVENTS = 10_000;

/** What reached the probe, in order. */
class ProbeLog {
  readonly #events: ProbeEvent[] = [];
  readonly #waiting = new Set<() => void>();
  #isOver = false;

  get events(): readonly ProbeEvent[] {
    return this.#events;
  }

  add(event: ProbeEvent): void {
    if (this.#events.length < MAX_EVENTS) this.#events.push(event);
    this.#wake();
  }

  /** No further events will arrive. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** See `ProbeWindow.until`. */
  async until(
    isWanted: (record: readonly ProbeEvent[]) => boolean,
    { deadlineMs, signal }: CallOptions,
  ): Promise<boolean> {
    const end = performance.now() + deadlineMs;
    for (;;) {
      if (isWanted(this.#events)) return true;
      const leftMs = end - performance.now();
      if (this.#isOver || leftMs <= 0 || signal?.aborted === true) return false;
      await this.#next(leftMs, signal);
    }
  }

  #next(limitMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, limitMs);
      signal?.addEventListener('abort', wake, { once: true });
      this.#waiting.add(wake);
    });
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}
