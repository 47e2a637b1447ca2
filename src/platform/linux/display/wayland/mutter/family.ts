import type { WaylandFamily } from '../family.ts';
import { MutterSelection } from './clipboard/mutter-selection.ts';
import { openMutterDevices } from './input/mutter-devices.ts';
import { MutterConnection } from './mutter-connection.ts';

/** Which only Mutter offers. */
const GTK_SHELL = 'gtk_shell1';

/** Mutter, the compositor of GNOME. */
export const MUTTER: WaylandFamily = {
  isOf: (wire) => wire.globals.some((global) => global.interface === GTK_SHELL),
  connect: (wire, { environment }, options) => MutterConnection.open(wire, environment, options),
  openSelection: async (wire, { environment }, options) => {
    const selection = await MutterSelection.open(environment, wire.display, options);
    // Nothing more is asked over it.
    wire.close();
    return selection;
  },
  openDevices: (wire, { environment }, options) => openMutterDevices(wire, environment, options),
};
