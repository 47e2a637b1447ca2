import { DeskterityError } from '../../model/effects/errors.ts';
import type { Role } from '../../model/tree/role.ts';
import type { State } from '../../model/tree/state.ts';
import { clip, quote } from '../../model/text/untrusted-text.ts';
import type { DesktopPort, NodeDetails, SemanticAct } from '../../ports/desktop.ts';
import type { Act } from './attempt.ts';
import { judgeFocus, judgeOpenness, judgeToggle } from '../evidence/judge-state.ts';
import { judgeValue } from '../evidence/judge-value.ts';
import type { ResolvedTarget } from '../refs/resolve.ts';
import { isSheetCell } from './sheet-cell.ts';

/** Acts that name what the element shall be or do, not how. */
export type SemanticActKind = SemanticAct | 'clear';

const TOGGLED: ReadonlySet<Role> = new Set<Role>([
  'cell',
  'checkbox',
  'listitem',
  'menuitemcheckbox',
  'menuitemradio',
  'radio',
  'switch',
  'togglebutton',
  'treeitem',
]);
/** Roles that stay on. */
const ONE_WAY: ReadonlySet<Role> = new Set<Role>(['radio', 'menuitemradio']);
/** Roles that open in toolkits which never say whether they are open. */
const OPENED: ReadonlySet<Role> = new Set<Role>(['combobox', 'menu', 'menuitem']);

/** The act, as the actor carries it out. */
export function semanticAct(desktop: DesktopPort, kind: SemanticActKind): Act {
  if (kind === 'clear') {
    return {
      kind,
      run: (node, options) => desktop.setValue(node, '', options()),
      judge: (seen) => judgeValue(seen, ''),
      // A protected field shows nothing, whatever it holds.
      already: (node) =>
        node.text === '' && !node.states.includes('protected') ? ['already', 'fresh read: ""'] : undefined,
    };
  }
  return {
    kind,
    run: (node, options) => desktop.perform(node, kind, options()),
    judge:
      kind === 'toggle'
        ? judgeToggle
        : kind === 'focus'
          ? judgeFocus
          : (seen) => judgeOpenness(seen, kind === 'expand' ? 'expanded' : 'collapsed'),
    already: (node) => {
      const state = stateThatIsAsked(kind, node);
      return state !== undefined && node.states.includes(state)
        ? ['already', `fresh read: ${state}`]
        : undefined;
    },
  };
}

function stateThatIsAsked(kind: SemanticAct, { role }: Pick<NodeDetails, 'role'>): State | undefined {
  if (kind === 'toggle') return ONE_WAY.has(role) ? 'checked' : undefined;
  if (kind === 'focus') return 'focused';
  return kind === 'expand' ? 'expanded' : 'collapsed';
}

/**
 * What an act means must make sense for the element, before anything is sent.
 * @throws DeskterityError ACTION_NOT_SUPPORTED
 */
export function requireMeaningful(target: ResolvedTarget, kind: SemanticActKind): void {
  const { role, states, interfaces } = target.node;
  const saysOpenness = states.includes('expanded') || states.includes('collapsed');
  if (kind === 'toggle' && !TOGGLED.has(role))
    throw meaningless(target, 'it cannot be on or off', 'Use "desk click" for what is pressed.');
  if (kind === 'expand' && !saysOpenness && !OPENED.has(role))
    throw meaningless(target, 'it has nothing to expand', CHOOSE);
  if (kind === 'collapse' && !saysOpenness)
    throw meaningless(target, 'it does not say whether it is expanded', CHOOSE);
  // Chromium says of its fields that they can be edited, and offers no way but the keyboard.
  if (kind === 'clear' && !interfaces.includes('EditableText') && !states.includes('editable'))
    throw meaningless(target, 'it holds no text that can be edited', 'Choose a text field.');
  if (kind === 'clear' && interfaces.includes('Value') && !isSheetCell(target.node))
    throw meaningless(target, 'it holds a number, and a number cannot be empty', 'Use "desk set-value".');
}

const CHOOSE = 'Choose an element whose states are "expanded" or "collapsed", or a combo box or menu.';

function meaningless(target: ResolvedTarget, why: string, suggestion: string): DeskterityError {
  const { role, name } = target.node;
  const what = `${target.ref} (${role}${name === '' ? '' : ` ${quote(clip(name, 80))}`})`;
  return new DeskterityError('ACTION_NOT_SUPPORTED', `${what} was left alone: ${why}.`, {
    suggestion,
    delivered: false,
  });
}
