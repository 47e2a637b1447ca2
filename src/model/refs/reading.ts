import { WITHHELD } from '../text/withheld.ts';
import { handleKey } from '../tree/node.ts';
import type { NodeHandle } from '../tree/node.ts';
import type { Role } from '../tree/role.ts';
import type { State } from '../tree/state.ts';

/** What is remembered of an element as a snapshot shows it, to tell later whether it is still so. */
export interface ReadNode {
  readonly handle: NodeHandle;
  readonly role: Role;
  /** The beginning of it, when `digest` is there. */
  readonly name: string;
  /** The beginning of it, when `digest` is there; empty for what is typed into a password field. */
  readonly value: string;
  readonly states: readonly State[];
  readonly ref?: string | undefined;
  /** Stands for name and value where they are too long to be kept: characters and a checksum. */
  readonly digest?: string | undefined;
  readonly children: readonly ReadNode[];
}

export interface RememberedWindow {
  readonly id: string;
  readonly otherId?: string | undefined;
  readonly title: string;
}

/** One remembered reading of a window, or of what was below one of its elements. */
export interface StoredReading {
  /** The number in `c17`. */
  readonly cursor: number;
  readonly window: { readonly id: string; readonly otherId?: string | undefined };
  readonly pid: number | undefined;
  readonly wholeTree: boolean;
  /** Ref of the element that was read below; absent for the whole window. */
  readonly root?: string | undefined;
  readonly complete: boolean;
  /** All windows of its application at that moment; absent when they were not looked at. */
  readonly windows?: readonly RememberedWindow[] | undefined;
  /** Absent when only the fact that it was read is still known. */
  readonly tree?: ReadNode | undefined;
  /** Keys of the elements whose texts are not kept, when it is recalled. */
  readonly withheld?: ReadonlySet<string> | undefined;
}

/**
 * A reading without what the elements of these keys hold, and all that is inside them. No checksum stays either: a short secret could be
 * guessed from it. That something is there stays known.
 */
export function withoutTexts(root: ReadNode, keys: ReadonlySet<string>): ReadNode {
  return keys.size === 0 ? root : hideBelow(root, keys, false);
}

function hideBelow(node: ReadNode, keys: ReadonlySet<string>, isInside: boolean): ReadNode {
  const isHidden = isInside || keys.has(handleKey(node.handle));
  const children = node.children.map((child) => hideBelow(child, keys, isHidden));
  if (!isHidden) return { ...node, children };
  const { digest: _digest, ...rest } = node;
  // A cell is called what it holds.
  const isNamedSo = isInside || node.name === node.value;
  return { ...rest, name: isNamedSo ? cover(node.name) : node.name, value: cover(node.value), children };
}

function cover(text: string): string {
  return text === '' ? '' : WITHHELD;
}
