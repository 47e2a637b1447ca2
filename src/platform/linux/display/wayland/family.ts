import type { Environment } from '../../../../model/sessions/caller.ts';
import type { CallOptions } from '../../../../ports/call-options.ts';
import type { Point } from '../../../../ports/input.ts';
import type { DisplayConnection } from '../display.ts';
import type { OpenSelection } from './clipboard/open-selection.ts';
import type { InputDevices } from './input/devices.ts';
import type { WaylandWire } from './wire/wayland-wire.ts';

/** What leads to one Wayland display. */
export interface WaylandPlace {
  readonly environment: Environment;
  /** Where we put the pointer, if we did. */
  readonly pointer: () => Point | undefined;
}

/** Compositors that offer the same means. Each has a folder beside this file and a line in `families.ts`. */
export interface WaylandFamily {
  /** Told by what the compositor offers, not by its name. */
  isOf(wire: WaylandWire): boolean;
  /** @param wire which ends with the connection, or when this rejects. @throws DeskterityError */
  connect(wire: WaylandWire, place: WaylandPlace, options: CallOptions): Promise<DisplayConnection>;
  /**
   * The clipboard, by a way of its own; absent where it is the data-control protocol.
   * @param wire which ends with it, or when this rejects. @throws DeskterityError
   */
  openSelection?(wire: WaylandWire, place: WaylandPlace, options: CallOptions): Promise<OpenSelection>;
  /** @param wire which ends with the devices, or when this rejects. @throws DeskterityError */
  openDevices(wire: WaylandWire, place: WaylandPlace, options: CallOptions): Promise<InputDevices>;
}
