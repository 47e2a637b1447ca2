import type { DesktopWindow } from '../../ports/desktop/windows.ts';

type WindowNames = Pick<DesktopWindow, 'id' | 'otherId' | 'process'>;

/**
 * The key that identifies a window over time. Display servers reuse the ids of ended programs, so the id alone could name a window of another
 * program.
 */
export function windowKey(window: WindowNames): string {
  return keyFor(window.id, window);
}

/** The key it had while only display or accessibility knew it. */
export function otherWindowKey(window: WindowNames): string | undefined {
  return window.otherId === undefined ? undefined : keyFor(window.otherId, window);
}

function keyFor(id: string, { process }: Pick<DesktopWindow, 'process'>): string {
  return process === undefined ? id : `${id} of ${process}`;
}

/** Whether `key` identifies this window, now or from when only display or accessibility knew it. */
export function hasWindowKey(window: WindowNames, key: string): boolean {
  return windowKey(window) === key || otherWindowKey(window) === key;
}

/** Returns a check whether a window is one of `windows`, even if only display or accessibility knew it then or knows it now. */
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

/** If a process is unknown, the id decides. */
function isOneProcess(a: WindowNames, b: WindowNames): boolean {
  return a.process === undefined || b.process === undefined || a.process === b.process;
}

/** Whether a window receives keys now. */
export function receivesKeys(window: DesktopWindow): boolean {
  return !window.minimized && (window.hasInput ?? window.focused);
}
