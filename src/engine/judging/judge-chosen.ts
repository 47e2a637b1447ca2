import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import { isInView } from '../tree/element-states.ts';
import { optionsIn, plain } from '../tree/option-search.ts';
import { pathTo } from '../tree/path-to.ts';
import { TreeIndex } from '../tree/tree-index.ts';
import {
  confirmed,
  describeChange,
  eventEvidence,
  quote,
  type Judgement,
  type Observation,
} from '../evidence/evidence.ts';
import type { Reading } from '../evidence/window-diff.ts';
import { significantEvents } from '../evidence/witnesses.ts';

/** An item in the list of a combo box, which then shows it. */
export function judgeChosen(seen: Observation): Judgement | undefined {
  const { before, changes, trees, targetKey } = seen;
  const path = trees === undefined ? [] : pathTo(trees.before.root, targetKey).slice(0, -1);
  const around = new Set(
    path.filter(({ role }) => role === 'combobox').map(({ handle }) => handleKey(handle)),
  );
  const label = before.name;
  const shown = changes.find(
    ({ change, key, node }) =>
      around.has(key) &&
      change.kind === 'changed' &&
      label !== '' &&
      (node.value === label || node.name === label),
  );
  const events = significantEvents(seen).filter(({ node }) => handleKey(node) === targetKey);
  if (shown === undefined || events.length === 0)
    return judgeKept(
      seen,
      path.findLast(({ role }) => role === 'combobox'),
    );
  return confirmed([describeChange(shown.change), ...eventEvidence(events)], false);
}

/** The option that its combo box shows already: the list closes, as its events tell, and the box goes on showing it. More is not to be seen. */
function judgeKept(seen: Observation, opened: TreeNode | undefined): Judgement | undefined {
  const { after, before, changes, targetKey, trees } = seen;
  if (opened === undefined || trees === undefined) return undefined;
  const box = ownerOf(opened, trees) ?? opened;
  const now = new TreeIndex(trees.after.root).at(box.handle);
  if (now === undefined) return undefined;
  const label = plain(before.name);
  const isOnly = optionsIn(opened).filter((option) => option.label === label).length === 1;
  if (label === '' || !isOnly || !shows(box, label) || !shows(now, label)) return undefined;
  const isGone = changes.some(({ change, key }) => key === targetKey && change.kind === 'disappeared');
  // Chromium goes on reporting the chosen option as showing in its closed list.
  const hasCollapsed = box.states.includes('expanded') && !now.states.includes('expanded');
  const isClosed = isInView(before) && (isGone || hasCollapsed || (after !== undefined && !isInView(after)));
  const events = significantEvents(seen).filter(
    ({ kind, detail }) => kind === 'state-changed' && (detail === 'showing=0' || detail === 'expanded=0'),
  );
  if (!isClosed || now.states.includes('expanded') || events.length === 0) return undefined;
  return confirmed(
    [`already: the list closed, and its combo box shows ${quote(label)}`, ...eventEvidence(events)],
    false,
  );
}

/**
 * The combo box in a page whose list Firefox opens outside it, in one of its own: it stays collapsed, has the same value, and the focus while the list
 * is open or once it has closed.
 */
function ownerOf(
  opened: TreeNode,
  trees: Readonly<Record<'before' | 'after', Reading>>,
): TreeNode | undefined {
  if (opened.name !== '' || opened.value === undefined) return undefined;
  const later = new TreeIndex(trees.after.root);
  const isFocused = (node?: TreeNode): boolean => node?.states.includes('focused') === true;
  const isOwner = (node: TreeNode): boolean =>
    node.role === 'combobox' &&
    node.value === opened.value &&
    !node.states.includes('expanded') &&
    (isFocused(node) || isFocused(later.at(node.handle)));
  const ownersIn = (node: TreeNode): TreeNode[] => [
    ...(isOwner(node) ? [node] : []),
    ...node.children.flatMap(ownersIn),
  ];
  const [owner, ...others] = ownersIn(trees.before.root);
  return others.length === 0 ? owner : undefined;
}

function shows({ name, value }: TreeNode, label: string): boolean {
  return plain(value ?? name) === label;
}
