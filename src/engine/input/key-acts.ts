import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { parseKeyCombination, showKeyCombination } from '../../model/text/key-combination.ts';
import type { KeyCombination } from '../../model/text/key-combination.ts';
import type { Role } from '../../model/tree/role.ts';
import type { Act } from '../acting/attempt.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import { withInputLease, type PointerParts } from './input-lease.ts';
import { giveKeyboardFocus, requireKeyboard } from './keyboard-focus.ts';
import { REACTION_MS } from './pointer-acts.ts';
import { noteReleasedWindows } from './released-windows.ts';
import { ROWS } from '../tree/element-states.ts';

/** Acts that one key performs on a focused element. */
export type KeyedAct = 'click' | 'toggle' | 'expand' | 'collapse';

interface KeyRow {
  readonly act: KeyedAct;
  readonly roles: readonly Role[];
  readonly keys: string;
}

/** The keys that toolkits agree on (ARIA Authoring Practices, "Keyboard Interface"; GTK, Qt and browsers as measured). */
const KEYS: readonly KeyRow[] = [
  { act: 'click', roles: ['button', 'togglebutton', 'checkbox', 'switch', 'radio'], keys: 'Space' },
  { act: 'click', roles: ['link', 'menuitem', 'menuitemcheckbox', 'menuitemradio'], keys: 'Enter' },
  { act: 'toggle', roles: ['checkbox', 'switch', 'togglebutton', 'radio'], keys: 'Space' },
  { act: 'expand', roles: ['treeitem', 'row', 'listitem', 'cell'], keys: 'ArrowRight' },
  { act: 'expand', roles: ['combobox'], keys: 'Alt+ArrowDown' },
  { act: 'expand', roles: ['button', 'togglebutton'], keys: 'Space' },
  { act: 'collapse', roles: ['treeitem', 'row', 'listitem', 'cell'], keys: 'ArrowLeft' },
  { act: 'collapse', roles: ['combobox'], keys: 'Escape' },
  { act: 'collapse', roles: ['button', 'togglebutton'], keys: 'Space' },
];

/** The act as one key press, once the element has the keyboard focus. */
export function keyedAct(parts: PointerParts, act: KeyedAct, how: Pick<Act, 'judge' | 'already'>): Act {
  return {
    kind: act,
    byHand: 'keys',
    ...how,
    reactionMs: REACTION_MS,
    prepare: async (target, options) => {
      keysFor(act, target);
      // A click selects a row, and keys go to the selected one.
      await giveKeyboardFocus(
        parts,
        target,
        options,
        act === 'expand' || act === 'collapse' ? ROWS : undefined,
      );
    },
    run: async (_node, options, target) => {
      const keys = keysFor(act, target);
      const { openBefore, onReleased } = noteReleasedWindows();
      const pressedAtMs = await withInputLease(parts, options(), async (lease) => {
        const into = await requireKeyboard(parts, target, options());
        await lease.press(keys, { ...options(), into, onReleased });
        return lease.pressedAtMs;
      });
      return { delivered: true, via: `keyboard:${showKeyCombination(keys)}`, pressedAtMs, openBefore };
    },
  };
}

/** @throws DeskterityError ACTION_NOT_SUPPORTED if no key does it */
function keysFor(act: KeyedAct, { ref, node }: ResolvedTarget): KeyCombination {
  const row = KEYS.find((candidate) => candidate.act === act && candidate.roles.includes(node.role));
  if (row) return parseKeyCombination(row.keys);
  throw new DeskterityError('ACTION_NOT_SUPPORTED', `No key is known to ${act} ${ref} (${node.role}).`, {
    suggestion:
      act === 'toggle'
        ? howToToggle(ref)
        : `Press the keys that this application uses: ${mentionCommand('press', { keys: 'KEYS', ref })}.`,
    delivered: false,
  });
}

/** Items and cells with a check box are switched in no way that all toolkits have: a click on them switches them or selects them. */
export function howToToggle(ref: string): string {
  return `Click it, and look whether that switches it: ${mentionCommand('click', { ref })}. If it only selects it, press its key: ${mentionCommand('press', { keys: 'Space', ref })}.`;
}
