const ESCAPE = 27;
/** Begins a control character of one byte, which some terminals take as sequences of its own. */
const EIGHT_BIT = 0xc2;
const ENQUIRY = 5;

const END_OF_STRING = String.raw`(?:\x07|\x1B\\)`;
/** What a program asks its terminal. */
const QUERIES = new RegExp(
  [
    String.raw`\x05|\xC2[\x80-\x9F]`,
    // Attributes and version, state and cursor, modes, keyboard, parameters of the line.
    String.raw`\x1B(?:\[[>=?]?[\d;]*c|Z)`,
    String.raw`\x1B\[>[\d;]*q`,
    String.raw`\x1B\[\??[\d;]*n`,
    String.raw`\x1B\[\??[\d;]*\$p`,
    String.raw`\x1B\[\?[\d;]*u`,
    String.raw`\x1B\[[\d;]*x`,
    // The window: its state, place, size and title.
    String.raw`\x1B\[(?:1[1-9]|2[01])(?:;[\d;]*)?t`,
    // Colours, the clipboard.
    String.raw`\x1B\](?:4|5|1\d|52);(?:[^;\x07\x1B]{0,256};){0,64}\?${END_OF_STRING}`,
    String.raw`\x1B\]21;[^\x07\x1B]{0,4096}=\?${END_OF_STRING}`,
    // Settings and capabilities.
    String.raw`\x1BP[+$]q[^\x07\x1B]{0,4096}${END_OF_STRING}`,
  ].join('|'),
  'g',
);

/** The bytes without what a terminal answers: there is one that has answered already. @param bytes whole sequences */
export function withoutQueries(bytes: Buffer): Buffer {
  if (![ESCAPE, ENQUIRY, EIGHT_BIT].some((byte) => bytes.includes(byte))) return bytes;
  return Buffer.from(bytes.toString('latin1').replaceAll(QUERIES, ''), 'latin1');
}

/** Names of windows and icons, and what keeps them and brings them back. */
const TITLES = new RegExp(
  [String.raw`\x1B\][012];[^\x07\x1B]*(?:\x07|\x1B\\)`, String.raw`\x1B\[2[23](?:;\d*)*t`].join('|'),
  'g',
);

/** The bytes without what would change the title of a window. @param bytes whole sequences */
export function withoutTitles(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(ESCAPE)) return bytes;
  return Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll(TITLES, ''), 'latin1');
}
