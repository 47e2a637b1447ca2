import type { ClockPort } from '../../ports/clock.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { parseSessionTitle } from './terminal-title.ts';

const POLL_MS = 20;
const LOOK_DEADLINE_MS = 2000;
/** Window managers give a window the focus when it is shown, or a moment later. */
const WATCH_AFTER_MS = 400;

/** What happened to the focus while a window opened. */
export interface GuardedFocus {
  /** A window with a terminal got it, and it was restored. */
  readonly wasRestored: boolean;
  /** The focus is where it was. */
  readonly isUnchanged: boolean;
  /** Name of the application that has the focus, if any. Its title is not for whoever opens a terminal. */
  readonly focused: string | undefined;
}

/**
 * Restores the focus if a new window, or one that shows a further terminal, takes it. If another existing window gets the focus, the user chose
 * that. Must be called before the window is opened.
 * @returns a function that watches until a window has opened, and a moment longer
 */
export async function guardFocus(
  desktop: Pick<DesktopPort, 'listWindows' | 'controlWindow'>,
  clock: ClockPort,
): Promise<(opened: Promise<unknown>) => Promise<GuardedFocus>> {
  const before = await desktop.listWindows({ deadlineMs: LOOK_DEADLINE_MS });
  const previous = before.find((window) => window.focused);
  const isOurs = ({ id, title }: DesktopWindow): boolean =>
    parseSessionTitle(title) !== undefined || !before.some((window) => window.id === id);
  let wasRestored = false;
  const check = async (): Promise<DesktopWindow | undefined> => {
    const windows = await desktop.listWindows({ deadlineMs: LOOK_DEADLINE_MS }).catch(() => []);
    const focused = windows.find((window) => window.focused);
    if (previous !== undefined && focused !== undefined && focused.id !== previous.id && isOurs(focused)) {
      wasRestored = true;
      await desktop
        .controlWindow(previous.id, { kind: 'focus' }, { deadlineMs: LOOK_DEADLINE_MS })
        .catch(() => undefined);
    }
    return focused;
  };
  return async (opened) => {
    const watch = { isOver: false };
    void opened
      .then(
        () => clock.sleep(WATCH_AFTER_MS),
        () => undefined,
      )
      .finally(() => (watch.isOver = true));
    let focused = await check();
    for (; !watch.isOver; await clock.sleep(POLL_MS)) focused = await check();
    return { wasRestored, isUnchanged: focused?.id === previous?.id, focused: focused?.appName };
  };
}
