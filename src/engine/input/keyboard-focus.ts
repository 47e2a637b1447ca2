import { mentionCommand } from '../../model/text/mention.ts';
import { quoteClipped } from '../../model/text/untrusted-text.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { roleSet, type Role } from '../../model/tree/role.ts';
import type { Caret } from '../../ports/desktop/acts.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import { readElementContext } from '../evidence/element-context.ts';
import { modalDialogOver } from '../acting/modal.ts';
import { named, withName, type ResolvedTarget } from '../refs/target.ts';
import { isFocusOf, takerOfFocus } from '../tree/focus.ts';
import { receivesKeys } from '../refs/window-identity.ts';
import { bringToFront, requireWindow } from './front.ts';
import { withInputLease, type PointerParts } from './input-lease.ts';
import { aim, reachPoint } from './reach-point.ts';

const HARMLESS_TO_CLICK = roleSet('textbox', 'searchbox', 'spinbutton', 'terminal', 'document');

/** Whether a click in the middle of an element only focuses it. */
export function isFocusedByClick({ role, stepsWhenClicked = false }: NodeDetails): boolean {
  return HARMLESS_TO_CLICK.has(role) && !stepsWhenClicked;
}

/** Toolkits report the focus a moment after it changed. */
const FOCUS_LIMIT_MS = 400;
const LOOK_EVERY_MS = 20;

/**
 * Gives an element the keyboard focus: brings its window to the front, then focuses it through accessibility, or by a click where that is
 * harmless.
 *
 * @param clickable roles that may be clicked, instead of those that a click merely focuses
 * @throws DeskterityError ACTION_NOT_SUPPORTED when a fresh read does not show it focused, NOT_ACTIONABLE when its window does not come to the front
 */
export async function giveKeyboardFocus(
  parts: PointerParts,
  target: ResolvedTarget,
  options: () => CallOptions,
  clickable?: ReadonlySet<Role>,
): Promise<void> {
  const { desktop } = parts;
  await bringToFront(parts, target.record.window, options);
  if (await hasKeyboardFocus(parts, target, options())) return;
  const caret = await caretOf(desktop, target.node, options());
  await focusAnyhow(parts, target, options, clickable);
  if (caret) await restoreCaret(desktop, target.node, caret, options());
}

/** Whether an element of the front window has the keyboard focus, and does not merely go on saying so. */
async function hasKeyboardFocus(
  { desktop }: PointerParts,
  { node: { handle }, record }: ResolvedTarget,
  options: CallOptions,
): Promise<boolean> {
  const node = await desktop.describe(handle, options);
  if (!holdsFocus(node)) return false;
  return (
    node.keepsFocus !== true || isFocusOf((await readElementContext(desktop, record, options)).tree, node)
  );
}

/** Focuses an element of the front window, by whatever way works. */
async function focusAnyhow(
  parts: PointerParts,
  target: ResolvedTarget,
  options: () => CallOptions,
  clickable: ReadonlySet<Role> | undefined,
): Promise<void> {
  const { desktop } = parts;
  const { handle, role } = target.node;
  const isRequested = await desktop.perform(handle, 'focus', options()).then(
    () => true,
    (error: unknown) => {
      if (error instanceof DeskterityError && !FINAL_ERRORS.has(error.code)) return false;
      throw error;
    },
  );
  if (isRequested && (await isFocusedSoon(parts, target, { ...options(), waitMs: FOCUS_LIMIT_MS }))) return;
  if (clickable?.has(role) ?? isFocusedByClick(target.node)) {
    const spot = await reachPoint(parts, target, options);
    await withInputLease(parts, options(), async (lease) => {
      const { onto } = await aim(parts, { lease, target, spot }, options);
      await lease.click('left', 1, { ...options(), onto });
    });
    if (await isFocusedSoon(parts, target, { ...options(), waitMs: FOCUS_LIMIT_MS })) return;
  }
  throw new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    `${named(target.ref, target.node)} does not take the keyboard focus.`,
    {
      suggestion: `Choose the element that takes text, or click it first; ${mentionCommand('focused')} shows what has the focus.`,
      delivered: false,
    },
  );
}

/** Roles with a caret. */
const EDITED = roleSet('textbox', 'searchbox', 'combobox');

/** Keys are meant for where the caret is, but focusing may select all the text (GTK 3), and a click moves the caret. */
async function caretOf(
  desktop: DesktopPort,
  { handle, role }: NodeDetails,
  options: CallOptions,
): Promise<Caret | undefined> {
  return EDITED.has(role) ? desktop.caret(handle, options).catch(() => undefined) : undefined;
}

export async function restoreCaret(
  desktop: DesktopPort,
  node: NodeDetails,
  caret: Caret,
  options: CallOptions,
): Promise<void> {
  const now = await caretOf(desktop, node, options);
  if (now === undefined || isSameCaret(now, caret)) return;
  await desktop.placeCaret(node.handle, caret, options);
}

function isSameCaret(one: Caret, other: Caret): boolean {
  return (
    one.offset === other.offset &&
    one.selection?.[0] === other.selection?.[0] &&
    one.selection?.[1] === other.selection?.[1]
  );
}

/** Errors that another way of focusing cannot fix. */
const FINAL_ERRORS = new Set([
  'STALE_REF',
  'APP_UNRESPONSIVE',
  'CANCELLED',
  'BUS_UNAVAILABLE',
  'DISPLAY_UNAVAILABLE',
]);

/**
 * Checks that the window and the element still have the keyboard focus, and resolves to the id of the window.
 * @throws DeskterityError NOT_ACTIONABLE if the focus moved elsewhere, or if a modal dialog takes the keys
 */
export async function requireKeyboard(
  { desktop }: PointerParts,
  target: ResolvedTarget,
  options: CallOptions,
): Promise<string> {
  const [windows, node] = await Promise.all([
    desktop.listWindows(options),
    desktop.describe(target.node.handle, options),
  ]);
  const window = requireWindow(windows, target.record.window);
  const dialog = modalDialogOver(window, windows);
  const isReached = dialog === undefined && receivesKeys(window) && holdsFocus(node);
  const other =
    isReached && node.keepsFocus === true ? await otherFocus(desktop, target, options) : undefined;
  if (isReached && other === undefined) return window.id;
  const what =
    dialog === undefined ? (other ?? 'something else') : `the modal dialog ${quoteClipped(dialog.title)}`;
  throw new DeskterityError(
    'NOT_ACTIONABLE',
    `${named(target.ref, target.node)} lost the keyboard focus to ${what}.`,
    {
      suggestion: `Check with ${mentionCommand('snapshot')} and ${mentionCommand('focused')} what took it, then continue.`,
    },
  );
}

/** What has the keyboard focus besides an element that goes on saying so, neither around it nor inside it. */
async function otherFocus(
  desktop: DesktopPort,
  { node, record }: ResolvedTarget,
  options: CallOptions,
): Promise<string | undefined> {
  const { tree } = await readElementContext(desktop, record, options);
  const taker = tree && takerOfFocus(tree, node);
  return taker && `the ${withName(taker)}`;
}

async function isFocusedSoon(
  { desktop, clock }: PointerParts,
  target: ResolvedTarget,
  { waitMs, ...options }: CallOptions & { readonly waitMs: number },
): Promise<boolean> {
  const end = clock.now() + waitMs;
  for (;;) {
    if (holdsFocus(await desktop.describe(target.node.handle, options))) return true;
    if (clock.now() >= end) return false;
    await clock.sleep(LOOK_EVERY_MS, options.signal);
  }
}

function holdsFocus({ states }: NodeDetails): boolean {
  return states.includes('focused');
}
