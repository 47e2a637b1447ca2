import type { OutputNode } from '../../tree/node.ts';
import { roleSet } from '../../tree/role.ts';
import { has, isUsable, type Screen } from '../screen.ts';
import { accepts, isApply, isCancel, isClose, isHelp, isOk, isWindowButton } from '../words/answers.ts';

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

/** Buttons that may accept a dialog or a form: those that do not cancel, help, apply or close. */
export function goingOn(screen: Screen): readonly OutputNode[] {
  return screen.buttons.filter(
    ({ name, role }) =>
      role === 'button' &&
      !isCancel(name) &&
      !isClose(name) &&
      !isHelp(name) &&
      !isApply(name) &&
      !isWindowButton(name),
  );
}

/** The one that accepts, by its words: where it is proves nothing. None if several may. */
export function acceptingButton(screen: Screen): OutputNode | undefined {
  const named = goingOn(screen).filter(({ name }) => accepts(name));
  const agreeing = named.findLast(({ name }) => isOk(name));
  if (agreeing !== undefined || named.length === 1) return agreeing ?? named[0];
  const short = named.filter(({ name = '' }) => !name.trim().includes(' '));
  return short.length === 1 ? short[0] : undefined;
}

export function cancellingButton(screen: Screen): OutputNode | undefined {
  return screen.buttons.find(({ name }) => isCancel(name));
}
