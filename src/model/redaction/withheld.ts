/** Replaces a text that must not be shown. */
export const WITHHELD = '[withheld]';
