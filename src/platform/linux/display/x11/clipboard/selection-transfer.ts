import { words } from '../properties.ts';
import { PROPERTY_CHANGE, STRUCTURE_NOTIFY } from '../x11-library.ts';
import type { SelectionClient } from './selection-client.ts';

/** Larger data is sent in pieces of this size, half of the maximum request size. */
export const PIECE_BYTES = 128 * 1024;
/** Maximum time without progress by the reader. */
const STALL_MS = 30_000;
const DELETED = 1;

export interface TransferRequest {
  readonly requestor: number;
  readonly property: number;
  readonly type: number;
  readonly data: Buffer;
}

/** Sends large data piece by piece (INCR): the next piece when the reader has deleted the last one. */
export class Transfer {
  readonly #client: SelectionClient;
  readonly #request: TransferRequest;
  readonly #onEnd: (transfer: Transfer) => void;
  #stop: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sent = 0;
  #isLastSent = false;

  constructor(client: SelectionClient, request: TransferRequest, onEnd: (transfer: Transfer) => void) {
    this.#client = client;
    this.#request = request;
    this.#onEnd = onEnd;
  }

  /** Resolves to whether the reader exists. */
  async begin(): Promise<boolean> {
    const { requestor, property, data } = this.#request;
    this.#stop = this.#client.wire.onEvent(({ name, wid, atom, state }) => {
      if (wid !== requestor) return;
      if (name === 'DestroyNotify') this.end();
      else if (name === 'PropertyNotify' && atom === property && state === DELETED) void this.#sendNext();
    });
    this.#restartTimer();
    const [isWatched, isSet] = await Promise.all([
      this.#client.wire.accepts('ChangeWindowAttributes', requestor, {
        eventMask: PROPERTY_CHANGE | STRUCTURE_NOTIFY,
      }),
      this.#client.setProperty(requestor, property, {
        type: this.#client.wire.atom('INCR'),
        format: 32,
        data: words([data.length]),
      }),
    ]);
    if (!isWatched || !isSet) this.end();
    return isWatched && isSet;
  }

  end(): void {
    if (this.#stop === undefined) return;
    this.#stop();
    this.#stop = undefined;
    clearTimeout(this.#timer);
    this.#onEnd(this);
  }

  async #sendNext(): Promise<void> {
    if (this.#isLastSent) {
      this.end();
      return;
    }
    const { requestor, property, type, data } = this.#request;
    const piece = data.subarray(this.#sent, this.#sent + PIECE_BYTES);
    this.#sent += piece.length;
    // An empty piece marks the end.
    this.#isLastSent = piece.length === 0;
    this.#restartTimer();
    const value = { type, format: 8, data: piece } as const;
    const isSet = await this.#client.setProperty(requestor, property, value).catch(() => false);
    if (!isSet) this.end();
  }

  #restartTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(), STALL_MS);
    this.#timer.unref();
  }
}
