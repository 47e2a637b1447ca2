import { mentionParameter } from '../text/mention.ts';
import { chosenTree, cost, place, renderedTokens, type Placed } from './budget/placed.ts';
import { rank } from './budget/rank.ts';
import type { DistilledTree, Form } from './distill/types.ts';
import { DeskterityError } from '../effects/errors.ts';
import type { OutputNode, TreeNode } from './node.ts';

export { estimateTokens } from './tokens/estimate-tokens.ts';

/** The least that a node costs in either form. */
const CHEAPEST_NODE = 3;
/** Share of the budget for naming containers before showing their content. */
const SKELETON_SHARE = 0.4;
/** After this many nodes that did not fit, the rest is skipped. */
const MISSES_BEFORE_GIVING_UP = 100;

/**
 * The most important part of a tree that fits into `maxTokens` tokens in the given form ({@link renderedTokens} counts only the tree, not the text
 * around it). Sub-trees left out are counted in their parent, which gets a ref for requesting them. Existing refs stay; those to be assigned
 * count with the longest form.
 * @throws DeskterityError BUDGET_TOO_SMALL if not even the root fits.
 */
export function fitWithoutRefs(tree: DistilledTree, maxTokens: number, form: Form): DistilledTree {
  const { root, all } = place(tree.root);
  if (all.length * CHEAPEST_NODE <= maxTokens && renderedTokens(tree.root, form) <= maxTokens) return tree;
  const minimum = cost(root, root.children.length > 0, form);
  const ranked = rank(all);
  for (let target = maxTokens; target >= minimum;) {
    choose(root, all, ranked, target, form);
    const fitted = copyChosen(tree, root);
    const excess = renderedTokens(fitted.root, form) - maxTokens;
    if (excess <= 0) return fitted;
    target = target > minimum ? Math.max(minimum, target - excess) : 0;
  }
  throw new DeskterityError(
    'BUDGET_TOO_SMALL',
    `${maxTokens} tokens are not enough to show anything; this tree needs at least ${minimum}.`,
    {
      suggestion: `Repeat with ${mentionParameter('max_tokens', Math.max(minimum, 100))} or more.`,
    },
  );
}

function choose(
  root: Placed,
  all: readonly Placed[],
  ranked: ReturnType<typeof rank>,
  maxTokens: number,
  form: Form,
): void {
  for (const placed of all) {
    placed.chosen = false;
    placed.missing = placed.children.length;
  }
  root.chosen = true;
  let used = cost(root, root.children.length > 0, form);
  let misses = 0;
  for (const { placed, isSkeleton } of ranked) {
    if (used + CHEAPEST_NODE > maxTokens || misses > MISSES_BEFORE_GIVING_UP) return;
    if (placed.chosen) continue;
    const added = addedCost(placed, form);
    if (used + added > (isSkeleton ? maxTokens * SKELETON_SHARE : maxTokens)) {
      misses += isSkeleton ? 0 : 1;
      continue;
    }
    used += added;
    for (let up: Placed | undefined = placed; up !== undefined && !up.chosen; up = up.parent) {
      up.chosen = true;
      if (up.parent !== undefined) up.parent.missing -= 1;
    }
  }
}

/** Tokens for a node and the containers it needs, minus the note on the lowest shown container if nothing is missing there any more. */
function addedCost(placed: Placed, form: Form): number {
  let added = cost(placed, placed.children.length > 0, form);
  let up = placed.parent;
  for (; up !== undefined && !up.chosen; up = up.parent) added += cost(up, up.children.length > 1, form);
  if (up !== undefined && up.missing === 1) added -= cost(up, true, form) - cost(up, false, form);
  return added;
}

function copyChosen(tree: DistilledTree, root: Placed): DistilledTree {
  const sources = new Map<OutputNode, TreeNode>();
  let elided = 0;
  const copy = chosenTree(root, (shown, original) => {
    const source = tree.sources.get(original);
    if (source !== undefined) sources.set(shown, source);
  });
  for (const node of sources.keys()) elided += node.elided ?? 0;
  return { root: copy, sources, elided, refCount: 0 };
}
