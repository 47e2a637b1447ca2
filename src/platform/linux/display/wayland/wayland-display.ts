import type { CallOptions } from '../../../../ports/call-options.ts';
import { liveDeadline } from '../../../../model/live-deadline.ts';
import type { Environment } from '../../../../model/sessions/caller.ts';
import { namesKde, namesWayland, PRIVATE_DESKTOP_MARKER } from '../../machine/desktop-environment.ts';
import type { Display, DisplayConnection, DisplayKind } from '../display.ts';
import { WaylandClipboard } from './clipboard/clipboard.ts';
import { familyOf } from './families.ts';
import type { WaylandFamily, WaylandPlace } from './family.ts';
import { WaylandControls } from './input/wayland-controls.ts';
import { WaylandWire } from './wire/wayland-wire.ts';

/** A Wayland compositor; see {@link namesWayland}. */
export const WAYLAND: DisplayKind = {
  name: 'wayland',
  isNamedBy: namesWayland,
  open: (environment) => new WaylandDisplay(environment),
};

class WaylandDisplay implements Display {
  readonly capabilities;
  readonly clipboard: WaylandClipboard;
  readonly controls: WaylandControls;
  readonly #place: WaylandPlace;

  constructor(environment: Environment) {
    this.#place = { environment, pointer: () => this.controls.input.lastPointer };
    // Only the compositor's own means tell where windows are.
    const windows = Boolean(environment['SWAYSOCK']) || namesKde(environment);
    this.capabilities = { windows, capture: true, clipboard: true, input: true };
    this.clipboard = new WaylandClipboard((options, receiving) =>
      WaylandWire.connect(environment, options, receiving),
    );
    this.controls = new WaylandControls(environment, (options) =>
      this.#open(options, (family, wire) => family.openDevices(wire, this.#place, options)),
    );
  }

  async connect(call: CallOptions): Promise<DisplayConnection> {
    const options = liveDeadline(call, performance);
    const connection = await this.#open(options, (family, wire) =>
      family.connect(wire, this.#place, options),
    );
    // Applications must know of the devices before the first key is sent. A user's own desktop has real ones.
    if (this.#place.environment[PRIVATE_DESKTOP_MARKER]) this.controls.prepare();
    return connection;
  }

  async #open<T>(
    options: CallOptions,
    open: (family: WaylandFamily, wire: WaylandWire) => Promise<T>,
  ): Promise<T> {
    const wire = await WaylandWire.connect(this.#place.environment, options);
    try {
      return await open(familyOf(wire), wire);
    } catch (error) {
      wire.close();
      throw error;
    }
  }
}
