import { setTimeout as sleep } from 'node:timers/promises';
import { DeviceRequests, USERS } from '../../../src/platform/linux/display/x11/input/seat/device-requests.ts';
import { readRootState } from '../../../src/platform/linux/display/x11/root-state.ts';
import { X11Wire } from '../../../src/platform/linux/display/x11/wire.ts';

const FIRST_KEYCODE = 8;
const KEY = { down: 2, up: 3 };
const BUTTON = { down: 4, up: 5 };
const MOTION = 6;

/** A user at the display: an independent client that sends what a person would, with the keyboard and pointer that everybody shares. */
export class ScriptedUser {
  readonly wire: X11Wire;
  readonly requests: DeviceRequests;
  readonly #fake: (type: number, detail: number, x?: number, y?: number) => void;
  readonly #keysyms: readonly (readonly number[])[];

  private constructor(
    wire: X11Wire,
    requests: DeviceRequests,
    fake: (type: number, detail: number, x?: number, y?: number) => void,
    keysyms: readonly (readonly number[])[],
  ) {
    this.wire = wire;
    this.requests = requests;
    this.#fake = fake;
    this.#keysyms = keysyms;
  }

  static async open(display: string, xauthority?: string): Promise<ScriptedUser> {
    const wire = await X11Wire.connect(display, { deadlineMs: 5000, xauthority });
    const xtest = await wire.extension('xtest');
    const keysyms = await wire.call('GetKeyboardMapping', FIRST_KEYCODE, 248);
    const fake = (type: number, detail: number, x = 0, y = 0): void =>
      wire.send(() => xtest?.FakeInput(type, detail, 0, 0, x, y));
    return new ScriptedUser(wire, await DeviceRequests.open(wire), fake, keysyms);
  }

  press(character: string): Promise<void> {
    return this.pressKeysym(character.codePointAt(0) ?? 0);
  }

  pressKeysym(keysym: number): Promise<void> {
    return this.pressTogether([keysym]);
  }

  /** All down, then all up in the opposite order. */
  async pressTogether(keysyms: readonly number[]): Promise<void> {
    const keycodes = keysyms.map((keysym) => this.#keycode(keysym));
    for (const keycode of keycodes) this.#fake(KEY.down, keycode);
    for (const keycode of keycodes.toReversed()) this.#fake(KEY.up, keycode);
    await this.wire.sync();
  }

  #keycode(keysym: number): number {
    return this.#keysyms.findIndex((row) => row[0] === keysym) + FIRST_KEYCODE;
  }

  /** Types digits until `isOver`, one every few milliseconds; resolves with all of them. */
  async typeUntil(isOver: () => boolean): Promise<string> {
    let typed = '';
    while (!isOver()) {
      const digit = String(typed.length % 10);
      typed += digit;
      await this.press(digit);
      await sleep(6);
    }
    return typed;
  }

  /** The left one, if no other is named. */
  async button(isDown: boolean, code = 1): Promise<void> {
    this.#fake(isDown ? BUTTON.down : BUTTON.up, code);
    await this.wire.sync();
  }

  async moveTo(x: number, y: number): Promise<void> {
    this.#fake(MOTION, 0, x, y);
    await this.wire.sync();
  }

  /** Where the user is: the active window, the window with the focus, the pointer, and the modifiers and buttons that are down. */
  async place() {
    const [{ active }, focus, { rootX, rootY, keyMask }] = await Promise.all([
      readRootState(this.wire),
      this.requests.focus(USERS.keyboard),
      this.wire.call('QueryPointer', this.wire.root),
    ]);
    return { active, focus, pointer: [rootX, rootY], keyMask };
  }

  activate(window: number): Promise<void> {
    return this.#request('_NET_ACTIVE_WINDOW', window, [2, 0, 0, 0, 0]);
  }

  closeWindow(window: number): Promise<void> {
    return this.#request('_NET_CLOSE_WINDOW', window, [0, 2, 0, 0, 0]);
  }

  /** To the window manager. */
  async #request(name: '_NET_ACTIVE_WINDOW' | '_NET_CLOSE_WINDOW', window: number, data: number[]) {
    const type = this.wire.atom(name);
    await this.wire.call('SendClientMessage', this.wire.root, window, type, 32, data, 0x18_0000);
  }

  close(): void {
    this.wire.close();
  }
}
