import { mentionCommand, mentionParameter } from '../../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { WindowRequest } from '../../../../../ports/desktop/windows.ts';
import { unsupported } from '../../../failures.ts';
import { setUpGnome } from './setup-mention.ts';

const DOING: Readonly<Record<WindowRequest['kind'], string>> = {
  focus: 'bring a window to the front',
  move: 'move a window',
  resize: 'resize a window',
  minimize: 'minimize a window',
  maximize: 'maximize a window',
  restore: 'restore a window',
  close: 'close a window',
};

/** What a person would do instead; keys go to the window that is in front. */
const INSTEAD: Readonly<Record<WindowRequest['kind'], () => string>> = {
  focus: () =>
    `Click a part of it that shows: ${mentionCommand('mouse click', { x: 640, y: 360 })}. Acting through accessibility needs no focus: ${mentionParameter('mode', 'background')}.`,
  move: () =>
    `Once it is in front, press ${key('super+Left')} or ${key('super+Right')} for a half of the screen.`,
  resize: () =>
    `Once it is in front, press ${key('super+Left')} or ${key('super+Right')} for a half of the screen.`,
  minimize: () => `Once it is in front, press ${key('super+h')}.`,
  maximize: () => `Once it is in front, press ${key('super+Up')}.`,
  restore: () => `Once it is in front, press ${key('super+Down')}; a minimized one is in the overview.`,
  close: () => `Click its own close button, or press ${key('alt+F4')} once it is in front.`,
};

function key(keys: string): string {
  return mentionCommand('press', { keys });
}

/** GNOME Shell does not do this for other programs. */
export function refusedRequest({ kind }: WindowRequest): DeskterityError {
  return unsupported(
    `GNOME does not let other programs ${DOING[kind]} without our extension.`,
    `${setUpGnome()}. Without it: ${INSTEAD[kind]()}`,
  );
}

/** For a window that only accessibility knows. */
export function notTold(): DeskterityError {
  return unsupported(
    'GNOME does not tell which of the windows that it shows this one is: it is minimized, on another workspace, or has the size of another one.',
    `${setUpGnome()}, which tells all windows apart; or act through accessibility, with ${mentionParameter('mode', 'background')}.`,
  );
}

/** For a place where nothing says whose window is there, so that no rule can be applied to it. */
export function nobodyKnown(): DeskterityError {
  return new DeskterityError('NOT_ACTIONABLE', 'GNOME does not tell whose window or menu is at this place.', {
    suggestion: `Act through accessibility, with ${mentionParameter('mode', 'background')}: items of open menus are in the snapshot. Two windows of the same size cannot be told apart either.`,
    delivered: false,
    retryable: true,
  });
}
