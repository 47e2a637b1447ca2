const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 't', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'f', 'no', 'off'].map((word) => [word, false] as const),
]);

/** Parses true, 1, t, yes, on and false, 0, f, no, off, ignoring case; `undefined` for any other word. */
export function parseSwitch(text: string): boolean | undefined {
  return WORDS.get(text.toLowerCase());
}
