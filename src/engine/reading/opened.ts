import type { OutputNode, TreeNode } from '../../model/tree/node.ts';
import { present, prune } from '../../model/tree/distill/distill.ts';
import type { StoredReading } from '../../model/refs/reading.ts';
import { isInteractive } from '../../model/tree/role.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { TreeResult } from '../../ports/desktop/elements.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import type { RefTable } from '../refs/ref-table.ts';
import { windowKey } from '../refs/window-identity.ts';
import { isInView } from '../tree/element-states.ts';
import { readWindowTree, UNFILTERED } from '../tree/read-window.ts';
import { TreeIndex } from '../tree/tree-index.ts';
import { comparableTree, refLookup, toReading } from './readings.ts';

/** What all that an act opened may take in its receipt, in tokens of an outline. */
const OPENED_TOKENS = 400;
/** One act opens a dialog; more windows are listed as changes. */
const MOST_WINDOWS = 2;
/** How long a window that has just opened may take to show what is in it. */
const FILLING_MS = 1200;
export const LOOK_AGAIN_MS = 80;
/** A busy application is not cut off in the middle of a reading. */
const ONE_READING_MS = 2000;

/** Something that opened, and where it is. */
export interface OpenedPart {
  readonly root: TreeNode;
  readonly index: TreeIndex;
  /** Key of its window. */
  readonly window: string;
  /** The window itself, unless it opened inside one. */
  readonly self: DesktopWindow | undefined;
  /** Why a part of it could not be read. */
  readonly reasons?: readonly string[];
}

/** Reads windows that have just opened, once they are filled. Those that cannot be read are left out. */
export async function readOpened(
  parts: { readonly desktop: DesktopPort; readonly clock: ClockPort },
  windows: readonly DesktopWindow[],
  options: CallOptions,
): Promise<readonly OpenedPart[]> {
  const readable = windows.filter(({ root }) => root !== undefined).slice(0, MOST_WINDOWS);
  const opened = await Promise.all(
    readable.map(async (self): Promise<OpenedPart | undefined> => {
      const read = await readFilled(parts, self, options);
      if (read === undefined) return undefined;
      const { root, incompleteReasons: reasons } = read;
      return { root, self, reasons, window: windowKey(self), index: new TreeIndex(root) };
    }),
  );
  return opened.filter((part) => part !== undefined);
}

/** The tree of a new window when two readings agree on how much there is to use; toolkits fill windows after they show them. */
async function readFilled(
  { desktop, clock }: { readonly desktop: DesktopPort; readonly clock: ClockPort },
  window: DesktopWindow,
  { deadlineMs, signal }: CallOptions,
): Promise<TreeResult | undefined> {
  const started = clock.now();
  const end = started + Math.min(FILLING_MS, deadlineMs / 2);
  let last: { readonly read: TreeResult; readonly usable: number } | undefined;
  do {
    if (last !== undefined) await clock.sleep(LOOK_AGAIN_MS, signal);
    const call = {
      deadlineMs: Math.max(1, Math.min(ONE_READING_MS, started + deadlineMs - clock.now())),
      signal,
      wholeTree: false,
    };
    const read = await readWindowTree(desktop, window, call).catch(() => undefined);
    if (read === undefined) return last?.read;
    const usable = usableIn(read.root);
    if (usable > 0 && usable === last?.usable && !isBusy(read.root)) return read;
    last = { read, usable };
  } while (clock.now() + LOOK_AGAIN_MS < end);
  return last.read;
}

/** A page that is still loading has elements before they have names. */
function isBusy({ role, states, children }: TreeNode): boolean {
  return (role === 'document' && states.includes('busy')) || children.some(isBusy);
}

/** The trees of what opened, with references, as much as fits. */
export function listOpened(
  table: RefTable,
  parts: readonly OpenedPart[],
  maxTokens: number = OPENED_TOKENS,
): OutputNode[] {
  return parts.map(
    ({ root, index, window, self }) =>
      present(
        prune(root, { ...UNFILTERED, compact: true, includeBounds: false, wholeTree: false }),
        {
          rootRef: self && table.refForWindow(self),
          budget: { maxTokens: Math.floor(maxTokens / parts.length), form: 'outline' },
        },
        (node) => table.refForElement(index.describe(node, window)),
      ).root,
  );
}

/** What is stored of a new window under the next cursor, so that a later reading can tell what changed. */
export function readingOfOpened(
  table: RefTable,
  { id, otherId, pid, title }: DesktopWindow,
  part: OpenedPart | undefined,
): StoredReading {
  return {
    cursor: Number(table.advance().slice(1)),
    window: { id, otherId },
    pid,
    wholeTree: false,
    complete: part !== undefined,
    ...(part === undefined
      ? {}
      : {
          tree: toReading(comparableTree(part.root, false), title, refLookup(table, part.index, part.window)),
        }),
  };
}

export function usableBelow({ children }: TreeNode): number {
  return children.reduce((sum, child) => sum + usableIn(child), 0);
}

export function usableIn(node: TreeNode): number {
  return (isUsable(node) ? 1 : 0) + usableBelow(node);
}

export function isUsable(node: TreeNode): boolean {
  return isInteractive(node.role) && (node.bounds === undefined || isInView(node));
}
