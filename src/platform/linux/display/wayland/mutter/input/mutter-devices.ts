import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyName } from '../../../../../../model/text/key-combination.ts';
import type { DeskterityError } from '../../../../../../model/effects/errors.ts';
import type { Environment } from '../../../../../../model/sessions/caller.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import type { MouseButton, Point } from '../../../../../../ports/input.ts';
import type { FocusedWindow, InputDevices } from '../../input/devices.ts';
import { HeldInput } from '../../input/held-input.ts';
import type { InputRoute } from '../../input/input-route.ts';
import { LayoutKeys } from '../../input/layout-keys.ts';
import { nearestOn, Outputs } from '../../outputs.ts';
import { UnreadEvents } from '../../wire/unread-events.ts';
import type { WaylandWire } from '../../wire/wayland-wire.ts';
import { OpenShellWindows } from '../open-shell-windows.ts';
import { InputSources } from './input-sources.ts';
import { openRoute } from './open-route.ts';

/** Applications bind keyboard and pointer when the first device appears, and miss what comes before; nothing tells when they have. */
const BIND_MS = 200;

/** @throws DeskterityError */
export async function openMutterDevices(
  wire: WaylandWire,
  environment: Environment,
  options: CallOptions,
): Promise<InputDevices> {
  const { session, route } = await openRoute(wire, environment, options);
  wire.onLoss(() => route.close());
  try {
    const told = (): number | undefined => route.layout;
    const sources = await InputSources.open(environment, { bus: session.bus, told }, options);
    const shell = await OpenShellWindows.open(environment, wire.display, options);
    return new MutterDevices({ wire, route, sources, shell });
  } catch (error) {
    session.close();
    throw error;
  }
}

interface Parts {
  readonly wire: WaylandWire;
  readonly route: InputRoute;
  readonly sources: InputSources;
  readonly shell: OpenShellWindows;
}

/** Keyboard and pointer of Mutter's remote desktop, with the keys of the user's layout. Mutter releases what a killed process held. */
class MutterDevices implements InputDevices {
  readonly ready: Promise<void>;
  pointer: Point | undefined;
  readonly mostProvided = Number.MAX_SAFE_INTEGER;
  readonly #wire: WaylandWire;
  readonly #route: InputRoute;
  readonly #sources: InputSources;
  readonly #shell: OpenShellWindows;
  readonly #outputs: Outputs;
  readonly #unread: UnreadEvents;
  readonly #held = new HeldInput();
  readonly #keys: LayoutKeys;

  constructor({ wire, route, sources, shell }: Parts) {
    this.#wire = wire;
    this.#unread = new UnreadEvents(wire.descriptors, wire.display);
    this.#route = route;
    this.#sources = sources;
    this.#shell = shell;
    this.#outputs = new Outputs(wire);
    this.#keys = new LayoutKeys({
      compositor: 'GNOME',
      layout: sources,
      held: this.#held,
      send: (code, isDown) => route.key(code, isDown),
    });
    this.ready = sleep(BIND_MS, undefined, { ref: false });
  }

  get held(): readonly string[] {
    return this.#held.names;
  }

  get isLost(): boolean {
    return this.#wire.isLost || this.#route.isLost || this.#shell.isLost;
  }

  async moveTo(to: Point): Promise<void> {
    const point = nearestOn(await this.#outputs.list(), to);
    this.#route.moveTo(point);
    this.pointer = point;
  }

  button(button: MouseButton, isDown: boolean): void {
    this.#held.note(`${button} button`, isDown, () => this.#route.button(button, false));
    this.#route.button(button, isDown);
  }

  notch(axis: 'x' | 'y', direction: 1 | -1): void {
    this.#route.notch(axis, direction);
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
    this.#held.releaseExcept(keep, this.isLost);
  }

  releaseLeftOver(): void {
    // Mutter has done so: what was pressed ends with the session that pressed it.
  }

  focusedWindow(options: CallOptions): Promise<FocusedWindow | undefined> {
    return this.#shell.windows.focused(options);
  }

  unreadBytes(pid: number): number | undefined {
    return this.#unread.of(pid);
  }

  async openWindows(options: CallOptions): Promise<readonly string[]> {
    return (await this.#shell.windows.list(options)).map(({ id }) => id);
  }

  windowAt(point: Point, options: CallOptions): Promise<string> {
    return this.#shell.windows.ownerAt(point, options);
  }

  async synced(): Promise<void> {
    await this.#route.synced();
    // Its own thread passes events on to applications after it has taken them.
    await this.#wire.synced();
  }

  onLoss(listener: (reason: DeskterityError) => void): () => void {
    const forget = [this.#wire, this.#route, this.#shell].map((each) => each.onLoss(listener));
    return () => forget.forEach((each) => each());
  }

  close(): void {
    this.releaseExcept([]);
    this.#sources.close();
    this.#shell.close();
    this.#route.close();
    this.#wire.close();
  }
}
