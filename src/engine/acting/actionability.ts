import { DeskterityError } from '../../model/effects/errors.ts';
import type { Role } from '../../model/tree/role.ts';
import { clip, quote } from '../../model/text/untrusted-text.ts';
import type { NodeDetails } from '../../ports/desktop.ts';
import type { ResolvedTarget } from '../refs/resolve.ts';
import { requireMeaningful } from './semantic-acts.ts';
import type { SemanticActKind } from './semantic-acts.ts';

const TEXT_ROLES: ReadonlySet<Role> = new Set<Role>(['textbox', 'searchbox', 'terminal', 'combobox']);

export type ActKind = PlainActKind | SemanticActKind;

/** Acts that mean the same for every element, or that are about a window. */
const PLAIN_ACTS = [
  'click',
  'double-click',
  'right-click',
  'hover',
  'set-value',
  'type',
  'select',
  'scroll',
  'drag',
  'press',
  'mouse',
] as const;
type PlainActKind = (typeof PLAIN_ACTS)[number];

const WRITING: ReadonlySet<ActKind> = new Set<ActKind>(['set-value', 'clear', 'type']);
/** What can be done with an element that is switched off, or is no element. */
const HARMLESS: ReadonlySet<ActKind> = new Set<ActKind>(['hover', 'scroll', 'press', 'mouse']);

/**
 * What must hold before an element is acted on through its accessibility action. Being on screen is not needed: actions work on closed menus,
 * covered and minimized windows, which is their point.
 * @throws DeskterityError NOT_ACTIONABLE naming the check that failed, ACTION_NOT_SUPPORTED where the act means nothing for the element
 */
export function requireActionable(target: ResolvedTarget, act: ActKind): void {
  const { node } = target;
  if (node.states.includes('disabled') && !HARMLESS.has(act)) {
    throw refusal(
      target,
      'it is disabled',
      `Find out what enables it; then wait for it with "desk expect ${target.ref} --enabled".`,
      true,
    );
  }
  if (WRITING.has(act) && node.states.includes('readonly'))
    throw refusal(target, 'it is read-only', 'Choose a field that can be edited.');
  if (WRITING.has(act) && TEXT_ROLES.has(node.role) && isKnownReadOnly(node)) {
    throw refusal(target, 'its text cannot be edited', 'Choose a field that can be edited.');
  }
  if (!isPlain(act)) requireMeaningful(target, act);
}

function isPlain(act: ActKind): act is PlainActKind {
  return PLAIN_ACTS.some((plain) => plain === act);
}

function isKnownReadOnly(node: NodeDetails): boolean {
  return (
    node.interfaces.includes('Text') &&
    !node.interfaces.includes('EditableText') &&
    !node.interfaces.includes('Value') &&
    !node.states.includes('editable')
  );
}

/** @param mayPass time may change it */
function refusal(target: ResolvedTarget, why: string, suggestion: string, mayPass = false): DeskterityError {
  const { role, name } = target.node;
  return new DeskterityError(
    'NOT_ACTIONABLE',
    `${target.ref} (${role}${name === '' ? '' : ` ${quote(clip(name, 80))}`}) was left alone: ${why}.`,
    {
      suggestion,
      delivered: false,
      retryable: mayPass,
    },
  );
}
