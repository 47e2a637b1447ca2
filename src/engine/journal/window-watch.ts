import { processSubject, windowSubject, type Happening } from '../../model/journal/happening.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { membership } from '../refs/window-identity.ts';

/** A window that opens causes several events, and has its title a moment later. */
const MOMENT_MS = 150;
const LIST_MS = 5000;
/** When to look whether a program without windows has ended: it may only have closed them. */
const END_LOOKS_MS = [150, 300, 600, 1200, 2500];
/** Windows whose time is noted until the next look. */
const MOST_REPORTED = 500;
/** Programs without windows that are remembered. */
const MOST_PROGRAMS = 200;

/** Events of windows and of the list of applications; which window is active changes nothing here. */
const CHANGES_LIST: ReadonlySet<string> = new Set(['window-opened', 'window-closed', 'children-changed']);

export type Seen = Pick<Happening, 'kind' | 'subject' | 'fromMs'>;

/** Finds out which windows and programs opened and ended, when the desktop reports that something did. */
export class WindowWatch {
  private readonly desktop: DesktopPort;
  private readonly clock: ClockPort;
  private readonly onSeen: (seen: Seen) => void;
  private windows: ReadonlyMap<string, DesktopWindow> | undefined;
  /** Names of the programs that have, or had, windows, by process. */
  private readonly programs = new Map<number, string>();
  /** When windows were reported since the last look, by id. */
  private readonly reportedAt = new Map<string, number>();
  private firstReportAt: number | undefined;
  private looking: Promise<void> | undefined;
  private isStale = false;
  private readonly ending = new AbortController();

  constructor(
    { desktop, clock }: { readonly desktop: DesktopPort; readonly clock: ClockPort },
    onSeen: (seen: Seen) => void,
  ) {
    this.desktop = desktop;
    this.clock = clock;
    this.onSeen = onSeen;
  }

  /** Lists what is there already. @throws DeskterityError */
  async begin(): Promise<void> {
    await this.look();
  }

  end(): void {
    this.ending.abort();
  }

  /** The window with an id, while it is open. */
  window(id: string): DesktopWindow | undefined {
    return this.windows?.get(id);
  }

  /** The name and process of an application by its id. */
  appOf(appId: string): { readonly app: string; readonly pid: number } | undefined {
    for (const window of this.windows?.values() ?? [])
      if (window.appId === appId) return { app: window.appName, pid: window.pid };
    return undefined;
  }

  note({ kind, node, atMs }: DesktopEvent): void {
    if (!CHANGES_LIST.has(kind)) return;
    if (this.reportedAt.size < MOST_REPORTED && !this.reportedAt.has(node.path))
      this.reportedAt.set(node.path, atMs);
    this.firstReportAt ??= atMs;
    this.isStale = true;
    this.looking ??= this.lookSoon().finally(() => {
      this.looking = undefined;
    });
  }

  /** Resolves when everything reported so far has been looked at. */
  async settled(): Promise<void> {
    if (this.isStale) await this.look().catch(() => undefined);
    this.notePrograms();
  }

  private async lookSoon(): Promise<void> {
    const { signal } = this.ending;
    try {
      while (this.isStale && !signal.aborted) {
        await this.clock.sleep(MOMENT_MS, signal);
        if (this.isStale) await this.look();
      }
      for (const pauseMs of END_LOOKS_MS) {
        if (this.isStale || !this.hasProgramWithoutWindows()) break;
        await this.clock.sleep(pauseMs, signal);
        this.notePrograms();
      }
    } catch {
      // The desktop does not answer, or was lost; the next event leads to another look.
    }
    if (this.isStale && !signal.aborted) return this.lookSoon();
  }

  private async look(): Promise<void> {
    this.isStale = false;
    const { firstReportAt } = this;
    this.firstReportAt = undefined;
    const reportedAt = new Map(this.reportedAt);
    this.reportedAt.clear();
    const listed = await this.desktop
      .listWindows({ deadlineMs: LIST_MS, signal: this.ending.signal })
      .catch((error: unknown) => {
        this.firstReportAt = firstReportAt;
        throw error;
      });
    const before = this.windows;
    const now = new Map(listed.map((window) => [window.id, window]));
    this.windows = now;
    const timeOf = ({ id, otherId }: DesktopWindow): number =>
      reportedAt.get(id) ?? reportedAt.get(otherId ?? '') ?? firstReportAt ?? this.clock.now();
    const wasThere = membership([...(before?.values() ?? [])]);
    const isThere = membership(listed);
    const fresh = before === undefined ? [] : listed.filter((window) => !wasThere(window));
    this.noteOpened(fresh, timeOf, listed);
    for (const window of before?.values() ?? [])
      if (!isThere(window)) this.tellWindow(window, 'closed', timeOf(window));
    this.notePrograms();
  }

  private noteOpened(
    fresh: readonly DesktopWindow[],
    timeOf: (window: DesktopWindow) => number,
    listed: readonly DesktopWindow[],
  ): void {
    for (const window of fresh) {
      const { pid, appName: app } = window;
      const fromMs = timeOf(window);
      if (pid !== 0 && !this.programs.has(pid)) {
        this.programs.set(pid, app);
        this.onSeen({
          kind: 'app_started',
          subject: { key: processSubject(pid), name: app, app, pid },
          fromMs,
        });
      }
      this.tellWindow(window, 'opened', fromMs);
    }
    for (const { pid, appName: app } of listed) if (pid !== 0) this.programs.set(pid, app);
  }

  private tellWindow(window: DesktopWindow, what: 'opened' | 'closed', fromMs: number): void {
    const { id, title, appName: app, pid, process } = window;
    const isDialog = window.modal === true || window.transientFor !== undefined;
    const kinds = isDialog
      ? ({ opened: 'dialog_appeared', closed: 'dialog_closed' } as const)
      : ({ opened: 'window_opened', closed: 'window_closed' } as const);
    this.onSeen({
      kind: kinds[what],
      subject: { key: windowSubject(id), name: title, windowId: id, windowTitle: title, app, pid, process },
      fromMs,
    });
  }

  private hasProgramWithoutWindows(): boolean {
    return [...this.programs.keys()].some((pid) => this.isWithoutWindows(pid));
  }

  private isWithoutWindows(pid: number): boolean {
    for (const window of this.windows?.values() ?? []) if (window.pid === pid) return false;
    return true;
  }

  private notePrograms(): void {
    for (const [pid, app] of this.programs) {
      if (!this.isWithoutWindows(pid) || this.desktop.isProcessAlive(pid)) continue;
      this.programs.delete(pid);
      this.onSeen({
        kind: 'app_exited',
        subject: { key: processSubject(pid), name: app, app, pid },
        fromMs: this.clock.now(),
      });
    }
    for (const [oldest] of this.programs) {
      if (this.programs.size <= MOST_PROGRAMS) break;
      this.programs.delete(oldest);
    }
  }
}
