import type { ElisionReason } from '../../../../model/tree/node.ts';
import type { InterfaceSet } from './cache-items.ts';
import type { StateBits } from './states.ts';
import type { Extents } from './templates.ts';

/** One object while it is being read; becomes a TreeNode when all its calls have returned. */
export interface RawNode {
  readonly bus: string;
  readonly path: string;
  readonly depth: number;
  /** A window of its application, not something inside one. */
  readonly isTopLevel: boolean;
  nativeRole: number;
  states: StateBits;
  name: string;
  extents: Extents | undefined;
  children: RawNode[];
  childCount: number | undefined;
  elided: ElisionReason | undefined;
  interfaces: InterfaceSet | undefined;
  /** Not part of the result: hidden, vanished or unreadable. */
  dropped: boolean;
  value: string | undefined;
  description: string | undefined;
  /** The description in the bulk cache; empty for none. */
  cachedDescription: string | undefined;
  labelledBy: string | undefined;
  identifier: string | undefined;
  actions: string[] | undefined;
  /** Path of its handle, if the object's own path is valid only for moments. */
  address: string | undefined;
}

export function createRawNode(bus: string, path: string, depth: number, isTopLevel = false): RawNode {
  return {
    bus,
    path,
    depth,
    isTopLevel,
    nativeRole: 0,
    states: [0, 0],
    name: '',
    extents: undefined,
    children: [],
    childCount: undefined,
    elided: undefined,
    interfaces: undefined,
    dropped: false,
    value: undefined,
    description: undefined,
    cachedDescription: undefined,
    labelledBy: undefined,
    identifier: undefined,
    actions: undefined,
    address: undefined,
  };
}

/** Visits `node` and all its descendants that were kept. */
export function forEachNode(node: RawNode, visit: (node: RawNode) => void): void {
  visit(node);
  for (const child of node.children) if (!child.dropped) forEachNode(child, visit);
}
