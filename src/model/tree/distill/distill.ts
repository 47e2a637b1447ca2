import { fitWithoutRefs } from '../budget.ts';
import { cutToBytes } from '../budget/whole-nodes.ts';
import type { OutputNode, TreeNode } from '../node.ts';
import { assignRefs } from './assign-refs.ts';
import { chooseStates } from './choose-states.ts';
import { collapseGroups } from './collapse-groups.ts';
import { toDraft, type Draft, type Pass } from './draft.ts';
import { absorbText, foldLines } from './fold-text.ts';
import { dropClosedPopups, dropDecoration, dropEmptyCells, dropUnseenTabs } from './drop-elements.ts';
import { dropInvisible, gatherOffscreen } from './drop-invisible.ts';
import { keepInteractive } from './keep-interactive.ts';
import { mergeRepeats } from './merge-repeats.ts';
import { cleanNames, computeNames, nameMenuOpeners } from './names.ts';
import { limitText, maskProtected } from './texts.ts';
import type { AllocateRef, DistilledTree, DistillOptions } from './types.ts';

export type { AllocateRef, DistillOptions, DistilledTree } from './types.ts';

/** The order matters: secrets are removed first, names are computed while labels are still beside their fields, groups collapse again after filters have emptied them. */
export const PASSES: readonly Pass[] = [
  maskProtected,
  dropInvisible,
  gatherOffscreen,
  dropClosedPopups,
  dropEmptyCells,
  cleanNames,
  nameMenuOpeners,
  dropUnseenTabs,
  collapseSingleBoxes,
  absorbText,
  computeNames,
  mergeRepeats,
  foldLines,
  dropDecoration,
  keepInteractive,
  collapseGroups,
  chooseStates,
  limitText,
  cutDepth,
];

/** Removes boxes around one child, so that a label and a field in one box each become neighbours. */
function collapseSingleBoxes(...[root, options]: Parameters<Pass>): void {
  collapseGroups(root, { ...options, compact: false });
}

/** Turns an adapter's tree into the tree for an agent, with refs. The adapter's tree is not changed. */
export function distill(root: TreeNode, options: DistillOptions, allocateRef: AllocateRef): DistilledTree {
  return present(prune(root, options), options, allocateRef);
}

/** Only the passes: the tree without refs and budget. */
export function prune(root: TreeNode, options: DistillOptions): DistilledTree {
  const draft = toDraft(root);
  for (const pass of PASSES) pass(draft, options);
  return toOutput(draft, options);
}

type Limits = Pick<DistillOptions, 'rootRef' | 'budget' | 'longest'>;

/** The shown part of a pruned tree: as much as the budget allows, with refs. The pruned tree is not changed. */
export function present(pruned: DistilledTree, limits: Limits, allocateRef: AllocateRef): DistilledTree {
  return assignRefs(copyOf(shownPart(pruned, limits)), allocateRef);
}

/** The last shown part of pruned trees that may be shown again. */
const lastShown = new WeakMap<DistilledTree, { readonly limits: string; readonly shown: DistilledTree }>();

function shownPart(pruned: DistilledTree, limits: Limits): DistilledTree {
  const key = JSON.stringify(limits);
  const last = lastShown.get(pruned);
  if (last?.limits === key) return last.shown;
  const { rootRef, budget, longest } = limits;
  const named = rootRef === undefined ? pruned : withRootRef(pruned, rootRef);
  const fitted = budget === undefined ? named : fitWithoutRefs(named, budget.maxTokens, budget.form);
  const shown = longest === undefined ? fitted : cutToBytes(fitted, longest.maxBytes, longest.form);
  lastShown.set(pruned, { limits: key, shown });
  return shown;
}

function withRootRef(tree: DistilledTree, ref: string): DistilledTree {
  const root = { ...tree.root, ref };
  const source = tree.sources.get(tree.root);
  const sources = new Map(tree.sources);
  if (source !== undefined) sources.set(root, source);
  return { ...tree, root, sources };
}

/** A tree whose nodes may be changed. */
function copyOf(tree: DistilledTree): DistilledTree {
  const sources = new Map<OutputNode, TreeNode>();
  const copies = new Map<OutputNode, OutputNode>();
  const copy = (node: OutputNode): OutputNode => {
    const copied = { ...node };
    if (node.children !== undefined) copied.children = node.children.map(copy);
    const source = tree.sources.get(node);
    if (source !== undefined) sources.set(copied, source);
    copies.set(node, copied);
    return copied;
  };
  const root = copy(tree.root);
  const cuts = tree.cuts?.map(({ root: place, after, elided }) => ({
    root: copies.get(place) ?? place,
    after: after && copies.get(after),
    elided,
  }));
  return { ...tree, root, sources, ...(cuts === undefined ? {} : { cuts }) };
}

/** `--max-depth`: deeper elements are counted, and their container gets a ref for reading them. */
function cutDepth(...[root, { maxDepth }]: Parameters<Pass>): void {
  if (maxDepth !== undefined) cut(root, Math.max(0, maxDepth));
}

function cut(node: Draft, levels: number): void {
  if (levels > 0) {
    for (const child of node.children) cut(child, levels - 1);
    return;
  }
  if (node.children.length === 0) return;
  node.elided += node.children.reduce((sum, child) => sum + countAll(child), 0);
  node.elidedReason = 'depth';
  node.children = [];
}

function countAll(node: Draft): number {
  return node.children.reduce((sum, child) => sum + countAll(child), 1 + node.elided);
}

/** Converts the finished draft for answers: without empty fields, refs not yet assigned. */
function toOutput(root: Draft, options: DistillOptions): DistilledTree {
  const sources = new Map<OutputNode, TreeNode>();
  let elided = 0;
  const convert = (node: Draft): OutputNode => {
    const output = fields(node, options);
    sources.set(output, node.source);
    elided += node.elided;
    if (node.children.length > 0) output.children = node.children.map(convert);
    return output;
  };
  return { root: convert(root), sources, elided, refCount: 0 };
}

function fields(node: Draft, options: DistillOptions): OutputNode {
  const output: OutputNode = { role: node.role };
  if (node.name !== '') output.name = node.name;
  if (node.name !== '' && node.nameFrom !== 'label') output.name_from = node.nameFrom;
  if (node.value !== '') output.value = node.value;
  if (node.valueLength > 0) output.value_length = node.valueLength;
  if (node.description !== '') output.description = node.description;
  if (!options.compact && node.source.identifier !== undefined && node.source.identifier !== '')
    output.identifier = node.source.identifier;
  const { caret } = node.source;
  // By default the caret is right after the text.
  if (caret !== undefined && caret < node.source.name.length) output.caret = caret;
  if (node.states.length > 0) output.states = node.states;
  if (options.includeBounds && !options.compact && node.bounds !== undefined) output.bounds = node.bounds;
  const actions = node.source.actions;
  if (options.includeActions && actions !== undefined && actions.length > 0) output.actions = [...actions];
  if (node.elided > 0) output.elided = node.elided;
  if (node.elidedReason !== undefined) output.elided_reason = node.elidedReason;
  if (node.offscreen !== undefined) output.offscreen = node.offscreen;
  return output;
}
