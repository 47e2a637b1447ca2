import type { TreeNode } from '../../../../../model/tree/node.ts';
import { roleSet, type Role } from '../../../../../model/tree/role.ts';
import type { Application } from '../../bus/application.ts';
import type { RawNode } from '../raw-node.ts';
import type { ToBounds } from '../read-plan.ts';
import { isDrawnItem, mapRole, nativeRoleName, NATIVE } from '../roles.ts';
import { hasState, mapStates, placeOfExtents, STATE } from '../states.ts';
import type { ToolkitTraits } from '../toolkit.ts';

const ITEM_CONTAINERS = roleSet('grid', 'list', 'listbox', 'table', 'tree', 'treegrid');

/** The element of a tree that was read from the accessibility bus. @param toNode for its children */
export function toTreeNode(
  raw: RawNode,
  application: Application,
  toBounds: ToBounds,
  toNode: (raw: RawNode) => TreeNode,
): TreeNode {
  const role = mapRole(raw.nativeRole, raw.states, raw.isTopLevel);
  const bounds = raw.extents ? toBounds(raw.extents) : undefined;
  const isPassword = raw.nativeRole === NATIVE.PASSWORD_TEXT;
  const node: TreeNode = {
    handle: { app: raw.bus, path: raw.address ?? raw.path },
    role,
    nativeRole: nativeRoleName(raw.nativeRole),
    name: raw.name,
    states: mapStates(raw.states, {
      role,
      showingIsTruthful: application.traits.showingIsTruthful,
      isPassword,
      ...placeOfExtents(raw.extents),
    }),
    children: raw.children.filter((child) => !child.dropped && !isHiddenMenuBar(child, raw)).map(toNode),
  };
  nameFromLabel(node, raw);
  if (application.traits.pressedButtonsStay && role === 'button') node.staysPressed = true;
  if (bounds) node.bounds = bounds;
  if (raw.value !== undefined && !isPassword) node.value = raw.value;
  if (raw.description) node.description = raw.description;
  if (raw.identifier) node.identifier = raw.identifier;
  if (raw.actions) node.actions = raw.actions;
  if (raw.childCount !== undefined) node.childCount = raw.childCount;
  if (raw.elided) node.elided = raw.elided;
  if (raw.isNamedByPlace) node.isNamedByPlace = true;
  if (raw.formula !== undefined) node.formula = raw.formula;
  if (raw.labelsAnother) node.labelsAnother = true;
  const offscreen = offscreenAmong(raw, role, application.traits);
  if (offscreen) node.offscreen = offscreen;
  return node;
}

/** No content, wherever they are. */
const NO_ITEMS: ReadonlySet<number> = new Set([
  NATIVE.SCROLL_BAR,
  NATIVE.COLUMN_HEADER,
  NATIVE.ROW_HEADER,
  NATIVE.TABLE_COLUMN_HEADER,
  NATIVE.TABLE_ROW_HEADER,
]);

/** How many children were left out because they are not on screen; hidden ones are none, as nothing brings them there. */
function offscreenAmong(
  { children, nativeRole }: RawNode,
  role: Role,
  traits: ToolkitTraits,
): TreeNode['offscreen'] {
  // Where only an empty box marks what is hidden, nothing tells what is scrolled out; that has a place, and is read.
  if (!traits.showingIsTruthful || nativeRole === NATIVE.SCROLL_PANE) return undefined;
  // Qt reports the items that are scrolled out as invisible.
  const mayBeInvisible = traits.kind === 'qt' && ITEM_CONTAINERS.has(role);
  const isOffscreen = ({ dropped, states, nativeRole: childRole }: RawNode): boolean =>
    dropped &&
    !NO_ITEMS.has(childRole) &&
    (states[0] !== 0 || states[1] !== 0) &&
    !hasState(states, STATE.SHOWING) &&
    (mayBeInvisible || hasState(states, STATE.VISIBLE));
  const kept = children.flatMap((child, index) =>
    child.dropped || NO_ITEMS.has(child.nativeRole) ? [] : [index],
  );
  const [first = 0] = kept;
  const last = kept.at(-1) ?? -1;
  // Qt lists have a child for each column of their model, of which they show one.
  const steps = kept.slice(1).map((at, index) => at - (kept[index] ?? 0));
  const stride = steps.length === 0 ? 1 : Math.min(...steps);
  const before = Math.floor(children.slice(0, first).filter(isOffscreen).length / stride);
  const after = Math.floor(children.slice(last + 1).filter(isOffscreen).length / stride);
  return before === 0 && after === 0 ? undefined : { before, after };
}

/** The slot of an element that its toolkit makes anew for every request. */
export function slotOf(raw: RawNode, around: RawNode, { traits }: Application): TreeNode['slot'] {
  const isTreeCell = around.nativeRole === NATIVE.TREE || around.nativeRole === NATIVE.TREE_TABLE;
  const isRemade =
    (traits.recreatesTreeCells && isTreeCell) ||
    (traits.recreatesItems && isDrawnItem(raw.nativeRole, mapRole(raw.nativeRole, raw.states)));
  return isRemade && raw.position !== undefined ? { container: around.path, ...raw.position } : undefined;
}

/** LibreOffice has a second menu bar of size zero behind the GTK one, containing all its menus. */
function isHiddenMenuBar({ nativeRole, extents }: RawNode, around: RawNode): boolean {
  const isSized = extents !== undefined && extents.width > 0 && extents.height > 0;
  return around.nativeRole === NATIVE.ROOT_PANE && nativeRole === NATIVE.MENU_BAR && !isSized;
}

/** In GTK 3 a combo box is named after its selected item; its label is the better name. */
function nameFromLabel(node: TreeNode, raw: RawNode): void {
  if (!raw.labelledBy || (node.name !== '' && node.role !== 'combobox')) return;
  if (node.role === 'combobox' && raw.value === undefined && node.name !== '' && node.name !== raw.labelledBy)
    raw.value = node.name;
  node.name = raw.labelledBy;
  node.nameFrom = 'labelled_by';
}
