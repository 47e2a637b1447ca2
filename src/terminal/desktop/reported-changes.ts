import type { Change } from '../../model/effects/effect.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import type { ScreenChange } from '../../ports/screen.ts';

const LONGEST_ROW = 400;
/** As many rows as a screen has; what was written last is what matters. */
const MOST_CHANGES = 40;

/**
 * Changes of a screen as a receipt reports them: rows by what they say now. Rows that scrolled away are left out, and so is what a rewritten row
 * said before, as that would be nearly the whole screen.
 */
export function reportedChanges<C extends ScreenChange>(
  all: readonly C[],
): { readonly changes: readonly C[]; readonly leftOut: number } {
  const worthTelling = changedRows(all);
  const changes = worthTelling.slice(-MOST_CHANGES);
  return { changes, leftOut: worthTelling.length - changes.length };
}

function changedRows<C extends ScreenChange>(changes: readonly C[]): C[] {
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

function rowSays(kind: Change['kind'], { node }: ScreenChange): Change {
  return { kind, role: node.role, ...(node.name === '' ? {} : { name: clip(node.name, LONGEST_ROW) }) };
}
