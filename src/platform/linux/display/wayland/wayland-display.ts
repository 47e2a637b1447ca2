import type { CallOptions } from '../../../../ports/call-options.ts';
import { liveDeadline } from '../../../../model/live-deadline.ts';
import type { Environment } from '../../../../model/sessions/caller.ts';
import { namesWayland, PRIVATE_DESKTOP_MARKER } from '../../machine/desktop-environment.ts';
import type { Display, DisplayConnection, DisplayKind } from '../display.ts';
import { WaylandClipboard } from './wlroots/clipboard.ts';
import { requireWlroots } from './wlroots/family.ts';
import { WlrootsConnection } from './wlroots/wlroots-connection.ts';
import { openWlrootsDevices } from './wlroots/input/wlroots-devices.ts';
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
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
    // Only the compositor's own IPC tells where windows are.
    const windows = Boolean(environment['SWAYSOCK']);
    this.capabilities = { windows, capture: true, clipboard: true, input: true };
    this.clipboard = new WaylandClipboard((options, receiving) => this.#wire(options, receiving));
    this.controls = new WaylandControls(environment, (options) =>
      openWlrootsDevices(environment, () => this.#wire(options), options),
    );
  }

  async connect(call: CallOptions): Promise<DisplayConnection> {
    const options = liveDeadline(call, performance);
    const wire = await this.#wire(options);
    try {
      const connection = await WlrootsConnection.open(
        wire,
        { environment: this.#environment, pointer: () => this.controls.input.lastPointer },
        options,
      );
      // Applications must know of the devices before the first key is sent. A user's own desktop has real ones.
      if (this.#environment[PRIVATE_DESKTOP_MARKER]) this.controls.prepare();
      return connection;
    } catch (error) {
      wire.close();
      throw error;
    }
  }

  async #wire(options: CallOptions, receiving: 'bytes' | 'descriptors' = 'bytes'): Promise<WaylandWire> {
    const wire = await WaylandWire.connect(this.#environment, options, receiving);
    try {
      requireWlroots(wire);
      return wire;
    } catch (error) {
      wire.close();
      throw error;
    }
  }
}
