import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { cellPath, placeOf } from '../../../../src/platform/linux/atspi/tree/cells/cell-address.ts';

it('a cell position round-trips through its path, up to the last cell of a sheet', () => {
  const last = 1_048_576 * 16_384 - 1;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: last }), (index) => {
      const place = { sheet: '/org/a11y/atspi/accessible/697', index };
      expect(placeOf({ app: ':1.3', path: cellPath(place) })).toEqual(place);
    }),
  );
});

it('the path of an object is not a cell position', () => {
  for (const path of ['/org/a11y/atspi/accessible/697', '', '#5', '/a#', '/a#b', '/a#1#2'])
    expect(placeOf({ app: ':1.3', path })).toBeUndefined();
});
