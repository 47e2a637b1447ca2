import { randomInt } from 'node:crypto';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { Bounds } from '../../../../../model/tree/bounds.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { MouseButton } from '../../../../../ports/input.ts';
import type { ProbeEvent } from '../../../../../ports/probe-window.ts';
import type { DisplayClipboard, ProbeParts, ProbeSurface } from '../../display.ts';
import type { AtomName } from '../atoms.ts';
import { REPLACE, words } from '../properties.ts';
import { INPUT_OUTPUT, type XEvent } from '../x11-library.ts';
import type { WindowValues } from '../x11-requests.ts';
import { X11Wire, type ConnectOptions } from '../wire.ts';
import { windowIdOf } from '../windows/window-id.ts';
import { readBounds, readScreen } from '../windows/window.ts';

const SHIFT = 1;
const GROUP_SHIFT = 13;
const GROUP_MASK = 3;
const UNICODE = 0x0100_0000;
const LATIN_1_END = 0xff;
const NAMED: Readonly<Record<number, string>> = { 0xffe1: 'Shift', 0xffe2: 'Shift' };
const NO_BORDER = 0;
/** Depth and visual of the root. */
const INHERIT = 0;
/** Keys, buttons, motion and StructureNotify. */
const EVENTS = 0x1 | 0x2 | 0x4 | 0x8 | 0x40 | 0x2_0000;
const BUTTONS: Readonly<Record<number, MouseButton>> = { 1: 'left', 2: 'middle', 3: 'right' };
/** WM_HINTS: it accepts keys when it has the focus. */
const INPUT_HINT = [1, 1, 0, 0, 0, 0, 0, 0, 0];
/** WM_NORMAL_HINTS: position and size are chosen by the user. */
const PLACED = 1 | 2;
/** A process that is not ours. */
const OTHER_PID = 1;
const CLOSE_MS = 500;
/** From the edges of the screen, away from panels. */
const MARGIN_PX = 80;

/** The window of the probe, on a separate X connection. */
export class X11ProbeSurface implements ProbeSurface {
  readonly windowId: string;
  /** Its colour: channels at full or zero intensity are the same on every display. */
  readonly colour = { red: 255, green: 0, blue: 255 } as const;
  readonly remedies = {
    coveredPicture:
      'Start the X server with the Composite extension, or bring windows to the front before capturing them.',
    unreportedInput:
      'Do not use keyboard and pointer while an agent acts, or use a server with the X Input Extension 2, such as Xorg or a newer Xvnc.',
  } as const;
  readonly clipboard: DisplayClipboard;
  readonly #window: number;
  readonly #wire: X11Wire;
  readonly #onEvent: (event: ProbeEvent) => void;

  private constructor(wire: X11Wire, clipboard: DisplayClipboard, onEvent: (event: ProbeEvent) => void) {
    this.#wire = wire;
    this.clipboard = clipboard;
    this.#onEvent = onEvent;
    this.#window = wire.allocateId();
    this.windowId = windowIdOf(this.#window);
    wire.onEvent((event) => void this.#report(event));
  }

  /** Shows the window. @throws DeskterityError DISPLAY_UNAVAILABLE, TIMEOUT, CANCELLED */
  static async open(
    display: string,
    options: ConnectOptions,
    parts: ProbeParts & { readonly clipboard: DisplayClipboard },
  ): Promise<X11ProbeSurface> {
    const wire = await X11Wire.connect(display, options);
    const surface = new X11ProbeSurface(wire, parts.clipboard, parts.onEvent);
    try {
      await wire.within(surface.#show(parts), 'showing the probe window', options);
      return surface;
    } catch (error) {
      wire.close();
      throw error;
    }
  }

  onLoss(listener: () => void): void {
    this.#wire.onLoss(listener);
  }

  /** The bounds of its content on the screen. */
  async bounds(options: CallOptions): Promise<Bounds> {
    const reading = readBounds(this.#wire, this.#window);
    const bounds = await this.#wire.within(reading, 'finding the probe window', options);
    if (bounds) return bounds;
    throw new DeskterityError('WINDOW_NOT_FOUND', 'The probe window no longer exists.', {
      suggestion: 'It was closed: repeat the command.',
      retryable: true,
    });
  }

  async hasKeyboard(options: CallOptions): Promise<boolean> {
    const reading = this.#wire.call('GetInputFocus');
    return (await this.#wire.within(reading, 'reading the input focus', options)).focus === this.#window;
  }

  /** Covers it with a black window, bypassing the window manager. */
  async cover(options: CallOptions): Promise<() => Promise<void>> {
    const cover = this.#wire.allocateId();
    const bounds = await this.bounds(options);
    const covering = Promise.all([
      this.#create(cover, bounds, { backgroundPixel: 0, overrideRedirect: 1, eventMask: 0 }),
      // Otherwise it would count as a menu of the window.
      this.#set('_NET_WM_PID', 'CARDINAL', [OTHER_PID], cover),
      this.#wire.call('MapWindow', cover),
    ]);
    await this.#wire.within(covering, 'covering the probe window', options);
    return async () => {
      await this.#wire.tryCall('DestroyWindow', cover);
      this.#wire.releaseId(cover);
    };
  }

  /** Resolves when the window is gone; the server removes the connection's other resources. */
  async close(): Promise<void> {
    const destroyed = this.#wire.tryCall('DestroyWindow', this.#window);
    const limit = { deadlineMs: CLOSE_MS };
    await this.#wire.within(destroyed, 'closing the probe window', limit).catch(() => undefined);
    this.#wire.close();
    await this.clipboard.close();
  }

  async #show({ title, size: { width, height } }: ProbeParts): Promise<void> {
    const screen = await readScreen(this.#wire);
    // A random position, so that it does not cover the same spot every time.
    const place = (room: number): number => MARGIN_PX + randomInt(Math.max(1, room - 2 * MARGIN_PX));
    const bounds = { x: place(screen.width - width), y: place(screen.height - height), width, height };
    const visuals = Object.values(this.#wire.screen.depths[this.#wire.screen.root_depth] ?? {});
    const [visual] = visuals.filter(({ red_mask: red }) => red !== 0);
    const backgroundPixel = ((visual?.red_mask ?? 0xff_0000) | (visual?.blue_mask ?? 0xff)) >>> 0;
    await this.#create(this.#window, bounds, { backgroundPixel, overrideRedirect: 0, eventMask: EVENTS });
    const hints = [PLACED, bounds.x, bounds.y, width, height, ...Array<number>(13).fill(0)];
    const atoms = (...names: AtomName[]): number[] => names.map((name) => this.#wire.atom(name));
    await Promise.all([
      this.#set('_NET_WM_NAME', 'UTF8_STRING', title),
      this.#set('WM_NAME', 'STRING', title),
      this.#set('WM_CLASS', 'STRING', 'deskterity-probe\0Deskterity-probe\0'),
      this.#set('_NET_WM_PID', 'CARDINAL', [process.pid]),
      this.#set('WM_HINTS', 'WM_HINTS', INPUT_HINT),
      this.#set('WM_NORMAL_HINTS', 'WM_SIZE_HINTS', hints),
      // The user did not open it, so it should not receive the focus as a new window.
      this.#set('_NET_WM_USER_TIME', 'CARDINAL', [0]),
      // Otherwise a click on its close button would end our connection.
      this.#set('WM_PROTOCOLS', 'ATOM', atoms('WM_DELETE_WINDOW')),
      this.#set('_NET_WM_STATE', 'ATOM', atoms('_NET_WM_STATE_SKIP_TASKBAR', '_NET_WM_STATE_SKIP_PAGER')),
    ]);
    const shown = new Promise<void>((resolve) => {
      const stop = this.#wire.onEvent(({ name, wid }) => {
        if (name !== 'MapNotify' || wid !== this.#window) return;
        stop();
        resolve();
      });
    });
    await this.#wire.call('MapWindow', this.#window);
    await shown;
  }

  async #report(event: XEvent): Promise<void> {
    const { name, wid, rootx: x = 0, rooty: y = 0, keycode = 0, buttons: state = 0 } = event;
    if (wid !== this.#window) return;
    if (name === 'MotionNotify') this.#onEvent({ kind: 'motion', x, y });
    else if (name === 'ButtonPress' || name === 'ButtonRelease')
      this.#onEvent({ kind: 'button', isDown: name === 'ButtonPress', button: BUTTONS[keycode], x, y });
    else if (name === 'KeyPress' || name === 'KeyRelease') {
      // A key may be remapped only for a moment, so its mapping is read immediately.
      const [row = []] = await this.#wire.call('GetKeyboardMapping', keycode, 1).catch(() => []);
      this.#onEvent({ kind: 'key', isDown: name === 'KeyPress', means: keyMeaning(row, state) });
    }
  }

  async #create(id: number, { x, y, width, height }: Bounds, values: WindowValues): Promise<void> {
    const { root } = this.#wire;
    const place = [x, y, width, height, NO_BORDER] as const;
    await this.#wire.call('CreateWindow', id, root, ...place, INHERIT, INPUT_OUTPUT, INHERIT, values);
  }

  /** Sets a property of the window to a text or to numbers. */
  async #set(
    property: string,
    type: string,
    value: string | readonly number[],
    window = this.#window,
  ): Promise<void> {
    const [name, kind] = await Promise.all([this.#wire.internAtom(property), this.#wire.internAtom(type)]);
    const isText = typeof value === 'string';
    const data = isText ? Buffer.from(value) : words(value);
    await this.#wire.call('ChangeProperty', REPLACE, window, name, kind, isText ? 8 : 32, data);
  }
}

/**
 * The meaning of a key: a character, or the name of a modifier; empty for keys that the probe does not need.
 * @param row the keysyms of the key, two columns per group
 * @param state modifiers and group of the key event
 */
export function keyMeaning(row: readonly number[], state: number): string {
  const isShifted = (state & SHIFT) !== 0;
  const group = (state >> GROUP_SHIFT) & GROUP_MASK;
  const plain = row[group * 2] || row[0] || 0;
  // A key with a single character produces it with Shift, too.
  const keysym = isShifted ? row[group * 2 + 1] || row[1] || plain : plain;
  if (keysym >= UNICODE && keysym <= UNICODE + 0x10_ffff) return String.fromCodePoint(keysym - UNICODE);
  if (keysym >= 0x20 && keysym <= LATIN_1_END) return String.fromCodePoint(keysym);
  return NAMED[keysym] ?? '';
}
