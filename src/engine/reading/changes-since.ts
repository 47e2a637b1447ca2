import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { LAST_LOOK, type ReadNode, type StoredReading } from '../../model/refs/reading.ts';
import { quote, quoteClipped } from '../../model/text/untrusted-text.ts';
import { estimateTokens } from '../../model/tree/budget.ts';
import { bytesOf, LONGEST_ANSWER_BYTES } from '../../model/tree/budget/whole-nodes.ts';
import { isInteractive } from '../../model/tree/role.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { diffWindows, type TitledWindow, type WindowChange } from '../evidence/window-diff.ts';
import type { RefTable } from '../refs/ref-table.ts';
import { siblingsOf } from '../refs/scope.ts';
import { membership } from '../refs/window-identity.ts';
import type { ChangesRequest, ChangesResult } from '../requests/reading.ts';
import { readWindowTree } from '../tree/read-window.ts';
import { TreeIndex } from '../tree/tree-index.ts';
import { chooseChanges, toChanges } from './choose-changes.ts';
import { compareReadings, type Difference } from './compare-readings.ts';
import { requireCursor } from './cursor-marks.ts';
import type { EngineParts } from './engine-parts.ts';
import { factsOf, readBelow, showView, snapshot, storedReading, type View } from './observe.ts';
import { comparableTree, toReading } from './readings.ts';

/**
 * Changes since a cursor, or the whole tree if its reading is no longer stored or belongs to an earlier desktop.
 * @throws DeskterityError INVALID_ARGUMENT for a cursor that was never issued or belongs to another window than requested, WINDOW_NOT_FOUND if its
 * window has closed
 */
export async function changesSince(parts: EngineParts, request: ChangesRequest): Promise<ChangesResult> {
  const cursor =
    request.since.trim() === LAST_LOOK
      ? await lastLook(parts, request)
      : await requireCursor(parts, request.since);
  const stored = cursor === undefined ? undefined : await parts.readings.recall(cursor);
  if (!stored) return snapshot(parts, request);
  const { window, siblings } = await windowOf(parts, stored, request);
  const asThen = { ...request, wholeTree: stored.wholeTree };
  const view: View =
    stored.root === undefined
      ? { window, siblings, read: await readWindowTree(parts.desktop, window, asThen), above: undefined }
      : await readBelow(parts, stored.root, asThen);
  return stored.tree === undefined
    ? showView(parts, view, asThen)
    : compare(parts, view, { ...stored, tree: stored.tree }, request);
}

async function compare(
  { session, readings }: EngineParts,
  view: View,
  before: StoredReading & { readonly tree: ReadNode },
  request: ChangesRequest,
): Promise<ChangesResult> {
  const { window, read, above } = view;
  const comparable = comparableTree(read.root, before.wholeTree);
  const sources = new Map([...comparable.sources.values()].map((source) => [source.handle, source]));
  const index = new TreeIndex(read.root, above);
  const { result, tree } = await session.edit((table) => {
    const { knownWindow, rest } = factsOf(view, table);
    const now = toReading(comparable, window?.title ?? '', (node) => {
      if (table.refOf(node.handle) === undefined) return undefined;
      const description = index.describe(node, knownWindow);
      // Elements with a ref are described again, as in a snapshot, so that they can be found later.
      return table.known(description) && table.refForElement(description, above !== undefined);
    });
    const windows = diffWindows<TitledWindow>(before.windows, view.siblings).map((change) =>
      ofWindow(table, change),
    );
    const elements = compareReadings(before, { tree: now, complete: read.complete }).filter(
      ({ rank, change }) => !request.interactiveOnly || rank <= 1 || change.inside !== undefined,
    );
    const all = [...windows, ...elements];
    const facts = {
      ...rest,
      since: `c${before.cursor}`,
      complete: read.complete && before.complete,
      incompleteReasons: reasons(view, before),
    };
    const { differences, leftOut } = chooseChanges(all, request.maxTokens, (changes, elided) => {
      const printed = request.print({ ...facts, refCount: changes.length, elided, offscreen: [] }, changes);
      return bytesOf(printed) > LONGEST_ANSWER_BYTES ? Infinity : estimateTokens(printed);
    });
    const given = new Map<ReadNode, string>();
    const changes = toChanges(differences, (node) => {
      const source = sources.get(node.handle);
      const isUsable = isInteractive(node.role) || node.ref !== undefined;
      if (!isUsable || !source) return node.ref;
      const ref = table.refForElement(index.describe(source, knownWindow), above !== undefined);
      given.set(node, ref);
      return ref;
    });
    const result = {
      ...facts,
      refCount: new Set(changes.flatMap(({ kind, ref }) => (kind === 'disappeared' ? [] : (ref ?? [])))).size,
      elided: leftOut,
      offscreen: [],
      changes,
    };
    return { result, tree: withRefs(now, given) };
  });
  const { wholeTree } = before;
  const reading = storedReading(view, { cursor: result.cursor, wholeTree, shown: true, tree });
  await readings.remember(reading, before.cursor);
  return result;
}

/** Where the requested window was shown last. */
async function lastLook(
  { readings, scope }: EngineParts,
  request: ChangesRequest,
): Promise<number | undefined> {
  return readings.lastShown(membership([await scope.window(request, request)]));
}

/** The window of the stored reading, which must be the requested one. */
async function windowOf(
  { desktop, scope }: EngineParts,
  stored: StoredReading,
  request: ChangesRequest,
): Promise<{ readonly window: DesktopWindow; readonly siblings: readonly DesktopWindow[] }> {
  const isTheOne = membership([stored.window]);
  const isStored = (window: DesktopWindow): boolean =>
    isTheOne(window) && (stored.pid === undefined || stored.pid === window.pid);
  const windows = await desktop.listWindows(request);
  const window = windows.find(isStored);
  if (!window)
    throw new DeskterityError('WINDOW_NOT_FOUND', `The window of ${request.since} has closed.`, {
      suggestion: `Run ${mentionCommand('list-windows')} to see what is open, and ${mentionCommand('snapshot')} to read it.`,
    });
  const { app } = request;
  const isRequested =
    request.window === undefined
      ? app === undefined || (await scope.app(app, request)).pid === window.pid
      : isStored(await scope.window(request, request));
  if (isRequested) return { window, siblings: siblingsOf(window, windows) };
  const title = quoteClipped(window.title);
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `${request.since} belongs to the window ${title} of ${quote(window.appName)}, not to the requested one.`,
    {
      suggestion: `Omit ${mentionParameter('app')} and ${mentionParameter('window')}, or run ${mentionCommand('snapshot')} for the other window.`,
    },
  );
}

function ofWindow(table: RefTable, { change, window }: WindowChange<TitledWindow>): Difference {
  const ref = change.kind === 'window_opened' ? { ref: table.refForWindow(window) } : {};
  return { change: { ...ref, ...change }, node: undefined, within: undefined, rank: 0 };
}

function reasons({ read }: View, before: StoredReading): string[] {
  if (before.complete) return [...read.incompleteReasons];
  const missing = `c${before.cursor} covers only part of the window, so what appeared since is unknown`;
  return [...read.incompleteReasons, missing];
}

/** A reading with the refs that this answer assigned. */
function withRefs(node: ReadNode, given: ReadonlyMap<ReadNode, string>): ReadNode {
  return {
    ...node,
    ref: given.get(node) ?? node.ref,
    children: node.children.map((child) => withRefs(child, given)),
  };
}
