import type { Environment } from '../../../../../model/sessions/caller.ts';
import { PRIVATE_DESKTOP_MARKER } from '../../../machine/desktop-environment.ts';
import type { DisplayControls } from '../../display.ts';
import { socketOf } from '../wire/wayland-wire.ts';
import type { OpenDevices } from './devices.ts';
import { LeaseFile } from './lease-file.ts';
import { StopFile } from './stop-file.ts';
import { WaylandInput } from './wayland-input.ts';
import { WaylandStopSwitch } from './wayland-stop-switch.ts';

/** Keyboard, pointer and the stop switch of a Wayland display. */
export class WaylandControls implements DisplayControls {
  readonly input: WaylandInput;
  readonly stopSwitch: WaylandStopSwitch;

  constructor(environment: Environment, open: OpenDevices) {
    const socket = socketOf(environment);
    const isPrivate = Boolean(environment[PRIVATE_DESKTOP_MARKER]);
    this.input = new WaylandInput(
      isPrivate ? placed(open) : open,
      new LeaseFile(`${socket}.deskterity-input`),
    );
    this.stopSwitch = new WaylandStopSwitch(new StopFile(`${socket}.deskterity-stop`), this.input);
  }

  /** Opens the devices ahead of their first use. */
  prepare(): void {
    void this.input.devices().catch(() => undefined);
  }

  /** Releases all keys and buttons and ends the lease. */
  async close(): Promise<void> {
    this.stopSwitch.close();
    await this.input.close();
  }
}

/** Puts the pointer, of which nothing tells where it is, out of the way at first. */
function placed(open: OpenDevices): OpenDevices {
  return async (options) => {
    const devices = await open(options);
    await devices.moveTo({ x: 0, y: 0 });
    return devices;
  };
}
