import { DeskterityError } from '../../model/effects/errors.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import type { DesktopApp } from '../../ports/desktop/windows.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import type { WatchRequest } from '../requests/desktop.ts';

/** Applications register a moment after their windows open, so they are listed again after this pause. */
const LOOK_PAUSE_MS = 500;
const LOOKS = 2;
const LOOK_DEADLINE_MS = 3000;

type WatchParts = Pick<EngineParts, 'desktop' | 'clock' | 'scope'>;

/**
 * Calls `listener` for events of the desktop or of one application, including when that ends and when one with its name starts again. Resolves
 * once events arrive; deadline and signal apply only until then. After `desktop-lost`, end it and start a new watch.
 * @throws DeskterityError APP_NOT_FOUND, AMBIGUOUS_APP, ACTION_NOT_SUPPORTED for a clipboard that cannot be watched, and errors of the desktop;
 * then nothing keeps running
 */
export async function watchDesktop(
  parts: WatchParts,
  request: WatchRequest,
  listener: (event: DesktopEvent) => void,
): Promise<() => void> {
  const { app, windowsOnly, deadlineMs, signal } = request;
  if (request.clipboard === true) return watchClipboard(parts, listener, { deadlineMs, signal });
  if (app === undefined) return parts.desktop.watch(listener, { deadlineMs, signal, windowsOnly });
  const watch = new ApplicationWatch(parts, app, listener);
  try {
    await watch.begin(liveDeadline({ deadlineMs, signal }, parts.clock), request.awaitsApp ?? false);
  } catch (error) {
    watch.end();
    throw error;
  }
  return () => watch.end();
}

function watchClipboard(
  { desktop, clock }: WatchParts,
  listener: (event: DesktopEvent) => void,
  call: CallOptions,
): Promise<() => void> {
  return desktop.clipboard.watch((change) => {
    const kind = change === 'lost' ? 'desktop-lost' : 'clipboard-changed';
    listener({ kind, node: { app: '', path: '' }, detail: '', atMs: clock.now() });
  }, call);
}

/** Follows one application by name across restarts. */
class ApplicationWatch {
  private readonly parts: WatchParts;
  private readonly wanted: string;
  private readonly listener: (event: DesktopEvent) => void;
  private readonly ending = new AbortController();
  private stopWindows: (() => void) | undefined;
  private pid: number | undefined;
  /** Stops the events of each of its ids. */
  private readonly followed = new Map<string, () => void>();
  private looksLeft = 0;
  private isLooking = false;

  constructor(parts: WatchParts, wanted: string, listener: (event: DesktopEvent) => void) {
    this.parts = parts;
    this.wanted = wanted;
    this.listener = listener;
  }

  async begin(call: CallOptions, mayBeAbsent: boolean): Promise<void> {
    // First, so that an application that starts meanwhile is not missed.
    this.stopWindows = await this.parts.desktop.watch((event) => this.onWindow(event), {
      deadlineMs: call.deadlineMs,
      signal: call.signal,
      windowsOnly: true,
    });
    const apps = await this.parts.desktop.listApps(call);
    const pid = mayBeAbsent
      ? await this.tryChoose(apps)
      : (await this.parts.scope.appAmong(apps, this.wanted)).pid;
    await this.follow(pid, apps, call);
  }

  end(): void {
    this.ending.abort();
    this.stopWindows?.();
    for (const stop of this.followed.values()) stop();
    this.followed.clear();
  }

  private onWindow(event: DesktopEvent): void {
    if (this.ending.signal.aborted) return;
    if (event.kind === 'desktop-lost') {
      this.end();
      this.listener(event);
      return;
    }
    // Windows that only the display knows have no application; the application's own events arrive through its own watch.
    if (event.node.app === '') this.listener(event);
    this.looksLeft = LOOKS;
    void this.look();
  }

  /** Checks for another instance of the application, now and once more later. One check at a time, however many windows open and close. */
  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    const { signal } = this.ending;
    const { desktop, clock } = this.parts;
    try {
      while (this.looksLeft > 0 && !signal.aborted) {
        this.looksLeft -= 1;
        const call = liveDeadline({ deadlineMs: LOOK_DEADLINE_MS, signal }, clock);
        // A failed check is repeated after the next event; a lost desktop sends its own event.
        await this.refresh(desktop, call).catch(() => undefined);
        if (this.looksLeft > 0) await clock.sleep(LOOK_PAUSE_MS, signal).catch(() => undefined);
      }
    } finally {
      this.isLooking = false;
    }
  }

  private async refresh(desktop: DesktopPort, call: CallOptions): Promise<void> {
    const apps = await desktop.listApps(call);
    const isStill = apps.some((app) => app.pid === this.pid);
    const before = this.pid;
    await this.follow(isStill ? this.pid : await this.tryChoose(apps), apps, call);
    if (before === this.pid || this.ending.signal.aborted) return;
    const kind = this.pid === undefined ? 'window-closed' : 'window-opened';
    const [app = ''] = this.followed.keys();
    this.listener({ kind, node: { app, path: '' }, detail: 'application', atMs: this.parts.clock.now() });
  }

  private async follow(
    pid: number | undefined,
    apps: readonly DesktopApp[],
    call: CallOptions,
  ): Promise<void> {
    this.pid = pid;
    // One process may be registered more than once, and one without a tree is not registered.
    const ids = new Set(apps.filter((app) => app.pid === pid && app.id !== '').map((app) => app.id));
    for (const [id, stop] of this.followed) {
      if (ids.has(id)) continue;
      stop();
      this.followed.delete(id);
    }
    const fresh = [...ids].filter((id) => !this.followed.has(id));
    await Promise.all(fresh.map((id) => this.listenTo(id, call)));
  }

  private async listenTo(appId: string, { deadlineMs, signal }: CallOptions): Promise<void> {
    const stop = await this.parts.desktop.watch(
      (event) => {
        // The watch of the windows reports a loss.
        if (!this.ending.signal.aborted && event.kind !== 'desktop-lost') this.listener(event);
      },
      { deadlineMs, signal, appId },
    );
    if (this.ending.signal.aborted) stop();
    else this.followed.set(appId, stop);
  }

  private async tryChoose(apps: readonly DesktopApp[]): Promise<number | undefined> {
    try {
      return (await this.parts.scope.appAmong(apps, this.wanted)).pid;
    } catch (error) {
      // None, or more than one.
      if (error instanceof DeskterityError) return undefined;
      throw error;
    }
  }
}
