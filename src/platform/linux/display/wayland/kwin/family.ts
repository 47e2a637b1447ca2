import type { WaylandFamily } from '../family.ts';
import { FAKE_INPUT, PLASMA_SHELL } from './interfaces.ts';
import { openKwinDevices } from './input/kwin-devices.ts';
import { KwinConnection } from './kwin-connection.ts';

/** Without our permission KWin does not list {@link FAKE_INPUT}. */
const TELLING: ReadonlySet<string> = new Set([PLASMA_SHELL, 'kde_output_management_v2', FAKE_INPUT.name]);

/** KWin, the compositor of KDE Plasma. */
export const KWIN: WaylandFamily = {
  isOf: (wire) => wire.globals.some((global) => TELLING.has(global.interface)),
  connect: (wire, { environment }, options) => KwinConnection.open(wire, environment, options),
  openDevices: (wire, { environment }, options) => openKwinDevices(wire, environment, options),
};
