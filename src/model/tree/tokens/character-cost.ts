import { once } from '../../once.ts';
import { SINGLES, STRANGERS } from './tables.ts';

const singleUnits = once(() => {
  const singles = new Uint8Array(0x10000);
  let code = 0x80;
  for (const [index, run] of SINGLES.split(' ').entries()) {
    const length = Number.parseInt(run, 36);
    if (index % 2 === 1) singles.fill(1, code, code + length);
    code += length;
  }
  return singles;
});

const strangers = new Uint8Array(128 * 128);
for (const [index, seconds] of STRANGERS.entries()) {
  for (const second of seconds) strangers[(32 + index) * 128 + second.charCodeAt(0)] = 1;
}

/** An upper bound for the tokens of any piece of text. */
export function boundedCost(piece: string): number {
  const singles = singleUnits();
  let total = 0;
  let start = 0;
  let mixed = false;
  for (let index = 0; index < piece.length; index++) {
    const unit = piece.charCodeAt(index);
    if (unit < 0x80) continue;
    if (index > start) total += asciiBound(piece, start, index);
    mixed ||= index > 0 || piece.charCodeAt(index + 1) < 0x80;
    if (unit >= 0xd800 && unit <= 0xdbff && index + 1 < piece.length) {
      index += 1;
      total += unit <= 0xd83e && unit >= 0xd83c ? 3 : 4;
    } else total += singles[unit] === 1 ? 1 : unit < 0x800 ? 2 : 3;
    start = index + 1;
  }
  if (piece.length > start) total += asciiBound(piece, start, piece.length);
  return mixed ? total + 1 : total;
}

/**
 * Byte-pair encoding never leaves two neighbours separate that form a token together. So of characters that pair with their neighbours at most two
 * in three can be separate tokens, in the pattern one, two, one, two; the longest such division is the bound.
 */
function asciiBound(text: string, start: number, end: number): number {
  let endsSingle = 1;
  let endsPair = -1;
  let previousSingle = -1;
  let previousPair = 0;
  for (let index = start + 1; index < end; index++) {
    const apart = neverPair(text.charCodeAt(index - 1), text.charCodeAt(index));
    const single = 1 + Math.max(endsPair, apart ? endsSingle : -1);
    const pair = 1 + Math.max(previousSingle, previousPair);
    previousSingle = endsSingle;
    previousPair = endsPair;
    endsSingle = single;
    endsPair = pair;
  }
  return Math.max(endsSingle, endsPair);
}

function neverPair(first: number, second: number): boolean {
  return first < 32 || second < 32 || strangers[first * 128 + second] === 1;
}
