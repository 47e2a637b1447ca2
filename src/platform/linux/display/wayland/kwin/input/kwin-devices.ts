import { setTimeout as sleep } from 'node:timers/promises';
import { showKey, type KeyName } from '../../../../../../model/text/key-combination.ts';
import { DeskterityError } from '../../../../../../model/effects/errors.ts';
import type { Environment } from '../../../../../../model/sessions/caller.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import type { MouseButton, Point } from '../../../../../../ports/input.ts';
import { unsupported } from '../../../../failures.ts';
import type { InputDevices } from '../../input/devices.ts';
import { HeldFile } from '../../input/held-file.ts';
import { layoutOf, Outputs } from '../../outputs.ts';
import type { WaylandObject } from '../../wire/object-table.ts';
import { socketOf, type WaylandWire } from '../../wire/wayland-wire.ts';
import { FAKE_INPUT } from '../interfaces.ts';
import { rounded, windowAt } from '../kwin-window.ts';
import { KwinWindows } from '../kwin-windows.ts';
import { ScriptHost, windowId } from '../script-host.ts';
import { setUpKde } from '../setup-mention.ts';
import type { LevelKey } from './key-table.ts';
import { KeyboardLayouts } from './keyboard-layouts.ts';

/** Applications bind keyboard and pointer when the first device appears, and miss what comes before; nothing tells when they have. */
const BIND_MS = 200;
const BUTTON_CODES: Readonly<Record<MouseButton, number>> = { left: 0x110, right: 0x111, middle: 0x112 };
const AXIS = { y: 0, x: 1 } as const;
/** What a mouse reports for one notch. */
const NOTCH = 15;
const SHIFT: KeyName = { kind: 'named', name: 'Shift' };
const ALT_GRAPH: KeyName = { kind: 'named', name: 'AltGraph' };

interface Held {
  readonly name: string;
  release(): void;
}

/** @throws DeskterityError PERM_DENIED if KWin does not admit us */
export async function openKwinDevices(
  wire: WaylandWire,
  environment: Environment,
  options: CallOptions,
): Promise<InputDevices> {
  const input = wire.bind(FAKE_INPUT);
  if (input === undefined) throw notAdmitted();
  const script = await ScriptHost.start(environment, wire.display, options);
  try {
    input.send('authenticate', 'Deskterity', 'acting on applications for you');
    await wire.roundtrip('creating a keyboard and a pointer', options);
    const layouts = await KeyboardLayouts.open(script.bus, environment, options);
    const held = new HeldFile(`${socketOf(environment)}.deskterity-held`);
    wire.onLoss(() => script.close());
    const devices = new KwinDevices({ wire, input, script, layouts, heldFile: held });
    await devices.findPointer(options);
    return devices;
  } catch (error) {
    script.close();
    throw error;
  }
}

interface Parts {
  readonly wire: WaylandWire;
  readonly input: WaylandObject<typeof FAKE_INPUT>;
  readonly script: ScriptHost;
  readonly layouts: KeyboardLayouts;
  readonly heldFile: HeldFile;
}

/** Keyboard and pointer by KWin's fake_input, with the keys of the user's layout. */
class KwinDevices implements InputDevices {
  readonly ready: Promise<void>;
  pointer: Point | undefined;
  readonly mostProvided = Number.MAX_SAFE_INTEGER;
  readonly #wire: WaylandWire;
  readonly #input: WaylandObject<typeof FAKE_INPUT>;
  readonly #script: ScriptHost;
  readonly #layouts: KeyboardLayouts;
  readonly #heldFile: HeldFile;
  readonly #windows: KwinWindows;
  readonly #outputs: Outputs;
  readonly #held = new Map<string, Held>();

  constructor({ wire, input, script, layouts, heldFile }: Parts) {
    this.#wire = wire;
    this.#input = input;
    this.#script = script;
    this.#layouts = layouts;
    this.#heldFile = heldFile;
    this.#windows = new KwinWindows(script, wire.display);
    this.#outputs = new Outputs(wire);
    this.ready = sleep(BIND_MS, undefined, { ref: false });
  }

  get held(): readonly string[] {
    return [...this.#held.values()].map(({ name }) => name);
  }

  get isLost(): boolean {
    return this.#wire.isLost || this.#script.isLost;
  }

  async findPointer(options: CallOptions): Promise<void> {
    this.pointer = (await this.#windows.read(options)).pointer;
  }

  async moveTo({ x, y }: Point): Promise<void> {
    const screen = layoutOf(await this.#outputs.list());
    const within = (value: number, from: number, length: number): number =>
      Math.min(from + Math.max(1, length) - 1, Math.max(from, Math.round(value)));
    const point = { x: within(x, screen.x, screen.width), y: within(y, screen.y, screen.height) };
    this.#input.send('pointer_motion_absolute', point.x, point.y);
    this.pointer = point;
  }

  button(button: MouseButton, isDown: boolean): void {
    this.#note(`${button} button`, isDown, () => this.#sendButton(button, false));
    this.#sendButton(button, isDown);
  }

  notch(axis: 'x' | 'y', direction: 1 | -1): void {
    this.#input.send('axis', AXIS[axis], NOTCH * direction);
  }

  requireKeys(keys: readonly KeyName[]): void {
    for (const key of keys) this.#keyOf(key);
  }

  provide(keys: readonly KeyName[]): void {
    this.requireKeys(keys);
  }

  isSpare(): boolean {
    return false;
  }

  key(key: KeyName, isDown: boolean): void {
    const found = this.#keyOf(key);
    this.#note(showKey(key), isDown, () => this.#sendWithModifiers(found, false));
    this.#sendWithModifiers(found, isDown);
  }

  releaseExcept(keep: readonly string[]): void {
    for (const [name, held] of [...this.#held].toReversed()) {
      if (keep.includes(name)) continue;
      this.#held.delete(name);
      if (!this.#wire.isLost) held.release();
    }
  }

  releaseLeftOver(): void {
    for (const item of this.#heldFile.takeLeftOver()) {
      if (typeof item === 'number') this.#sendKey(item, false);
      else this.#sendButton(item, false);
    }
  }

  async focusedWindow(options: CallOptions): Promise<string | undefined> {
    const { windows } = await this.#windows.read(options);
    const active = windows.find((window) => window.active && !window.isPopup);
    return active && windowId(active.id);
  }

  async openWindows(options: CallOptions): Promise<readonly string[]> {
    const { windows } = await this.#windows.read(options);
    return windows.filter(({ isPopup }) => !isPopup).map(({ id }) => windowId(id));
  }

  async windowAt(point: Point, options: CallOptions): Promise<string> {
    const found = windowAt((await this.#windows.read(options)).windows, point);
    if (found === undefined) return 'none';
    const { x, y } = rounded(found.window.frame);
    return `${windowId(found.window.id)} ${found.isContent ? 'content' : 'frame'} at ${x},${y}`;
  }

  synced(): Promise<void> {
    return this.#wire.synced();
  }

  onLoss(listener: (reason: DeskterityError) => void): () => void {
    const forget = [this.#wire.onLoss(listener), this.#script.onLoss(listener)];
    return () => forget.forEach((each) => each());
  }

  close(): void {
    this.releaseExcept([]);
    this.#layouts.close();
    this.#script.close();
    this.#wire.close();
  }

  #note(name: string, isDown: boolean, release: () => void): void {
    // Pressed again, it moves to the end.
    this.#held.delete(name);
    if (isDown) this.#held.set(name, { name, release });
  }

  #keyOf(key: KeyName): LevelKey {
    const found = this.#layouts.keyOf(key);
    if (found !== undefined) return found;
    throw unsupported(
      `KWin accepts only keys of the active keyboard layout, and none of them gives ${showKey(key)}.`,
      'Let it be entered through accessibility or the clipboard, or add a keyboard layout that has it.',
    );
  }

  #sendButton(button: MouseButton, isDown: boolean): void {
    this.#heldFile.note(button, isDown);
    this.#input.send('button', BUTTON_CODES[button], isDown ? 1 : 0);
  }

  /** Shift and AltGr go down with a key that needs them, unless they are down already, and up with it. */
  #sendWithModifiers({ code, isShifted, isLevel3 }: LevelKey, isDown: boolean): void {
    const added = [...(isShifted ? [SHIFT] : []), ...(isLevel3 ? [ALT_GRAPH] : [])]
      .filter((modifier) => !this.#held.has(showKey(modifier)))
      .map((modifier) => this.#keyOf(modifier).code);
    if (isDown) for (const modifier of added) this.#sendKey(modifier, true);
    this.#sendKey(code, isDown);
    if (!isDown) for (const modifier of added.toReversed()) this.#sendKey(modifier, false);
  }

  #sendKey(code: number, isDown: boolean): void {
    this.#heldFile.noteKey(code, isDown);
    this.#input.send('keyboard_key', code, isDown ? 1 : 0);
  }
}

function notAdmitted(): DeskterityError {
  return new DeskterityError(
    'PERM_DENIED',
    'KWin does not offer Deskterity its keyboard and pointer (fake_input).',
    {
      suggestion: `${setUpKde()}. Acting through accessibility works without.`,
      delivered: false,
    },
  );
}
