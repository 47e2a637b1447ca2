import { mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { ReadNode, StoredReading } from '../../model/refs/reading.ts';
import type { ElementRecord } from '../../model/refs/ref-document.ts';
import { LONGEST_TITLE, type WindowSummary } from '../../model/refs/target.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import { parseRef, requireRef } from '../../model/refs/ref.ts';
import { estimateTokens } from '../../model/tree/budget.ts';
import { bytesOf, LONGEST_ANSWER_BYTES, partAfter } from '../../model/tree/budget/whole-nodes.ts';
import { labelOf } from '../tree/identity.ts';
import { offscreenPlaces, widestPlaces } from '../../model/tree/offscreen.ts';
import { present, prune, type DistilledTree, type DistillOptions } from '../../model/tree/distill/distill.ts';
import type { TreeNode } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { TreeResult } from '../../ports/desktop/elements.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import { activityOf } from '../evidence/activity.ts';
import type { RefTable } from '../refs/ref-table.ts';
import { siblingsOf } from '../refs/scope.ts';
import { explainTree, isBusy } from './explain.ts';
import { holesIn, type Hole } from './holes.ts';
import { hasWindowKey, windowKey } from '../refs/window-identity.ts';
import type { Scope, SnapshotRequest, SnapshotResult } from '../requests/reading.ts';
import { MAX_NODES, readWindowTree, type ReadOptions } from '../tree/read-window.ts';
import { indexOf, prunedTree } from '../tree/known-trees.ts';
import { TreeIndex } from '../tree/tree-index.ts';
import type { EngineParts } from './engine-parts.ts';
import { comparableTree, refLookup, toReading } from './readings.ts';
import { requireSurface } from './surfaces.ts';

/** A useful tree takes at least this many tokens. */
const SMALLEST_TREE_TOKENS = 60;

/** What was read: a window, or, with `above`, what is below one of its elements. */
export interface View {
  readonly window: DesktopWindow | undefined;
  /** All windows of its application. */
  readonly siblings: readonly DesktopWindow[] | undefined;
  readonly read: TreeResult;
  readonly above: ElementRecord | undefined;
  /** The application left a question without an answer for half a second; absent if none was asked. */
  readonly isBusy?: boolean | undefined;
  /** Where something is drawn that nothing describes, if that was looked for. */
  readonly holes?: readonly Hole[];
}

export async function snapshot(parts: EngineParts, given: SnapshotRequest): Promise<SnapshotResult> {
  const started = parts.clock.now();
  const request = await withSurface(parts, given);
  // Nothing tells places then, and what is off screen is neither looked for holes nor pruned by them.
  const sparing = { ...request, shownPlacesOnly: request.wholeTree && !request.includeBounds };
  const view =
    request.root === undefined
      ? await readWindow(parts, sparing)
      : await readBelow(parts, request.root, sparing);
  const { window, read } = view;
  const remaining = parts.clock.now() - started;
  const options = { ...request, deadlineMs: Math.max(1, request.deadlineMs - remaining) };
  const holes = await holesIn(parts.desktop, { window, root: read.root }, options);
  return showView(parts, { ...view, holes }, request);
}

/** The request for the surface that it asks for, which is a window or below an element. */
async function withSurface(parts: EngineParts, request: SnapshotRequest): Promise<SnapshotRequest> {
  const { surface, app, deadlineMs, signal, mirrored } = request;
  if (surface === undefined) return request;
  const ref = await requireSurface(parts, surface, { app, deadlineMs, signal, mirrored });
  const place = parseRef(ref)?.kind === 'w' ? { window: ref } : { root: ref, window: undefined };
  return { ...request, surface: undefined, app: undefined, ...place };
}

/** Distils a reading, assigns refs, and stores it for {@link changesSince}. */
export async function showView(
  { desktop, session, readings }: EngineParts,
  view: View,
  request: SnapshotRequest,
): Promise<SnapshotResult> {
  const { window, read, above, holes = [] } = view;
  const { interactiveOnly, compact, maxDepth, wholeTree } = request;
  const index = above === undefined ? indexOf(read.root) : new TreeIndex(read.root, above);
  // Later readings are compared by what the tree tells, not by what is drawn.
  const isFiltered = interactiveOnly || compact || maxDepth !== undefined || holes.length > 0;
  const compared = isFiltered ? comparableTree(read.root, wholeTree) : undefined;
  const whole = holes.length === 0 ? prunedTree(read.root, request) : withHoles(read.root, holes, request);
  const comparable = compared ?? whole;
  const explained =
    request.explain === true ? explainTree(read.root, window?.title ?? '', view.isBusy === true) : undefined;
  const { result, reading } = await session.edit((table) => {
    const { knownWindow, rootRef, rest } = factsOf(view, table);
    const knownRef = refLookup(table, index, knownWindow);
    const pruned = request.after === undefined ? whole : follow(whole, request.after, { table, knownRef });
    // Every row of a terminal is wanted.
    const isWhole = desktop.screen !== undefined && request.isUsualSize === true;
    const facts = {
      ...rest,
      refCount: read.nodeCount,
      elided: read.nodeCount,
      offscreen: widestPlaces(pruned.root),
      ...(explained === undefined ? {} : { explanation: explained.measured }),
    };
    const budget = isWhole ? undefined : treeBudget(request, facts);
    const longest = longestOf(request, facts);
    const refFor = (node: TreeNode): string =>
      table.refForElement(index.describe(node, knownWindow), above !== undefined);
    const tree = present(pruned, { rootRef, budget, longest }, refFor);
    const shown = shownRefs(tree);
    const continued = (tree.cuts ?? []).flatMap(({ root, after, elided }) =>
      root.ref === undefined ? [] : [{ root: root.ref, after: after?.ref, elided }],
    );
    return {
      result: {
        ...rest,
        refCount: tree.refCount,
        elided: tree.elided,
        ...(continued.length === 0 ? {} : { continued }),
        offscreen: offscreenPlaces(tree.root),
        tree: tree.root,
        // After the tree, so that references follow the order of the elements.
        ...(explained === undefined ? {} : { explanation: explained.withRefs(refFor) }),
      },
      reading: toReading(comparable, window?.title ?? '', (node) => shown.get(node) ?? knownRef(node)),
    };
  });
  // Of what did not fit, the answer says where it is.
  const shown = maxDepth === undefined && !interactiveOnly;
  await readings.remember(storedReading(view, { wholeTree, shown, cursor: result.cursor, tree: reading }));
  return result;
}

/** A pruned tree that names its holes. The tree itself stays as it is: later readings may return it again. */
function withHoles(root: TreeNode, holes: readonly Hole[], request: SnapshotRequest): DistilledTree {
  for (const { node } of holes) node.elided = 'undescribed';
  const pruned = prune(root, request);
  for (const { node } of holes) delete node.elided;
  return pruned;
}

/** Reads the window that a scope selects. @throws DeskterityError ACTION_NOT_SUPPORTED if it shows no tree */
export async function readWindow(
  { desktop, clock, scope }: EngineParts,
  request: CallOptions & Scope & ReadOptions & Pick<SnapshotRequest, 'explain'>,
  includeIdentifiers = false,
): Promise<View & { window: DesktopWindow; siblings: readonly DesktopWindow[] }> {
  const { window, siblings } = await scope.windowAmong(request, request);
  // What is quiet from now on until an act does not change by itself.
  if (window.root !== undefined) activityOf({ desktop, clock }, window.root.app);
  // Before it is read, which waits as long as it may.
  const isSlow = request.explain === true && (await isBusy(desktop, window, request));
  const read = await readWindowTree(desktop, window, request, includeIdentifiers);
  return { window, siblings, read, above: undefined, isBusy: isSlow };
}

/** Reads what is below the element of a ref. */
export async function readBelow(
  { desktop, resolver }: EngineParts,
  ref: string,
  request: CallOptions & ReadOptions,
): Promise<View & { above: ElementRecord }> {
  const { record, node } = await resolver.resolve(ref, request);
  const windows = await desktop.listWindows(request);
  const { deadlineMs, signal, wholeTree, includeActions = false, mirrored, shownPlacesOnly } = request;
  const kind = { wholeTree, includeActions, mirrored, shownPlacesOnly };
  const limits = { ...kind, maxNodes: MAX_NODES, deadlineMs, signal };
  const read = await desktop.readTree({ root: node.handle, ...limits });
  const window = windows.find((candidate) => hasWindowKey(candidate, record.window));
  return { window, siblings: window && siblingsOf(window, windows), read, above: record };
}

/** The facts of a reading beside its tree; advances the cursor. */
export function factsOf(
  { window, read, above, holes = [] }: View,
  table: RefTable,
): {
  readonly knownWindow: string;
  /** Ref the root already has. */
  readonly rootRef: string | undefined;
  readonly rest: Omit<SnapshotResult, 'tree' | 'refCount' | 'elided' | 'offscreen'>;
} {
  const summary = window && toWindowSummary(window, table);
  return {
    knownWindow: window === undefined ? (above?.window ?? '') : windowKey(window),
    rootRef: above?.ref ?? summary?.ref,
    rest: {
      app: summary?.app ?? '',
      window: summary,
      complete: read.complete && holes.length === 0,
      incompleteReasons: [...read.incompleteReasons, ...holes.map(({ reason }) => reason)],
      cursor: table.advance(),
      nodeCount: read.nodeCount,
      callCount: read.callCount,
    },
  };
}

/** What is stored of a view, under the cursor of its answer. */
export function storedReading(
  { window, siblings, read, above }: View,
  kept: {
    readonly cursor: string;
    readonly wholeTree: boolean;
    readonly shown: boolean;
    readonly tree: ReadNode;
  },
): StoredReading {
  return {
    cursor: Number(kept.cursor.slice(1)),
    window: { id: window?.id ?? above?.window ?? '', otherId: window?.otherId },
    pid: window?.pid,
    wholeTree: kept.wholeTree,
    root: above?.ref,
    complete: read.complete,
    shown: kept.shown,
    windows: siblings,
    tree: kept.tree,
  };
}

function shownRefs(tree: DistilledTree): Map<TreeNode, string> {
  return new Map(
    [...tree.sources].flatMap(([{ ref }, source]) => (ref === undefined ? [] : [[source, ref]])),
  );
}

/** The tokens that the rest of the answer leaves for the tree. */
function treeBudget(request: SnapshotRequest, rest: Omit<SnapshotResult, 'tree'>): DistillOptions['budget'] {
  if (request.maxTokens === undefined) return undefined;
  const around = estimateTokens(request.frame?.(rest, request.form) ?? '');
  if (request.isUsualSize === true)
    return { maxTokens: Math.max(request.maxTokens - around, request.maxTokens / 2), form: request.form };
  if (around > 0 && around + SMALLEST_TREE_TOKENS > request.maxTokens)
    throw new DeskterityError(
      'BUDGET_TOO_SMALL',
      `${request.maxTokens} tokens are not enough: the answer without its tree needs ${around}.`,
      {
        suggestion: `Repeat with ${mentionParameter('max_tokens', around + 100)} or more, or with ${mentionParameter('format', 'outline')}.`,
      },
    );
  return { maxTokens: request.maxTokens - around, form: request.form };
}

/** Reserved for text that the surface adds: commands spelled out in its own form, and notes about the session. */
const MARGIN_BYTES = 2000;

/** The bytes that the rest of the answer leaves for the tree. */
function longestOf(
  { frame, printedForm: form }: SnapshotRequest,
  rest: Omit<SnapshotResult, 'tree'>,
): DistillOptions['longest'] {
  if (form === undefined) return undefined;
  return { maxBytes: LONGEST_ANSWER_BYTES - MARGIN_BYTES - bytesOf(frame?.(rest, form) ?? ''), form };
}

/** The part of a tree after the element of a ref. @throws DeskterityError STALE_REF if it is no longer there */
function follow(
  tree: DistilledTree,
  ref: string,
  known: { readonly table: RefTable; readonly knownRef: (node: TreeNode) => string | undefined },
): DistilledTree {
  const last = requireRef(ref, 'e');
  const record = known.table.element(last);
  const part = partAfter(
    tree,
    (source) => known.knownRef(source) === last || (record !== undefined && isUnchanged(record, source)),
  );
  if (part !== undefined) return part;
  throw new DeskterityError(
    'STALE_REF',
    `${last} is not among these elements, so it is unknown which of them were shown.`,
    {
      suggestion: `Read them from the beginning: leave out ${mentionParameter('after')}.`,
      delivered: false,
    },
  );
}

/** Whether an element is the one of a record, though only part of its window was read, so that its neighbours are unknown. */
function isUnchanged(record: ElementRecord, node: TreeNode): boolean {
  const isSameObject = node.handle.path === record.path && node.handle.app === record.app;
  return isSameObject && node.role === record.role && labelOf(node) === record.name;
}

/** Titles and names are clipped: applications may make them arbitrarily long, and no budget bounds them here. */
export function toWindowSummary(window: DesktopWindow, table: RefTable): WindowSummary {
  return {
    ref: table.refForWindow(window),
    id: window.id,
    title: clip(window.title, LONGEST_TITLE),
    app: clip(window.appName, LONGEST_TITLE),
    pid: window.pid,
    ...(window.bounds ? { bounds: window.bounds } : {}),
    focused: window.focused,
    minimized: window.minimized,
    ...(window.maximized === true ? { maximized: true } : {}),
    ...(window.stacking === undefined ? {} : { stacking: window.stacking }),
    accessible: window.accessible,
    ...(window.reason === undefined ? {} : { reason: window.reason }),
  };
}
