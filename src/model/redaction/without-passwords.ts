import { handleKey, type TreeNode } from '../tree/node.ts';
import type { State } from '../tree/state.ts';
import { isPassword, type SeenPasswords } from './seen-passwords.ts';

/** Adds the state of password fields. */
export function withProtected(states: readonly State[]): readonly State[] {
  return states.includes('protected') ? states : [...states, 'protected' as const].toSorted();
}

/**
 * A tree without what its password fields contain: their values, everything inside them, and what around them repeats these texts. Notes the fields.
 * Parts without such fields are the same objects; a tree without any is the same.
 */
export function withoutPasswords(root: TreeNode, seen: SeenPasswords): TreeNode {
  return cover(root, { seen, parent: undefined, index: 0 }).node;
}

interface Covered {
  readonly node: TreeNode;
  /** Texts that the field contains, as far as they were read. */
  readonly texts: ReadonlySet<string>;
}

const NOTHING: ReadonlySet<string> = new Set();

function cover(
  node: TreeNode,
  {
    seen,
    parent,
    index,
  }: { readonly seen: SeenPasswords; readonly parent: TreeNode | undefined; readonly index: number },
): Covered {
  const isKnown = seen.has(handleKey(node.handle));
  const isField =
    isKnown || isPassword(node) || (parent !== undefined && seen.hasReplaced(node, parent, index));
  if (isField) {
    if (!isKnown) seen.note(node, parent === undefined ? '' : handleKey(parent.handle), index);
    return fieldOf(node);
  }
  let texts: Set<string> | undefined;
  let children: TreeNode[] | undefined;
  for (const [at, child] of node.children.entries()) {
    const covered = cover(child, { seen, parent: node, index: at });
    for (const text of covered.texts) texts = (texts ?? new Set()).add(text);
    if (covered.node === child) continue;
    children ??= [...node.children];
    children[at] = covered.node;
  }
  const own = texts === undefined ? node : withoutTexts(node, texts);
  return { node: children === undefined ? own : { ...own, children }, texts: texts ?? NOTHING };
}

function fieldOf(node: TreeNode): Covered {
  const texts = new Set(textsWithin(node));
  const isClean = node.value === undefined && node.children.length === 0 && node.states.includes('protected');
  if (isClean) return { node, texts };
  const { value: _value, childCount: _count, elided: _elided, offscreen: _offscreen, ...rest } = node;
  const field = { ...rest, states: withProtected(node.states), children: [] };
  return { node: withoutTexts(field, texts), texts };
}

function withoutTexts(node: TreeNode, texts: ReadonlySet<string>): TreeNode {
  const { name, value, description } = node;
  const isRepeated = [name, value?.trim(), description].some((text) => text !== undefined && texts.has(text));
  if (!isRepeated) return node;
  const kept = { ...node };
  if (texts.has(name)) kept.name = '';
  if (value !== undefined && texts.has(value.trim())) delete kept.value;
  if (description !== undefined && texts.has(description)) delete kept.description;
  return kept;
}

/** The value of a field and all texts inside it, except its own name and description. */
function textsWithin(node: TreeNode): string[] {
  const below = node.children.flatMap((child) => [child.name, ...textsWithin(child)]);
  return [node.value?.trim() ?? '', ...below].filter((text) => text !== '');
}
