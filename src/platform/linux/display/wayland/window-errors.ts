import { DeskterityError } from '../../../../model/effects/errors.ts';
import { mentionCommand } from '../../../../model/text/mention.ts';
import { unsupported } from '../../failures.ts';

export function windowNotFound(id: string): DeskterityError {
  return new DeskterityError('WINDOW_NOT_FOUND', `There is no window ${id.slice(0, 80)}.`, {
    suggestion: `Run ${mentionCommand('list-windows')} to see the windows that are open now.`,
  });
}

/** @param compositor as it begins a sentence */
export function windowRefused(compositor: string, kind: string, complaint: string): DeskterityError {
  return new DeskterityError('ACTION_FAILED', `${compositor} refused to ${kind} the window.`, {
    suggestion: `Run ${mentionCommand('list-windows')} to see its state.`,
    platformDetail: complaint.slice(0, 200),
    delivered: false,
  });
}

export function notOnDisplay(): DeskterityError {
  return unsupported(
    'The display has no such window: its application draws it inside another window, so it cannot be focused, moved or closed by itself.',
    `Act on its elements, or press keys without naming a window: they go to what ${mentionCommand('focused')} shows.`,
  );
}
