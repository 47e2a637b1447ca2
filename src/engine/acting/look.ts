import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { parseRef } from '../../model/refs/ref.ts';
import { handleKey, type NodeHandle, type TreeNode } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { ActOutcome } from '../../ports/desktop/acts.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import { readElementContext } from '../evidence/element-context.ts';
import { remadeSources, remadeTarget } from '../evidence/remade-sources.ts';
import { startedWindows, unrelatedWindows } from '../evidence/unrelated-windows.ts';
import { hasNoTree, type ResolvedTarget } from '../refs/target.ts';
import { isReusable } from '../tree/identity.ts';
import { requireActionable } from './actionability.ts';
import { earliestOf, type After, type Attempt, type Before, type SentAct } from './attempt.ts';
import { requireNoModal } from './modal.ts';
import { pictureBefore } from './picture.ts';
import { scrolledAway } from './scrolled-away.ts';

/** Reading the context must not use up the time the act itself needs. */
export const CONTEXT_SHARE = 0.3;

/**
 * The last check before an act, and what is there before it. The element itself is read last: it must still be the one resolved, and still be
 * ready.
 * @throws DeskterityError NOT_ACTIONABLE, among others if a modal dialog blocks the window; STALE_REF
 */
export async function lookBefore(
  desktop: DesktopPort,
  { act, target, log, options }: Pick<Attempt, 'act' | 'target' | 'log' | 'options'>,
): Promise<Before> {
  const seen = log.events.length;
  // Keys and clicks aimed at no element are not checked.
  const isElement = parseRef(target.ref)?.kind === 'e';
  const context = await readElementContext(
    desktop,
    target.record,
    options(CONTEXT_SHARE),
    isElement ? requireNoModal : undefined,
  );
  const taking = pictureBefore(desktop, act, context.window, options(CONTEXT_SHARE));
  if (hasNoTree(target)) return { ...context, node: target.node, picture: await taking };
  const [node, picture, caret] = await Promise.all([
    desktop.describe(handleOf(target), options()),
    taking,
    caretBefore(desktop, { act, target }, context.tree?.root, options()),
  ]);
  if (node.role !== target.node.role || (isReusable(target.record) && node.name !== target.node.name))
    throw new DeskterityError(
      'STALE_REF',
      `${target.ref} was replaced by another element just before the act.`,
      {
        suggestion: `Run ${mentionCommand('snapshot')} or ${mentionCommand('find')} again and use the new reference.`,
      },
    );
  requireActionable({ ...target, node }, act.kind);
  if (!isElement || log.events.length === seen) return { ...context, node, picture, caret };
  // Something happened while the tree was read; a dialog may have opened.
  const windows = await desktop.listWindows(options());
  if (context.window) requireNoModal(context.window, windows);
  return { ...context, windows, node, picture, caret };
}

/**
 * Reads what is there after an act. With `mirrored`, only what an event reported as changed is read again, besides the element itself and the list of
 * windows; the rest is as the look before the act read it, places included: a wrong one can hide that something moved, and make up no change.
 */
export async function lookAfter(
  { desktop, clock }: { readonly desktop: DesktopPort; readonly clock: ClockPort },
  { act, target, log, options }: Pick<Attempt, 'act' | 'target' | 'log' | 'options'>,
  { before, outcome, span }: Pick<SentAct, 'before' | 'outcome' | 'span'>,
  mirrored = false,
): Promise<After> {
  const moved = before.caret && log.events.some((event) => isOfCaret(event, before.caret?.node));
  const [context, described, caret] = await Promise.all([
    readElementContext(desktop, target.record, {
      ...options(CONTEXT_SHARE),
      mirrored,
      knownPlaces: mirrored,
    }),
    hasNoTree(target) ? target.node : desktop.describe(handleOf(target), options()).catch(() => undefined),
    before.caret && moved ? desktop.caret(before.caret.node, options()).catch(() => undefined) : undefined,
  ]);
  const readings = { before: before.tree, after: context.tree };
  const isClicked = described === undefined && CLICKS.has(act.kind);
  const remade = isClicked
    ? await remadeTarget(desktop, before.node, readings, options(CONTEXT_SHARE))
    : undefined;
  const node = described ?? remade;
  const sinceMs = clock.now() - earliestOf(act, { before, outcome, span });
  const started = startedWindows(desktop, before, context, sinceMs);
  const [unrelated, hasPopup, away] = await Promise.all([
    unrelatedWindows(desktop, { before, after: { ...context, started }, outcome }, options()),
    isPopupIn(desktop, outcome, { ...options(), pid: before.pid }),
    act.kind === 'scroll'
      ? scrolledAway(desktop, { before: before.tree, after: context.tree }, options(CONTEXT_SHARE))
      : undefined,
  ]);
  const seen = { ...readings, target: node && { ...node, handle: handleOf(target) } };
  const sources = await remadeSources(desktop, log.events, seen, options(CONTEXT_SHARE));
  return {
    ...context,
    node,
    isRemade: remade !== undefined,
    caret,
    unrelated,
    started,
    sources,
    away,
    hasPopup,
  };
}

/** Acts that promise no state of the element itself: an element made anew in its place is enough to judge them by. */
const CLICKS: ReadonlySet<string> = new Set(['click', 'double-click', 'triple-click', 'right-click']);

/** Whether the application has a popup in one of the places that is no tooltip. What is beside a button must also take the next click, as menus do. */
async function isPopupIn(
  desktop: DesktopPort,
  { menuPlaces = [], besideButton }: ActOutcome,
  { pid, ...options }: CallOptions & { readonly pid: number | undefined },
): Promise<boolean> {
  if (pid === undefined) return false;
  const contents = await Promise.all(
    menuPlaces.map(async (place) => desktop.contentAt(place, options).catch(() => undefined)),
  );
  const isThere = contents.some(
    (content) => content?.isPopup === true && content.isTooltip !== true && content.pid === pid,
  );
  if (!isThere || besideButton === undefined) return isThere;
  const { app, at } = besideButton;
  const beside = await desktop.contentAt(at, { ...options, app, menus: true }).catch(() => undefined);
  return beside?.isBehindMenu === true;
}

/** The caret that the act may move: of what has the keyboard focus for keys, of the text itself for clicks that mark a part of it. */
async function caretBefore(
  desktop: DesktopPort,
  { act, target }: Pick<Attempt, 'act' | 'target'>,
  root: TreeNode | undefined,
  options: CallOptions,
): Promise<Before['caret']> {
  const isKeys = act.kind === 'press';
  const isMarking = act.kind === 'double-click' || act.kind === 'triple-click';
  if (!isKeys && !(isMarking && target.node.interfaces.includes('Text'))) return undefined;
  const node = isKeys ? root && focusedIn(root)?.handle : handleOf(target);
  const at = node && (await desktop.caret(node, options).catch(() => undefined));
  return node && at && { node, at };
}

/** The innermost element with the focus: what holds it may be reported as focused, too. */
function focusedIn(node: TreeNode): TreeNode | undefined {
  for (const child of node.children) {
    const found = focusedIn(child);
    if (found !== undefined) return found;
  }
  return node.states.includes('focused') ? node : undefined;
}

function isOfCaret({ kind, node }: DesktopEvent, element: NodeHandle | undefined): boolean {
  return kind === 'caret-moved' && element !== undefined && handleKey(node) === handleKey(element);
}

export function handleOf(target: ResolvedTarget): { app: string; path: string } {
  return { app: target.record.app, path: target.record.path };
}

/** Call options with the remaining time. */
export type OptionsNow = (share?: number) => CallOptions;
