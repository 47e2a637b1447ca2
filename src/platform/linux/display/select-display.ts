import type { Environment } from '../../../model/sessions/caller.ts';
import type { DisplayKind } from './display.ts';
import { WAYLAND } from './wayland/wayland-display.ts';
import { X11 } from './x11/x11-display.ts';

/** The supported kinds of display servers; the first that an environment names is used. */
const KINDS: readonly DisplayKind[] = [WAYLAND, X11];

/** If the environment names none, X11 reports what is missing. */
export function selectDisplay(environment: Environment, kinds: readonly DisplayKind[] = KINDS): DisplayKind {
  return kinds.find((kind) => kind.isNamedBy(environment)) ?? X11;
}
