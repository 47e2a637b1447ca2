import { z } from 'zod';

/** What an act may use: only accessibility; the keyboard, with the window in front; the pointer, on the element. */
export const MODES = ['background', 'focus', 'pointer'] as const;
export const Mode = z.enum(MODES);
export type Mode = z.output<typeof Mode>;

/** How an act reaches an application. */
export const BACKENDS = ['accessibility', 'keyboard', 'pointer'] as const;
export type Backend = (typeof BACKENDS)[number];

/** The mode that starts with a backend. */
export const MODE_OF: Readonly<Record<Backend, Mode>> = {
  accessibility: 'background',
  keyboard: 'focus',
  pointer: 'pointer',
};
