import { handleKey } from '../../model/tree/node.ts';
import { roleSet, type Role } from '../../model/tree/role.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import { unverified, type Judgement } from './evidence.ts';

/** Roles that act when the button is released on them, at each press of a double click. */
export const RELEASED_ROLES = roleSet('button', 'togglebutton', 'checkbox', 'radio', 'switch', 'link');

/**
 * The judgement, unless the change it relies on was reported less often than the button was pressed. GTK 3 loses a press of the next double click
 * when its window was minimized while the button was down.
 *
 * @param reports events of what the judgement relies on
 */
export function withAllPresses(
  judgement: Judgement,
  { presses, role }: { readonly presses: number; readonly role: Role },
  reports: readonly DesktopEvent[],
): Judgement {
  const { effect, reliesOn, evidence } = judgement;
  const isMeant = presses > 1 && RELEASED_ROLES.has(role);
  if (!isMeant || effect !== 'confirmed' || reliesOn?.change.kind !== 'changed') return judgement;
  const counts = new Map<string, number>();
  for (const { node, kind: what, detail } of reports) {
    const key = `${handleKey(node)} ${what} ${detail}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const often = Math.max(0, ...counts.values());
  if (often === 0 || often >= presses) return judgement;
  return unverified([...evidence, `not all of the ${presses} presses have shown an effect`], false);
}
