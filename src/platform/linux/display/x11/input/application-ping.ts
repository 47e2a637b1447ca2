import { setTimeout as sleep } from 'node:timers/promises';
import { numbersOf, readProperty } from '../properties.ts';
import type { X11Wire } from '../wire.ts';

/** Replies are sent to the root window: by GTK with SubstructureNotify, by Qt with StructureNotify. */
const REPLY_EVENTS = 0xa_0000;
/** A toolkit's focus window is at most a few levels below the window that accepts pings. */
const MAX_LEVELS = 8;
const ROOT_OR_NONE = 1;

/**
 * Detects when the focused application has read all events sent so far: it replies to _NET_WM_PING (EWMH) after them. Most
 * toolkits do; without a reply we can only wait.
 */
export class ApplicationPing {
  readonly #wire: X11Wire;
  readonly #ping: number;
  #count = 0;

  constructor(wire: X11Wire) {
    this.#wire = wire;
    this.#ping = wire.atom('_NET_WM_PING');
  }

  /** `unsupported` immediately if the application does not support pings. */
  async send(deadlineMs: number, signal?: AbortSignal): Promise<'replied' | 'late' | 'unsupported'> {
    const window = await this.#pingableWindow();
    if (window === undefined) return 'unsupported';
    await this.#selectReplies();
    const token = (this.#count += 1);
    const protocols = this.#wire.atom('WM_PROTOCOLS');
    const isOver = new AbortController();
    const stops = signal === undefined ? [isOver.signal] : [isOver.signal, signal];
    const late = sleep(deadlineMs, 'late' as const, { signal: AbortSignal.any(stops) }).catch(
      () => 'late' as const,
    );
    let stopListening = (): void => undefined;
    const replied = new Promise<'replied'>((resolve) => {
      stopListening = this.#wire.onEvent(({ name, message_type: type, data }) => {
        if (name !== 'ClientMessage' || type !== protocols || data === undefined) return;
        if (data[0] === this.#ping && data[1] === token && data[2] === window) resolve('replied');
      });
    });
    try {
      const data = [this.#ping, token, window, 0, 0];
      await this.#wire.tryCall('SendClientMessage', window, window, protocols, 32, data, 0);
      return await Promise.race([replied, late]);
    } finally {
      stopListening();
      isOver.abort();
    }
  }

  /** The focused window or its nearest ancestor that supports pings. */
  async #pingableWindow(): Promise<number | undefined> {
    let { focus: window } = await this.#wire.call('GetInputFocus');
    for (
      let level = 0;
      level < MAX_LEVELS && window > ROOT_OR_NONE && window !== this.#wire.root;
      level += 1
    ) {
      const at = window;
      const [protocols, tree] = await Promise.all([
        readProperty(this.#wire, at, 'WM_PROTOCOLS'),
        this.#wire.tryCall('QueryTree', at),
      ]);
      if (numbersOf(protocols).includes(this.#ping)) return at;
      window = tree?.parent ?? 0;
    }
    return undefined;
  }

  async #selectReplies(): Promise<void> {
    const attributes = await this.#wire.call('GetWindowAttributes', this.#wire.root);
    if ((attributes.myEventMasks & REPLY_EVENTS) === REPLY_EVENTS) return;
    const eventMask = attributes.myEventMasks | REPLY_EVENTS;
    await this.#wire.call('ChangeWindowAttributes', this.#wire.root, { eventMask });
  }
}
