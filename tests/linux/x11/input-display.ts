import { X11Wire } from '../../../src/platform/linux/display/x11/wire.ts';

/** Keycodes of the evdev rules, which Xvfb also uses. */
const KEYS = [
  [50, 'Shift'],
  [37, 'Control'],
  [64, 'Alt'],
  [38, 'a'],
] as const;
const BUTTONS = [
  [0x100, 'left button'],
  [0x200, 'middle button'],
  [0x400, 'right button'],
] as const;

/** Keyboard and pointer of a display, as an independent client sees them. */
export class InputDisplay {
  readonly wire: X11Wire;

  private constructor(wire: X11Wire) {
    this.wire = wire;
  }

  static async open(display: string, xauthority?: string): Promise<InputDisplay> {
    return new InputDisplay(await X11Wire.connect(display, { deadlineMs: 5000, xauthority }));
  }

  /** Keycodes of the keys that are down. */
  async keycodes(): Promise<number[]> {
    const keys = await this.wire.call('QueryKeymap');
    return Array.from({ length: 256 }, (_, keycode) => keycode).filter(
      (keycode) => (((keys[keycode >> 3] ?? 0) >> (keycode & 7)) & 1) === 1,
    );
  }

  /** Names of what is down; keycodes for keys without a name here. */
  async held(): Promise<string[]> {
    const [down, pointer] = await Promise.all([
      this.keycodes(),
      this.wire.call('QueryPointer', this.wire.root),
    ]);
    const names = new Map<number, string>(KEYS);
    return [
      ...down.map((keycode) => names.get(keycode) ?? String(keycode)),
      ...BUTTONS.filter(([mask]) => (pointer.keyMask & mask) !== 0).map(([, name]) => name),
    ];
  }

  /** Records where the pointer is moved from now on, as a window is told. */
  async watchMotion(): Promise<() => Promise<readonly (number | undefined)[]>> {
    const POINTER_MOTION = 64;
    const places: (number | undefined)[] = [];
    this.wire.onEvent(({ name, rootx }) => {
      if (name === 'MotionNotify') places.push(rootx);
    });
    await this.wire.accepts('ChangeWindowAttributes', this.wire.root, { eventMask: POINTER_MOTION });
    return async () => {
      await this.keycodes();
      return places;
    };
  }

  /** Records all key presses from now on, from any source. */
  async watchKeys(): Promise<readonly { readonly keycode: number; readonly atMs: number }[]> {
    const seen: { keycode: number; atMs: number }[] = [];
    const xinput = await this.wire.extension('xinput');
    if (!xinput) throw new Error('the server has no XInput');
    this.wire.onEvent(({ name, detail = 0 }) => {
      if (name === 'XIRawKeyPress') seen.push({ keycode: detail, atMs: performance.now() });
    });
    this.wire.send(() => xinput.XISelectEvents(this.wire.root, [{ deviceId: 1, mask: ['RawKeyPress'] }]));
    await this.keycodes();
    return seen;
  }

  /** The window that owns a selection; 0 for none. */
  async ownerOf(selection: string): Promise<number> {
    const atom = await this.wire.internAtom(selection);
    return this.wire.call('GetSelectionOwner', atom);
  }

  /** Takes a selection from its owner. */
  async own(selection: string, window = this.wire.root): Promise<void> {
    const atom = await this.wire.internAtom(selection);
    await this.wire.call('SetSelectionOwner', window, atom, 0);
  }

  close(): void {
    this.wire.close();
  }
}
