import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError, type ErrorCode, type ErrorDetails } from '../../model/effects/errors.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import { named, type ResolvedTarget } from '../refs/target.ts';
import { reportsExpansion } from '../tree/element-states.ts';
import { isSheetCell } from '../tree/sheet-cell.ts';
import type { ActKind } from './attempt.ts';

const TEXT_ROLES = roleSet('textbox', 'searchbox', 'terminal', 'combobox');

const TOGGLED = roleSet(
  'cell',
  'checkbox',
  'listitem',
  'menuitemcheckbox',
  'menuitemradio',
  'radio',
  'switch',
  'togglebutton',
  'treeitem',
);
/** Roles that can open even where the toolkit does not report whether they are open. */
const OPENED = roleSet('combobox', 'menu', 'menuitem');

const WRITING: ReadonlySet<ActKind> = new Set<ActKind>(['set-value', 'clear', 'type']);
/** Acts that do not depend on the element being enabled. */
const HARMLESS: ReadonlySet<ActKind> = new Set<ActKind>(['hover', 'scroll', 'press', 'mouse']);

/**
 * Checks that an element can be acted on. It need not be on screen: accessibility actions also work in closed menus and in covered or minimized
 * windows.
 * @throws DeskterityError NOT_ACTIONABLE naming the failed check, ACTION_NOT_SUPPORTED if the act makes no sense for the element
 */
export function requireActionable(target: ResolvedTarget, act: ActKind): void {
  const { node } = target;
  if (node.states.includes('disabled') && !HARMLESS.has(act))
    throw refusal(target, 'it is disabled', 'NOT_ACTIONABLE', {
      suggestion: `Find out what enables it; then wait for it with ${mentionCommand('expect', { ref: target.ref, enabled: true })}.`,
      retryable: true,
    });
  if (WRITING.has(act) && node.states.includes('readonly'))
    throw refusal(target, 'it is read-only', 'NOT_ACTIONABLE', CHOOSE_FIELD);
  // What is typed into a terminal goes to its program; the text that it shows is not editable.
  const isTyped = act === 'type' && node.role === 'terminal';
  if (WRITING.has(act) && TEXT_ROLES.has(node.role) && isKnownReadOnly(node) && !isTyped)
    throw refusal(target, 'its text cannot be edited', 'NOT_ACTIONABLE', CHOOSE_FIELD);
  requireMeaningful(target, act);
}

function isKnownReadOnly(node: NodeDetails): boolean {
  return (
    node.interfaces.includes('Text') &&
    !node.interfaces.includes('EditableText') &&
    !node.interfaces.includes('Value') &&
    !node.states.includes('editable')
  );
}

/** What an act means must make sense for the element. */
function requireMeaningful(target: ResolvedTarget, kind: ActKind): void {
  const { role, states, interfaces } = target.node;
  if (kind === 'toggle' && !TOGGLED.has(role))
    throw meaningless(target, 'it has no on or off state', `Use ${mentionCommand('click')} to press it.`);
  if (kind === 'expand' && !canOpen(target.node))
    throw meaningless(target, 'it has nothing to expand', CHOOSE);
  if (kind === 'collapse' && !reportsExpansion(target.node))
    throw meaningless(target, 'it does not report whether it is expanded', CHOOSE);
  // Chromium marks its fields as editable but accepts changes only from the keyboard.
  if (kind === 'clear' && !interfaces.includes('EditableText') && !states.includes('editable'))
    throw meaningless(target, 'it has no editable text', 'Choose a text field.');
  if (kind === 'clear' && interfaces.includes('Value') && !isSheetCell(target.node))
    throw meaningless(
      target,
      'its value is a number, which cannot be empty',
      `Use ${mentionCommand('set-value')}.`,
    );
}

/** What is clicked to open it does something else if there is nothing in it: an item of a menu runs. */
function canOpen(node: NodeDetails): boolean {
  const isPlainItem = node.role === 'menuitem' && node.childCount === 0;
  return reportsExpansion(node) || (OPENED.has(node.role) && !isPlainItem);
}

const CHOOSE_FIELD = { suggestion: 'Choose a field that can be edited.' };
const CHOOSE = 'Choose an element whose states are "expanded" or "collapsed", or a combo box or menu.';

function meaningless(target: ResolvedTarget, why: string, suggestion: string): DeskterityError {
  return refusal(target, why, 'ACTION_NOT_SUPPORTED', { suggestion });
}

function refusal(
  { ref, node }: ResolvedTarget,
  why: string,
  code: ErrorCode,
  details: ErrorDetails,
): DeskterityError {
  const message = `${named(ref, node)} was not acted on: ${why}.`;
  return new DeskterityError(code, message, { ...details, delivered: false });
}
