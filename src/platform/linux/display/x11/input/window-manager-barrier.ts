import { setTimeout as sleep } from 'node:timers/promises';
import { createInputOnlyWindow } from '../clipboard/selection-client.ts';
import { numbersOf, readProperty } from '../properties.ts';
import type { X11Wire } from '../wire.ts';

/** SubstructureRedirect | SubstructureNotify, as EWMH wants for requests to the window manager. */
const TO_MANAGER = 0x18_0000;
/** Window managers answer within a few milliseconds. One that does not must not hold up the keys. */
const LIMIT_MS = 200;

/**
 * Waits until the window manager has processed what clients asked for so far, such as to show a dialog: a request for the extents of a frame
 * (EWMH, _NET_REQUEST_FRAME_EXTENTS) changes nothing, and is answered after everything before it.
 */
export class WindowManagerBarrier {
  readonly #wire: X11Wire;
  #window: Promise<number> | undefined;

  constructor(wire: X11Wire) {
    this.#wire = wire;
  }

  /** Returns at once without a window manager, or with one that does not support the request. */
  async pass(signal?: AbortSignal): Promise<void> {
    const wire = this.#wire;
    const request = wire.atom('_NET_REQUEST_FRAME_EXTENTS');
    const supported = numbersOf(await readProperty(wire, wire.root, '_NET_SUPPORTED'));
    if (!supported.includes(request)) return;
    this.#window ??= this.#createWindow();
    const window = await this.#window;
    const isOver = new AbortController();
    let stopListening = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      stopListening = wire.onEvent(({ name, wid, atom }) => {
        if (name === 'PropertyNotify' && wid === window && atom === wire.atom('_NET_FRAME_EXTENTS'))
          resolve();
      });
    });
    try {
      const stops = signal === undefined ? isOver.signal : AbortSignal.any([isOver.signal, signal]);
      const late = sleep(LIMIT_MS, undefined, { signal: stops }).catch(() => undefined);
      await wire.tryCall('SendClientMessage', wire.root, window, request, 32, [0, 0, 0, 0, 0], TO_MANAGER);
      await Promise.race([answered, late]);
    } finally {
      stopListening();
      isOver.abort();
    }
  }

  async #createWindow(): Promise<number> {
    const id = this.#wire.allocateId();
    await createInputOnlyWindow(this.#wire, id);
    return id;
  }
}
