import { LONGEST_TITLE, type AppSummary, type WindowSummary } from '../../model/refs/target.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import { subjectKeys } from '../../model/journal/attribute.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopApp, DesktopWindow } from '../../ports/desktop/windows.ts';
import { DesktopJournal } from '../journal/desktop-journal.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import { toWindowSummary } from '../reading/observe.ts';
import { isOf } from '../refs/connections.ts';
import { listOpened, readOpened } from '../reading/opened.ts';
import type { CloseAppRequest, CloseResult, ListWindowsRequest } from '../requests/desktop.ts';

/** How long a closing process may take before its new windows are taken for questions; dialogs are at once. */
const PROCESS_END_GRACE_MS = 3000;
const LOOK_EVERY_MS = 250;
/** Share of the time for closing; the rest is for the answer. */
const DEADLINE_SHARE = 0.95;

export async function listApps(
  { desktop, connections }: EngineParts,
  request: CallOptions,
): Promise<readonly AppSummary[]> {
  const [apps, known] = await Promise.all([desktop.listApps(request), connections.list()]);
  return apps.map((app) => {
    const aliases = known.filter((connection) => isOf(connection, app)).map(({ alias }) => alias);
    return { ...toAppSummary(app), ...(aliases.length === 0 ? {} : { aliases }) };
  });
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

export async function closeApp(parts: EngineParts, request: CloseAppRequest): Promise<CloseResult> {
  const { desktop, scope, clock, session } = parts;
  const { pid, name } = await scope.app(request.app, request);
  const started = clock.now();
  const end = started + request.deadlineMs * DEADLINE_SHARE;
  // A program that hangs is killed without looking at its windows.
  const before = request.force ? undefined : await windowsOf(desktop, pid, request);
  const { via } = await desktop.closeApp(pid, request);
  const questions = new Questions(before);
  let nextLookAt = started + LOOK_EVERY_MS;
  let asked: readonly DesktopWindow[] = [];
  while (desktop.isProcessAlive(pid) && clock.now() < end && asked.length === 0) {
    await clock.sleep(20, request.signal);
    if (before === undefined || clock.now() < nextLookAt) continue;
    const windows = await windowsOf(desktop, pid, request);
    asked = questions.among(windows ?? before, clock.now() - started >= PROCESS_END_GRACE_MS);
    nextLookAt = clock.now() + LOOK_EVERY_MS;
  }
  DesktopJournal.of(desktop)?.acts.explain({
    fromMs: started,
    toMs: clock.now() + PROCESS_END_GRACE_MS,
    keys: new Set(subjectKeys([...(before ?? []), ...asked], [pid])),
  });
  const result = { app: clip(name, LONGEST_TITLE), pid, via };
  if (!desktop.isProcessAlive(pid)) return { ...result, closed: true };
  const left = Math.max(1, started + request.deadlineMs - clock.now());
  const opened = await readOpened(parts, asked, { ...request, deadlineMs: left });
  return session.edit((table) => ({ ...result, closed: false, opened: listOpened(table, opened) }));
}

/** Windows in which an application that was asked to quit may be asking something. */
class Questions {
  private readonly before: ReadonlySet<string>;
  private seenDialogs: ReadonlySet<string> = new Set();

  constructor(before: readonly DesktopWindow[] = []) {
    this.before = new Set(before.map(({ id }) => id));
  }

  /**
   * A dialog that two looks have seen, since one may only tell that something is being saved. Of an application that takes long: any new
   * window, and a dialog that was there before.
   */
  among(windows: readonly DesktopWindow[], isSlow: boolean): readonly DesktopWindow[] {
    const dialogs = windows.filter(isDialog);
    const isQuestion = ({ id }: DesktopWindow): boolean => this.seenDialogs.has(id) && !this.before.has(id);
    const found = isSlow
      ? windows.filter((window) => !this.before.has(window.id) || window.modal === true)
      : dialogs.filter(isQuestion);
    this.seenDialogs = new Set(dialogs.map(({ id }) => id));
    return found;
  }
}

const isDialog = ({ modal, transientFor }: DesktopWindow): boolean =>
  modal === true || transientFor !== undefined;

async function windowsOf(
  desktop: DesktopPort,
  pid: number,
  options: CallOptions,
): Promise<readonly DesktopWindow[] | undefined> {
  return desktop.listWindows({ ...options, pid }).catch(() => undefined);
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
