import type { RawNode } from '../raw-node.ts';
import { NATIVE } from '../roles.ts';
import { hasState, STATE, withShowing } from '../states.ts';
import type { ToolkitTraits } from '../toolkit.ts';

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

  isLeaf({ nativeRole, states }: RawNode): boolean {
    const { staticIsLeaf, recreatesItems } = this.traits;
    if (recreatesItems && nativeRole === NATIVE.LABEL && hasState(states, STATE.TRANSIENT)) return true;
    return staticIsLeaf && nativeRole === NATIVE.STATIC;
  }
}

function mayBeViewport({ isInPane, states }: RawNode): boolean {
  return isInPane && hasState(states, STATE.VISIBLE) && !hasState(states, STATE.SHOWING);
}
