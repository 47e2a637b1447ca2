import { mentionParameter } from '../../../../../../model/text/mention.ts';
import { unsupported } from '../../../../failures.ts';
import type { X11Wire } from '../../wire.ts';
import type { Callback, Client, XkbExtension, XkbState } from '../../x11-library.ts';
import { KeyboardMap } from './keyboard-map.ts';
import { decodeMap, encodeGetMap, encodeSetKeys, type XkbMap } from './xkb-map.ts';

const CORE_KEYBOARD = 0x100;
const ALL_MODIFIERS = 0xff;

/** Requests to the X Keyboard Extension. */
export class XkbRequests {
  readonly #wire: X11Wire;
  readonly #xkb: XkbExtension;

  private constructor(wire: X11Wire, xkb: XkbExtension) {
    this.#wire = wire;
    this.#xkb = xkb;
  }

  /** @throws DeskterityError ACTION_NOT_SUPPORTED if the server does not have it */
  static async open(wire: X11Wire): Promise<XkbRequests> {
    const xkb = await wire.extension('xkb');
    if (xkb) return new XkbRequests(wire, xkb);
    throw unsupported(
      `The display ${wire.display} does not report its keyboard layout.`,
      `Use an X server with the XKEYBOARD extension, or act through accessibility: ${mentionParameter('mode', 'background')}.`,
    );
  }

  /** One round trip. */
  async read(): Promise<KeyboardMap> {
    const [reply, state] = await Promise.all([
      this.#wire.request<Buffer>((client, done) => {
        sendBytes(client, encodeGetMap(this.#xkb.majorOpcode), 'reply', done);
      }),
      this.#wire.request<XkbState>((_client, done) => {
        this.#xkb.GetState(CORE_KEYBOARD, done);
      }),
    ]);
    return new KeyboardMap(decodeMap(reply), state);
  }

  /** Resolves when the server has processed it. */
  async setKeys(map: XkbMap, changes: ReadonlyMap<number, Buffer>): Promise<void> {
    const accepted = this.#wire.request<unknown>((client, done) => {
      sendBytes(client, encodeSetKeys(this.#xkb.majorOpcode, map, changes), 'nothing', done);
    });
    await Promise.all([accepted, this.#wire.sync()]);
  }

  /** Locks exactly `modifiers` of those in `affected`, and the group; clears latches. */
  lock(affected: number, modifiers: number, group: number): void {
    this.#wire.send(() => {
      this.#xkb.LatchLockState(CORE_KEYBOARD, affected, modifiers, true, group, ALL_MODIFIERS, 0, true, 0);
    });
  }
}

/** Internals of the package. */
interface RawClient {
  seq_num: number;
  readonly replies: Record<number, readonly [((reply: Buffer) => Buffer) | undefined, Callback<Buffer>]>;
  readonly pack_stream: { put(bytes: Buffer): void; submit(expectsReply: boolean): void };
}

/**
 * Sends a request that the package does not support.
 * @param bytes the whole request, including its length field
 * @param done receives the reply from its ninth byte; without a reply it is called when a later reply shows that the request was accepted
 */
function sendBytes(
  client: Client,
  bytes: Buffer,
  expects: 'reply' | 'nothing',
  done: Callback<Buffer>,
): void {
  const raw = client as Client & RawClient;
  raw.seq_num += 1;
  raw.replies[raw.seq_num] = [expects === 'reply' ? (reply) => reply : undefined, done];
  raw.pack_stream.put(bytes);
  raw.pack_stream.submit(expects === 'reply');
}
