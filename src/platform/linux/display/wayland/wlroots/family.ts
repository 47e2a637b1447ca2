import { DeskterityError } from '../../../../../model/effects/errors.ts';
import { byPerson } from '../../../../../model/text/mention.ts';
import { privateWaylandDesktop } from '../wire/wayland-errors.ts';
import type { WaylandWire } from '../wire/wayland-wire.ts';
import { VIRTUAL_KEYBOARDS, VIRTUAL_POINTERS } from './interfaces.ts';

/** Words of a person for the compositors that only other protocols would reach, by a global that they have. */
const OTHERS: readonly (readonly [global: string, name: string])[] = [
  ['org_kde_plasma_shell', 'KDE Plasma'],
  ['kde_output_management_v2', 'KDE Plasma'],
  ['gtk_shell1', 'GNOME'],
];

/**
 * The compositor must be built on wlroots or offer the same, which is told by what it can do, not by its name.
 * @throws DeskterityError DISPLAY_UNAVAILABLE
 */
export function requireWlroots(wire: WaylandWire): void {
  if (wire.has(VIRTUAL_POINTERS) && wire.has(VIRTUAL_KEYBOARDS)) return;
  const names = new Set(wire.globals.map((global) => global.interface));
  const name = OTHERS.find(([global]) => names.has(global))?.[1] ?? 'This compositor';
  throw new DeskterityError(
    'DISPLAY_UNAVAILABLE',
    `${name} on the Wayland display "${wire.display}" is not supported: it has no virtual pointer and keyboard of wlroots.`,
    {
      suggestion: `${byPerson('Use sway, set DISPLAY to its Xwayland')}, or start a private desktop: ${privateWaylandDesktop()}.`,
    },
  );
}
