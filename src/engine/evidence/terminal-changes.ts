import type { Change } from '../../model/effects/effect.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import type { ObservedChange } from './window-diff.ts';

const LONGEST_ROW = 400;

/**
 * Changes of a screen as they are told: rows by what they say now. That rows scroll away is not told, and of rows that were written anew not what
 * they said before: on a screen that is nearly all there is to tell.
 */
export function terminalChanges(changes: readonly ObservedChange[]): ObservedChange[] {
  const said = new Set<string>();
  return changes.flatMap((observed) => {
    const { change, node, key } = observed;
    if (change.kind === 'disappeared') return [];
    const isRow = node.role === 'row' || node.role === 'listitem' || node.role === 'status';
    const isText = change.kind === 'appeared' || change.before?.startsWith('name ') === true;
    if (isRow && isText) {
      said.add(key);
      return [{ ...observed, change: rowSays(change.kind, observed) }];
    }
    // What is chosen is told; that rows left the screen, and where the cursor is, the rows themselves tell.
    const isChoice = [change.before, change.after].some((states) => states?.includes('selected') === true);
    if (isChoice) return [observed];
    return change.kind === 'focus' && !said.has(key)
      ? [{ ...observed, change: rowSays('focus', observed) }]
      : [];
  });
}

function rowSays(kind: Change['kind'], { node }: ObservedChange): Change {
  return { kind, role: node.role, ...(node.name === '' ? {} : { name: clip(node.name, LONGEST_ROW) }) };
}
