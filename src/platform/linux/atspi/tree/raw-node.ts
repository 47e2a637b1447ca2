import type { ElisionReason } from '../../../../model/tree/node.ts';
import type { InterfaceSet } from './cache-items.ts';
import type { StateBits } from './states.ts';
import type { Extents } from './object-facts.ts';

/** One object while it is being read; becomes a TreeNode when all its calls have returned. */
export class RawNode {
  readonly bus: string;
  readonly path: string;
  readonly depth: number;
  /** A window of its application, not something inside one. */
  readonly isTopLevel: boolean;
  nativeRole = 0;
  states: StateBits = [0, 0];
  name = '';
  extents: Extents | undefined = undefined;
  children: RawNode[] = [];
  childCount: number | undefined = undefined;
  /** Which child of its parent it is, and of how many; absent for the root of a reading. */
  position: { readonly index: number; readonly count: number } | undefined = undefined;
  elided: ElisionReason | undefined = undefined;
  interfaces: InterfaceSet | undefined = undefined;
  /** Not part of the result: hidden, vanished or unreadable. */
  dropped = false;
  /** Whether GTK 4 draws it; undefined if that is unknown. */
  isMapped: boolean | undefined = undefined;
  /** All that a button or row holds: drawn if that is. */
  isDrawnWithin = false;
  /** Among the first elements of a web page. */
  isAtopPage = false;
  /** The child of a scroll pane: it may be a viewport, see {@link StructureReader}. */
  isInPane = false;
  /** Kept although it reports to be hidden, until it is known whether it belongs to another menu. */
  isLent = false;
  /** Kept although it reports to be off screen, because something in it may show. */
  isOverflowing = false;
  value: string | undefined = undefined;
  description: string | undefined = undefined;
  /** The description in the bulk cache; empty for none. */
  cachedDescription: string | undefined = undefined;
  labelledBy: string | undefined = undefined;
  /** As in `TreeNode`. */
  labelsAnother = false;
  identifier: string | undefined = undefined;
  actions: string[] | undefined = undefined;
  /** As in `TreeNode`. */
  isNamedByPlace = false;
  formula: string | undefined = undefined;
  /** Path of its handle, if the object's own path is valid only for moments. */
  address: string | undefined = undefined;

  constructor(bus: string, path: string, depth: number, isTopLevel = false) {
    this.bus = bus;
    this.path = path;
    this.depth = depth;
    this.isTopLevel = isTopLevel;
  }
}

/** Visits `node` and all its descendants that were kept. */
export function forEachNode(node: RawNode, visit: (node: RawNode) => void): void {
  visit(node);
  for (const child of node.children) if (!child.dropped) forEachNode(child, visit);
}
