import type { WaylandFamily } from '../family.ts';
import { openWlrootsDevices } from './input/wlroots-devices.ts';
import { VIRTUAL_KEYBOARDS, VIRTUAL_POINTERS } from './interfaces.ts';
import { WlrootsConnection } from './wlroots-connection.ts';

/** Compositors that are built on wlroots, or offer the same. */
export const WLROOTS: WaylandFamily = {
  isOf: (wire) => wire.has(VIRTUAL_POINTERS) && wire.has(VIRTUAL_KEYBOARDS),
  connect: (wire, place, options) => WlrootsConnection.open(wire, place, options),
  openDevices: (wire, { environment }, options) => openWlrootsDevices(wire, environment, options),
};
