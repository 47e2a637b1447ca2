import { DeskterityError } from '../../model/effects/errors.ts';
import { LONGEST_TITLE, type AppSummary, type WindowSummary } from '../../model/refs/target.ts';
import { clip, quoteClipped } from '../../model/text/untrusted-text.ts';
import type { CallOptions, DesktopApp, DesktopPort, DesktopWindow } from '../../ports/desktop.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import { toWindowSummary } from '../reading/observe.ts';
import { frontmost } from '../refs/scope.ts';
import { membership } from '../refs/window-identity.ts';
import type {
  CloseAppRequest,
  CloseResult,
  LaunchAppRequest,
  LaunchResult,
  ListWindowsRequest,
  WaitForWindowRequest,
} from '../requests/desktop.ts';
import { waitFor } from '../wait.ts';

/** How long a closing process may take before its new windows are taken for questions. */
const PROCESS_END_GRACE_MS = 3000;
const LOOK_EVERY_MS = 250;
/** Share of the time for closing; the rest is for the answer. */
const DEADLINE_SHARE = 0.95;

export async function listApps(
  { desktop }: EngineParts,
  request: CallOptions,
): Promise<readonly AppSummary[]> {
  return (await desktop.listApps(request)).map(toAppSummary);
}

export async function listWindows(
  { desktop, scope, session }: EngineParts,
  request: ListWindowsRequest,
): Promise<readonly WindowSummary[]> {
  const pid = request.app === undefined ? undefined : (await scope.app(request.app, request)).pid;
  const windows = await desktop.listWindows({ ...request, pid });
  const wanted = windows.filter(
    (window) => (!request.focusedOnly || window.focused) && (request.includeMinimized || !window.minimized),
  );
  return session.edit((table) => wanted.map((window) => toWindowSummary(window, table)));
}

export async function launchApp(parts: EngineParts, request: LaunchAppRequest): Promise<LaunchResult> {
  const { desktop, session, clock } = parts;
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
  const window = await awaitWindow(
    parts,
    {
      ...request,
      deadlineMs: request.deadlineMs - (clock.now() - started),
      what: `No window of ${request.app} appeared`,
    },
    (windows) => {
      const fresh = windows.filter((candidate) => !isKnown(candidate));
      const own = fresh.filter((candidate) => launched.owns(candidate.pid));
      // A launcher script may start another process and end; then any new window counts.
      return (
        frontmost(own.filter((candidate) => candidate.accessible)) ??
        (ended === undefined ? undefined : frontmost(fresh.filter((candidate) => candidate.accessible)))
      );
    },
    (windows) =>
      frontmost(windows.filter((candidate) => launched.owns(candidate.pid) && !isKnown(candidate))),
    () => (ended === undefined ? undefined : `${request.app} ended with ${ended} before it showed a window`),
  );
  const summary = await session.edit((table) => toWindowSummary(window, table));
  // Other commands know the application by the window's pid, not by that of the script that started it.
  return { ...base, pid: window.pid || launched.pid, app: summary.app || request.app, window: summary };
}

export async function closeApp(
  { desktop, scope, clock }: EngineParts,
  request: CloseAppRequest,
): Promise<CloseResult> {
  const { pid, name } = await scope.app(request.app, request);
  const started = clock.now();
  const end = started + request.deadlineMs * DEADLINE_SHARE;
  // A program that hangs is killed without looking at its windows.
  const before = request.force ? undefined : await windowIdsOf(desktop, pid, request).catch(() => undefined);
  const { via } = await desktop.closeApp(pid, request);
  while (desktop.isProcessAlive(pid) && clock.now() < end) {
    await clock.sleep(20, request.signal);
    if (before === undefined || clock.now() - started < PROCESS_END_GRACE_MS) continue;
    // Large programs take seconds to end; one that opens a new window is waiting for an answer.
    const now = await windowIdsOf(desktop, pid, request).catch(() => before);
    if ([...now].some((id) => !before.has(id))) break;
    await clock.sleep(LOOK_EVERY_MS, request.signal);
  }
  return { app: clip(name, LONGEST_TITLE), pid, via, closed: !desktop.isProcessAlive(pid) };
}

async function windowIdsOf(
  desktop: DesktopPort,
  pid: number,
  options: CallOptions,
): Promise<ReadonlySet<string>> {
  const windows = await desktop.listWindows({ ...options, pid });
  return new Set(windows.map(({ id }) => id));
}

export async function waitForWindow(
  parts: EngineParts,
  request: WaitForWindowRequest,
): Promise<WindowSummary> {
  const wanted = request.title.toLowerCase();
  const app = request.app?.toLowerCase();
  const window = await awaitWindow(
    parts,
    { ...request, what: `No window with ${quoteClipped(request.title)} in its title appeared` },
    (windows) =>
      windows.find(
        (candidate) =>
          candidate.title.toLowerCase().includes(wanted) &&
          (app === undefined ||
            candidate.appName.toLowerCase().includes(app) ||
            String(candidate.pid) === app),
      ),
  );
  return parts.session.edit((table) => toWindowSummary(window, table));
}

/** `fallback` is used if time runs out and `choose` found nothing better. */
async function awaitWindow(
  parts: EngineParts,
  request: CallOptions & { readonly what: string },
  choose: (windows: readonly DesktopWindow[]) => DesktopWindow | undefined,
  fallback: (windows: readonly DesktopWindow[]) => DesktopWindow | undefined = () => undefined,
  impossible: () => string | undefined = () => undefined,
): Promise<DesktopWindow> {
  let titles = '';
  let second: DesktopWindow | undefined;
  try {
    return await waitFor(parts, { ...request, lastSeen: () => titles }, async (deadlineMs) => {
      const windows = await parts.desktop.listWindows({ ...request, deadlineMs });
      titles = windows.map((window) => quoteClipped(window.title, 60)).join(', ');
      second = fallback(windows) ?? second;
      const chosen = choose(windows);
      const why = chosen ? undefined : impossible();
      if (why !== undefined && !second)
        throw new DeskterityError('ACTION_FAILED', `${why}.`, {
          suggestion: 'Start it in a terminal to see its output.',
          delivered: true,
        });
      return chosen;
    });
  } catch (error) {
    if (second && error instanceof DeskterityError && error.code === 'TIMEOUT') return second;
    throw error;
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
