import { mentionParameter } from '../../../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../../../model/effects/errors.ts';
import type { X11Wire } from '../../wire.ts';
import { sendBytes } from '../../x11-library.ts';
import type { XkbExtension, XkbState } from '../../x11-library.ts';
import { KeyboardMap } from './keyboard-map.ts';
import { decodeMap, encodeGetMap, encodeSetKeys } from './xkb-map.ts';
import type { XkbMap } from './xkb-map.ts';

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
    throw new DeskterityError(
      'ACTION_NOT_SUPPORTED',
      `The display ${wire.display} does not report its keyboard layout.`,
      {
        suggestion: `Use an X server with the XKEYBOARD extension, or act through accessibility: ${mentionParameter('mode', 'background')}.`,
        delivered: false,
      },
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
    const synced = this.#wire.request((client, done) => {
      client.GetInputFocus(done);
    });
    await Promise.all([accepted, synced]);
  }

  /** Locks exactly `modifiers` of those in `affected`, and the group; clears latches. */
  lock(affected: number, modifiers: number, group: number): void {
    this.#wire.send(() => {
      this.#xkb.LatchLockState(CORE_KEYBOARD, affected, modifiers, true, group, ALL_MODIFIERS, 0, true, 0);
    });
  }
}
