export const SCROLL_DIRECTIONS = ['up', 'down', 'left', 'right'] as const;
export type ScrollDirection = (typeof SCROLL_DIRECTIONS)[number];

/** Roughly what one notch of a wheel moves: Firefox and Chromium some 50 pixels, GTK and Qt about three lines. */
export const PIXELS_PER_NOTCH = 50;
