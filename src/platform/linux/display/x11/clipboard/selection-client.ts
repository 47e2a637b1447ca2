import type { CallOptions } from '../../../../../ports/call-options.ts';
import { INPUT_ONLY, PROPERTY_CHANGE, type XEvent } from '../x11-library.ts';
import { REPLACE } from '../properties.ts';
import { X11Wire, type ConnectOptions } from '../wire.ts';

const APPEND = 2;

/** The clipboard, or a selection that no other program uses and that has no clipboard manager. */
export type ClipboardName = 'CLIPBOARD' | '_DESKTERITY_PROBE_CLIPBOARD';

/** A connection with an invisible window, as selections require. The server cleans up when the connection closes. */
export class SelectionClient {
  readonly wire: X11Wire;
  readonly window: number;
  /** The selections. */
  readonly clipboard: number;
  readonly manager: number;

  private constructor(wire: X11Wire, clipboard: ClipboardName) {
    this.wire = wire;
    this.window = wire.allocateId();
    this.clipboard = wire.atom(clipboard);
    this.manager = wire.atom(`${clipboard}_MANAGER`);
  }

  /**
   * @param clipboard the selection to use as the clipboard
   * @throws DeskterityError DISPLAY_UNAVAILABLE
   */
  static async open(
    display: string,
    options: ConnectOptions,
    clipboard: ClipboardName = 'CLIPBOARD',
  ): Promise<SelectionClient> {
    const wire = await X11Wire.connect(display, options);
    try {
      const client = new SelectionClient(wire, clipboard);
      await createInputOnlyWindow(wire, client.window);
      return client;
    } catch (error) {
      wire.close();
      throw error;
    }
  }

  /** The server time, for the timestamp of a claim or request: the latest wins. */
  async now(): Promise<number> {
    const stamp = this.wire.atom('_DESKTERITY_TIME');
    return new Promise<number>((resolve, reject) => {
      const stopLoss = this.wire.onLoss(reject);
      const stop = this.wire.onEvent(({ name, wid, atom, time }) => {
        if (name !== 'PropertyNotify' || wid !== this.window || atom !== stamp || time === undefined) return;
        stop();
        stopLoss();
        resolve(time);
      });
      this.wire
        .call('ChangeProperty', APPEND, this.window, stamp, this.wire.atom('INTEGER'), 32, Buffer.alloc(0))
        .catch((error: unknown) => {
          stop();
          stopLoss();
          reject(error instanceof Error ? error : new Error(String(error)));
        });
    });
  }

  /** The window that owns a selection; 0 for none. */
  ownerOf(selection: number): Promise<number> {
    return this.wire.call('GetSelectionOwner', selection);
  }

  /** Requests a selection's data in this form, to be put into our property `_DESKTERITY_SELECTION`. */
  async convert(selection: number, target: number): Promise<void> {
    const property = this.wire.atom('_DESKTERITY_SELECTION');
    const time = await this.now();
    await this.wire.call('ConvertSelection', this.window, selection, target, property, time);
  }

  /** Whether it was set: another client's window may be gone. Atoms are four-byte numbers. */
  setProperty(
    window: number,
    property: number,
    value: { readonly type: number; readonly format: 8 | 32; readonly data: Uint8Array },
  ): Promise<boolean> {
    const { type, format, data } = value;
    return this.wire.accepts('ChangeProperty', REPLACE, window, property, type, format, data);
  }

  close(): void {
    this.wire.close();
  }
}

/** Creates an invisible window that reports changes of its properties. */
export function createInputOnlyWindow(wire: X11Wire, id: number): Promise<undefined> {
  const values = { eventMask: PROPERTY_CHANGE };
  return wire.call('CreateWindow', id, wire.root, -1, -1, 1, 1, 0, 0, INPUT_ONLY, 0, values);
}

/** Bounds the memory if another client floods us with events. */
const MAX_WAITING = 1000;

/** Events in order of arrival, each taken once. */
export class EventQueue {
  readonly #waiting: XEvent[] = [];
  readonly #stop: () => void;
  #wake: (() => void) | undefined;

  constructor(wire: X11Wire, isWanted: (event: XEvent) => boolean) {
    const stopEvents = wire.onEvent((event) => {
      if (!isWanted(event) || this.#waiting.length >= MAX_WAITING) return;
      this.#waiting.push(event);
      this.#wake?.();
    });
    const stopLoss = wire.onLoss(() => this.#wake?.());
    this.#stop = () => {
      stopEvents();
      stopLoss();
    };
  }

  /** `undefined` if none arrived in time, the caller cancelled or the connection was lost. */
  async next(options: CallOptions): Promise<XEvent | undefined> {
    const first = this.#waiting.shift();
    if (first !== undefined) return first;
    const { deadlineMs, signal } = options;
    if (deadlineMs <= 0 || signal?.aborted === true) return undefined;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(wake, deadlineMs);
      signal?.addEventListener('abort', wake, { once: true });
      this.#wake = wake;
    });
    return this.#waiting.shift();
  }

  end(): void {
    this.#stop();
    this.#wake?.();
  }
}
