import type { ClockPort } from '../../ports/clock.ts';
import type { DesktopPort, DesktopWindow } from '../../ports/desktop.ts';
import { parseSessionTitle } from './terminal-title.ts';

const LOOK_EVERY_MS = 20;
const LOOK_DEADLINE_MS = 2000;
/** Window managers give a window the focus when it is shown, or a moment later. */
const WATCH_AFTER_MS = 400;

type Looking = Pick<DesktopPort, 'listWindows' | 'controlWindow'>;

/** What the focus did while a window opened. */
export interface GuardedFocus {
  /** A window that shows a terminal got it, and it was given back. */
  readonly wasGivenBack: boolean;
  /** It is where it was. */
  readonly isAsBefore: boolean;
  /** Title of the window that has it; absent where none has. */
  readonly focused: string | undefined;
}

/** Sees to it that a window which opens, or shows one more terminal, does not keep the focus. Other windows that were there before keep it where they get it meanwhile: the user goes where they want. */
export class FocusGuard {
  private readonly desktop: Looking;
  private readonly clock: ClockPort;
  private readonly before: readonly DesktopWindow[];
  private wasGivenBack = false;

  private constructor(desktop: Looking, clock: ClockPort, before: readonly DesktopWindow[]) {
    this.desktop = desktop;
    this.clock = clock;
    this.before = before;
  }

  /** To be called before the window is opened. */
  static async start(desktop: Looking, clock: ClockPort): Promise<FocusGuard> {
    return new FocusGuard(desktop, clock, await desktop.listWindows({ deadlineMs: LOOK_DEADLINE_MS }));
  }

  /** Watches until `opened` has come true, and a moment beyond. */
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
    let windows = await this.look();
    for (; !watch.isOver; await this.clock.sleep(LOOK_EVERY_MS)) windows = await this.look();
    const focused = windows.find((window) => window.focused);
    return {
      wasGivenBack: this.wasGivenBack,
      isAsBefore: focused?.id === this.had?.id,
      focused: focused?.title,
    };
  }

  private async look(): Promise<readonly DesktopWindow[]> {
    const windows = await this.desktop.listWindows({ deadlineMs: LOOK_DEADLINE_MS }).catch(() => []);
    const focused = windows.find((window) => window.focused);
    const { had } = this;
    if (had !== undefined && focused !== undefined && focused.id !== had.id && this.isOurs(focused)) {
      this.wasGivenBack = true;
      await this.desktop
        .controlWindow(had.id, { kind: 'focus' }, { deadlineMs: LOOK_DEADLINE_MS })
        .catch(() => undefined);
    }
    return windows;
  }

  private get had(): DesktopWindow | undefined {
    return this.before.find((window) => window.focused);
  }

  private isOurs({ id, title }: DesktopWindow): boolean {
    return parseSessionTitle(title) !== undefined || !this.before.some((window) => window.id === id);
  }
}
