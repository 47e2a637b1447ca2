import type { DesktopWindow } from '../ports/desktop.ts';

type WindowNames = Pick<DesktopWindow, 'id' | 'otherId'>;

/** Whether `id` was given to this window, now or while only one side of the desktop knew it. */
export function goesBy(window: WindowNames, id: string): boolean {
  return window.id === id || window.otherId === id;
}

/** Tells of a window whether it is one of `windows`, also where only one side of the desktop knew it then or knows it now. */
export function membership(windows: readonly WindowNames[]): (window: WindowNames) => boolean {
  const own = new Set(windows.map(({ id }) => id));
  const other = new Set(windows.map(({ otherId }) => otherId));
  return ({ id, otherId }) => own.has(id) || other.has(id) || (otherId !== undefined && own.has(otherId));
}
