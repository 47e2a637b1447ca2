import type { Change } from './effect.ts';

/**
 * What changed in all, from the changes of acts in their order: a change after a change is one, and what appeared and disappeared again is none.
 * Changes of `told` references are left out.
 */
export function mergeChanges(
  acts: readonly (readonly Change[])[],
  told: ReadonlySet<string> = new Set(),
): Change[] {
  const merged: Change[] = [];
  for (const change of acts.flat()) {
    if (change.ref !== undefined && told.has(change.ref)) continue;
    const at = merged.findIndex((earlier) => isSame(earlier, change));
    const earlier = merged[at];
    if (earlier === undefined) merged.push(change);
    else if (isUndone(earlier, change)) merged.splice(at, 1);
    else merged[at] = joined(earlier, change);
  }
  return merged;
}

const OPPOSITES: Readonly<Partial<Record<Change['kind'], Change['kind']>>> = {
  appeared: 'disappeared',
  disappeared: 'appeared',
  window_opened: 'window_closed',
};

/** Whether two changes are of the same thing. */
function isSame(a: Change, b: Change): boolean {
  if (a.kind === 'focus' || b.kind === 'focus') return a.kind === b.kind;
  const isWindow = (change: Change): boolean => change.kind.startsWith('window_');
  if (isWindow(a) !== isWindow(b)) return false;
  // What disappears has no reference any more.
  return a.ref !== undefined && b.ref !== undefined
    ? a.ref === b.ref && a.role === b.role
    : a.role === b.role && a.name === b.name && (a.kind === b.kind || OPPOSITES[a.kind] === b.kind);
}

function isUndone(a: Change, b: Change): boolean {
  if (OPPOSITES[a.kind] === b.kind) return true;
  return a.kind === 'changed' && b.kind === 'changed' && a.before !== undefined && a.before === b.after;
}

function joined(a: Change, b: Change): Change {
  if (a.kind === 'focus') return b;
  if (b.kind !== 'changed') return b;
  // What appeared is shown as it is now.
  if (a.kind !== 'changed') return { ...a, ...(b.name === undefined ? {} : { name: b.name }) };
  return { ...b, ...(a.before === undefined ? {} : { before: a.before }) };
}
