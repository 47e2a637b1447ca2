import { z } from 'zod';

/** The user's keyboard and pointer, or a pair of our own beside them. */
export const SEATS = ['shared', 'own'] as const;
export const Seat = z.enum(SEATS);
export type Seat = z.output<typeof Seat>;

/** What acts do with a keyboard and a pointer, as far as it matters whose they are. `popup`: what opens a menu or a list. */
export const HAND_USES = ['hover', 'click', 'double-click', 'popup', 'drag', 'wheel', 'keys'] as const;
export type HandUse = (typeof HAND_USES)[number];
