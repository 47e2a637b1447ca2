import { handleKey } from '../../model/tree/node.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import { pathTo } from '../tree/path-to.ts';
import { confirmed, eventEvidence, quote, type Judgement, type Observation } from '../evidence/evidence.ts';
import { significantEvents } from '../evidence/witnesses.ts';

/** Tabs of Qt report neither selected nor selectable. */
export function hidesSelection(before: NodeDetails, after: NodeDetails): boolean {
  const reports = ({ states }: NodeDetails): boolean =>
    states.includes('selectable') || states.includes('selected');
  return before.role === 'tab' && !reports(before) && !reports(after);
}

/**
 * A tab that does not report that it is selected: Qt names the bar after the tab that is current, of which no event tells, and a tab of the bar
 * sends an event when another one becomes current. Together they are two witnesses.
 */
export function judgeTab(seen: Observation): Judgement | undefined {
  const { before, changes, trees, targetKey } = seen;
  const { name } = before;
  const path = trees === undefined ? [] : pathTo(trees.after.root, targetKey).slice(0, -1);
  const bar = path.findLast(({ role }) => role === 'tablist');
  if (bar === undefined || name === '') return undefined;
  const isRenamed = changes.some(
    ({ change, key, node }) =>
      key === handleKey(bar.handle) && change.kind === 'changed' && node.name === name,
  );
  const isUnique = bar.children.filter((tab) => tab.name === name).length === 1;
  if (!isRenamed || !isUnique) return undefined;
  const inBar = new Set([bar, ...bar.children].map(({ handle }) => handleKey(handle)));
  const events = significantEvents(seen).filter(
    ({ kind, detail, node }) =>
      inBar.has(handleKey(node)) &&
      (kind === 'selection-changed' || (kind === 'state-changed' && detail.startsWith('selected='))),
  );
  if (events.length === 0) return undefined;
  return confirmed(
    [`fresh read: ${quote(name)} is the current tab of its bar`, ...eventEvidence(events)],
    false,
  );
}
