import { DeskterityError } from '../../../../model/effects/errors.ts';
import { byPerson } from '../../../../model/text/mention.ts';
import type { WaylandFamily } from './family.ts';
import { KWIN } from './kwin/family.ts';
import { MUTTER } from './mutter/family.ts';
import { privateWaylandDesktop } from './wire/wayland-errors.ts';
import type { WaylandWire } from './wire/wayland-wire.ts';
import { WLROOTS } from './wlroots/family.ts';

/** The first that a compositor belongs to is used. */
const FAMILIES: readonly WaylandFamily[] = [WLROOTS, KWIN, MUTTER];

/** `undefined` for a compositor that belongs to none of them. */
export function knownFamilyOf(wire: WaylandWire): WaylandFamily | undefined {
  return FAMILIES.find((each) => each.isOf(wire));
}

/** The family of a compositor. @throws DeskterityError DISPLAY_UNAVAILABLE */
export function familyOf(wire: WaylandWire): WaylandFamily {
  const family = knownFamilyOf(wire);
  if (family !== undefined) return family;
  throw new DeskterityError(
    'DISPLAY_UNAVAILABLE',
    `This compositor on the Wayland display "${wire.display}" is not supported: it is neither KWin nor Mutter, and lacks the virtual pointer and keyboard of wlroots.`,
    {
      suggestion: `${byPerson('Use sway, KDE Plasma or GNOME, set DISPLAY to its Xwayland')}, or start a private desktop: ${privateWaylandDesktop()}.`,
    },
  );
}
