import { LONGEST_TITLE, type AppSummary, type WindowSummary } from '../../model/refs/target.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import type { CallOptions, DesktopApp, DesktopPort } from '../../ports/desktop.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import { toWindowSummary } from '../reading/observe.ts';
import type { CloseAppRequest, CloseResult, ListWindowsRequest } from '../requests/desktop.ts';

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
