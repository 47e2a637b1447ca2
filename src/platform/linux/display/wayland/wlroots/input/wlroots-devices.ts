import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { showKey, type KeyName } from '../../../../../../model/text/key-combination.ts';
import type { DeskterityError } from '../../../../../../model/effects/errors.ts';
import type { Environment } from '../../../../../../model/sessions/caller.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import type { MouseButton, Point } from '../../../../../../ports/input.ts';
import { unsupported } from '../../../../failures.ts';
import type { FocusedWindow, InputDevices } from '../../input/devices.ts';
import { HeldFile } from '../../input/held-file.ts';
import { HeldInput } from '../../input/held-input.ts';
import { layoutOf, nearestOn, Outputs } from '../../outputs.ts';
import { SEAT } from '../../wire/interfaces.ts';
import type { WaylandObject } from '../../wire/object-table.ts';
import { UnreadEvents } from '../../wire/unread-events.ts';
import { socketOf, type WaylandWire } from '../../wire/wayland-wire.ts';
import { VIRTUAL_KEYBOARD, VIRTUAL_KEYBOARDS, VIRTUAL_POINTER, VIRTUAL_POINTERS } from '../interfaces.ts';
import { SwayIpc } from '../sway-ipc.ts';
import { windowIdOf } from '../sway-tree.ts';
import { SwayWindows } from '../sway-windows.ts';
import { MODIFIERS, type CharacterKey } from './key-codes.ts';
import { Keymap, MOST_PROVIDED } from './keymap.ts';

/** Applications bind keyboard and pointer when the first device appears, and miss what comes before; nothing tells when they have. */
const BIND_MS = 200;
const BUTTON_CODES: Readonly<Record<MouseButton, number>> = { left: 0x110, right: 0x111, middle: 0x112 };
const XKB_V1 = 1;
const AXIS = { y: 0, x: 1 } as const;
/** What a mouse reports for one notch. */
const NOTCH = 15;
const SOURCE_WHEEL = 0;

const SHIFT: KeyName = { kind: 'named', name: 'Shift' };
const SHIFT_CODE = 42;

/** @throws DeskterityError */
export async function openWlrootsDevices(
  wire: WaylandWire,
  environment: Environment,
  options: CallOptions,
): Promise<InputDevices> {
  const path = environment['SWAYSOCK'];
  const place = { display: wire.display, path: path ?? '' };
  const ipc = path ? await SwayIpc.connect(place, options) : undefined;
  const held = new HeldFile(`${socketOf(environment)}.deskterity-held`);
  const devices = new WlrootsDevices(wire, ipc && new SwayWindows(ipc, place), held);
  if (ipc) wire.onLoss(() => ipc.close());
  await wire.roundtrip('creating a virtual keyboard and pointer', options);
  return devices;
}

/** The virtual keyboard and pointer of wlroots. */
class WlrootsDevices implements InputDevices {
  readonly ready: Promise<void>;
  pointer: Point | undefined;
  readonly #wire: WaylandWire;
  readonly #windows: SwayWindows | undefined;
  readonly #outputs: Outputs;
  readonly #pointer: WaylandObject<typeof VIRTUAL_POINTER>;
  readonly #keyboard: WaylandObject<typeof VIRTUAL_KEYBOARD>;
  readonly #keymap = new Keymap();
  readonly #heldFile: HeldFile;
  readonly #unread: UnreadEvents;
  readonly #held = new HeldInput();
  readonly #heldCodes = new Set<number>();
  #depressed = 0;
  #locked = 0;

  constructor(wire: WaylandWire, windows: SwayWindows | undefined, heldFile: HeldFile) {
    this.#wire = wire;
    this.#unread = new UnreadEvents(wire.descriptors, wire.display);
    this.#heldFile = heldFile;
    this.#windows = windows;
    this.#outputs = new Outputs(wire);
    const pointers = wire.bind(VIRTUAL_POINTERS);
    const keyboards = wire.bind(VIRTUAL_KEYBOARDS);
    const seat = wire.bind(SEAT);
    if (!pointers || !keyboards || !seat)
      throw unsupported(
        'This compositor has no seat for a keyboard and a pointer.',
        'Act through accessibility, without keyboard and pointer.',
      );
    this.#pointer = wire.create(VIRTUAL_POINTER);
    pointers.send('create_virtual_pointer', seat.id, this.#pointer.id);
    this.#keyboard = wire.create(VIRTUAL_KEYBOARD);
    keyboards.send('create_virtual_keyboard', seat.id, this.#keyboard.id);
    this.#sendKeymap();
    this.ready = wire.synced().then(() => sleep(BIND_MS, undefined, { ref: false }));
    this.ready.catch(() => undefined);
  }

  get held(): readonly string[] {
    return this.#held.names;
  }

  get isLost(): boolean {
    return this.#wire.isLost;
  }

  async moveTo(to: Point): Promise<void> {
    const outputs = await this.#outputs.list();
    const screen = layoutOf(outputs);
    const point = nearestOn(outputs, to);
    const send = ({ x, y }: Point): void => {
      const { width, height } = screen;
      this.#pointer.send('motion_absolute', now(), x - screen.x, y - screen.y, width, height);
      this.#pointer.send('frame');
    };
    // Where a pointer enters a window, Xwayland may take it to be elsewhere in it until it moves there, too.
    if (this.held.length === 0) send(nearestOn(outputs, { x: point.x - 1, y: point.y }));
    send(point);
    this.pointer = point;
  }

  button(button: MouseButton, isDown: boolean): void {
    this.#held.note(`${button} button`, isDown, () => this.#sendButton(button, false));
    this.#sendButton(button, isDown);
  }

  notch(axis: 'x' | 'y', direction: 1 | -1): void {
    this.#pointer.send('axis_source', SOURCE_WHEEL);
    this.#pointer.send('axis_discrete', now(), AXIS[axis], NOTCH * direction, direction);
    this.#pointer.send('frame');
  }

  provide(keys: readonly KeyName[]): void {
    if (this.#keymap.provide(keys, this.#heldCodes)) this.#sendKeymap();
  }

  readonly mostProvided = MOST_PROVIDED;

  isSpare(key: KeyName): boolean {
    return this.#keymap.isSpare(key);
  }

  key(key: KeyName, isDown: boolean): void {
    if (this.#keymap.keyOf(key) === undefined) this.provide([key]);
    const found = this.#keymap.keyOf(key);
    if (found === undefined) throw new Error(`no code for ${showKey(key)}`);
    this.#held.note(showKey(key), isDown, () => this.#sendWithShift(key, found, false));
    this.#sendWithShift(key, found, isDown);
  }

  releaseExcept(keep: readonly string[]): void {
    this.#held.releaseExcept(keep, this.isLost);
  }

  releaseLeftOver(): void {
    // Wlroots releases keys by itself.
    for (const item of this.#heldFile.takeLeftOver())
      if (typeof item !== 'number') this.#sendButton(item, false);
  }

  async focusedWindow(options: CallOptions): Promise<FocusedWindow | undefined> {
    const focused = (await this.#windows?.read(options))?.find((window) => window.focused);
    return focused && { id: windowIdOf(focused), pid: focused.pid };
  }

  unreadBytes(pid: number): number | undefined {
    return this.#unread.of(pid);
  }

  async openWindows(options: CallOptions): Promise<readonly string[]> {
    return ((await this.#windows?.read(options)) ?? []).map((window) => windowIdOf(window));
  }

  async windowAt(point: Point, options: CallOptions): Promise<string> {
    const found = await this.#windows?.at(point, options);
    if (found === undefined) return 'none';
    const { window, isContent } = found;
    const { x, y } = window.frame;
    return `${windowIdOf(window)} ${isContent ? 'content' : 'frame'} at ${x},${y}`;
  }

  synced(): Promise<void> {
    return this.#wire.synced();
  }

  onLoss(listener: (reason: DeskterityError) => void): () => void {
    return this.#wire.onLoss(listener);
  }

  close(): void {
    this.releaseExcept([]);
    this.#wire.close();
  }

  #sendButton(button: MouseButton, isDown: boolean): void {
    this.#heldFile.note(button, isDown);
    this.#pointer.send('button', now(), BUTTON_CODES[button], isDown ? 1 : 0);
    this.#pointer.send('frame');
  }

  /** Shift goes down with a key that needs it, unless it is down already, and up with it. */
  #sendWithShift(key: KeyName, { code, isShifted }: CharacterKey, isDown: boolean): void {
    const addsShift = isShifted && !this.#held.has(showKey(SHIFT));
    if (addsShift && isDown) this.#sendKey(SHIFT, SHIFT_CODE, true);
    this.#sendKey(key, code, isDown);
    if (addsShift && !isDown) this.#sendKey(SHIFT, SHIFT_CODE, false);
  }

  #sendKey(key: KeyName, code: number, isDown: boolean): void {
    if (isDown) this.#heldCodes.add(code);
    else this.#heldCodes.delete(code);
    this.#keyboard.send('key', now(), code, isDown ? 1 : 0);
    const modifier = key.kind === 'named' ? MODIFIERS[key.name] : undefined;
    if (modifier === undefined) return;
    if (isDown) this.#depressed |= modifier.mask;
    else this.#depressed &= ~modifier.mask;
    if (isDown && modifier.locks) this.#locked ^= modifier.mask;
    this.#keyboard.send('modifiers', this.#depressed, 0, this.#locked, 0);
  }

  #sendKeymap(): void {
    const bytes = Buffer.from(`${this.#keymap.text}\0`);
    const file = this.#wire.descriptors.memory(bytes.length);
    writeSync(file, bytes, 0, bytes.length, 0);
    this.#keyboard.send('keymap', XKB_V1, file, bytes.length);
    this.#keyboard.send('modifiers', this.#depressed, 0, this.#locked, 0);
  }
}

/** Milliseconds by any clock, in 32 bits. */
function now(): number {
  return Math.floor(performance.now()) % 2 ** 32;
}
