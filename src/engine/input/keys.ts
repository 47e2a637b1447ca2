import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import type { HeldReceipt, Receipt } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { showKey, showKeyCombination, type KeyCombination } from '../../model/text/key-combination.ts';
import type { NodeHandle } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import type { InputLease } from '../../ports/input.ts';
import type { Sent } from '../../ports/screen.ts';
import type { Act, PressedNode } from '../acting/attempt.ts';
import { chosenAnywhere, chosenUnseen } from '../acting/guard/chosen-unseen.ts';
import { pressedByKeys, type SentKeys } from '../acting/guard/pressed-by-keys.ts';
import { heldModifiers, noteHeld } from '../acting/guard/held-keys.ts';
import { judgeEnteringKeys, judgeKeys } from '../judging/judge-keys.ts';
import { frontmost } from '../refs/scope.ts';
import { hasNoTree, windowTarget, type ResolvedTarget } from '../refs/target.ts';
import { focusIn } from '../tree/focus.ts';
import { readWindowTree } from '../tree/read-window.ts';
import { receivesKeys } from '../refs/window-identity.ts';
import type { HoldKeyRequest, KeysRequest, PressRequest, TypeRequest } from '../requests/acting.ts';
import { bringToFront, windowByKey } from './front.ts';
import { withInputLease, type InputParts } from './input-lease.ts';
import { giveKeyboardFocus, requireKeyboard } from './keyboard-focus.ts';
import { REACTION_MS } from './pointer-acts.ts';
import { TypingProgress } from './typing-progress.ts';
import { noteReleasedWindows, type ReleasedWindows } from './released-windows.ts';

/** Keys that move from one thing to another. */
const MOVING: ReadonlySet<string> = new Set([
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'End',
  'Home',
  'PageDown',
  'PageUp',
  'Tab',
]);

/** Keys that open menus and lists, alone or with others. */
const MENU_KEYS: ReadonlySet<string> = new Set(['Alt', 'ContextMenu', 'F4', 'F10']);

/** Presses keys for an element, a window, or whatever has the keyboard focus. */
export function pressKeys(parts: InputParts, request: PressRequest): Promise<Receipt> {
  const { keys } = request;
  const last = keys.at(-1);
  return sendKeys(parts, request, {
    via: `keyboard:${showKeyCombination(keys)}`,
    sent: { keys },
    presses: () => ({ keys: [...heldModifiers(parts.desktop), ...keys] }),
    movesFocus: last?.kind === 'named' && MOVING.has(last.name),
    opensMenu: keys.some((key) => key.kind === 'named' && MENU_KEYS.has(key.name)),
    entersText: isOfText(keys),
    work: (lease, { options, into, onReleased }) => lease.press(keys, { ...options(), into, onReleased }),
  });
}

/** Whether all that a field does with these keys is to take a character. */
function isOfText(keys: KeyCombination): boolean {
  return keys.every(
    (key, index) =>
      key.kind === (index === keys.length - 1 ? 'character' : 'named') &&
      (key.kind === 'character' || key.name === 'Shift'),
  );
}

/** Types text with the keyboard for whatever in the active window has the focus. */
export function typeIntoWindow(
  parts: InputParts,
  { text, delayMs, withheld = false, ...request }: TypeRequest,
): Promise<Receipt> {
  return sendKeys(parts, request, {
    via: `keyboard:${Array.from(text).length} characters`,
    sent: { text },
    presses: () => ({ text }),
    isWithheld: withheld,
    entersText: !/[\n\t]/.test(text),
    work: async (lease, { options, into, check }) => {
      const progress = new TypingProgress(text);
      try {
        await lease.type(text, { ...options(), delayMs, check, into, onTyped: progress.onTyped });
      } catch (error) {
        // The check calls it unsent, which was so for what comes next only.
        throw error instanceof DeskterityError && progress.typed > 0 ? progress.toldBy(error, false) : error;
      }
    },
  });
}

/** Holds a key down, at most until the session ends, or releases it. */
export async function holdKey(parts: InputParts, request: HoldKeyRequest): Promise<HeldReceipt> {
  const { key, isDown } = request;
  let held: readonly string[] = [];
  const receipt = await sendKeys(parts, request, {
    via: `keyboard:${showKey(key)} ${isDown ? 'down' : 'up'}`,
    keep: true,
    // Releasing must always be possible.
    ...(isDown ? { presses: () => ({ keys: [...heldModifiers(parts.desktop), key], isHeld: true }) } : {}),
    work: async (lease, { options, into }) => {
      await (isDown ? lease.keyDown(key, { ...options(), into }) : lease.keyUp(key, options()));
      ({ held } = lease);
      noteHeld(parts.desktop, held);
    },
  });
  return { ...receipt, held: [...held] };
}

/** Where keys go. */
interface Aim {
  readonly options: () => CallOptions;
  /** Id of the window. */
  readonly into: string;
  /** Whether they still go there. */
  readonly check: () => Promise<void>;
  /** Notes the windows that the keys did not open. */
  readonly onReleased: ReleasedWindows['onReleased'];
}

function sendKeys(
  parts: InputParts,
  request: KeysRequest,
  {
    via,
    sent,
    keep = false,
    isWithheld,
    movesFocus = false,
    opensMenu = false,
    presses,
    entersText = false,
    work,
  }: {
    readonly via: string;
    readonly sent?: Sent | undefined;
    readonly keep?: boolean;
    readonly isWithheld?: boolean;
    readonly movesFocus?: boolean;
    readonly opensMenu?: boolean;
    /** What is sent, as far as it may press something. */
    readonly presses?: (() => SentKeys) | undefined;
    readonly entersText?: boolean;
    readonly work: (lease: InputLease, where: Aim) => Promise<void>;
  },
): Promise<Receipt> {
  const act: Act = {
    kind: 'press',
    byHand: opensMenu ? 'popup' : 'keys',
    reactionMs: REACTION_MS,
    judge: entersText ? judgeEnteringKeys : judgeKeys,
    sent,
    isSilent: keep,
    movesFocus,
    ...(presses === undefined
      ? {}
      : {
          presses: async (target, options) =>
            pressedBy(parts, request, { target, sent: presses(), ...options }),
        }),
    reaches: async (target, options) => {
      const found = await receiverIn(parts, request, { target, ...options });
      if (found === undefined) return [];
      const sent = presses?.();
      if (!('receiver' in found))
        return sent === undefined ? [] : chosenAnywhere(parts.desktop, { root: found.root, sent }, options);
      const { receiver } = found;
      return [
        receiver,
        ...(sent === undefined ? [] : await chosenUnseen(parts.desktop, { node: receiver, sent }, options)),
      ];
    },
    ...(isWithheld === undefined ? {} : { isWithheld }),
    prepare: async (resolved, options) => {
      if (request.ref !== undefined) await giveKeyboardFocus(parts, resolved, options);
      else if (request.app !== undefined || request.window !== undefined)
        await bringToFront(parts, resolved.record.window, options);
    },
    run: async (_node, options, target) => {
      const { openBefore, onReleased } = noteReleasedWindows();
      const pressedAtMs = await withInputLease(parts, { ...options(), keep }, async (lease) => {
        const aim = (): Promise<string> => requireKeyboardWindow(parts, request, { target, ...options() });
        const into = await aim();
        const check = async (): Promise<void> => void (await aim());
        await work(lease, { options, into, check, onReleased });
        return lease.pressedAtMs;
      });
      return { delivered: true, via, pressedAtMs, openBefore };
    },
  };
  return parts.actor.perform(request, (options) => targetOf(parts, request, options), act);
}

/** What receives keys: the element that they are for, else what has the keyboard focus in their window; the window, if nothing says that it has. */
async function receiverIn(
  { desktop }: InputParts,
  { ref }: KeysRequest,
  { target, ...options }: CallOptions & { readonly target: ResolvedTarget },
): Promise<{ readonly receiver: PressedNode } | { readonly root: NodeHandle } | undefined> {
  if (ref !== undefined) return { receiver: target.node };
  if (hasNoTree(target)) return undefined;
  const window = await windowByKey(desktop, target.record.window, options);
  if (window.root === undefined) return undefined;
  const receiver = focusIn((await readWindowTree(desktop, window, { ...options, wholeTree: false })).root);
  return receiver === undefined ? { root: window.root } : { receiver };
}

/** What keys press, by the element that they are for, or by what has the keyboard focus in their window. */
async function pressedBy(
  { desktop }: InputParts,
  { ref }: KeysRequest,
  { target, sent, ...options }: CallOptions & { readonly target: ResolvedTarget; readonly sent: SentKeys },
): Promise<PressedNode | undefined> {
  if (hasNoTree(target)) return undefined;
  const window = await windowByKey(desktop, target.record.window, options);
  const focus = ref === undefined ? undefined : target.node;
  return pressedByKeys(desktop, sent, { window, focus }, options);
}

async function targetOf(
  parts: InputParts,
  request: KeysRequest,
  options: CallOptions,
): Promise<ResolvedTarget> {
  const { resolver, scope } = parts;
  if (request.ref !== undefined) return resolver.resolveForActing(request.ref, options);
  if (request.app !== undefined || request.window !== undefined)
    return windowTarget(parts, await scope.window(request, options), options);
  return windowTarget(parts, await receiverOfKeys(parts, options), options);
}

/** The window that has the keyboard focus. @throws DeskterityError NOT_ACTIONABLE if none has it */
export async function receiverOfKeys(
  { desktop }: Pick<InputParts, 'desktop'>,
  options: CallOptions,
): Promise<DesktopWindow> {
  const windows = await desktop.listWindows(options);
  const window = windows.find(receivesKeys);
  if (window) return window;
  const front = frontmost(windows);
  throw new DeskterityError(
    'NOT_ACTIONABLE',
    'No window has the keyboard focus, so none would receive the keys.',
    {
      suggestion:
        front === undefined
          ? `Start an application with ${mentionCommand('launch', { app: 'NAME', wait: true })}.`
          : `Name the window that should receive the keys: ${mentionParameter('app', 'NAME')} or ${mentionParameter('window', 'REF')}.`,
      delivered: false,
      retryable: true,
    },
  );
}

/** The last check before keys are sent; resolves to the id of the window. @throws DeskterityError NOT_ACTIONABLE if the focus moved elsewhere */
async function requireKeyboardWindow(
  parts: InputParts,
  request: KeysRequest,
  { target, ...options }: CallOptions & { readonly target: ResolvedTarget },
): Promise<string> {
  if (request.ref !== undefined) return requireKeyboard(parts, target, options);
  const window = await windowByKey(parts.desktop, target.record.window, options);
  if (receivesKeys(window)) return window.id;
  throw new DeskterityError('NOT_ACTIONABLE', 'Another window has taken the keyboard focus.', {
    suggestion: `Run ${mentionCommand('list-windows')}, and name the window that should receive the keys: ${mentionParameter('app', 'NAME')}.`,
    delivered: false,
    retryable: true,
  });
}
