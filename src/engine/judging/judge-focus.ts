import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import { confirmed, type Judgement, type Observation } from '../evidence/evidence.ts';

/** The keyboard focus moved: a fresh reading and an event of the element that has it agree. */
export function judgeByFocus(seen: Observation, wanted?: string): Judgement | undefined {
  // If nothing had it before, it may only have come with the window.
  if (seen.trees === undefined || !hasFocus(seen.trees.before.root)) return undefined;
  const moved = seen.changes.find(
    ({ change, key }) =>
      change.kind === 'focus' && (wanted ?? key) === key && hasEvent(seen, 'focus-changed', key),
  );
  if (moved === undefined) return undefined;
  const { role, name } = moved.change;
  const what = `${role ?? 'element'}${name === undefined ? '' : ` ${JSON.stringify(name)}`}`;
  return confirmed([`the keyboard focus moved to ${what}`, 'application events: focus-changed'], false);
}

/** Whatever is clicked takes the focus; only what is written into is clicked for that. */
export function judgeEntered(seen: Observation): Judgement | undefined {
  return isWrittenInto(seen.before) ? judgeByFocus(seen, seen.targetKey) : undefined;
}

/** Spin buttons of Qt do not report that they can be edited. */
export function isWrittenInto({ role, states }: Pick<NodeDetails, 'role' | 'states'>): boolean {
  return states.includes('editable') || role === 'spinbutton';
}

export function hasEvent(
  { events }: Observation,
  kind: 'focus-changed' | 'caret-moved',
  key: string,
): boolean {
  return events.some((event) => event.kind === kind && handleKey(event.node) === key);
}

function hasFocus({ states, children }: TreeNode): boolean {
  return states.includes('focused') || children.some(hasFocus);
}
