import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { parseKeyCombination, type KeyCombination } from '../../model/text/key-combination.ts';
import type { ActManner, Caret } from '../../ports/desktop/acts.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { InputLease } from '../../ports/input.ts';
import type { Act } from '../acting/attempt.ts';
import { chosenUnseen } from '../acting/guard/chosen-unseen.ts';
import { pressedByKeys } from '../acting/guard/pressed-by-keys.ts';
import { hasNoTree } from '../refs/target.ts';
import { windowByKey } from './front.ts';
import { judgeInserted } from '../judging/judge-typed.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import { entryFor, isSheetCell, requireOneCell } from '../tree/sheet-cell.ts';
import { withInputLease, type PointerParts } from './input-lease.ts';
import { giveKeyboardFocus, requireKeyboard, restoreCaret } from './keyboard-focus.ts';
import { REACTION_MS } from './pointer-acts.ts';
import { TypingProgress } from './typing-progress.ts';

const SELECT_ALL = parseKeyCombination('Control+a');
const DELETE = parseKeyCombination('Delete');
const BACKSPACE = parseKeyCombination('BackSpace');
const ENTER = parseKeyCombination('Return');
const ESCAPE = parseKeyCombination('Escape');

/** What is typed, and how. */
export interface Typing {
  readonly text: string;
  /** Time between characters; 0 means as fast as the application can follow. */
  readonly delayMs: number;
  /** Replaces the whole content of the field. */
  readonly replacesAll: boolean;
  /** Where the caret was before the text was to be inserted in another way, which may have moved it all the same. */
  readonly placeBefore?: (() => Caret | undefined) | undefined;
}

/** Inserts text at the caret through accessibility. `onPlace` receives where that was. */
export function insertAct(
  desktop: DesktopPort,
  text: string,
  {
    isWithheld,
    manner,
    onPlace,
  }: {
    readonly isWithheld: boolean;
    readonly manner: ActManner;
    readonly onPlace: (caret: Caret | undefined) => void;
  },
): Act {
  return {
    kind: 'type',
    isWithheld,
    sent: { text },
    run: async (node, options) => {
      onPlace(await desktop.caret(node, options()).catch(() => undefined));
      return desktop.insertText(node, text, { ...options(), manner });
    },
    judge: (seen) => judgeInserted(seen, text),
    wrote: () => ({ text, isAdded: true }),
  };
}

/** Types text with the keyboard. */
export function typingAct(
  parts: PointerParts,
  { text: given, delayMs, replacesAll, placeBefore }: Typing,
  how: Pick<Act, 'kind' | 'judge' | 'already' | 'isWithheld' | 'wrote'>,
): Act {
  let text = given;
  return {
    ...how,
    byHand: 'keys',
    reactionMs: REACTION_MS,
    sent: { text: given },
    reaches: async ({ node }, options) =>
      chosenUnseen(parts.desktop, { node, sent: { text: given } }, options),
    presses: async (target, options) =>
      hasNoTree(target) || isSheetCell(target.node)
        ? undefined
        : pressedByKeys(
            parts.desktop,
            { text: given },
            { window: await windowByKey(parts.desktop, target.record.window, options), focus: target.node },
            options,
          ),
    prepare: async (resolved, options) => {
      if (replacesAll) parts.desktop.screen?.refuse('replace_text');
      if (replacesAll) text = entryFor(resolved.node, given);
      if (isSheetCell(resolved.node)) requireOneCell(text, { isEntry: replacesAll });
      await giveKeyboardFocus(parts, resolved, options);
      const caret = placeBefore?.();
      if (caret !== undefined) await restoreCaret(parts.desktop, resolved.node, caret, options());
    },
    run: async (_node, options, target) => {
      const pressedAtMs = await typeInto(parts, target, { text, delayMs, replacesAll }, options);
      const isEntered =
        replacesAll &&
        !target.node.states.includes('multiline') &&
        !isSheetCell(target.node) &&
        !/[\n\t]$/.test(text);
      return {
        delivered: true,
        via: `keyboard:${Array.from(text).length} characters`,
        pressedAtMs,
        isEntered,
      };
    },
  };
}

/**
 * Select-all and delete would clear a whole sheet: there, a new entry replaces the content of the cell and is completed with Enter.
 * Resolves with the time of the first key press, by the display's clock.
 */
async function typeInto(
  parts: PointerParts,
  target: ResolvedTarget,
  { text, delayMs, replacesAll }: Typing,
  options: () => CallOptions,
): Promise<number | undefined> {
  const progress = new TypingProgress(text);
  let isTouched = false;
  const isEntry = replacesAll && isSheetCell(target.node);
  const aim = (): Promise<string> => requireKeyboard(parts, target, options());
  const strokes = async (lease: InputLease): Promise<void> => {
    const into = await aim();
    const press = (keys: KeyCombination): Promise<void> => lease.press(keys, { ...options(), into });
    if (isEntry) {
      isTouched = true;
      await press(ESCAPE);
      // Calc processes Escape with a delay, but letters at once.
      await parts.clock.sleep(REACTION_MS, options().signal);
    } else if (replacesAll) {
      isTouched = true;
      await press(SELECT_ALL);
      if (text === '') await press(DELETE);
    }
    if (text === '' && !isEntry) return;
    await lease.type(text === '' ? 'x' : text, {
      ...options(),
      delayMs,
      into,
      check: async () => void (await aim()),
      onTyped: progress.onTyped,
    });
    if (!isEntry) return;
    await aim();
    // The sheet's autocompletion is selected after the text and would be entered with it.
    await press(DELETE);
    if (text === '') await press(BACKSPACE);
    await aim();
    await press(ENTER);
  };
  try {
    return await withInputLease(parts, options(), async (lease) => {
      await strokes(lease);
      return lease.pressedAtMs;
    });
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    // The error already reports delivery: nothing was sent, or an unknown number of characters.
    if (progress.typed === 0 && (error.delivered === true || (error.delivered === false && !isTouched)))
      throw error;
    const next = replacesAll
      ? `Repeat it with a longer ${mentionParameter('timeout_ms')}; it replaces what is there.`
      : `Check with ${mentionCommand('get', { property: 'text', ref: target.ref })} how much is there, and type the rest with a longer ${mentionParameter('timeout_ms')}.`;
    const told = progress.toldBy(error, isTouched);
    throw error.code === 'TIMEOUT' ? told.with({ suggestion: next }) : told;
  }
}
