import { handleKey } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import { confirmed, type Judgement, type Observation } from '../evidence/evidence.ts';
import type { ObservedChange } from '../evidence/window-diff.ts';
import { pathTo } from '../tree/path-to.ts';

/** What a page is loaded anew with. */
const CONTROLS = roleSet('button', 'menuitem');

/**
 * A page that was loaded anew and looks as before: its document reported that it is busy, and another document in its place that it no longer is. Pages
 * also do so by themselves, with what is in them, and so do parts of them, such as advertisements, so only what is in no page counts as the cause.
 */
export function judgeReloaded(seen: Observation): Judgement | undefined {
  const { before, changes, targetKey, trees } = seen;
  if (trees === undefined || !CONTROLS.has(before.role)) return undefined;
  const path = pathTo(trees.before.root, targetKey);
  if (path.length === 0 || path.some(({ role }) => role === 'document')) return undefined;
  const isLeft = (left: ObservedChange): boolean =>
    isDocument(left, 'disappeared') &&
    !left.node.states.includes('busy') &&
    hasReported(seen, left, 'busy=1');
  const isCome = (come: ObservedChange): boolean =>
    isDocument(come, 'appeared') && hasReported(seen, come, 'busy=0');
  for (const left of changes.filter(isLeft)) {
    const reliesOn = changes.find((come) => isCome(come) && come.lineage[0] === left.lineage[0]);
    if (reliesOn !== undefined) return { ...confirmed([LOADED, BUSY], false), reliesOn };
  }
  return undefined;
}

const LOADED = 'the page was loaded anew: another document has its place';
const BUSY = 'application events: state-changed busy=1, state-changed busy=0';

function isDocument({ change, node }: ObservedChange, kind: 'appeared' | 'disappeared'): boolean {
  return change.kind === kind && node.role === 'document';
}

function hasReported({ events }: Observation, { key }: ObservedChange, what: string): boolean {
  return events.some(
    ({ kind, detail, node }) => kind === 'state-changed' && detail === what && handleKey(node) === key,
  );
}
