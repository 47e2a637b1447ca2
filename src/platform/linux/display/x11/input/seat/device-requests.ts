import { mentionParameter } from '../../../../../../model/text/mention.ts';
import { unsupported } from '../../../../failures.ts';
import { sendBytes } from '../../send-bytes.ts';
import type { X11Wire } from '../../wire.ts';
import type { Extensions, InputDevice } from '../../x11-library.ts';
import {
  decodeFocus,
  decodeFreeze,
  decodePointerChild,
  encodeAddMaster,
  encodeChangeCursor,
  encodeFreeze,
  encodeGetFocus,
  encodeQueryPointer,
  encodeRemoveMaster,
  encodeSetClientPointer,
  encodeSetFocus,
  encodeThaw,
  encodeWarpPointer,
  type DevicePair,
} from './device-bytes.ts';

/** The user's pair: the server creates it first, and it cannot be removed. */
export const USERS: DevicePair = { pointer: 2, keyboard: 3 };

const ALL_MASTERS = 1;

/** Requests to version 2 of the X Input Extension. Each resolves when the server has processed it. */
export class DeviceRequests {
  readonly #wire: X11Wire;
  readonly #xinput: Extensions['xinput'];

  private constructor(wire: X11Wire, xinput: Extensions['xinput']) {
    this.#wire = wire;
    this.#xinput = xinput;
  }

  /** `undefined` if the server does not have it. */
  static async find(wire: X11Wire): Promise<DeviceRequests | undefined> {
    const xinput = await wire.extension('xinput');
    return xinput?.xi2 ? new DeviceRequests(wire, xinput) : undefined;
  }

  /** @throws DeskterityError ACTION_NOT_SUPPORTED if the server does not have it */
  static async open(wire: X11Wire): Promise<DeviceRequests> {
    const found = await DeviceRequests.find(wire);
    if (found) return found;
    throw unsupported(
      `The display ${wire.display} cannot have a second keyboard and pointer: its X server lacks version 2 of the X Input Extension.`,
      `Use the user's keyboard and pointer: ${mentionParameter('seat', 'shared')}.`,
    );
  }

  masters(): Promise<readonly InputDevice[]> {
    return this.#wire.request((_client, done) => this.#xinput.XIQueryDevice(ALL_MASTERS, done));
  }

  addMaster(name: string): Promise<void> {
    return this.#tell(encodeAddMaster(this.#xinput.majorOpcode, name));
  }

  removeMaster(pointer: number): Promise<void> {
    return this.#tell(encodeRemoveMaster(this.#xinput.majorOpcode, pointer, USERS));
  }

  setClientPointer(pointer: number): Promise<void> {
    return this.#tell(encodeSetClientPointer(this.#xinput.majorOpcode, pointer));
  }

  /** Moves a pointer to a point on the screen, in pixels. */
  warp(pointer: number, { x, y }: { readonly x: number; readonly y: number }): Promise<void> {
    const to = { window: this.#wire.root, x, y };
    return this.#tell(encodeWarpPointer(this.#xinput.majorOpcode, pointer, to));
  }

  /** What a pointer looks like in a window, 0 for the window's own cursor. */
  changeCursor(pointer: number, window: number, cursor: number): Promise<void> {
    return this.#tell(encodeChangeCursor(this.#xinput.majorOpcode, pointer, window, cursor));
  }

  setFocus(keyboard: number, window: number): Promise<void> {
    return this.#tell(encodeSetFocus(this.#xinput.majorOpcode, keyboard, window));
  }

  async focus(keyboard: number): Promise<number> {
    return decodeFocus(await this.#ask(encodeGetFocus(this.#xinput.majorOpcode, keyboard)));
  }

  /** Returns whether the keyboard is frozen now. */
  async freeze(keyboard: number): Promise<boolean> {
    return decodeFreeze(await this.#ask(encodeFreeze(this.#xinput.majorOpcode, keyboard, this.#wire.root)));
  }

  thaw(keyboard: number): Promise<void> {
    return this.#tell(encodeThaw(this.#xinput.majorOpcode, keyboard));
  }

  /** The outermost window that a pointer is in, 0 for none. */
  async windowUnder(pointer: number): Promise<number> {
    return decodePointerChild(
      await this.#ask(encodeQueryPointer(this.#xinput.majorOpcode, pointer, this.#wire.root)),
    );
  }

  #ask(bytes: Buffer): Promise<Buffer> {
    return this.#wire.request<Buffer>((client, done) => {
      sendBytes(client, bytes, 'reply', done);
    });
  }

  async #tell(bytes: Buffer): Promise<void> {
    const accepted = this.#wire.request<unknown>((client, done) => {
      sendBytes(client, bytes, 'nothing', done);
    });
    await Promise.all([accepted, this.#wire.sync()]);
  }
}
