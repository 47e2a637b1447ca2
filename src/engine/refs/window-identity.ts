import type { DesktopWindow } from '../../ports/desktop.ts';

type WindowNames = Pick<DesktopWindow, 'id' | 'otherId' | 'process'>;

/**
 * What a window is remembered by. Display servers give the ids of a program that has ended to the next one, so that the id alone would
 * name a window of another program.
 */
export function windowKey(window: WindowNames): string {
  return keyFor(window.id, window);
}

/** What it was remembered by while only one side of the desktop knew it. */
export function otherWindowKey(window: WindowNames): string | undefined {
  return window.otherId === undefined ? undefined : keyFor(window.otherId, window);
}

function keyFor(id: string, { process }: Pick<DesktopWindow, 'process'>): string {
  return process === undefined ? id : `${id} of ${process}`;
}

/** Whether this window is the one remembered by `key`, now or from when only one side of the desktop knew it. */
export function goesBy(window: WindowNames, key: string): boolean {
  return windowKey(window) === key || otherWindowKey(window) === key;
}

/** Tells of a window whether it is one of `windows`, also where only one side of the desktop knew it then or knows it now. */
export function membership(windows: readonly WindowNames[]): (window: WindowNames) => boolean {
  const byId = new Map(windows.map((window) => [window.id, window]));
  const byOtherId = new Map(windows.map((window) => [window.otherId, window]));
  return (window) => {
    const match =
      byId.get(window.id) ??
      byOtherId.get(window.id) ??
      (window.otherId === undefined ? undefined : byId.get(window.otherId));
    return match !== undefined && isOneProcess(match, window);
  };
}

/** Where it is not known whose window it was, the id decides. */
function isOneProcess(a: WindowNames, b: WindowNames): boolean {
  return a.process === undefined || b.process === undefined || a.process === b.process;
}
