import { mentionCommand } from '../../../../../model/text/mention.ts';
import { unsupported } from '../../../failures.ts';

const WINDOW_ID = /^x11:0x([0-9a-f]{1,8})$/;

/** The public id of a window. */
export function windowIdOf(window: number): string {
  return `x11:0x${window.toString(16)}`;
}

/** The window of a public id; absent for one that is not of the X server. */
export function windowIn(id = ''): number | undefined {
  const hex = WINDOW_ID.exec(id)?.[1];
  return hex === undefined ? undefined : Number.parseInt(hex, 16);
}

/** @throws DeskterityError ACTION_NOT_SUPPORTED for an id that is not an X11 id */
export function windowOf(id: string): number {
  const window = windowIn(id);
  if (window !== undefined) return window;
  throw unsupported(
    `${id.slice(0, 80)} is not a window of the X server.`,
    `Choose a window with an x11: id from ${mentionCommand('list-windows')}, or take a screenshot of the whole screen with ${mentionCommand('screenshot', { screen: true })}.`,
  );
}
