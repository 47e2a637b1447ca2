import { fitWithoutRefs } from '../budget.ts';
import type { TreeNode } from '../node.ts';
import { assignRefs } from './assign-refs.ts';
import { chooseStates } from './choose-states.ts';
import { cleanNames } from './clean-names.ts';
import { collapseGroups } from './collapse-groups.ts';
import { computeNames } from './compute-names.ts';
import { cutDepth } from './cut-depth.ts';
import { toDraft } from './draft.ts';
import type { Pass } from './draft.ts';
import { dropClosedPopups } from './drop-closed-popups.ts';
import { dropDecoration } from './drop-decoration.ts';
import { dropInvisible } from './drop-invisible.ts';
import { absorbText, foldLines } from './fold-text.ts';
import { keepInteractive } from './keep-interactive.ts';
import { limitText } from './limit-text.ts';
import { maskProtected } from './mask-protected.ts';
import { mergeRepeats } from './merge-repeats.ts';
import { nameMenuOpeners } from './name-menu-openers.ts';
import { toOutput } from './to-output.ts';
import type { AllocateRef, DistillOptions, DistilledTree } from './types.ts';

export type { AllocateRef, DistillOptions, DistilledTree } from './types.ts';

/** The order matters: secrets are removed first, names are computed while labels are still beside their fields, groups collapse again after filters have emptied them. */
export const PASSES: readonly Pass[] = [
  maskProtected,
  dropInvisible,
  dropClosedPopups,
  cleanNames,
  nameMenuOpeners,
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

/** The shown part of a pruned tree: as much as the budget allows, with refs. If all of it fits, its own nodes get the refs. */
export function present(
  pruned: DistilledTree,
  { rootRef, budget }: Pick<DistillOptions, 'rootRef' | 'budget'>,
  allocateRef: AllocateRef,
): DistilledTree {
  if (rootRef !== undefined) pruned.root.ref = rootRef;
  const fitted = budget === undefined ? pruned : fitWithoutRefs(pruned, budget.maxTokens, budget.form);
  return assignRefs(fitted, allocateRef);
}
