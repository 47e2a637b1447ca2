import { attribute, type Attributed } from '../../model/journal/attribute.ts';
import type { JournalEntry } from '../../model/journal/entry.ts';
import type { Happening } from '../../model/journal/happening.ts';
import { shownKind, summarise } from '../../model/journal/summarise.ts';
import { tell } from '../../model/journal/tell.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import type { NodeHandle } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import { activityOf } from '../evidence/activity.ts';
import type { DesktopJournal } from '../journal/desktop-journal.ts';
import type { RefTable } from '../refs/ref-table.ts';
import { connectedProcess } from '../refs/connections.ts';
import { chooseApp } from '../refs/scope.ts';
import { windowKey } from '../refs/window-identity.ts';
import type { JournalRequest, JournalResult } from '../requests/reading.ts';
import { indexOf } from '../tree/known-trees.ts';
import type { CursorMarks } from './cursor-marks.ts';
import type { EngineParts } from './engine-parts.ts';

/** Elements that are asked for what they are and contain now; older ones are told as they were known. */
const MOST_ASKED = 24;
const ASKING_MS = 1500;
const ASKING_SHARE = 0.5;
/** Elements that get a reference. */
const MOST_REFS = 200;

interface JournalParts extends EngineParts {
  readonly journal: DesktopJournal;
  readonly marks: CursorMarks;
}

/** What happened on the desktop after a cursor, or since the journal began. @throws DeskterityError INVALID_ARGUMENT, APP_NOT_FOUND, AMBIGUOUS_APP */
export async function readJournal(parts: JournalParts, request: JournalRequest): Promise<JournalResult> {
  const { journal, marks, session, clock } = parts;
  const from = request.since === undefined ? undefined : await marks.require(request.since, session);
  const [{ fits: isAsked, begins }, denied] = await Promise.all([
    selector(parts, request),
    deniedProcesses(parts, request),
  ]);
  const fits = (happening: Happening): boolean =>
    isAsked(happening) && !denied.has(happening.subject.pid ?? 0) && !denied.has(happening.subject.app ?? '');
  await journal.begin();
  await journal.settled();
  const withheld = await parts.readings.withheld();
  const all = journal.log.since(from?.position ?? 0);
  const wanted = all.filter(fits);
  const asked = request.kinds === undefined ? wanted : wanted.filter(ofKinds(request.kinds));
  await askLatest(parts, asked, request);
  // Attribution needs the others, too: a window opens because its program was started.
  const attributed = attribute(completed(all, journal, withheld), journal.acts, marks.session);
  const told = summarise(attributed.filter(({ happening }) => fits(happening))).filter(
    ({ happening }) => request.kinds === undefined || request.kinds.includes(happening.kind),
  );
  const timeOf = (atMs: number): string => journal.timeOf(Math.round(atMs));
  const { entries, cursor } = await session.edit((table) => ({
    entries: told.map((one, index): JournalEntry => {
      const ref = told.length - index > MOST_REFS ? undefined : refOf(journal, table, one.happening);
      return tell(one, { timeOf, ref });
    }),
    cursor: request.isLook === true ? table.cursor : table.advance(),
  }));
  const droppedAtMs = journal.log.droppedSince(from?.position ?? 0);
  return {
    entries,
    cursor,
    since: request.since,
    begin: timeOf(journal.sinceMs ?? clock.now()),
    notes: [
      ...(from?.isForgotten === true
        ? [`${request.since} was issued before this journal began, so everything since then is listed`]
        : []),
      ...(droppedAtMs === undefined
        ? []
        : [`some entries up to ${timeOf(droppedAtMs).slice(11, 23)} are no longer kept`]),
      ...(begins ? [`changes of the elements of ${request.app} are recorded from now on`] : []),
      ...(journal.seesInput
        ? []
        : ['this display does not report the user’s input, so user and application cannot be told apart']),
      ...(journal.seesNotifications ? [] : ['this desktop does not report notifications']),
    ],
  };
}

/** The processes of applications that are denied by now, and the names that they give themselves: notifications have no more. */
async function deniedProcesses(
  { desktop }: JournalParts,
  request: CallOptions,
): Promise<ReadonlySet<number | string>> {
  const [apps, windows] = await Promise.all([desktop.listApps(request), desktop.listWindows(request)]);
  const denied = [
    ...apps.filter(({ isDenied }) => isDenied).flatMap(({ pid, name }) => [pid, name]),
    ...windows
      .filter(({ isDenied }) => isDenied)
      .flatMap(({ pid, clientPid = pid, appName }) => [pid, clientPid, appName]),
  ];
  return new Set(denied.filter((one) => one !== 0 && one !== ''));
}

/** Which happenings belong to the requested application; changes of its elements are recorded from now on. */
async function selector(
  parts: JournalParts,
  request: JournalRequest,
): Promise<{ readonly fits: (happening: Happening) => boolean; readonly begins: boolean }> {
  const { app } = request;
  if (app === undefined) return { fits: () => true, begins: false };
  const { journal, desktop, clock, connections } = parts;
  const [apps, connection] = await Promise.all([desktop.listApps(request), connections.find(app)]);
  const wanted = app.trim().toLowerCase();
  // The name of a connection is none of an application: another one may be called so.
  const isNamed = ({ subject }: Happening): boolean =>
    connection === undefined
      ? subject.app?.toLowerCase() === wanted || String(subject.pid) === wanted
      : subject.pid === connection.pid && !isOtherProcess(subject.process, connection.process);
  const isKnown = (): boolean => journal.log.since(0).some(isNamed);
  const running =
    connection === undefined
      ? chosen(() => chooseApp(apps, app), isKnown)
      : chosen(() => connectedProcess(connection, apps, (pid) => desktop.isProcessAlive(pid)), isKnown);
  if (running === undefined) return { fits: isNamed, begins: false };
  const ids = apps.flatMap(({ pid, id }) => (pid === running.pid && id !== '' ? [id] : []));
  const begins = ids.filter((id) => !activityOf({ desktop, clock }, id).isLive).length > 0;
  const name = running.name.toLowerCase();
  const isIts = ({ subject }: Happening): boolean =>
    subject.pid === undefined
      ? // A notification has only the name that its program gives itself.
        subject.app?.toLowerCase() === name || ids.includes(subject.handle?.app ?? '')
      : subject.pid === running.pid;
  return { fits: (happening) => isNamed(happening) || isIts(happening), begins };
}

/** `undefined` if it has exited, or shows nothing, but is known. @throws DeskterityError APP_NOT_FOUND, AMBIGUOUS_APP, STALE_REF */
function chosen(
  choose: () => ReturnType<typeof chooseApp>,
  isKnown: () => boolean,
): ReturnType<typeof chooseApp> | undefined {
  try {
    return choose();
  } catch (error) {
    const isGone =
      error instanceof DeskterityError && (error.code === 'APP_NOT_FOUND' || error.code === 'STALE_REF');
    if (isGone && isKnown()) return undefined;
    throw error;
  }
}

function ofKinds(kinds: readonly string[]): (happening: Happening) => boolean {
  return (happening) => kinds.includes(happening.kind) || kinds.includes(shownKind(happening));
}

/** Asks the elements that changed last for their names and values, where no reading has told them since. */
async function askLatest(
  { journal, desktop, clock }: JournalParts,
  happenings: readonly Happening[],
  request: CallOptions,
): Promise<void> {
  const open = new Map<string, NodeHandle>();
  for (const { subject, toMs } of happenings.toReversed()) {
    const { handle, key } = subject;
    if (handle === undefined || open.size >= MOST_ASKED) continue;
    const known = journal.elements.find(handle);
    if (known === undefined || known.atMs <= toMs) open.set(key, handle);
  }
  const deadlineMs = Math.min(ASKING_MS, request.deadlineMs * ASKING_SHARE);
  const call = liveDeadline({ deadlineMs, signal: request.signal }, clock);
  await Promise.all(
    [...open.values()].map(async (handle) => {
      const atMs = clock.now();
      // One that is gone is told as it was known.
      const node = await desktop.describe(handle, call).catch(() => undefined);
      if (node !== undefined) journal.elements.describe(handle, node, atMs);
    }),
  );
}

/** With the names that are known by now, and with the values after each change. */
function completed(
  all: readonly Happening[],
  journal: DesktopJournal,
  withheld: ReadonlySet<string>,
): readonly Happening[] {
  const later = new Map<string, Happening>();
  return all
    .toReversed()
    .map((happening): Happening => {
      const { subject: seen, kind, toMs } = happening;
      if (seen.handle === undefined) return happening;
      const { subject: now, atMs } = journal.subjectOf(seen.handle);
      const isMasked = now.isMasked === true || seen.isMasked === true || withheld.has(seen.key);
      const base = now.role === undefined ? seen : now;
      const subject = { ...base, app: base.app ?? seen.app, pid: base.pid ?? seen.pid, isMasked };
      const sort = `${kind} ${seen.key}`;
      const next = later.get(sort);
      later.set(sort, happening);
      const isKnownNow = atMs !== undefined && atMs > toMs && next === undefined;
      const after = isKnownNow ? journal.valueOf(seen.handle, kind, subject) : valueBefore(next, toMs);
      const before = happening.before === after ? undefined : happening.before;
      return {
        ...happening,
        subject,
        ...(isMasked ? { before: undefined, after: undefined } : { before, after }),
      };
    })
    .toReversed();
}

/** What an element was found to be before its next change, if that was read after this one. */
function valueBefore(next: Happening | undefined, toMs: number): string | undefined {
  return next?.knownAtMs !== undefined && next.knownAtMs > toMs ? next.before : undefined;
}

function refOf(
  journal: DesktopJournal,
  table: RefTable,
  { subject }: Attributed['happening'],
): string | undefined {
  const { handle, windowId, process } = subject;
  if (handle === undefined) {
    if (windowId === undefined) return undefined;
    const window = journal.window(windowId);
    // The window of another program may have its id by now.
    const isGone = window === undefined || isOtherProcess(window.process, process);
    return isGone ? undefined : table.refForWindow(window);
  }
  const known = journal.elements.find(handle);
  if (known?.window === undefined || journal.window(known.window.id) === undefined)
    return table.refOf(handle);
  const index = known.root === undefined ? undefined : indexOf(known.root);
  const node = index?.at(handle);
  if (index === undefined || node === undefined) return table.refOf(handle);
  if (known.owner !== undefined)
    return table.refForElement(index.describe(known.owner, windowKey(known.window)));
  if (node === known.root) return table.refForWindow(known.window);
  return table.refForElement(index.describe(node, windowKey(known.window)));
}

function isOtherProcess(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}
