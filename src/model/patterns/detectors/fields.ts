import type { OutputNode } from '../../tree/node.ts';
import { roleSet } from '../../tree/role.ts';
import { has, isUsable, type Screen } from '../screen.ts';
import { isApply, isCancel, isClose, isHelp, isWindowButton } from '../words/answers.ts';

const FIELDS = roleSet('combobox', 'searchbox', 'spinbutton', 'textbox');
const TYPED = roleSet('searchbox', 'spinbutton', 'textbox');
const OUTER_FIELDS = roleSet('combobox', 'spinbutton', 'textbox');
const BARS = roleSet('menubar', 'toolbar', 'titlebar', 'status');

/** More are the cells of a sheet. */
const MOST_FIELDS = 200;

/** Usable fields; what is inside a field, such as the text of an editable combo box, belongs to it. */
export function fieldsOf(screen: Screen): readonly OutputNode[] {
  return screen.nodes
    .filter((node) => FIELDS.has(node.role) && isUsable(node))
    .slice(0, MOST_FIELDS)
    .filter((node) => !screen.isInside(node, BARS) && !screen.isInside(node, OUTER_FIELDS));
}

/** Whether something is typed into a field, rather than chosen. */
export function isTyped(node: OutputNode): boolean {
  return TYPED.has(node.role) || node.children?.some(({ role }) => role === 'textbox') === true;
}

export function isSecret(node: OutputNode): boolean {
  return has(node, 'protected');
}

/** Whether a field has a name, or words beside it that say what it is for. */
export function isLabelled(node: OutputNode, screen: Screen): boolean {
  if (node.name !== undefined) return true;
  const beside = screen.parentOf(node)?.children ?? [];
  return beside.some(({ role, name }) => role === 'text' && name !== undefined);
}

/** The button that accepts a dialog or a form: the last one that does not cancel, help or close. */
export function acceptingButton(screen: Screen): OutputNode | undefined {
  return screen.buttons.findLast(
    ({ name, role }) =>
      role === 'button' &&
      !isCancel(name) &&
      !isClose(name) &&
      !isHelp(name) &&
      !isApply(name) &&
      !isWindowButton(name),
  );
}

export function cancellingButton(screen: Screen): OutputNode | undefined {
  return screen.buttons.find(({ name }) => isCancel(name));
}
