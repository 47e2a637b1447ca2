import { mentionCommand } from '../../model/text/mention.ts';
import type { Receipt } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import type { TypeRequest } from '../requests/acting.ts';
import { roleSet } from '../../model/tree/role.ts';
import { delivering } from '../acting/delivery.ts';
import { focusedElement } from '../reading/inspect.ts';
import { named } from '../refs/target.ts';
import type { InputParts } from './input-lease.ts';
import { receiverOfKeys, typeIntoWindow } from './keys.ts';

const HOW_TO_NAME = `Name the element: ${mentionCommand('type', { ref: 'REF', text: 'TEXT' })}; ${mentionCommand('snapshot')} shows the references.`;

/** Roles that keys press or move instead of writing into them. */
const PRESSED: ReadonlySet<string> = roleSet(
  'button',
  'togglebutton',
  'checkbox',
  'switch',
  'radio',
  'link',
  'slider',
  'menu',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'tab',
);

/**
 * Types where the keyboard focus is: into the element that has it, as if it had been named, or with the keyboard into its window if the
 * application does not report which element that is.
 *
 * @param typeInto types into an element
 * @throws DeskterityError NOT_ACTIONABLE if no window has the focus
 */
export async function typeAtFocus(
  parts: InputParts,
  request: TypeRequest,
  typeInto: (found: { readonly ref: string; readonly deadlineMs: number }) => Promise<Receipt>,
): Promise<Receipt> {
  const live = liveDeadline(request, parts.clock);
  const focused = await delivering(false, async () => {
    const { pid } = await receiverOfKeys(parts, live);
    const app = pid === undefined ? undefined : String(pid);
    const { deadlineMs, signal } = live;
    return (await focusedElement(parts, { app, deadlineMs: deadlineMs / 2, signal }))?.node;
  });
  const ref = focused?.ref;
  if (ref !== undefined && PRESSED.has(focused?.role ?? ''))
    throw new DeskterityError(
      'NOT_ACTIONABLE',
      `The keyboard focus is on ${named(ref, { role: focused?.role ?? '', name: focused?.name ?? '' })}, which takes no text: a space or Enter would press it.`,
      { suggestion: HOW_TO_NAME, delivered: false },
    );
  if (ref !== undefined) return typeInto({ ref, deadlineMs: live.deadlineMs });
  if (request.clearFirst || request.mode === 'background')
    throw new DeskterityError(
      'NOT_ACTIONABLE',
      'The application does not report which element has the keyboard focus, so only keys can be sent to its window.',
      { suggestion: HOW_TO_NAME, delivered: false },
    );
  return typeIntoWindow(parts, { ...request, deadlineMs: live.deadlineMs });
}
