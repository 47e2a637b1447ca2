import { DeskterityError } from '../../model/effects/errors.ts';
import type { NodeHandle, TreeNode } from '../../model/tree/node.ts';
import type { Reversible } from '../../model/undo/reversal.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import { TreeIndex } from '../tree/tree-index.ts';
import { windowByKey } from './front.ts';
import type { InputParts } from './input-lease.ts';

/** A scroll bar, which says where an area is scrolled to. */
interface Bar {
  readonly node: TreeNode;
  readonly at: number;
}

/** The scroll bars of a window, before it is scrolled. */
export interface ScrollBars {
  readonly index: TreeIndex;
  readonly window: string;
  readonly bars: readonly Bar[];
}

const MOST_BARS = 12;
const MOST_NODES = 5000;
/** Of the time for the act. */
const SHARE = 0.2;
const UNKNOWN: Reversible = { irreversible: 'no scroll bar tells where it was before' };

/** Where all areas of the window are scrolled to; `undefined` if that cannot be read. */
export async function scrollBarsNow(
  { desktop }: InputParts,
  { record }: ResolvedTarget,
  { deadlineMs, signal }: CallOptions,
): Promise<ScrollBars | undefined> {
  const options = { deadlineMs: deadlineMs * SHARE, signal };
  return unlessUnreadable(async () => {
    const window = await windowByKey(desktop, record.window, options);
    if (window?.root === undefined) return undefined;
    const limits = { maxNodes: MOST_NODES, includeActions: false, mirrored: true, ...options };
    const barsOf = async (wholeTree: boolean) => {
      const { root } = await desktop.readTree({ root: windowRoot, wholeTree, ...limits });
      const index = new TreeIndex(root);
      return { index, found: barsAround(index, record) };
    };
    const windowRoot = window.root;
    const shown = await barsOf(false);
    // GTK hides them while nothing is scrolled.
    const { index, found } = shown.found.length > 0 ? shown : await barsOf(true);
    const bars = await Promise.all(
      found.map(async (node) => {
        const at = (await desktop.describe(node.handle, options)).range?.current;
        return at === undefined ? [] : [{ node, at }];
      }),
    );
    return { index, window: record.window, bars: bars.flat() };
  });
}

/** The scroll bars of what is around an element, if there are any, else those of the window. */
function barsAround(index: TreeIndex, target: NodeHandle): readonly TreeNode[] {
  const all = index.nodes.filter(({ role }) => role === 'scrollbar');
  const around = new Set<TreeNode>();
  for (let node = index.at(target); node !== undefined; node = index.parentOf(node)) around.add(node);
  const near = all.filter((bar) => {
    const parent = index.parentOf(bar);
    return parent !== undefined && around.has(parent);
  });
  return (near.length > 0 ? near : all).slice(0, MOST_BARS);
}

/** Undoing a turn of the wheel: the one scroll bar that moved goes back. */
export async function scrollReversal(
  { desktop, session }: InputParts,
  before: ScrollBars | undefined,
  options: CallOptions,
): Promise<Reversible> {
  if (before === undefined) return UNKNOWN;
  const { index, window, bars } = before;
  const moved = await unlessUnreadable(async () => {
    const all = await Promise.all(
      bars.map(async (bar) => {
        const now = (await desktop.describe(bar.node.handle, options)).range?.current;
        return now === undefined || now === bar.at ? [] : [{ ...bar, now }];
      }),
    );
    return all.flat();
  });
  const [only, ...others] = moved ?? [];
  if (only === undefined || others.length > 0) return UNKNOWN;
  const ref = await session.edit((table) => table.refForElement(index.describe(only.node, window)));
  return { reversal: { kind: 'value', ref, before: String(only.at), after: String(only.now) } };
}

async function unlessUnreadable<T>(read: () => Promise<T>): Promise<T | undefined> {
  return read().catch((error: unknown) => {
    if (error instanceof DeskterityError) return undefined;
    throw error;
  });
}
