import { roleSet } from '../../../../../model/tree/role.ts';
import { isPlace, overlaps } from '../object-facts.ts';
import type { RawNode } from '../raw-node.ts';
import { mapRole, NATIVE } from '../roles.ts';
import { hasState, STATE, withShowing } from '../states.ts';
import type { ToolkitTraits } from '../toolkit.ts';

/** More parts than this are of a list or text, not of the frame of a page. */
const MOST_BESIDE = 40;
/** What only holds other elements. */
const HOLDERS = roleSet('form', 'generic', 'group', 'landmark', 'list');
/** No screen goes so far. */
const FURTHEST = -1_000_000;

export interface KeepRequest {
  readonly wholeTree: boolean;
  /** It starts at an open menu whose items may belong to other menus, too. */
  readonly startsAtMenu: boolean;
}

/** Which elements a reading keeps, and of which it reads the children: what is hidden is left out unless the whole tree is read. */
export class KeptElements {
  private readonly traits: ToolkitTraits;
  private readonly request: KeepRequest;

  constructor(traits: ToolkitTraits, request: KeepRequest) {
    this.traits = traits;
    this.request = request;
  }

  /** In GTK 4 only an empty box marks a hidden element, so the children are read after it. */
  get boxDecides(): boolean {
    return !this.traits.showingIsTruthful && !this.request.wholeTree;
  }

  /** Notes the place of an element, and whether it is left out for it. */
  place(node: RawNode, extents: RawNode['extents']): void {
    const isNowhere = node.isInPane && extents !== undefined && extents.x < FURTHEST;
    node.extents = isNowhere ? undefined : extents;
    const isEmpty = extents !== undefined && (extents.width <= 0 || extents.height <= 0);
    if (this.boxDecides && node.depth > 0 && isEmpty) node.dropped = true;
  }

  mayPrune(node: RawNode): boolean {
    return !this.request.wholeTree && node.depth > 0 && this.traits.showingIsTruthful;
  }

  prunes(node: RawNode): boolean {
    if (hasState(node.states, STATE.SHOWING) || mayBeViewport(node)) return false;
    if (this.request.startsAtMenu && node.depth === 1) {
      node.isLent = true;
      return false;
    }
    node.dropped = true;
    return true;
  }

  /**
   * GTK 3 compares the place of a viewport with how far that viewport itself is scrolled: beyond its own height it reports to be hidden, and no place.
   * What else is hidden in a scroll pane, such as a scroll bar, is so.
   */
  prunesInPane(node: RawNode): boolean {
    if (!mayBeViewport(node)) return false;
    if (node.nativeRole === NATIVE.VIEWPORT) {
      node.states = withShowing(node.states);
      return false;
    }
    node.dropped = !this.request.wholeTree;
    return node.dropped;
  }

  /**
   * Firefox says of an element without an area of its own that it is off screen, also if what is in it shows, as fixed and sticky parts of pages do. Not
   * asked of the parts of a long list.
   */
  mayOverflow({ states, position }: RawNode): boolean {
    const isOneOfFew = position !== undefined && position.count <= MOST_BESIDE;
    return this.traits.kind === 'gecko' && isOneOfFew && hasState(states, STATE.VISIBLE);
  }

  /** Keeps such an element if its parts may be within the window: their common place is, or is unknown. */
  overflows(node: RawNode, extents: RawNode['extents'], window: RawNode['extents']): boolean {
    if (extents === undefined) return false;
    if (isPlace(extents) && (!isPlace(window) || !overlaps(extents, window))) return false;
    node.isOverflowing = true;
    node.dropped = false;
    node.extents = isPlace(extents) ? extents : undefined;
    return true;
  }

  /** What is named or usable itself would be listed, although it does not show. */
  prunesOverflowing(node: RawNode): boolean {
    if (!node.isOverflowing) return false;
    node.dropped = !HOLDERS.has(mapRole(node.nativeRole, node.states));
    if (!node.dropped) node.states = withShowing(node.states);
    return node.dropped;
  }

  isLeaf({ nativeRole, states }: RawNode): boolean {
    const { staticIsLeaf, recreatesItems } = this.traits;
    if (recreatesItems && nativeRole === NATIVE.LABEL && hasState(states, STATE.TRANSIENT)) return true;
    return staticIsLeaf && nativeRole === NATIVE.STATIC;
  }
}

function mayBeViewport({ isInPane, states }: RawNode): boolean {
  return isInPane && hasState(states, STATE.VISIBLE) && !hasState(states, STATE.SHOWING);
}
