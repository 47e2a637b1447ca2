/** Our own bitmap font for labels: 6 pixels wide, 9 high, strokes thick enough to be read at one image pixel per screen pixel. */
export const GLYPH_WIDTH = 6;
export const GLYPH_HEIGHT = 9;
export const LETTER_GAP = 1;

const DRAWINGS: Readonly<Record<string, string>> = {
  '0': '.####. ##..## ##..## ##..## ##..## ##..## ##..## ##..## .####.',
  '1': '..##.. .###.. ####.. ..##.. ..##.. ..##.. ..##.. ..##.. ######',
  '2': '.####. ##..## ....## ....## ...##. ..##.. .##... ##.... ######',
  '3': '.####. ##..## ....## ....## ..###. ....## ....## ##..## .####.',
  '4': '...##. ..###. .####. ##.##. ##.##. ##.##. ###### ...##. ...##.',
  '5': '###### ##.... ##.... #####. ....## ....## ....## ##..## .####.',
  '6': '..###. .##... ##.... #####. ##..## ##..## ##..## ##..## .####.',
  '7': '###### ....## ....## ...##. ...##. ..##.. ..##.. .##... .##...',
  '8': '.####. ##..## ##..## ##..## .####. ##..## ##..## ##..## .####.',
  '9': '.####. ##..## ##..## ##..## ##..## .##### ....## ...##. .###..',
  '@': '.####. #....# #.##.# ##.#.# ##.#.# #.###. #..... #....# .####.',
  '+': '...... ...... ..##.. ..##.. ###### ###### ..##.. ..##.. ......',
  e: '...... ...... .####. ##..## ##..## ###### ##.... ##..## .####.',
  t: '.##... .##... #####. .##... .##... .##... .##... .##.## ..###.',
  w: '...... ...... #....# #....# #....# #.##.# #.##.# ###### .#..#.',
};

/** Drawn for a character that the font does not have. */
const UNKNOWN = '###### #....# #....# #....# #....# #....# #....# #....# ######';

/** Size of a text in pixels. */
export function textSize(text: string): { readonly width: number; readonly height: number } {
  const letters = Array.from(text).length;
  return { width: Math.max(0, letters * (GLYPH_WIDTH + LETTER_GAP) - LETTER_GAP), height: GLYPH_HEIGHT };
}

/** Calls `dot` for each inked pixel of a text whose top-left corner is 0,0. */
export function drawText(text: string, dot: (x: number, y: number) => void): void {
  let left = 0;
  for (const letter of text) {
    const rows = (DRAWINGS[letter] ?? UNKNOWN).split(' ');
    for (const [y, row] of rows.entries()) {
      for (let x = 0; x < row.length; x += 1) if (row[x] === '#') dot(left + x, y);
    }
    left += GLYPH_WIDTH + LETTER_GAP;
  }
}
