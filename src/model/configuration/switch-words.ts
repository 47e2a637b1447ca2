const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 't', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'f', 'no', 'off'].map((word) => [word, false] as const),
]);

/** What a word says, in any case: true, 1, t, yes, on; false, 0, f, no, off; `undefined` for any other. */
export function parseSwitch(text: string): boolean | undefined {
  return WORDS.get(text.toLowerCase());
}
