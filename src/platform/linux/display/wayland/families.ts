import { DeskterityError } from '../../../../model/effects/errors.ts';
import { byPerson } from '../../../../model/text/mention.ts';
import type { WaylandFamily } from './family.ts';
import { KWIN } from './kwin/family.ts';
import { privateWaylandDesktop } from './wire/wayland-errors.ts';
import type { WaylandWire } from './wire/wayland-wire.ts';
import { WLROOTS } from './wlroots/family.ts';

/** The first that a compositor belongs to is used. */
const FAMILIES: readonly WaylandFamily[] = [WLROOTS, KWIN];

/** The family of a compositor. @throws DeskterityError DISPLAY_UNAVAILABLE */
export function familyOf(wire: WaylandWire): WaylandFamily {
  const family = FAMILIES.find((each) => each.isOf(wire));
  if (family !== undefined) return family;
  const isGnome = wire.globals.some((global) => global.interface === 'gtk_shell1');
  throw new DeskterityError(
    'DISPLAY_UNAVAILABLE',
    `${isGnome ? 'GNOME' : 'This compositor'} on the Wayland display "${wire.display}" is not supported: it is neither KWin nor has it the virtual pointer and keyboard of wlroots.`,
    {
      suggestion: `${byPerson('Use sway or KDE Plasma, set DISPLAY to its Xwayland')}, or start a private desktop: ${privateWaylandDesktop()}.`,
    },
  );
}
