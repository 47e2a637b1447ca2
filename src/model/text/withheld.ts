import { handleKey } from '../tree/node.ts';
import type { ReadNode } from '../refs/reading-document.ts';

/** Stands where a text would that must not be repeated. */
export const WITHHELD = '[withheld]';

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
