import { parseKeyCombination } from '../../model/key-combination.ts';
import { DeskterityError } from '../../model/errors.ts';
import type { CallOptions, DesktopPort } from '../../ports/desktop.ts';
import type { Act } from '../attempt.ts';
import type { ResolvedTarget } from '../resolve.ts';
import type { PointerParts } from './aim.ts';
import { giveKeyboard, requireKeyboard } from './keyboard-focus.ts';
import { REACTION_MS } from './pointer-acts.ts';
import { judgeTyped } from './judge-typed.ts';
import { withHands } from './use-hands.ts';

const SELECT_ALL = parseKeyCombination('Control+a');
const DELETE = parseKeyCombination('Delete');

/** What is typed, and how. */
export interface Typing {
  readonly text: string;
  /** Time between characters; 0 as fast as the application can follow. */
  readonly delayMs: number;
  /** In place of all that the field holds. */
  readonly replacesAll: boolean;
}

/** Text put in at the caret through accessibility. */
export function insertAct(desktop: DesktopPort, text: string, isWithheld: boolean): Act {
  return {
    kind: 'type',
    isWithheld,
    run: (node, options) => desktop.insertText(node, text, options()),
    judge: (seen) => judgeTyped(seen, text),
  };
}

/** Text typed with the keyboard. */
export function typingAct(
  parts: PointerParts,
  { text, delayMs, replacesAll }: Typing,
  how: Pick<Act, 'kind' | 'judge' | 'already' | 'isWithheld'>,
): Act {
  let target: ResolvedTarget | undefined;
  return {
    ...how,
    reactionMs: REACTION_MS,
    prepare: async (resolved, options) => {
      target = resolved;
      await giveKeyboard(parts, resolved, options);
    },
    run: async (_node, options) => {
      if (target === undefined) throw new Error('the act was not prepared');
      await typeInto(parts, target, { text, delayMs, replacesAll }, options);
      return { delivered: true, via: `keyboard:${Array.from(text).length} characters` };
    },
  };
}

async function typeInto(
  parts: PointerParts,
  target: ResolvedTarget,
  { text, delayMs, replacesAll }: Typing,
  options: () => CallOptions,
): Promise<void> {
  let typed = 0;
  let isTouched = false;
  const check = (): Promise<void> => requireKeyboard(parts, target, options());
  try {
    await withHands(parts, options(), async (hands) => {
      await check();
      if (replacesAll) {
        isTouched = true;
        await hands.press(SELECT_ALL, options());
        if (text === '') await hands.press(DELETE, options());
      }
      if (text === '') return;
      await hands.type(text, {
        ...options(),
        delayMs,
        check,
        onTyped: (count) => {
          typed = count;
        },
      });
    });
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    // Nothing was counted, and whoever threw it knows whether anything arrived.
    if (typed === 0 && !isTouched && error.delivered !== undefined) throw error;
    const total = Array.from(text).length;
    const next = replacesAll
      ? 'Repeat it with a longer --timeout: what is there is replaced.'
      : `Look how much is there with "desk get text ${target.ref}", and type the rest with a longer --timeout.`;
    throw new DeskterityError(
      error.code,
      `${error.message} ${typed} of ${total} characters had been typed.`,
      {
        suggestion: error.code === 'TIMEOUT' ? next : error.suggestion,
        retryable: error.retryable && typed === 0,
        ...(error.platformDetail === undefined ? {} : { platformDetail: error.platformDetail }),
        delivered: isTouched || typed > 0,
        cause: error,
      },
    );
  }
}
