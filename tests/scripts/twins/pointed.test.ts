import { expect, it } from 'vitest';
import { statusOfPointing } from '../../../scripts/proof/twins/run/pointed.ts';
import { frame, node, seen } from './seen.ts';

const BAR = [0, 48, 64, 16] as const;

function shown(message: string, title: string, colour: number) {
  const bar = node('status bar', message, { box: [...BAR] });
  return { seen: seen([node('label', title), bar]), frame: frame(colour, [8, 0, 8, 64]) };
}

it('leaves out what a status bar says once the pointer has been in a menu, where it says it', () => {
  const { places, tiles } = statusOfPointing(shown('Ready', 'A', 0xff_00_00), shown('', 'B', 0x00_ff_00));
  expect(places).toEqual(['app › frame › status bar[0]']);
  // The other label has changed, too, above the bar: that counts.
  expect([...tiles].toSorted((a, b) => a - b)).toEqual([41, 49, 57]);
});

it('leaves out nothing where the status bar says the same as before', () => {
  const { places, tiles } = statusOfPointing(
    shown('Ready', 'A', 0xff_00_00),
    shown('Ready', 'B', 0x00_ff_00),
  );
  expect([places.length, tiles.size]).toEqual([0, 0]);
});
