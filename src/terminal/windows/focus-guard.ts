import type { ClockPort } from '../../ports/clock.ts';
import type { DesktopPort, DesktopWindow } from '../../ports/desktop.ts';
import { parseSessionTitle } from './terminal-title.ts';

const POLL_MS = 20;
const LOOK_DEADLINE_MS = 2000;
/** Window managers give a window the focus when it is shown, or a moment later. */
const WATCH_AFTER_MS = 400;

type FocusDesktop = Pick<DesktopPort, 'listWindows' | 'controlWindow'>;

/** What happened to the focus while a window opened. */
export interface GuardedFocus {
  /** A window with a terminal got it, and it was restored. */
  readonly wasRestored: boolean;
  /** The focus is where it was. */
  readonly isUnchanged: boolean;
  /** Title of the focused window, if any. */
  readonly focused: string | undefined;
}

/** Restores the focus if a new window, or one that shows a further terminal, takes it. If another existing window gets the focus, the user chose that. */
export class FocusGuard {
  private readonly desktop: FocusDesktop;
  private readonly clock: ClockPort;
  private readonly before: readonly DesktopWindow[];
  private wasRestored = false;

  private constructor(desktop: FocusDesktop, clock: ClockPort, before: readonly DesktopWindow[]) {
    this.desktop = desktop;
    this.clock = clock;
    this.before = before;
  }

  /** Must be called before the window is opened. */
  static async start(desktop: FocusDesktop, clock: ClockPort): Promise<FocusGuard> {
    return new FocusGuard(desktop, clock, await desktop.listWindows({ deadlineMs: LOOK_DEADLINE_MS }));
  }

  /** Watches until `opened` resolves, and a moment longer. */
  async until(opened: Promise<unknown>): Promise<GuardedFocus> {
    const watch = { isOver: false };
    const over = async () => {
      await opened.then(
        () => this.clock.sleep(WATCH_AFTER_MS),
        () => undefined,
      );
      watch.isOver = true;
    };
    void over();
    let windows = await this.check();
    for (; !watch.isOver; await this.clock.sleep(POLL_MS)) windows = await this.check();
    const focused = windows.find((window) => window.focused);
    return {
      wasRestored: this.wasRestored,
      isUnchanged: focused?.id === this.previous?.id,
      focused: focused?.title,
    };
  }

  private async check(): Promise<readonly DesktopWindow[]> {
    const windows = await this.desktop.listWindows({ deadlineMs: LOOK_DEADLINE_MS }).catch(() => []);
    const focused = windows.find((window) => window.focused);
    const { previous } = this;
    if (
      previous !== undefined &&
      focused !== undefined &&
      focused.id !== previous.id &&
      this.isOurs(focused)
    ) {
      this.wasRestored = true;
      await this.desktop
        .controlWindow(previous.id, { kind: 'focus' }, { deadlineMs: LOOK_DEADLINE_MS })
        .catch(() => undefined);
    }
    return windows;
  }

  private get previous(): DesktopWindow | undefined {
    return this.before.find((window) => window.focused);
  }

  private isOurs({ id, title }: DesktopWindow): boolean {
    return parseSessionTitle(title) !== undefined || !this.before.some((window) => window.id === id);
  }
}
