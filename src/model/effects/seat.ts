import { z } from 'zod';

/** The user's keyboard and pointer, or a pair of our own beside them. */
export const SEATS = ['shared', 'own'] as const;
export const Seat = z.enum(SEATS);
export type Seat = z.output<typeof Seat>;
