import { DeskterityError } from '../../model/effects/errors.ts';
import { subjectKeys } from '../../model/journal/attribute.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import type { DesktopWindow, LaunchedApp } from '../../ports/desktop/windows.ts';
import { DesktopJournal } from '../journal/desktop-journal.ts';
import type { EngineParts } from '../reading/engine-parts.ts';
import { toWindowSummary } from '../reading/observe.ts';
import { listOpened, readingOfOpened, readOpened } from '../reading/opened.ts';
import { frontmost } from '../refs/scope.ts';
import { hasWindowKey, membership, windowKey } from '../refs/window-identity.ts';
import type { LaunchAppRequest, LaunchResult } from '../requests/desktop.ts';
import { awaitWindow } from './wait-for-window.ts';

/** How long a window of another process may take after the program has ended: a service may have to start first. */
const OTHER_PROCESS_MS = 3000;
/** A new window is preferred to a change of an old one for this long: opening a window also changes which one is active. */
const NEW_WINDOW_MS = 300;
/** How long a running instance may take to show anything of what it was handed. */
const RUNNING_INSTANCE_MS = 1000;

/** How long after a launch that does not wait the start of a program is still its doing. */
const START_MS = 10_000;
/** How long a window on the display is given for its tree to appear, by whether its toolkit has trees. */
const TREE_WITHIN_MS: Readonly<Record<string, number>> = { false: 200, undefined: 1000, true: 5000 };
/** The first window is all that there is to see. */
const FIRST_WINDOW_TOKENS = 600;

export async function launchApp(parts: EngineParts, request: LaunchAppRequest): Promise<LaunchResult> {
  const { desktop, session, readings, clock } = parts;
  const started = clock.now();
  const before = request.wait ? await desktop.listWindows(request) : [];
  const launched = await desktop.launch(request);
  const base = {
    app: request.app,
    pid: launched.pid,
    command: [...launched.command],
    adjustments: [...launched.adjustments],
  };
  const journal = DesktopJournal.of(desktop);
  const explain = (window: DesktopWindow | undefined, withinMs: number): void =>
    journal?.acts.explain({
      fromMs: started,
      toMs: clock.now() + withinMs,
      keys: new Set(subjectKeys(window === undefined ? [] : [window], [launched.pid, window?.pid ?? 0])),
    });
  if (!request.wait) {
    explain(undefined, START_MS);
    return { ...base, window: undefined };
  }
  const end = endOf(launched, () => clock.now());
  const deadlineMs = request.deadlineMs - (clock.now() - started);
  const what = `No window of ${request.app} appeared`;
  const isNew = isNewSince(before);
  /** It is on the display without a tree; toolkits without one often do not say whose window it is either. */
  const isOwnBare = ({ accessible, isTreeOnly, pid }: DesktopWindow): boolean =>
    !accessible && isTreeOnly !== true && (pid === 0 || launched.owns(pid));
  let bareSince: number | undefined;
  const isOldEnough = (bare: readonly DesktopWindow[]): boolean => {
    bareSince ??= clock.now();
    const waitsMs = Math.max(...bare.map(({ mayGetTree }) => TREE_WITHIN_MS[String(mayGetTree)] ?? 0));
    return clock.now() - bareSince >= waitsMs;
  };
  const window = await awaitWindow(
    parts,
    { ...request, deadlineMs, what },
    {
      choose: (windows) => {
        const readable = windows.filter(({ accessible }) => accessible);
        const fresh = readable.filter(isNew);
        const own = fresh.filter(({ pid }) => launched.owns(pid));
        if (own.length > 0) return frontmost(own);
        const bare = windows.filter((candidate) => isOwnBare(candidate) && isNew(candidate));
        if (bare.length > 0 && isOldEnough(bare)) return frontmost(bare);
        if (end.code === undefined) return undefined;
        const ofProgram = readable.filter(({ pid }) => launched.isRunningAs(pid));
        // A launcher script may start another process and end; then any new window counts.
        return (
          frontmost(fresh.filter((candidate) => ofProgram.includes(candidate))) ??
          frontmost(fresh) ??
          (end.code === SUCCESS ? handedOver(ofProgram, before, end.forMs()) : undefined)
        );
      },
      fallback: (windows) =>
        frontmost(windows.filter((candidate) => launched.owns(candidate.pid) && isNew(candidate))),
      impossible: () =>
        end.code === undefined || (end.code === SUCCESS && end.forMs() < OTHER_PROCESS_MS)
          ? undefined
          : `${request.app} ended with ${end.code} before it showed a window`,
    },
  ).catch((error: unknown) => {
    throw isCancelled(error)
      ? error.with({
          message: `${request.app} was started as process ${launched.pid}. ${error.message}`,
          delivered: true,
        })
      : error;
  });
  explain(window, 0);
  const remaining = request.deadlineMs - (clock.now() - started);
  const read = await readOpened(parts, [window], {
    deadlineMs: Math.max(1, remaining),
    signal: request.signal,
  });
  const { summary, opened, reading } = await session.edit((table) => ({
    summary: toWindowSummary(window, table),
    opened: listOpened(table, read, FIRST_WINDOW_TOKENS),
    reading: readingOfOpened(table, window, read[0]),
  }));
  await readings.remember(reading);
  // Other commands know the application by the window's pid, not by that of the script that started it.
  const result = {
    ...base,
    pid: window.pid || launched.pid,
    app: summary.app || request.app,
    window: summary,
    opened,
    incompleteReasons: read.flatMap(({ reasons = [] }) => reasons),
    cursor: `c${reading.cursor}`,
  };
  const wasRunning =
    window.pid !== 0 && before.some(({ pid, process }) => pid === window.pid && process === window.process);
  return wasRunning ? { ...result, alreadyRunning: seenOf(window, before) } : result;
}

function isCancelled(error: unknown): error is DeskterityError {
  return error instanceof DeskterityError && error.code === 'CANCELLED';
}

const SUCCESS = '0';

/** How and when the started process ends. */
function endOf(
  launched: LaunchedApp,
  now: () => number,
): { readonly code: string | undefined; readonly forMs: () => number } {
  let end: { readonly code: string; readonly at: number } | undefined;
  const note = async (): Promise<void> => {
    end = { code: await launched.exited, at: now() };
  };
  void note();
  return {
    get code() {
      return end?.code;
    },
    forMs: () => (end === undefined ? 0 : now() - end.at),
  };
}

function isNewSince(before: readonly DesktopWindow[]): (window: DesktopWindow) => boolean {
  const isKnown = membership(before);
  return (window) => !isKnown(window);
}

/** The window of a running instance to which the program handed what it was started with. */
function handedOver(
  ofProgram: readonly DesktopWindow[],
  before: readonly DesktopWindow[],
  endedForMs: number,
): DesktopWindow | undefined {
  if (endedForMs < NEW_WINDOW_MS) return undefined;
  const changed = ofProgram.filter((window) => changesOf(window, before).length > 0);
  // A dialog that was open before may come to the front with the window that shows what was opened.
  const retitled = changed.filter((window) => formerly(window, before)?.title !== window.title);
  if (changed.length > 0) return frontmost(retitled) ?? frontmost(changed);
  return endedForMs < RUNNING_INSTANCE_MS ? undefined : frontmost(ofProgram);
}

/** What was seen of a window of an instance that ran before, as phrases. */
function seenOf(window: DesktopWindow, before: readonly DesktopWindow[]): readonly string[] {
  if (isNewSince(before)(window)) return ['it opened a new window'];
  const changes = changesOf(window, before);
  return changes.length > 0 ? changes : ['none of its windows changed its title or came to the front'];
}

function formerly(window: DesktopWindow, before: readonly DesktopWindow[]): DesktopWindow | undefined {
  return before.find((candidate) => hasWindowKey(window, windowKey(candidate)));
}

function changesOf(window: DesktopWindow, before: readonly DesktopWindow[]): string[] {
  const was = formerly(window, before);
  if (was === undefined) return [];
  return [
    ...(was.title === window.title
      ? []
      : [`its title changed from ${quoteClipped(was.title)} to ${quoteClipped(window.title)}`]),
    ...(was.minimized && !window.minimized ? ['it is no longer minimized'] : []),
    ...(!was.focused && window.focused ? ['it became the active window'] : []),
  ];
}
