/**
 * Columns of a character in a terminal, as by the C library's `wcwidth`, which programs use for their layout. Characters that combine into one glyph
 * (families, flags, skin tones) are counted one by one, as shells and editors do.
 */
export function characterWidth(codePoint: number): 0 | 1 | 2 {
  if (codePoint < 0x300) return codePoint === 0 ? 0 : 1;
  const page = PAGES.get(codePoint >> 8) ?? addPage(codePoint >> 8);
  const width = page[codePoint & 0xff];
  return width === 0 || width === 2 ? width : 1;
}

/** A zero-width character. */
export const ZERO_WIDTH = String.raw`[\p{Mn}\p{Me}\u{61C}\u{1160}-\u{11FF}\u{D7B0}-\u{D7FF}\u{180E}\u{200B}-\u{200F}\u{2028}-\u{202E}\u{2060}-\u{206F}\u{FEFF}\u{FFF9}-\u{FFFB}\u{1171E}\u{13430}-\u{13438}\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0001}-\u{E007F}]`;

const NONE = new RegExp(`^${ZERO_WIDTH}$`, 'u');
const TWO = new RegExp(
  `^(?:${String.raw`[\u{1100}-\u{115F}\u{2329}\u{232A}\u{2E80}-\u{303E}\u{3041}-\u{33FF}\u{3400}-\u{A4CF}\u{A960}-\u{A97F}\u{AC00}-\u{D7A3}\u{F900}-\u{FAFF}\u{FE10}-\u{FE19}\u{FE30}-\u{FE6F}\u{FF01}-\u{FF60}\u{FFE0}-\u{FFE6}\u{16FE0}-\u{16FF1}\u{17000}-\u{18CD5}\u{18D00}-\u{18D08}\u{1AFF0}-\u{1B2FB}\u{1F200}-\u{1F202}\u{1F210}-\u{1F23B}\u{1F240}-\u{1F248}\u{1F250}-\u{1F251}\u{1F260}-\u{1F265}\u{20000}-\u{2FFFD}\u{30000}-\u{3FFFD}]`}|(?![\u{1F1E6}-\u{1F1FF}])\\p{Emoji_Presentation})$`,
  'u',
);

/** Widths of 256 characters each, computed on first use: at most 4,352 pages of 256 bytes, in practice a dozen. */
const PAGES = new Map<number, Uint8Array>();

function addPage(number: number): Uint8Array {
  const page = Uint8Array.from({ length: 256 }, (_, low) => {
    const character = String.fromCodePoint((number << 8) | low);
    if (NONE.test(character)) return 0;
    return TWO.test(character) ? 2 : 1;
  });
  PAGES.set(number, page);
  return page;
}
