import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { handleKey } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import { named, type ResolvedTarget } from '../refs/target.ts';
import { isInView } from '../tree/element-states.ts';

const CELLS = roleSet('cell', 'gridcell', 'treeitem');
const READING = { maxNodes: 100, maxDepth: 1, includeActions: false, wholeTree: true } as const;

/**
 * The cell that a part without a place is in. GTK 3 keeps the places of the parts of a column for one row only, the one that it drew last: in
 * other rows a part may be drawn although it has no place. It is known again once the pointer is on the row.
 */
export async function cellAround(
  desktop: DesktopPort,
  part: NodeDetails,
  options: CallOptions,
): Promise<NodeDetails | undefined> {
  if (!CELLS.has(part.role) || part.name === '' || part.parent === undefined || hasPlace(part))
    return undefined;
  const cell = await desktop.describe(part.parent, options).catch(() => undefined);
  return cell !== undefined && cell.role === part.role && cell.name === '' && hasPlace(cell) && isInView(cell)
    ? cell
    : undefined;
}

/** What shows the text of a part now: the part itself, or another one with the same text; `undefined` if none does. */
export async function drawnPart(
  desktop: DesktopPort,
  { part, cell }: { readonly part: NodeDetails; readonly cell: NodeDetails },
  options: CallOptions,
): Promise<NodeDetails | undefined> {
  const own = await desktop.describe(part.handle, options);
  if (hasPlace(own)) return own;
  const { root } = await desktop.readTree({ ...options, ...READING, root: cell.handle });
  const alike = root.children.filter(
    ({ handle, role, name }) =>
      role === part.role && name === part.name && handleKey(handle) !== handleKey(part.handle),
  );
  const others = await Promise.all(alike.map(({ handle }) => desktop.describe(handle, options)));
  return others.find(hasPlace);
}

export function isNotDrawn(target: ResolvedTarget): DeskterityError {
  return new DeskterityError(
    'NOT_ACTIONABLE',
    `${named(target.ref, target.node)} was not acted on: its row is on screen, but does not show this text.`,
    {
      suggestion: `Look at the row with ${mentionCommand('screenshot')}, and choose the cell that shows the text.`,
      delivered: false,
      retryable: true,
    },
  );
}

function hasPlace({ bounds }: NodeDetails): boolean {
  return bounds !== undefined && bounds.width > 0 && bounds.height > 0;
}
