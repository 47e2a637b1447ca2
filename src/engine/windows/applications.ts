import { DeskterityError } from '../../model/effects/errors.ts';
import { LONGEST_TITLE } from '../../model/refs/target.ts';
import type { AppSummary, WindowSummary } from '../../model/refs/target.ts';
import { clip, quote } from '../../model/text/untrusted-text.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { CallOptions, DesktopApp, DesktopPort, DesktopWindow } from '../../ports/desktop.ts';
import { toWindowSummary } from '../reading/observe.ts';
import { frontmost } from '../refs/scope.ts';
import type { ScopeResolver } from '../refs/scope.ts';
import type { Session } from '../refs/session.ts';
import { membership } from '../refs/window-identity.ts';
import type { LaunchResult } from '../requests/desktop.ts';
import { waitFor } from '../wait.ts';

/** Applications start splash windows and helpers; what a launch waits for is a window that can be read. */
const PROCESS_END_GRACE_MS = 3000;
const LOOK_EVERY_MS = 250;
/** Of the time for closing; the rest is for the answer. */
const DEADLINE_SHARE = 0.95;

export interface ApplicationsParts {
  readonly desktop: DesktopPort;
  readonly session: Session;
  readonly scope: ScopeResolver;
  readonly clock: ClockPort;
}

/** Applications and their windows: list, start, end, wait for. */
export class Applications {
  private readonly parts: ApplicationsParts;

  constructor(parts: ApplicationsParts) {
    this.parts = parts;
  }

  async listApps(request: CallOptions): Promise<readonly AppSummary[]> {
    return (await this.parts.desktop.listApps(request)).map(toAppSummary);
  }

  async listWindows(
    request: CallOptions & {
      readonly app?: string | undefined;
      readonly focusedOnly: boolean;
      readonly includeMinimized: boolean;
    },
  ): Promise<readonly WindowSummary[]> {
    const pid =
      request.app === undefined ? undefined : (await this.parts.scope.app(request.app, request)).pid;
    const windows = await this.parts.desktop.listWindows({ ...request, pid });
    const wanted = windows.filter(
      (window) => (!request.focusedOnly || window.focused) && (request.includeMinimized || !window.minimized),
    );
    return this.parts.session.edit((table) => wanted.map((window) => toWindowSummary(window, table)));
  }

  async launch(
    request: CallOptions & {
      readonly app: string;
      readonly args: readonly string[];
      readonly cwd: string;
      readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
      readonly wait: boolean;
    },
  ): Promise<LaunchResult> {
    const { desktop, session, clock } = this.parts;
    const started = clock.now();
    const before = request.wait ? await desktop.listWindows(request) : [];
    const launched = await desktop.launch(request);
    const base = {
      app: request.app,
      pid: launched.pid,
      command: [...launched.command],
      adjustments: [...launched.adjustments],
    };
    if (!request.wait) return { ...base, window: undefined };
    const isKnown = membership(before);
    let ended: string | undefined;
    const noteEnd = async (): Promise<void> => {
      ended = await launched.exited;
    };
    void noteEnd();
    const window = await this.awaitWindow(
      {
        ...request,
        deadlineMs: request.deadlineMs - (clock.now() - started),
        what: `A window of ${request.app}`,
      },
      (windows) => {
        const fresh = windows.filter((candidate) => !isKnown(candidate));
        const own = fresh.filter((candidate) => launched.owns(candidate.pid));
        // A launcher script may hand over to another process and end; then any new window is the one.
        return (
          frontmost(own.filter((candidate) => candidate.accessible)) ??
          (ended === undefined ? undefined : frontmost(fresh.filter((candidate) => candidate.accessible)))
        );
      },
      (windows) =>
        frontmost(windows.filter((candidate) => launched.owns(candidate.pid) && !isKnown(candidate))),
      () =>
        ended === undefined ? undefined : `${request.app} ended with ${ended} before it showed a window`,
    );
    const summary = await session.edit((table) => toWindowSummary(window, table));
    // The pid that other commands know the application by is the window's, not that of a script which started it.
    return { ...base, pid: window.pid || launched.pid, app: summary.app || request.app, window: summary };
  }

  async close(
    request: CallOptions & { readonly app: string; readonly force: boolean },
  ): Promise<{ app: string; pid: number; via: string; closed: boolean }> {
    const { desktop, scope, clock } = this.parts;
    const { pid, name } = await scope.app(request.app, request);
    const started = clock.now();
    const end = started + request.deadlineMs * DEADLINE_SHARE;
    // A program that hangs is killed whether anybody answers for it or not.
    const before = request.force ? undefined : await this.windowIdsOf(pid, request).catch(() => undefined);
    const { via } = await desktop.closeApp(pid, request);
    while (desktop.isProcessAlive(pid) && clock.now() < end) {
      await clock.sleep(20, request.signal);
      if (before === undefined || clock.now() - started < PROCESS_END_GRACE_MS) continue;
      // Large programs take seconds to end; one that asks something waits for an answer.
      const now = await this.windowIdsOf(pid, request).catch(() => before);
      if ([...now].some((id) => !before.has(id))) break;
      await clock.sleep(LOOK_EVERY_MS, request.signal);
    }
    return { app: clip(name, LONGEST_TITLE), pid, via, closed: !desktop.isProcessAlive(pid) };
  }

  private async windowIdsOf(pid: number, options: CallOptions): Promise<ReadonlySet<string>> {
    const windows = await this.parts.desktop.listWindows({ ...options, pid });
    return new Set(windows.map(({ id }) => id));
  }

  async waitForWindow(
    request: CallOptions & { readonly title: string; readonly app?: string | undefined },
  ): Promise<WindowSummary> {
    const wanted = request.title.toLowerCase();
    const app = request.app?.toLowerCase();
    const window = await this.awaitWindow(
      { ...request, what: `A window with ${JSON.stringify(request.title.slice(0, 80))} in its title` },
      (windows) =>
        windows.find(
          (candidate) =>
            candidate.title.toLowerCase().includes(wanted) &&
            (app === undefined ||
              candidate.appName.toLowerCase().includes(app) ||
              String(candidate.pid) === app),
        ),
    );
    return this.parts.session.edit((table) => toWindowSummary(window, table));
  }

  /** `fallback` is taken when time is nearly up and `choose` found nothing better. */
  private async awaitWindow(
    request: CallOptions & { readonly what: string },
    choose: (windows: readonly DesktopWindow[]) => DesktopWindow | undefined,
    fallback: (windows: readonly DesktopWindow[]) => DesktopWindow | undefined = () => undefined,
    impossible: () => string | undefined = () => undefined,
  ): Promise<DesktopWindow> {
    let titles = '';
    let second: DesktopWindow | undefined;
    try {
      return await waitFor(this.parts, { ...request, lastSeen: () => titles }, async (deadlineMs) => {
        const windows = await this.parts.desktop.listWindows({ ...request, deadlineMs });
        titles = windows.map((window) => quote(clip(window.title, 60))).join(', ');
        second = fallback(windows) ?? second;
        const chosen = choose(windows);
        const why = chosen ? undefined : impossible();
        if (why !== undefined && !second) {
          throw new DeskterityError('ACTION_FAILED', `${why}.`, {
            suggestion: 'Start it in a terminal to see what it says.',
            delivered: true,
          });
        }
        return chosen;
      });
    } catch (error) {
      if (second && error instanceof DeskterityError && error.code === 'TIMEOUT') return second;
      throw error;
    }
  }
}

function toAppSummary(app: DesktopApp): AppSummary {
  return {
    name: clip(app.name, LONGEST_TITLE),
    pid: app.pid,
    ...(app.toolkit === undefined ? {} : { toolkit: app.toolkit }),
    ...(app.toolkitVersion === undefined ? {} : { toolkit_version: app.toolkitVersion }),
    accessible: app.accessible,
    ...(app.reason === undefined ? {} : { reason: app.reason }),
    responsive: app.responsive,
  };
}
