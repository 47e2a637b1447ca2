import type { Bounds } from '../../../../model/tree/bounds.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import { mentionCommand } from '../../../../model/text/mention.ts';

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

export function notShown(id: string, isMinimized: boolean): DeskterityError {
  return isMinimized
    ? new DeskterityError(
        'NOT_ACTIONABLE',
        `Window ${id} is minimized, and minimized windows cannot be captured.`,
        { suggestion: 'Restore it first.' },
      )
    : new DeskterityError('NOT_ACTIONABLE', `Window ${id} is on a virtual desktop that is not shown.`, {
        suggestion: `Focus it first: ${mentionCommand('focus-window', { window: id })}.`,
      });
}

export function outsideScreens(id: string): DeskterityError {
  return new DeskterityError(
    'NOT_ACTIONABLE',
    `Window ${id} is outside the screens and cannot be captured.`,
    { suggestion: 'Move the window onto the screen, then repeat the command.' },
  );
}
