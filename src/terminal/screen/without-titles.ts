const ESCAPE = 27;

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
