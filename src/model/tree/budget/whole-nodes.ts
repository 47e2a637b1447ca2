import { stringifyVisibly } from '../../text/untrusted-text.ts';
import { needsRef } from '../distill/assign-refs.ts';
import type { CutPlace, DistilledTree, Form } from '../distill/types.ts';
import type { OutputNode, TreeNode } from '../node.ts';
import { outlineLine, renderOutline } from '../outline.ts';

/** No answer is longer: some clients cut longer ones themselves, in the middle of an element. */
export const LONGEST_ANSWER_BYTES = 100_000;

/** No ref is longer. */
const WIDEST_REF = '@e999999999';
const REF_BYTES = `,"ref":"${WIDEST_REF}"`.length;
/** The most that telling costs that a container has more elements: in its line, and where reading goes on. */
const MARK_BYTES = 200;

/** The length of a text in an answer. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

interface Step {
  readonly node: OutputNode;
  readonly index: number;
}

/**
 * The beginning of a tree in document order that fits into `maxBytes`, at least its root with one element. What is left out is counted in the containers it is in, and
 * `cuts` tells after which of their elements reading goes on: together they show every element left out, once.
 */
export function cutToBytes(tree: DistilledTree, maxBytes: number, form: Form): DistilledTree {
  const printed = form === 'outline' ? renderOutline(tree.root) : stringifyVisibly(tree.root);
  if (bytesOf(printed) + tree.sources.size * REF_BYTES <= maxBytes) return tree;
  let used = 0;
  let count = 0;
  let fitting = 1;
  let end: readonly Step[] = [{ node: tree.root, index: 0 }];
  const path: Step[] = [];
  let isOver = false;
  const visit = (node: OutputNode, index: number, marksAbove: number): void => {
    if (isOver) return;
    path.push({ node, index });
    count += 1;
    used += bytesFor(node, path.length - 1, form);
    const children = node.children ?? [];
    const marks = marksAbove + (children.length > 0 ? MARK_BYTES : 0);
    // Each answer shows something that the one before did not.
    const isFirst = count <= 2;
    if (used > maxBytes && !isFirst) isOver = true;
    else if (used + marks <= maxBytes || isFirst) {
      fitting = count;
      end = [...path];
    }
    for (const [at, child] of children.entries())
      visit(child, at, marksAbove + (at + 1 < children.length ? MARK_BYTES : 0));
    path.pop();
  };
  visit(tree.root, 0, 0);
  return fitting < count || isOver ? upTo(tree, end) : tree;
}

/** A copy of the first nodes; `end` is the path to the last of them. */
function upTo(tree: DistilledTree, end: readonly Step[]): DistilledTree {
  const sources = new Map<OutputNode, TreeNode>();
  const cuts: CutPlace[] = [];
  let elided = 0;
  const copy = (node: OutputNode, depth: number): OutputNode => {
    const { children = [], ...fields } = node;
    const shown: OutputNode = { ...fields };
    const source = tree.sources.get(node);
    if (source !== undefined) sources.set(shown, source);
    const isOpen = end[depth]?.node === node;
    const kept = isOpen ? children.slice(0, (end[depth + 1]?.index ?? -1) + 1) : children;
    const copies = kept.map((child) => copy(child, depth + 1));
    if (copies.length > 0) shown.children = copies;
    const missing = children.slice(kept.length).reduce((sum, child) => sum + sizeOf(child), 0);
    if (missing > 0) {
      shown.elided = missing + (node.elided ?? 0);
      const { elided_reason: reason } = node;
      // A container that stands for itself, too, would get no ref.
      shown.elided_reason = reason === undefined || reason === 'cycle' ? 'size' : reason;
      cuts.push({ root: shown, after: copies.at(-1), elided: missing });
    }
    elided += shown.elided ?? 0;
    return shown;
  };
  return { root: copy(tree.root, 0), sources, elided, refCount: 0, cuts };
}

function sizeOf(node: OutputNode): number {
  return (node.children ?? []).reduce((sum, child) => sum + sizeOf(child), 1 + (node.elided ?? 0));
}

/** An upper bound of the bytes that a node adds to the text of its tree. */
function bytesFor(node: OutputNode, depth: number, form: Form): number {
  const { children, ...shown } = node;
  if (shown.ref === undefined && (needsRef(node) || children !== undefined)) shown.ref = WIDEST_REF;
  if (form === 'outline') return bytesOf(outlineLine(shown, depth));
  return bytesOf(stringifyVisibly(shown)) + (children === undefined ? 1 : ',"children":[]'.length + 1);
}

/**
 * The part of a tree that comes after an element in document order, with the containers of that part.
 *
 * @param isLast whether an element is the last one that was shown
 * @returns `undefined` if that is not in the tree
 */
export function partAfter(
  tree: DistilledTree,
  isLast: (source: TreeNode) => boolean,
): DistilledTree | undefined {
  const sources = new Map<OutputNode, TreeNode>();
  let isFound = false;
  let elided = 0;
  const copy = (node: OutputNode): OutputNode | undefined => {
    const wasFound = isFound;
    const source = tree.sources.get(node);
    if (!wasFound && source !== undefined && isLast(source)) {
      isFound = true;
      return undefined;
    }
    const { children = [], ...fields } = node;
    const kept = children.flatMap((child) => copy(child) ?? []);
    // What an earlier part left out in it is not in this one.
    if (!wasFound && kept.length === 0 && node !== tree.root) return undefined;
    const shown: OutputNode = { ...fields, ...(kept.length === 0 ? {} : { children: kept }) };
    if (source !== undefined) sources.set(shown, source);
    elided += shown.elided ?? 0;
    return shown;
  };
  const root = copy(tree.root);
  return root === undefined || !isFound ? undefined : { root, sources, elided, refCount: 0 };
}
