const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 't', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'f', 'no', 'off'].map((word) => [word, false] as const),
]);

/** What {@link parseSwitch} accepts, for messages. */
export const SWITCH_WORDS = 'true, 1, yes or on, or to false, 0, no or off';

/** Parses true, 1, t, yes, on and false, 0, f, no, off, ignoring case; `undefined` for any other word. */
export function parseSwitch(text: string): boolean | undefined {
  return WORDS.get(text.toLowerCase());
}
