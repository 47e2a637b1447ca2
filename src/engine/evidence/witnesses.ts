import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import { isSignificant } from './attribution.ts';
import type { Observation } from './evidence.ts';
import { pathTo } from '../tree/path-to.ts';
import { unnamedChanges, type ObservedChange } from './window-diff.ts';

/** Events of a parent whose children appear, disappear or become visible; events about its name and value are unrelated. */
const STRUCTURAL_EVENTS = new Set(['children-changed', 'state-changed', 'selection-changed']);

/** Changes that events of the application also report: of the element, or around it if it appeared or disappeared. */
export function witnesses(seen: Observation): ObservedChange[] {
  return seen.changes.filter(
    (observed) =>
      observed.change.kind !== 'focus' &&
      (seen.isByKeys === true || !isOnlyPointedAt(observed)) &&
      !wasDisabled(observed, seen) &&
      !wasReplaced(observed, seen) &&
      !wasRemovedWithTarget(observed, seen) &&
      eventsFor(observed, seen).length > 0 &&
      !isOfTooltip(observed, seen),
  );
}

/** Pages and bars without a name that came or went, as their own events say. */
export function unnamedWitnesses(seen: Observation): ObservedChange[] {
  if (seen.trees === undefined) return [];
  const isTold = seen.events.some((event) => isOfShowing(event) || event.kind === 'focus-changed');
  if (!isTold) return [];
  const all = unnamedChanges(seen.trees.before, seen.trees.after);
  const isRemade = ({ change, node }: ObservedChange): boolean =>
    all.some((other) => other.change.kind !== change.kind && other.node.role === node.role);
  return all.filter((observed) => {
    const { key, node } = observed;
    if (CLOSED_BY_ITSELF.has(node.role) || holds(node, seen.targetKey)) return false;
    if (seen.dismissed?.has(key) === true) return false;
    if (wasInMenu(observed, seen) || isOfTooltip(observed, seen)) return false;
    return seen.events.some(
      (event) =>
        handleKey(event.node) === key &&
        (isOfShowing(event) || (isFocusOfNew(event, observed) && !isRemade(observed))),
    );
  });
}

/** A menu closes whatever its item does, and a tooltip comes and goes with the pointer. */
const CLOSED_BY_ITSELF = roleSet('menu', 'tooltip');

/** Its separators and boxes go with it. */
function wasInMenu({ change, key }: ObservedChange, { trees }: Observation): boolean {
  if (change.kind !== 'disappeared' || trees === undefined) return false;
  return pathTo(trees.before.root, key).some(({ role }) => CLOSED_BY_ITSELF.has(role));
}

/** Shown because the pointer is there, not by an act; any key or button hides it. */
function isOfTooltip({ change, key, node }: ObservedChange, { trees }: Observation): boolean {
  if (node.role === 'tooltip') return true;
  const tree = change.kind === 'disappeared' ? trees?.before : trees?.after;
  return tree !== undefined && pathTo(tree.root, key).some(({ role }) => role === 'tooltip');
}

function holds({ handle, children }: TreeNode, key: string): boolean {
  return handleKey(handle) === key || children.some((child) => holds(child, key));
}

function isOfShowing({ kind, detail }: DesktopEvent): boolean {
  return kind === 'state-changed' && detail.startsWith('showing=');
}

/** A target that was disabled at that moment may never have received the act. */
function wasDisabled({ change, key }: ObservedChange, { targetKey }: Observation): boolean {
  return key === targetKey && change.kind === 'changed' && change.after === 'disabled';
}

/** An element replaced by an identical one has not changed; a replaced target may never have received the act. */
function wasReplaced(
  { change: { kind }, node }: ObservedChange,
  { changes, background = [] }: Observation,
): boolean {
  if (kind !== 'appeared' && kind !== 'disappeared') return false;
  const opposite = kind === 'appeared' ? 'disappeared' : 'appeared';
  return [...changes, ...background].some(
    ({ change, node: other }) =>
      change.kind === opposite && other.role === node.role && other.name === node.name,
  );
}

/** Whether it disappeared from the window of the target, which disappeared too: perhaps before the act arrived, so that nothing received it. */
function wasRemovedWithTarget({ change, lineage }: ObservedChange, seen: Observation): boolean {
  const { accepted, isQueued = false } = seen.outcome;
  if (change.kind !== 'disappeared' || (accepted === true && !isQueued)) return false;
  const target = seen.changes.find(
    (other) => other.change.kind === 'disappeared' && other.key === seen.targetKey,
  );
  return target !== undefined && target.lineage.at(-1) === lineage.at(-1);
}

export function eventsFor(observed: ObservedChange, seen: Observation): DesktopEvent[] {
  const { change, key, lineage } = observed;
  const isInherited =
    change.kind === 'changed' && (change.before === 'disabled' || change.after === 'disabled');
  const around = new Set(change.kind !== 'changed' || isInherited ? lineage : []);
  // What disabled the target, or what it is in, may be why it never received the act.
  const doubtful = new Set(isInherited && change.after === 'disabled' ? aroundTarget(seen) : []);
  return seen.events.filter((event) => {
    const source = handleKey(event.node);
    if (!isSignificant(event)) return source === key && isFocusOfNew(event, observed);
    if (source === key) return true;
    if (!around.has(source) || doubtful.has(source)) return false;
    if (isInherited) return isOfEnabling(event);
    return STRUCTURAL_EVENTS.has(event.kind) || isOfParts(event, observed, seen);
  });
}

/**
 * The window itself lost or gained a part: Gecko tells this by its text, which has a character for each part of the window, and reports a popup that
 * closes from an object outside the tree.
 */
function isOfParts(
  { kind, detail, node }: DesktopEvent,
  { change, lineage }: ObservedChange,
  { trees }: Observation,
): boolean {
  const root = trees && handleKey(trees.before.root.handle);
  if (kind !== 'text-changed' || root !== handleKey(node) || lineage.at(-1) !== root) return false;
  return detail.startsWith(change.kind === 'appeared' ? 'insert' : 'delete');
}

/** What is disabled disables everything in it, and reports that alone, as the places of a tool bar do for their buttons. */
function isOfEnabling({ kind, detail }: DesktopEvent): boolean {
  return kind === 'state-changed' && /^(?:enabled|sensitive)=/.test(detail);
}

/** The keys of the target and of what it is in. Not all roles report that they are disabled. */
function aroundTarget({ trees, targetKey }: Observation): readonly string[] {
  return trees === undefined
    ? []
    : pathTo(trees.before.root, targetKey).map(({ handle }) => handleKey(handle));
}

/** The click did not hit what was not there yet, so the focus went there as its effect. GTK 4 reports nothing else of pages that slide in. */
function isFocusOfNew({ kind, detail }: DesktopEvent, { change, node }: ObservedChange): boolean {
  return (
    kind === 'focus-changed' &&
    detail === 'focused=1' &&
    change.kind === 'appeared' &&
    node.slot === undefined
  );
}

export function significantEvents(seen: Observation): readonly DesktopEvent[] {
  return seen.events.filter(isSignificant);
}

/** Pointing at a menu selects it; only the items that appear show that it opened. */
function isOnlyPointedAt({ change, node }: ObservedChange): boolean {
  return (
    change.kind === 'changed' &&
    (node.role === 'menu' || node.role === 'menuitem') &&
    (change.before === 'selected' || change.after === 'selected')
  );
}
