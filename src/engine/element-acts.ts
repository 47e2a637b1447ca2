import { mentionCommand, mentionParameter } from '../model/text/mention.ts';
import type { Receipt } from '../model/effects/effect.ts';
import { DeskterityError } from '../model/effects/errors.ts';
import type { ActingCommand } from '../model/effects/refusals.generated.ts';
import { differenceBetween } from '../model/undo/text-difference.ts';
import { liveDeadline } from '../model/live-deadline.ts';
import type { Caret } from '../ports/desktop/acts.ts';
import { mannerOf } from './acting/manner.ts';
import type { NodeDetails } from '../ports/desktop/elements.ts';
import type { Act } from './acting/attempt.ts';
import { delivering } from './acting/delivery.ts';
import { leavesListOpen } from './acting/open-list.ts';
import { choosing, findChoice } from './acting/select.ts';
import { tryStrategies, type Strategy } from './acting/strategies.ts';
import { judgeClick } from './judging/judge-click.ts';
import { judgeRetyped, judgeTyped } from './judging/judge-typed.ts';
import { judgeValue } from './judging/judge-value.ts';
import { requireNoPopover } from './input/click-checks.ts';
import { requireSame } from './input/as-by-hand.ts';
import { chooseByPointer, chooseInView } from './input/choose-by-pointer.ts';
import type { ResolvedTarget } from './refs/target.ts';
import type { InputParts } from './input/input-lease.ts';
import { howToToggle, keyedAct } from './input/key-acts.ts';
import { isFocusedByClick } from './input/keyboard-focus.ts';
import { hoverAct, pointerClick } from './input/pointer-acts.ts';
import { hasArrow, reachArrow } from './input/reach-arrow.ts';
import { reachPoint, type Reach } from './input/reach-point.ts';
import { insertAct, typingAct } from './input/typing-acts.ts';
import type {
  GestureRequest,
  ModedRequest,
  SelectRequest,
  SemanticActRequest,
  SetValueRequest,
  TypeRequest,
} from './requests/acting.ts';
import { entryFor, isCellOutOfView, isNumberText, isSheetCell } from './tree/sheet-cell.ts';
import { semanticAct } from './semantic-act.ts';
import type { Role } from '../model/tree/role.ts';
import { isSwitch, switchedBy, SWITCH_WORDS, whyNotSwitched } from './acting/switching.ts';
import { typeAtFocus } from './input/type-at-focus.ts';
import { judgeTextGesture } from './judging/judge-keys.ts';

const LEFT_ONCE = { button: 'left', count: 1 } as const;

const CLICKS = {
  'double-click': { button: 'left', count: 2 },
  'triple-click': { button: 'left', count: 3 },
  'right-click': { button: 'right', count: 1 },
} as const;

/** Acts on one element, each with all its strategies, best first. */
export class ElementActs {
  private readonly parts: InputParts;

  constructor(parts: InputParts) {
    this.parts = parts;
  }

  click(request: ModedRequest): Promise<Receipt> {
    const { parts } = this;
    const kind = 'click';
    const isBackground = request.mode === 'background';
    const manner = mannerOf(parts.desktop, request.mode);
    const goingThere = semanticAct(parts.desktop, { ...request, act: 'focus' });
    return this.tryStrategies(kind, request, [
      {
        backend: 'accessibility',
        act: () => ({
          kind,
          check: async (target, options) =>
            isCellOutOfView(target.node)
              ? undefined
              : requireSame(parts.desktop, target, { ...options, act: kind, manner }),
          unlikeByHand: isBackground ? undefined : leavesListOpen,
          ...(isBackground
            ? {}
            : { requireFree: (target, tree, options) => requireNoPopover(parts, target, tree, options) }),
          run: (node, options, target) =>
            isCellOutOfView(target.node)
              ? goingThere.run(node, options, target)
              : parts.desktop.press(node, { ...options(), manner }),
          judge: (seen) => (isCellOutOfView(seen.before) ? goingThere.judge(seen) : judgeClick(seen)),
        }),
      },
      // Only in focus mode: the pointer also works on elements that take no focus.
      ...(request.mode === 'focus'
        ? [{ backend: 'keyboard', act: () => keyedAct(parts, kind, { judge: judgeClick }) } as const]
        : []),
      { backend: 'pointer', act: () => pointerClick(parts, { kind, ...LEFT_ONCE, judge: judgeClick }) },
    ]);
  }

  /** Gestures that only a pointer can make. */
  gesture(request: GestureRequest): Promise<Receipt> {
    const { parts } = this;
    const { gesture } = request;
    const act = (): Act => {
      if (gesture === 'hover') return hoverAct(parts);
      return pointerClick(parts, { kind: gesture, ...CLICKS[gesture], judge: judgeTextGesture });
    };
    return this.tryStrategies(gesture, request, [{ backend: 'pointer', act }]);
  }

  /** A check box and its like is toggled to the value; everything else is written into. */
  async setValue(request: SetValueRequest): Promise<Receipt> {
    const { parts } = this;
    const { clock } = parts;
    const { value } = request;
    const to = switchedBy(value);
    if (to !== undefined) {
      const started = clock.now();
      const { ref, heal } = request;
      const target = await delivering(false, () => parts.resolver.resolveForActing(ref, request, heal));
      const deadlineMs = Math.max(1, request.deadlineMs - (clock.now() - started));
      if (isSwitch(target.node)) return this.act({ ...request, deadlineMs, act: 'toggle', to });
    }
    const how = {
      kind: 'set-value',
      judge: (seen: Parameters<Act['judge']>[0]) => judgeValue(seen, entryFor(seen.before, value)),
      wrote: () => ({ text: value }),
      isWithheld: request.withheld ?? false,
    } as const;
    return this.tryStrategies('set-value', request, [
      {
        backend: 'accessibility',
        act: () =>
          onlyWhere(
            (node) => (isEntered(node, value) ? SHEET_TEXT : undefined),
            { ...how, run: (node, options) => parts.desktop.setValue(node, value, options()) },
            () => `Type it with the keyboard: ${mentionParameter('mode', 'focus')}.`,
          ),
      },
      {
        backend: 'keyboard',
        act: () => onlyText(typingAct(parts, { text: value, delayMs: 0, replacesAll: true }, how)),
      },
    ]);
  }

  /** Changes what differs between two texts, and nothing else of the text. */
  changeText(request: ModedRequest, from: string, to: string): Promise<Receipt> {
    const { desktop } = this.parts;
    const { at, removed, inserted } = differenceBetween(from, to) ?? { at: 0, removed: '', inserted: '' };
    const act = (): Act => ({
      kind: 'set-value',
      run: (node, options) => desktop.changeText(node, { text: from, at, removed, inserted }, options()),
      judge: (seen) => judgeValue(seen, to),
    });
    return this.tryStrategies('set-value', request, [{ backend: 'accessibility', act }]);
  }

  type(request: TypeRequest): Promise<Receipt> {
    const { parts } = this;
    const { ref, text, delayMs, clearFirst } = request;
    if (ref === undefined) return typeAtFocus(parts, request, (found) => this.type({ ...request, ...found }));
    const how = {
      kind: 'type',
      judge: (seen: Parameters<Act['judge']>[0]) =>
        clearFirst ? judgeRetyped(seen, entryFor(seen.before, text)) : judgeTyped(seen, text),
      wrote: () => ({ text, isAdded: !clearFirst }),
      isWithheld: request.withheld ?? false,
    } as const;
    let caret: Caret | undefined;
    const placeBefore = (): Caret | undefined => caret;
    const typing: Strategy = {
      backend: 'keyboard',
      act: () => typingAct(parts, { text, delayMs, replacesAll: clearFirst, placeBefore }, how),
    };
    const inserting: Strategy = {
      backend: 'accessibility',
      act: () =>
        clearFirst
          ? { ...how, run: (node, options) => parts.desktop.setValue(node, text, options()) }
          : insertAct(parts.desktop, text, {
              isWithheld: how.isWithheld,
              manner: mannerOf(parts.desktop, request.mode),
              onPlace: (place) => {
                caret = place;
              },
            }),
    };
    // A requested pace, Enter and Tab need real keys.
    const needsKeys = delayMs > 0 || /[\n\r\t]/.test(text);
    return this.tryStrategies('type', { ...request, ref }, needsKeys ? [typing] : [inserting, typing]);
  }

  act(request: SemanticActRequest): Promise<Receipt> {
    const { parts } = this;
    const kind = request.act;
    const semantic = (): Act => onlySwitched(request, semanticAct(parts.desktop, request));
    const judged = (): Pick<Act, 'judge' | 'already' | 'wrote'> => {
      const { judge, already, wrote } = semantic();
      return { judge, already, wrote };
    };
    const strategies: Strategy[] = [{ backend: 'accessibility', act: semantic }];
    if (kind === 'clear') {
      const typing = { text: '', delayMs: 0, replacesAll: true };
      strategies.push({ backend: 'keyboard', act: () => typingAct(parts, typing, { kind, ...judged() }) });
    } else if (kind === 'focus') {
      strategies.push({
        backend: 'pointer',
        act: () =>
          onlyWhere(
            (node) => (isFocusedByClick(node) ? undefined : OTHER_EFFECT),
            pointerClick(parts, { kind, ...LEFT_ONCE, ...judged() }),
          ),
      });
    } else {
      const keyed: Strategy = {
        backend: 'keyboard',
        act: () => onlySwitched(request, keyedAct(parts, kind, judged())),
      };
      const clicked: Strategy = {
        backend: 'pointer',
        act: () =>
          onlySwitched(
            request,
            onlyWhere(
              (node) => (isClicked(kind, node) ? undefined : OTHER_EFFECT),
              pointerClick(parts, { kind, ...LEFT_ONCE, ...judged(), reach: reachSwitch }),
              kind === 'toggle' ? ({ ref }) => howToToggle(ref) : undefined,
            ),
          ),
      };
      // A click is more reliable where it does the same, and keys select the row that they open.
      strategies.push(...(request.mode === 'focus' ? [keyed, clicked] : [clicked, keyed]));
    }
    return this.tryStrategies(kind, request, strategies);
  }

  /** Options that a combo box has only while it is open are searched after opening it. */
  async select(request: SelectRequest): Promise<Receipt> {
    const { parts } = this;
    const { desktop, clock } = parts;
    const started = clock.now();
    const target = await delivering(false, () => parts.resolver.resolve(request.ref, request));
    const isCombobox = target.node.role === 'combobox';
    const choice = await delivering(false, () => findChoice(parts, liveDeadline(request, clock))).catch(
      (error: unknown) => {
        const mayAppear = error instanceof DeskterityError && WHEN_OPEN.has(error.code);
        if (!isCombobox || !mayAppear || request.mode === 'background') throw error;
        return undefined;
      },
    );
    const strategies: Strategy[] =
      choice === undefined
        ? []
        : [
            {
              backend: 'accessibility',
              act: () => ({
                ...choosing(desktop, choice, mannerOf(desktop, request.mode)),
                unlikeByHand: request.mode === 'background' ? undefined : leavesListOpen,
              }),
            },
          ];
    if (isCombobox)
      strategies.push({ backend: 'pointer', act: () => chooseByPointer(parts, request, choice) });
    else if (choice !== undefined)
      strategies.push({ backend: 'pointer', act: () => chooseInView(parts, choice) });
    const deadlineMs = Math.max(1, request.deadlineMs - (clock.now() - started));
    return this.tryStrategies(
      'select',
      { ...request, ref: choice?.ref ?? request.ref, deadlineMs },
      strategies,
    );
  }

  private tryStrategies(
    command: ActingCommand,
    request: ModedRequest,
    strategies: readonly Strategy[],
  ): Promise<Receipt> {
    const { clock } = this.parts;
    const end = clock.now() + request.deadlineMs;
    return tryStrategies({ command, mode: request.mode, strategies }, (act) =>
      this.parts.actor.onElement({ ...request, deadlineMs: Math.max(1, end - clock.now()) }, act),
    );
  }
}

/** Errors for an option that may exist once the combo box is open. */
const WHEN_OPEN = new Set(['ELEMENT_NOT_FOUND', 'ACTION_NOT_SUPPORTED']);

/** Roles on which a click performs the act. */
const CLICKED: Readonly<Record<'toggle' | 'expand' | 'collapse', readonly Role[]>> = {
  toggle: ['checkbox', 'switch', 'togglebutton', 'radio', 'menuitemcheckbox', 'menuitemradio'],
  expand: ['combobox', 'menu', 'menuitem', 'button', 'togglebutton', 'link'],
  collapse: ['combobox', 'menu', 'button', 'togglebutton', 'link'],
};

function isClicked(act: keyof typeof CLICKED, node: NodeDetails): boolean {
  if (act === 'toggle' && node.isCheckableGroup === true) return false;
  return CLICKED[act].includes(node.role) || (act !== 'toggle' && hasArrow(node));
}

/** A row is opened by the arrow before it. */
const reachSwitch: Reach = (parts, target, options) =>
  (hasArrow(target.node) ? reachArrow : reachPoint)(parts, target, options);

/** The act, refused in advance for what cannot be brought into the requested state. */
function onlySwitched({ to }: SemanticActRequest, act: Act): Act {
  return to === undefined ? act : onlyWhere((node) => whyNotSwitched(node, to), act);
}

const OTHER_EFFECT = 'a click on it does something else';

/** @param unfit why an element is not one for the act */
function onlyWhere(
  unfit: (node: NodeDetails) => string | undefined,
  act: Act,
  suggest: (target: ResolvedTarget) => string = () =>
    `Find the right element with ${mentionCommand('snapshot')}.`,
): Act {
  return {
    ...act,
    prepare: async (target, options) => {
      const why = unfit(target.node);
      if (why !== undefined)
        throw new DeskterityError(
          'ACTION_NOT_SUPPORTED',
          `${target.ref} (${target.node.role}) was not acted on: ${why}.`,
          { suggestion: suggest(target), delivered: false },
        );
      await act.prepare?.(target, options);
    },
  };
}

const WRITTEN: readonly Role[] = ['textbox', 'searchbox', 'spinbutton', 'combobox', 'cell', 'gridcell'];

/** Sliders take no text. */
const SHEET_TEXT = 'a sheet takes only numbers in this way';

/** Known without reading its window, which takes a sheet long. */
function isEntered(node: NodeDetails, value: string): boolean {
  return isSheetCell(node) && !isNumberText(value);
}

function onlyText(act: Act): Act {
  return onlyWhere((node) => {
    if (WRITTEN.includes(node.role)) return undefined;
    return isSwitch(node) ? `it takes only ${SWITCH_WORDS.join(', ')}` : 'it does not take text';
  }, act);
}
