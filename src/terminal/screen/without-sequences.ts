const ESCAPE = 27;
/** First byte of a C1 control character, which some terminals interpret as a sequence. */
const EIGHT_BIT = 0xc2;
const ENQUIRY = 5;

const END_OF_STRING = String.raw`(?:\x07|\x1B\\)`;
/** Queries of a program to its terminal. */
const QUERIES = new RegExp(
  [
    String.raw`\x05|\xC2[\x80-\x9F]`,
    // Attributes and version, state and cursor, modes, keyboard, line parameters.
    String.raw`\x1B(?:\[[>=?]?[\d;]*c|Z)`,
    String.raw`\x1B\[>[\d;]*q`,
    String.raw`\x1B\[\??[\d;]*n`,
    String.raw`\x1B\[\??[\d;]*\$p`,
    String.raw`\x1B\[\?[\d;]*u`,
    String.raw`\x1B\[[\d;]*x`,
    // The window: its state, position, size and title.
    String.raw`\x1B\[(?:1[1-9]|2[01])(?:;[\d;]*)?t`,
    // Colours and the clipboard.
    String.raw`\x1B\](?:4|5|1\d|52);(?:[^;\x07\x1B]{0,256};){0,64}\?${END_OF_STRING}`,
    String.raw`\x1B\]21;[^\x07\x1B]{0,4096}=\?${END_OF_STRING}`,
    // Settings and terminfo capabilities.
    String.raw`\x1BP[+$]q[^\x07\x1B]{0,4096}${END_OF_STRING}`,
  ].join('|'),
  'g',
);

/** Removes queries, because the emulator has already replied to them. @param bytes complete sequences */
export function withoutQueries(bytes: Buffer): Buffer {
  if (![ESCAPE, ENQUIRY, EIGHT_BIT].some((byte) => bytes.includes(byte))) return bytes;
  return Buffer.from(bytes.toString('latin1').replaceAll(QUERIES, ''), 'latin1');
}

/** Sequences that set, save and restore the titles of windows and icons. */
const TITLES = new RegExp(
  [String.raw`\x1B\][012];[^\x07\x1B]*(?:\x07|\x1B\\)`, String.raw`\x1B\[2[23](?:;\d*)*t`].join('|'),
  'g',
);

/** Removes changes of the window title. @param bytes complete sequences */
export function withoutTitles(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(ESCAPE)) return bytes;
  return Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll(TITLES, ''), 'latin1');
}
