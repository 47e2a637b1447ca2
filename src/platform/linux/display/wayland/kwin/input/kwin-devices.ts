import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyName } from '../../../../../../model/text/key-combination.ts';
import { DeskterityError } from '../../../../../../model/effects/errors.ts';
import type { Environment } from '../../../../../../model/sessions/caller.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import type { MouseButton, Point } from '../../../../../../ports/input.ts';
import type { FocusedWindow, InputDevices } from '../../input/devices.ts';
import { HeldFile } from '../../input/held-file.ts';
import { HeldInput } from '../../input/held-input.ts';
import { LayoutKeys } from '../../input/layout-keys.ts';
import { nearestOn, Outputs } from '../../outputs.ts';
import type { WaylandObject } from '../../wire/object-table.ts';
import { UnreadEvents } from '../../wire/unread-events.ts';
import { socketOf, type WaylandWire } from '../../wire/wayland-wire.ts';
import { FAKE_INPUT } from '../interfaces.ts';
import { rounded, windowAt } from '../kwin-window.ts';
import { KwinWindows } from '../kwin-windows.ts';
import { ScriptHost, windowId } from '../script-host.ts';
import { setUpKde } from '../setup-mention.ts';
import { KeyboardLayouts } from './keyboard-layouts.ts';

/** Applications bind keyboard and pointer when the first device appears, and miss what comes before; nothing tells when they have. */
const BIND_MS = 200;
const BUTTON_CODES: Readonly<Record<MouseButton, number>> = { left: 0x110, right: 0x111, middle: 0x112 };
const AXIS = { y: 0, x: 1 } as const;
/** What a mouse reports for one notch. */
const NOTCH = 15;

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
  readonly #unread: UnreadEvents;
  readonly #held = new HeldInput();
  readonly #keys: LayoutKeys;

  constructor({ wire, input, script, layouts, heldFile }: Parts) {
    this.#wire = wire;
    this.#unread = new UnreadEvents(wire.descriptors, wire.display);
    this.#input = input;
    this.#script = script;
    this.#layouts = layouts;
    this.#heldFile = heldFile;
    this.#windows = new KwinWindows(script, wire.display);
    this.#outputs = new Outputs(wire);
    this.#keys = new LayoutKeys({
      compositor: 'KWin',
      layout: layouts,
      held: this.#held,
      send: (code, isDown) => this.#sendKey(code, isDown),
    });
    this.ready = sleep(BIND_MS, undefined, { ref: false });
  }

  get held(): readonly string[] {
    return this.#held.names;
  }

  get isLost(): boolean {
    return this.#wire.isLost || this.#script.isLost;
  }

  async findPointer(options: CallOptions): Promise<void> {
    this.pointer = (await this.#windows.read(options)).pointer;
  }

  async moveTo(to: Point): Promise<void> {
    const point = nearestOn(await this.#outputs.list(), to);
    this.#input.send('pointer_motion_absolute', point.x, point.y);
    this.pointer = point;
  }

  button(button: MouseButton, isDown: boolean): void {
    this.#held.note(`${button} button`, isDown, () => this.#sendButton(button, false));
    this.#sendButton(button, isDown);
  }

  notch(axis: 'x' | 'y', direction: 1 | -1): void {
    this.#input.send('axis', AXIS[axis], NOTCH * direction);
  }

  requireKeys(keys: readonly KeyName[]): void {
    this.#keys.require(keys);
  }

  provide(keys: readonly KeyName[]): void {
    this.requireKeys(keys);
  }

  isSpare(): boolean {
    return false;
  }

  key(key: KeyName, isDown: boolean): void {
    this.#keys.press(key, isDown);
  }

  releaseExcept(keep: readonly string[]): void {
    this.#held.releaseExcept(keep, this.#wire.isLost);
  }

  releaseLeftOver(): void {
    for (const item of this.#heldFile.takeLeftOver()) {
      if (typeof item === 'number') this.#sendKey(item, false);
      else this.#sendButton(item, false);
    }
  }

  async focusedWindow(options: CallOptions): Promise<FocusedWindow | undefined> {
    const { windows } = await this.#windows.read(options);
    const active = windows.find((window) => window.active && !window.isPopup);
    return active && { id: windowId(active.id), pid: active.pid > 0 ? active.pid : undefined };
  }

  unreadBytes(pid: number): number | undefined {
    return this.#unread.of(pid);
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

  #sendButton(button: MouseButton, isDown: boolean): void {
    this.#heldFile.note(button, isDown);
    this.#input.send('button', BUTTON_CODES[button], isDown ? 1 : 0);
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
