/** Stands where a text would that must not be repeated. */
export const WITHHELD = '[withheld]';
