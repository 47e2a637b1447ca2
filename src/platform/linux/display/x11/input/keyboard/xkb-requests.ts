import { mentionParameter } from '../../../../../../model/text/mention.ts';
import { unsupported } from '../../../../failures.ts';
import { sendBytes } from '../../send-bytes.ts';
import type { X11Wire } from '../../wire.ts';
import type { XkbExtension, XkbState } from '../../x11-library.ts';
import { KeyboardMap } from './keyboard-map.ts';
import { decodeMap, encodeGetMap, encodeSetKeys, type XkbMap } from './xkb-map.ts';

const CORE_KEYBOARD = 0x100;
const ALL_MODIFIERS = 0xff;

/** Requests to the X Keyboard Extension. */
export class XkbRequests {
  readonly #wire: X11Wire;
  readonly #xkb: XkbExtension;
  readonly #layout: X11Wire;

  private constructor(wire: X11Wire, xkb: XkbExtension, layout: X11Wire) {
    this.#wire = wire;
    this.#xkb = xkb;
    this.#layout = layout;
  }

  /**
   * @param layout the connection whose keyboard has the layout; another one than `wire` if the keys are sent by a keyboard of our own: programs look up
   * in the layout of the user's what its keys mean
   * @throws DeskterityError ACTION_NOT_SUPPORTED if the server does not have it
   */
  static async open(wire: X11Wire, layout: X11Wire = wire): Promise<XkbRequests> {
    const xkb = await wire.extension('xkb');
    if (xkb) return new XkbRequests(wire, xkb, layout);
    throw unsupported(
      `The display ${wire.display} does not report its keyboard layout.`,
      `Use an X server with the XKEYBOARD extension, or act through accessibility: ${mentionParameter('mode', 'background')}.`,
    );
  }

  /** One round trip. */
  async read(): Promise<KeyboardMap> {
    const [reply, state] = await Promise.all([
      this.#layout.request<Buffer>((client, done) => {
        sendBytes(client, encodeGetMap(this.#xkb.majorOpcode), 'reply', done);
      }),
      this.#wire.request<XkbState>((_client, done) => {
        this.#xkb.GetState(CORE_KEYBOARD, done);
      }),
    ]);
    // A group of the layout may not exist on a keyboard of our own, which would send another one instead.
    return new KeyboardMap(decodeMap(reply), state, this.#layout === this.#wire);
  }

  /** Resolves when the server has processed it. */
  async setKeys(map: XkbMap, changes: ReadonlyMap<number, Buffer>): Promise<void> {
    const accepted = this.#layout.request<unknown>((client, done) => {
      sendBytes(client, encodeSetKeys(this.#xkb.majorOpcode, map, changes), 'nothing', done);
    });
    await Promise.all([accepted, this.#layout.sync()]);
  }

  /** Locks exactly `modifiers` of those in `affected`, and the group; clears latches. */
  lock(affected: number, modifiers: number, group: number): void {
    this.#wire.send(() => {
      this.#xkb.LatchLockState(CORE_KEYBOARD, affected, modifiers, true, group, ALL_MODIFIERS, 0, true, 0);
    });
  }
}
