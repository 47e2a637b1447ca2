/** The desktop of windows that are on all of them, by EWMH. */
const ALL_DESKTOPS = 0xff_ff_ff_ff;
/**
 * Window managers that leave windows mapped which they do not show, for their previews. They show one desktop on all monitors; others, such as i3, show a
 * different one on each, so that the number of the current desktop says nothing.
 */
const KEEPS_MAPPED = /^(?:gnome shell|mutter|muffin|gala|kwin)/i;

/** What the window manager says about desktops. */
export interface DesktopState {
  /** The desktop that is shown; `undefined` without desktops. */
  readonly current: number | undefined;
  /** Name of the window manager; `undefined` without one. */
  readonly manager: string | undefined;
}

export interface MappedWindow {
  readonly isViewable: boolean;
  readonly minimized: boolean;
  /** Only its title bar is shown. */
  readonly isShaded: boolean;
  readonly desktop: number | undefined;
}

/** Whether nothing of a window is on the screen. */
export function isHidden(
  { isViewable, minimized, isShaded, desktop }: MappedWindow,
  { current, manager }: DesktopState,
): boolean {
  if (!isViewable) return !isShaded;
  if (manager === undefined || !KEEPS_MAPPED.test(manager)) return false;
  const isElsewhere =
    desktop !== undefined && desktop !== ALL_DESKTOPS && current !== undefined && desktop !== current;
  return minimized || isElsewhere;
}
