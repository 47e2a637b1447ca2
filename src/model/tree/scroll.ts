export const SCROLL_DIRECTIONS = ['up', 'down', 'left', 'right'] as const;
export type ScrollDirection = (typeof SCROLL_DIRECTIONS)[number];

/** Roughly how far one notch of a wheel scrolls: about 50 pixels in Firefox and Chromium, three lines in GTK and Qt. */
export const PIXELS_PER_NOTCH = 50;
