import type { CallOptions } from '../../../../ports/call-options.ts';
import type { Application, Channel } from '../bus/application.ts';
import { NULL_PATH } from './names.ts';
import { forEachNode, type RawNode } from './raw-node.ts';
import { NATIVE } from './roles.ts';
import { hasState, STATE, withoutShowing, type StateBits } from './states.ts';
import type { Extents, ObjectReference } from './object-facts.ts';

/** An option, and the list and combo box around it. */
const LEVELS = 3;
const LISTS: ReadonlySet<number> = new Set([
  NATIVE.LIST,
  NATIVE.LIST_BOX,
  NATIVE.TABLE,
  NATIVE.TREE,
  NATIVE.TREE_TABLE,
]);

/**
 * Qt reports the items of a hidden list as showing, at the place where they would be: the options of a closed combo box, and rows behind
 * another tab. They are hidden with their list, which itself reports to be showing without a size; the text of an editable combo box is not part of it.
 */
export function hideClosedLists(
  { traits }: Pick<Application, 'traits'>,
  root: RawNode,
  wholeTree: boolean,
): void {
  if (traits.kind !== 'qt') return;
  forEachNode(root, (node) => {
    const isHidden = isHiddenList(node);
    if (!isHidden && !isClosed(node.nativeRole, node.states)) return;
    if (isHidden && node.depth > 0) {
      node.states = withoutShowing(node.states);
      node.dropped ||= !wholeTree;
    }
    for (const child of node.children.filter(({ nativeRole }) => nativeRole !== NATIVE.TEXT)) {
      child.dropped ||= !wholeTree;
      forEachNode(child, (inside) => {
        inside.states = withoutShowing(inside.states);
      });
    }
  });
}

/** The states of one element, hidden if it belongs to a hidden list. */
export async function statesInList(
  { traits }: Application,
  { connection, templates }: Channel,
  { states, parent }: { readonly states: StateBits; readonly parent: ObjectReference | undefined },
  options: CallOptions,
): Promise<StateBits> {
  if (traits.kind !== 'qt' || !hasState(states, STATE.SHOWING) || !hasState(states, STATE.SELECTABLE))
    return states;
  let path = parent?.path;
  for (let level = 1; path !== undefined && path !== NULL_PATH && level < LEVELS; level++) {
    const [nativeRole, around, above, extents]: [number, StateBits, ObjectReference, Extents | undefined] =
      await Promise.all([
        connection.invoke(templates.role, path, options),
        connection.invoke(templates.state, path, options),
        connection.invoke(templates.parent, path, options),
        connection.invoke(templates.screenExtents, path, options).catch(() => undefined),
      ]);
    if (isHiddenList({ nativeRole, states: around, extents }) || isClosed(nativeRole, around))
      return withoutShowing(states);
    ({ path } = above);
  }
  return states;
}

/** Lists of Qt 5 always report to be showing, but have no size while they are hidden. */
function isHiddenList({
  nativeRole,
  states,
  extents,
}: Pick<RawNode, 'nativeRole' | 'states' | 'extents'>): boolean {
  if (!LISTS.has(nativeRole)) return false;
  const isEmpty = extents !== undefined && (extents.width <= 0 || extents.height <= 0);
  return isEmpty || !hasState(states, STATE.SHOWING);
}

/** Qt 5 does not report whether a combo box is open. */
function isClosed(nativeRole: number, states: StateBits): boolean {
  return (
    nativeRole === NATIVE.COMBO_BOX && hasState(states, STATE.EXPANDABLE) && !hasState(states, STATE.EXPANDED)
  );
}
