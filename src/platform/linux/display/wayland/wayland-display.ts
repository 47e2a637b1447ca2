import type { CallOptions } from '../../../../ports/call-options.ts';
import { liveDeadline } from '../../../../model/live-deadline.ts';
import type { Environment } from '../../../../model/sessions/caller.ts';
import {
  namesGnome,
  namesKde,
  namesWayland,
  PRIVATE_DESKTOP_MARKER,
} from '../../machine/desktop-environment.ts';
import type { Display, DisplayConnection, DisplayKind } from '../display.ts';
import { WaylandClipboard } from './clipboard/clipboard.ts';
import type { OpenSelection } from './clipboard/open-selection.ts';
import { Selection } from './clipboard/selection.ts';
import { familyOf, knownFamilyOf } from './families.ts';
import type { WaylandFamily, WaylandPlace } from './family.ts';
import { WaylandControls } from './input/wayland-controls.ts';
import { PortalPictures } from './portal/portal-pictures.ts';
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
  readonly portal: PortalPictures;
  readonly #place: WaylandPlace;

  constructor(environment: Environment) {
    this.#place = { environment, pointer: () => this.controls.input.lastPointer };
    // Only the compositor's own means tell where windows are.
    const windows = Boolean(environment['SWAYSOCK']) || namesKde(environment) || namesGnome(environment);
    this.capabilities = { windows, capture: true, clipboard: true, input: true };
    this.clipboard = new WaylandClipboard((options, isOwner) => this.#openSelection(options, isOwner));
    this.portal = new PortalPictures(environment);
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

  /** Its owner is sent descriptors. */
  async #openSelection(options: CallOptions, isOwner: boolean): Promise<OpenSelection> {
    const { environment } = this.#place;
    const wire = await WaylandWire.connect(environment, options, isOwner ? 'descriptors' : 'bytes');
    try {
      const family = knownFamilyOf(wire);
      if (family?.openSelection) return await family.openSelection(wire, this.#place, options);
      return await Selection.open(wire, options);
    } catch (error) {
      wire.close();
      throw error;
    }
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
