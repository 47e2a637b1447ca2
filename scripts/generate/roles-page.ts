import { isInteractive, ROLES } from '../../src/model/tree/role.ts';
import { STATES, type State } from '../../src/model/tree/state.ts';
import { page, table } from './markdown.ts';

const STATE_GUIDE: Readonly<Record<State, string>> = {
  active: 'the window that takes keyboard input, or the current item of a list',
  busy: 'still working; its content may change',
  checked: 'a box, switch or menu entry that is on',
  collapsed: 'can be expanded, but is not',
  defunct: 'the object behind it no longer exists',
  disabled: 'cannot be used now',
  editable: 'its text can be changed',
  expanded: 'shows its content',
  focusable: 'can have keyboard focus',
  focused: 'has keyboard focus',
  hidden: 'not shown by the application',
  hovered: 'the pointer is over it',
  indeterminate: 'partly checked, or progress of unknown extent',
  invalid: 'its value is not accepted',
  minimized: 'a window reduced to its icon',
  modal: 'blocks the other windows of its application',
  multiline: 'a field of several lines',
  multiselectable: 'several of its items can be selected',
  offscreen: 'outside the visible area, for example scrolled away',
  pressed: 'a button that is held or toggled on',
  protected: 'a password field; its value is not read',
  readonly: 'its value can be read but not changed',
  required: 'must be filled in',
  selectable: 'can be selected',
  selected: 'is selected',
  visited: 'a link that was followed before',
};

/** The reference of roles and states. */
export function rolesPage(): string {
  const interactive = ROLES.filter((role) => isInteractive(role));
  const others = ROLES.filter((role) => !isInteractive(role));
  const list = (roles: readonly string[]) => roles.map((role) => `\`${role}\``).join(', ');
  return page('Roles and states', [
    'Names are those of WAI-ARIA where it has one. As input (`desk find --role`) native names such as `AXButton`, `push button` or `textfield`',
    'are accepted too, in any case.',
    '',
    '## Roles that get a reference in a snapshot',
    '',
    list(interactive),
    '',
    '## Other roles',
    '',
    list(others),
    '',
    '`find` gives a reference to every match, whatever its role.',
    '',
    '## States',
    '',
    'A state is listed only while it holds.',
    '',
    ...table(
      ['state', 'meaning'],
      STATES.map((state) => [`\`${state}\``, STATE_GUIDE[state]]),
    ),
  ]);
}
