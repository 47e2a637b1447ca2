import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { DesktopJournal } from '../journal/desktop-journal.ts';
import type { CellRange } from '../../model/tree/cell-range.ts';
import type { TreeNode } from '../../model/tree/node.ts';
import { quote, quoteClipped } from '../../model/text/untrusted-text.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { TreeResult } from '../../ports/desktop/elements.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';

/** At most this many elements are read in one call; the answer reports that. */
export const MAX_NODES = 20_000;

/** Share of the deadline for reading; the rest is for processing. A part in time is better than the whole too late. */
const READING_SHARE = 0.8;

export interface ReadOptions {
  readonly wholeTree: boolean;
  readonly includeActions?: boolean | undefined;
  /** As in `TreeRequest`. */
  readonly mirrored?: boolean | undefined;
  /** As in `TreeRequest`. */
  readonly shownPlacesOnly?: boolean | undefined;
  readonly cells?: CellRange | undefined;
}

const titledRoots = new WeakMap<TreeNode, TreeNode>();

/** A copy, as later readings may return the same tree; the same copy while the title is the same. */
function titled(root: TreeNode, title: string): TreeNode {
  const known = titledRoots.get(root);
  if (known?.name === title) return known;
  const copy = { ...root, name: title };
  titledRoots.set(root, copy);
  return copy;
}

/** The options of a snapshot without filters; the caller adds `wholeTree`. */
export const UNFILTERED = {
  interactiveOnly: false,
  compact: false,
  includeBounds: true,
  includeActions: false,
} as const;

/** Reads a window. @throws DeskterityError ACTION_NOT_SUPPORTED if it shows no tree, APP_UNRESPONSIVE, POLICY_DENIED */
export async function readWindowTree(
  desktop: DesktopPort,
  window: DesktopWindow,
  request: CallOptions & ReadOptions,
  includeIdentifiers = false,
): Promise<TreeResult> {
  const { root } = window;
  if (window.isDenied === true) await desktop.requireAllowed(window.clientPid ?? window.pid, request);
  if (!root && window.responsive === false)
    throw new DeskterityError(
      'APP_UNRESPONSIVE',
      `${quote(window.appName)} does not answer, so its window ${quoteClipped(window.title)} cannot be read.`,
      {
        suggestion: `Wait until it is idle and retry, or look at it with ${mentionCommand('screenshot')}.`,
        retryable: true,
      },
    );
  if (!root)
    throw new DeskterityError(
      'ACTION_NOT_SUPPORTED',
      `The window ${quoteClipped(window.title)} of ${quote(window.appName)} cannot be read.`,
      { suggestion: window.reason ?? `Look at it with ${mentionCommand('screenshot')}.` },
    );
  const journal = DesktopJournal.of(desktop);
  const begunAt = journal?.nowMs;
  const read = await desktop.readTree({
    root,
    wholeTree: request.wholeTree,
    maxNodes: MAX_NODES,
    includeActions: request.includeActions ?? false,
    includeIdentifiers,
    mirrored: request.mirrored,
    shownPlacesOnly: request.shownPlacesOnly,
    cells: request.cells,
    deadlineMs: Math.max(1, request.deadlineMs * READING_SHARE),
    signal: request.signal,
  });
  if (begunAt !== undefined) journal?.learn(window, read.root, begunAt);
  // Qt leaves the accessible name of a window empty; its title bar has one.
  return read.root.name === '' ? { ...read, root: titled(read.root, window.title) } : read;
}
