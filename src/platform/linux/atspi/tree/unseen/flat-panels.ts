import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { Application, Channel } from '../../bus/application.ts';
import { NULL_PATH, ROOT_PATH } from '../names.ts';
import type { Extents } from '../object-facts.ts';
import { forEachNode, type RawNode } from '../raw-node.ts';
import { withoutShowing } from '../states.ts';
import { OPENERS } from './beyond-window.ts';

/** Deeper than any window. */
const MAX_ANCESTORS = 64;

/**
 * Swing closes a dock by making its panel 0 pixels wide, and reports what is in it as showing, at its old size. Swing always clips to the panel: nobody sees
 * any of it.
 */
export function hideInFlatPanels(
  { traits }: Pick<Application, 'traits'>,
  root: RawNode,
  wholeTree: boolean,
): void {
  if (traits.kind !== 'java') return;
  const visit = (node: RawNode): void => {
    if (OPENERS.has(node.nativeRole)) return;
    if (!isFlat(node.extents)) {
      node.children.forEach(visit);
      return;
    }
    for (const child of node.children) {
      forEachNode(child, (inside) => {
        inside.states = withoutShowing(inside.states);
      });
      child.dropped ||= !wholeTree;
    }
  };
  visit(root);
}

/** Whether an element of Swing is inside such a panel. */
export async function isInFlatPanel(
  { connection, templates }: Channel,
  path: string,
  options: CallOptions,
): Promise<boolean> {
  let above = await connection.invoke(templates.parent, path, options);
  for (
    let level = 0;
    above.path !== ROOT_PATH && above.path !== NULL_PATH && level < MAX_ANCESTORS;
    level++
  ) {
    const [role, extents, next] = await Promise.all([
      connection.invoke(templates.role, above.path, options),
      connection.invoke(templates.screenExtents, above.path, options).catch(() => undefined),
      connection.invoke(templates.parent, above.path, options),
    ]);
    if (OPENERS.has(role)) return false;
    if (isFlat(extents)) return true;
    above = next;
  }
  return false;
}

/** What has no place at all reports a size of -1. */
function isFlat(extents: Extents | undefined): boolean {
  return extents !== undefined && (extents.width === 0 || extents.height === 0);
}
