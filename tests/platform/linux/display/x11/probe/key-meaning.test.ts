import { expect, it } from 'vitest';
import { keyMeaning } from '../../../../../../src/platform/linux/display/x11/probe/probe-surface.ts';

const SHIFT = 1;
const SECOND_GROUP = 1 << 13;

it.each([
  ['a character', [0x37, 0x26], 0, '7'],
  ['one with Shift, as on a French keyboard', [0x26, 0x37], SHIFT, '7'],
  ['one that has no other with Shift', [0x0100_8a9e, 0], SHIFT, '語'],
  ['one of the second layout', [0x71, 0x51, 0x0100_0439, 0x0100_0419], SECOND_GROUP, 'й'],
  ['one of a layout that is not there', [0x71, 0x51], SECOND_GROUP, 'q'],
  ['Shift itself', [0xffe1], 0, 'Shift'],
  ['a key that means nothing', [0, 0], 0, ''],
  ['a key without a row', [], 0, ''],
])('%s', (_what, row, state, meaning) => {
  expect(keyMeaning(row, state)).toBe(meaning);
});
