import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import { isSignificant } from './attribution.ts';
import type { Observation } from './evidence.ts';
import { unnamedChanges, type ObservedChange } from './window-diff.ts';

/** Shown because the pointer is there, not by an act. */
const POINTER_ROLES = roleSet('tooltip');

/** Events of a parent whose children appear, disappear or become visible; events about its name and value are unrelated. */
const STRUCTURAL_EVENTS = new Set(['children-changed', 'state-changed', 'selection-changed']);

/** Changes that events of the application also report: of the element, or around it if it appeared or disappeared. */
export function witnesses(seen: Observation): ObservedChange[] {
  return seen.changes.filter(
    (observed) =>
      observed.change.kind !== 'focus' &&
      !POINTER_ROLES.has(observed.node.role) &&
      (seen.isByKeys === true || !isOnlyPointedAt(observed)) &&
      !wasDisabled(observed, seen) &&
      !wasReplaced(observed, seen) &&
      !wasRemovedWithTarget(observed, seen) &&
      eventsFor(observed, seen).length > 0,
  );
}

/** Pages and bars without a name that came or went, as their own events say. */
export function unnamedWitnesses(seen: Observation): ObservedChange[] {
  if (seen.trees === undefined) return [];
  const told = new Set(
    significantEvents(seen)
      .filter(isOfShowing)
      .map(({ node }) => handleKey(node)),
  );
  if (told.size === 0) return [];
  return unnamedChanges(seen.trees.before, seen.trees.after).filter(
    ({ key, node }) => told.has(key) && !CLOSED_BY_ITSELF.has(node.role) && !holds(node, seen.targetKey),
  );
}

/** A menu closes whatever its item does, and a tooltip comes and goes with the pointer. */
const CLOSED_BY_ITSELF = roleSet('menu', 'tooltip');

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
function wasReplaced({ change: { kind }, node }: ObservedChange, { changes }: Observation): boolean {
  if (kind !== 'appeared' && kind !== 'disappeared') return false;
  const opposite = kind === 'appeared' ? 'disappeared' : 'appeared';
  return changes.some(
    ({ change, node: other }) =>
      change.kind === opposite && other.role === node.role && other.name === node.name,
  );
}

/** Whether it disappeared from the window of the target, which disappeared too: perhaps before the input arrived, so that nothing received it. */
function wasRemovedWithTarget({ change, lineage }: ObservedChange, seen: Observation): boolean {
  if (change.kind !== 'disappeared' || seen.outcome.accepted === true) return false;
  const target = seen.changes.find(
    (other) => other.change.kind === 'disappeared' && other.key === seen.targetKey,
  );
  return target !== undefined && target.lineage.at(-1) === lineage.at(-1);
}

export function eventsFor({ change, key, lineage }: ObservedChange, seen: Observation): DesktopEvent[] {
  const isInherited =
    change.kind === 'changed' && (change.before === 'disabled' || change.after === 'disabled');
  const around = new Set(change.kind !== 'changed' || isInherited ? lineage : []);
  // What disabled the target may be why it never received the act.
  const doubtful = new Set(isInherited ? lineageOfDisabled(seen) : []);
  return significantEvents(seen).filter((event) => {
    const source = handleKey(event.node);
    if (source === key) return true;
    if (!around.has(source) || doubtful.has(source)) return false;
    return isInherited ? isOfEnabling(event) : STRUCTURAL_EVENTS.has(event.kind);
  });
}

/** What is disabled disables everything in it, and reports that alone, as the places of a tool bar do for their buttons. */
function isOfEnabling({ kind, detail }: DesktopEvent): boolean {
  return kind === 'state-changed' && /^(?:enabled|sensitive)=/.test(detail);
}

function lineageOfDisabled(seen: Observation): readonly string[] {
  return seen.changes.find((observed) => wasDisabled(observed, seen))?.lineage ?? [];
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
