import type { Change } from '../../model/effects/effect.ts';
import { handleKey, type NodeHandle } from '../../model/tree/node.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { Observation } from '../evidence/evidence.ts';
import type { ObservedChange } from '../evidence/window-diff.ts';
import { witnesses } from '../evidence/witnesses.ts';
import { pathTo } from '../tree/path-to.ts';

/** Whether an element became selected. */
export function isSelectedBy({ after }: Change): boolean {
  return after?.split(' ').includes('selected') ?? false;
}

/** Views of GTK 4 select the item, and what a person sees and clicks is the content of it. */
export function selectedAround({ changes, trees, targetKey }: Observation): ObservedChange | undefined {
  const path = trees === undefined ? [] : pathTo(trees.after.root, targetKey);
  const around = new Set(path.slice(0, -1).map(({ handle }) => handleKey(handle)));
  return changes.find(({ change, key }) => around.has(key) && isSelectedBy(change));
}

/** Trees of Qt whose rows are edited in place select another cell of the row than the one that was clicked. */
export function besideInRow(
  seen: Observation,
  after: NodeDetails,
  { container }: { readonly container: NodeHandle },
): ObservedChange | undefined {
  const { bounds } = after;
  if (after.role !== 'cell' || bounds === undefined) return undefined;
  const isBeside = ({ node, lineage }: ObservedChange): boolean =>
    lineage.includes(handleKey(container)) &&
    node.role === 'cell' &&
    node.bounds?.y === bounds.y &&
    node.bounds.height === bounds.height;
  return witnesses(seen).find((observed) => isBeside(observed) && isSelectedBy(observed.change));
}
