import type { NodeHandle } from '../../../../model/tree/node.ts';
import type { CallOptions } from '../../../../ports/call-options.ts';
import type { Channel } from '../bus/application.ts';
import { IMPLEMENTS } from '../tree/cache-items.ts';
import { INTERFACE, NULL_PATH } from '../tree/names.ts';
import { mapRole } from '../tree/roles.ts';

/**
 * The tool bar that an element is an item of, if the bar highlights one item at a time. LibreOffice highlights the item that an accessibility action
 * presses, as if the pointer rested on it, and reports it as focused, until another one is highlighted. A click leaves none of that.
 */
export async function highlightingBar(
  { connection, templates }: Channel,
  node: NodeHandle,
  options: CallOptions,
): Promise<NodeHandle | undefined> {
  const { path } = await connection.invoke(templates.parent, node.path, options);
  if (path === NULL_PATH) return undefined;
  const [nativeRole, states, interfaces] = await Promise.all([
    connection.invoke(templates.role, path, options),
    connection.invoke(templates.state, path, options),
    connection.invoke(templates.interfaces, path, options),
  ]);
  const hasHighlight = (interfaces & IMPLEMENTS.SELECTION) !== 0;
  return mapRole(nativeRole, states) === 'toolbar' && hasHighlight ? { app: node.app, path } : undefined;
}

/** Highlights none of its items. */
export async function clearHighlight(
  { connection, destination }: Channel,
  bar: NodeHandle,
  options: CallOptions,
): Promise<void> {
  const method = { interface: INTERFACE.SELECTION, member: 'ClearSelection' };
  await connection.call({ ...method, destination, path: bar.path }, options);
}
