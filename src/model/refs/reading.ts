import { WITHHELD } from '../redaction/withheld.ts';
import { handleKey, type NodeHandle } from '../tree/node.ts';
import type { Role } from '../tree/role.ts';
import type { State } from '../tree/state.ts';

/** The stored form of an element in a snapshot, for later comparison. */
export interface ReadNode {
  readonly handle: NodeHandle;
  readonly role: Role;
  /** Only the beginning if there is a `digest`. */
  readonly name: string;
  /** Only the beginning if there is a `digest`; empty for password fields. */
  readonly value: string;
  readonly states: readonly State[];
  readonly ref?: string | undefined;
  /** Represents name and value that are too long to store: their length and a checksum. */
  readonly digest?: string | undefined;
  readonly children: readonly ReadNode[];
}

export interface RememberedWindow {
  readonly id: string;
  readonly otherId?: string | undefined;
  readonly title: string;
}

/** Stands for the cursor at which the requested window was shown last. */
export const LAST_LOOK = 'last';

/** One stored reading of a window, or of a part of it. */
export interface StoredReading {
  /** The number in `c17`. */
  readonly cursor: number;
  readonly window: { readonly id: string; readonly otherId?: string | undefined };
  readonly pid: number | undefined;
  readonly wholeTree: boolean;
  /** Ref of the element whose sub-tree was read; absent for the whole window. */
  readonly root?: string | undefined;
  readonly complete: boolean;
  /** Its tree was the answer, as far as it fitted. */
  readonly shown?: boolean | undefined;
  /** All windows of its application at that moment; absent if they were not listed. */
  readonly windows?: readonly RememberedWindow[] | undefined;
  /** Absent if the tree is no longer stored. */
  readonly tree?: ReadNode | undefined;
  /** Keys of the elements whose texts are withheld when it is recalled. */
  readonly withheld?: ReadonlySet<string> | undefined;
}

/**
 * A reading without the texts of these elements and of everything inside them. Checksums are removed too, because a short secret could be
 * guessed from them. Whether a text is empty stays visible.
 */
export function withoutTexts(root: ReadNode, keys: ReadonlySet<string>): ReadNode {
  return keys.size === 0 ? root : hideBelow(root, keys, false);
}

function hideBelow(node: ReadNode, keys: ReadonlySet<string>, isInside: boolean): ReadNode {
  const isHidden = isInside || keys.has(handleKey(node.handle));
  const children = node.children.map((child) => hideBelow(child, keys, isHidden));
  if (!isHidden) return { ...node, children };
  const { digest: _digest, ...rest } = node;
  // The name of a cell is its content.
  const isNameContent = isInside || node.name === node.value;
  return { ...rest, name: isNameContent ? cover(node.name) : node.name, value: cover(node.value), children };
}

function cover(text: string): string {
  return text === '' ? '' : WITHHELD;
}
