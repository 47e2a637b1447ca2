import type { Bounds } from '../../../../model/tree/bounds.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';

export function outside({ width, height }: Bounds): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', 'The region is outside the screen.', {
    suggestion: `Choose a region inside the screen, which is ${width}x${height} pixels.`,
  });
}

export function noMonitor(index: number, count: number): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', `There is no monitor ${index}.`, {
    suggestion:
      count === 1 ? 'The only monitor is 0.' : `There are ${count}; choose one from 0 to ${count - 1}.`,
  });
}
