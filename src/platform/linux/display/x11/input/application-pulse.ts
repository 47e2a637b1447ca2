import { setTimeout as sleep } from 'node:timers/promises';
import { numbersOf, readProperty } from '../properties.ts';
import type { X11Wire } from '../wire.ts';
import type { WindowAttributes } from '../x11-library.ts';

/** Answers are sent to the root window: by GTK to those who asked for SubstructureNotify, by Qt to those who asked for StructureNotify. */
const ANSWERS = 0xa_0000;
/** A toolkit's focus window lies at most a few levels below the one it answers for. */
const MAX_LEVELS = 8;
const ROOT_OR_NONE = 1;

/**
 * Tells when the application with the focus has read all events sent so far: it answers the _NET_WM_PING of a window manager in its turn,
 * after them. Most toolkits do; without an answer only waiting is left.
 */
export class ApplicationPulse {
  readonly #wire: X11Wire;
  readonly #ping: number;
  #count = 0;

  private constructor(wire: X11Wire, ping: number) {
    this.#wire = wire;
    this.#ping = ping;
  }

  static async open(wire: X11Wire): Promise<ApplicationPulse> {
    return new ApplicationPulse(wire, await wire.internAtom('_NET_WM_PING'));
  }

  /** `none` at once when the application does not answer pings at all. */
  async beat(deadlineMs: number, signal?: AbortSignal): Promise<'answered' | 'late' | 'none'> {
    const window = await this.#answering();
    if (window === undefined) return 'none';
    await this.#listen();
    const token = (this.#count += 1);
    const protocols = this.#wire.atom('WM_PROTOCOLS');
    const isOver = new AbortController();
    const stops = signal === undefined ? [isOver.signal] : [isOver.signal, signal];
    const late = sleep(deadlineMs, 'late' as const, { signal: AbortSignal.any(stops) }).catch(
      () => 'late' as const,
    );
    let stopListening = (): void => undefined;
    const answered = new Promise<'answered'>((resolve) => {
      stopListening = this.#wire.onEvent(({ name, message_type: type, data }) => {
        if (name !== 'ClientMessage' || type !== protocols || data === undefined) return;
        if (data[0] === this.#ping && data[1] === token && data[2] === window) resolve('answered');
      });
    });
    try {
      await this.#wire.attempt<undefined>((client, done) => {
        client.SendClientMessage(window, window, protocols, 32, [this.#ping, token, window, 0, 0], 0, done);
      });
      return await Promise.race([answered, late]);
    } finally {
      stopListening();
      isOver.abort();
    }
  }

  /** The window around the focus that takes pings. */
  async #answering(): Promise<number | undefined> {
    let { focus: window } = await this.#wire.request<{ readonly focus: number }>((client, done) => {
      client.GetInputFocus(done);
    });
    for (
      let level = 0;
      level < MAX_LEVELS && window > ROOT_OR_NONE && window !== this.#wire.root;
      level += 1
    ) {
      const at = window;
      const [protocols, tree] = await Promise.all([
        readProperty(this.#wire, at, 'WM_PROTOCOLS'),
        this.#wire.attempt<{ readonly parent: number }>((client, done) => {
          client.QueryTree(at, done);
        }),
      ]);
      if (numbersOf(protocols).includes(this.#ping)) return at;
      window = tree?.parent ?? 0;
    }
    return undefined;
  }

  async #listen(): Promise<void> {
    const attributes = await this.#wire.request<WindowAttributes>((client, done) => {
      client.GetWindowAttributes(this.#wire.root, done);
    });
    if ((attributes.myEventMasks & ANSWERS) === ANSWERS) return;
    const eventMask = attributes.myEventMasks | ANSWERS;
    await this.#wire.request<undefined>((client, done) => {
      client.ChangeWindowAttributes(this.#wire.root, { eventMask }, done);
    });
  }
}
