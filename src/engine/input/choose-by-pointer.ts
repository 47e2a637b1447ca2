import { DeskterityError } from '../../model/effects/errors.ts';
import { parseKeyCombination, type KeyName } from '../../model/text/key-combination.ts';
import { handleKey, type NodeHandle, type TreeNode } from '../../model/tree/node.ts';
import type { ActOutcome } from '../../ports/desktop/acts.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { InputLease } from '../../ports/input.ts';
import type { Act } from '../acting/attempt.ts';
import { guardedAct } from '../acting/guard/guarded-act.ts';
import { choosing, findChoice, requireEnabled } from '../acting/select.ts';
import { unverified } from '../evidence/evidence.ts';
import { judgeChoice, type Choice } from '../judging/judge-choice.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import type { SelectRequest } from '../requests/acting.ts';
import { isInView } from '../tree/element-states.ts';
import { optionsIn } from '../tree/option-search.ts';
import { cellAround } from './drawn-part.ts';
import { usableWindow, windowByKey } from './front.ts';
import { withInputLease, type InputParts } from './input-lease.ts';
import { listsInView, optionInSeparateList } from './separate-list.ts';
import { pointerClick, REACTION_MS } from './pointer-acts.ts';
import { aim, reachPoint } from './reach-point.ts';
import type { Spot } from './hit-test.ts';
import { wheelIntoView } from './wheel-into-view.ts';
import { noteReleasedWindows } from './released-windows.ts';

const CLOSE = parseKeyCombination('Escape');
const CONTROL: KeyName = { kind: 'named', name: 'Control' };
/** Lists open within about 300 ms, including animations. */
const OPEN_LIMIT_MS = 2000;
const LOOK_EVERY_MS = 50;
const MOST_READ = 20_000;

/** Clicks an option of a list; with Control held down if it is added to what is selected. Rows out of view are scrolled to first. */
export function chooseInView(parts: InputParts, choice: Choice): Act {
  const { judge, already, wrote } = choosing(parts.desktop, choice);
  const held = choice.adds ? CONTROL : undefined;
  const clicking = pointerClick(parts, { kind: 'select', button: 'left', count: 1, held, judge, already });
  return {
    ...clicking,
    wrote,
    prepare: async (target, options) => {
      const isThere =
        isInView(target.node) || (await cellAround(parts.desktop, target.node, options())) !== undefined;
      if (isThere) await clicking.prepare?.(target, options);
      else {
        await wheelIntoView(parts, target, options);
        const node = await parts.desktop.describe(target.node.handle, options());
        await clicking.prepare?.({ ...target, node }, options);
      }
    },
  };
}

/**
 * Opens a combo box with a click and clicks the option in the list that appears.
 * @param known the option, if the combo box has it already
 */
export function chooseByPointer(parts: InputParts, request: SelectRequest, known: Choice | undefined): Act {
  let spot: Spot | undefined;
  let choice: Choice | undefined;
  let before: ReadonlySet<string> = new Set();
  let isOpen = known?.isListOpen === true;
  return {
    kind: 'select',
    byHand: 'popup',
    reactionMs: REACTION_MS,
    ...(known === undefined ? {} : { reaches: choosing(parts.desktop, known).reaches }),
    prepare: async (target, options) => {
      // Otherwise the list would be opened for nothing.
      if (known !== undefined) requireEnabled(known, await parts.desktop.describe(known.option, options()));
      if (known === undefined) {
        // The list of a combo box that is open controls it, and is found by that.
        isOpen = target.node.states.includes('expanded');
        before = new Set((await listsInView(parts.desktop, target, options())).keys());
      }
      if (!isOpen) spot = await reachPoint(parts, target, options);
    },
    run: async (_node, options, target) => {
      const reached = spot;
      if (isOpen) {
        const { choice: clicked, ...then } = await withInputLease(parts, options(), (lease) =>
          pick(parts, { lease, request, before }, options),
        );
        choice = clicked;
        return { delivered: true, via: 'pointer:clicked the option in the open list', ...then };
      }
      if (reached === undefined) throw new Error('the act was not prepared');
      const { choice: clicked, ...then } = await withInputLease(parts, options(), async (lease) => {
        const { node, onto } = await aim(parts, { lease, target, spot: reached }, options);
        // A click in the middle of an editable combo box goes into its text.
        if (await hasText(parts, node.handle, options()))
          await parts.desktop.perform(node.handle, 'expand', options());
        else await lease.click('left', 1, { ...options(), onto });
        return pick(parts, { lease, request, before }, options);
      });
      choice = clicked;
      return { delivered: true, via: 'pointer:opened it and clicked the option', ...then };
    },
    judge: (seen) =>
      choice === undefined ? unverified(['no option was clicked'], false) : judgeChoice(seen, choice),
    wrote: () => choice && { text: choice.label, shared: choice.shared },
  };
}

async function hasText({ desktop }: InputParts, root: NodeHandle, options: CallOptions): Promise<boolean> {
  const request = { wholeTree: false, maxDepth: 1, maxNodes: MOST_READ, includeActions: false };
  const read = await desktop.readTree({ ...options, ...request, root });
  return read.root.children.some(({ role }) => role === 'textbox' || role === 'searchbox');
}

interface Picked extends Pick<ActOutcome, 'pressedAtMs' | 'openBefore'> {
  readonly choice: Choice;
}

/** Clicks the option once it is on screen; closes the list again if it does not appear. */
async function pick(
  parts: InputParts,
  {
    lease,
    request,
    before,
  }: { readonly lease: InputLease; readonly request: SelectRequest; readonly before: ReadonlySet<string> },
  options: () => CallOptions,
): Promise<Picked> {
  const { clock, desktop, resolver } = parts;
  const end = clock.now() + Math.min(OPEN_LIMIT_MS, options().deadlineMs * 0.6);
  for (;;) {
    try {
      const target = await resolver.resolve(request.ref, options());
      const choice = await findOpened(parts, { request, target, before }, options);
      const { record } = target;
      const shown = await shownAs(parts, { choice, record }, options);
      const node = await desktop.describe(shown, options());
      const option: ResolvedTarget = { ref: choice.ref, record, node };
      // Which element it is may only be known now.
      const picked = { kind: 'select', reaches: async () => [node] } as const;
      await request.guard?.(await guardedAct(desktop, picked, target, options));
      const spot = await reachPoint(parts, option, options);
      const { onto } = await aim(parts, { lease, target: option, spot }, options);
      const { openBefore, onReleased } = noteReleasedWindows();
      // With a check, nothing comes between the look at the windows and the release, on which lists choose.
      await lease.click('left', 1, { ...options(), onto, onReleased, check: async () => undefined });
      return { choice, pressedAtMs: lease.releasedAtMs, openBefore };
    } catch (error) {
      if (error instanceof DeskterityError && NOT_YET.has(error.code) && clock.now() < end) {
        await clock.sleep(LOOK_EVERY_MS, options().signal);
        continue;
      }
      throw notPicked(error, await closeList(parts, { lease, request }));
    }
  }
}

/** Also after the caller gave up or its time ran out, or the list would stay open. */
const CLOSING_MS = 500;

/** Closes the list, unless a dialog or another window would get the key. Returns whether it was pressed. */
async function closeList(
  { desktop, resolver }: InputParts,
  { lease, request }: { readonly lease: InputLease; readonly request: SelectRequest },
): Promise<boolean> {
  const options: CallOptions = { deadlineMs: CLOSING_MS };
  try {
    const { record } = await resolver.resolve(request.ref, options);
    const { id: into } = await usableWindow(desktop, record.window, options);
    await lease.press(CLOSE, { ...options, into });
    return true;
  } catch {
    return false;
  }
}

/** @throws DeskterityError as long as the option does not show */
async function findOpened(
  { desktop, session, resolver }: InputParts,
  {
    request,
    target,
    before,
  }: {
    readonly request: SelectRequest;
    readonly target: ResolvedTarget;
    readonly before: ReadonlySet<string>;
  },
  options: () => CallOptions,
): Promise<Choice> {
  try {
    return await findChoice({ desktop, session, resolver }, { ...request, ...options() });
  } catch (error) {
    const wanted = request.option;
    if (!(error instanceof DeskterityError) || !NOT_YET.has(error.code) || wanted === undefined) throw error;
    const elsewhere = await optionInSeparateList(desktop, { target, wanted, before }, options);
    if (elsewhere === undefined) throw error;
    return elsewhere;
  }
}

/**
 * The element to click for an option: the option itself or, if that is not on screen, the one with its label in the list that opened.
 * Firefox shows the list of a page outside the page.
 */
async function shownAs(
  { desktop }: InputParts,
  { choice, record }: { readonly choice: Choice; readonly record: ResolvedTarget['record'] },
  options: () => CallOptions,
): Promise<NodeHandle> {
  const own = await desktop.describe(choice.option, options());
  const isInPage = record.trail.some(({ role }) => role === 'document');
  if (isInView(own) || !choice.isUnique || !isInPage) return choice.option;
  const { root } = await windowByKey(desktop, record.window, options());
  if (root === undefined) return choice.option;
  const read = await desktop.readTree({
    ...options(),
    root,
    wholeTree: false,
    maxNodes: MOST_READ,
    includeActions: false,
  });
  const lists = comboboxesIn(read.root).filter(
    ({ handle }) => handleKey(handle) !== handleKey(choice.container),
  );
  const copies = lists
    .flatMap((list) => optionsIn(list))
    .filter(({ node, label }) => label === choice.label && isInView(node));
  const [copy] = copies;
  return copy !== undefined && copies.length === 1 ? copy.node.handle : choice.option;
}

/** Combo boxes outside the page: those inside it are not the list that opened. */
function comboboxesIn(node: TreeNode): TreeNode[] {
  if (node.role === 'document') return [];
  return node.role === 'combobox' ? [node] : node.children.flatMap(comboboxesIn);
}

/** Errors while the list is still opening. */
const NOT_YET = new Set(['NOT_ACTIONABLE', 'ELEMENT_NOT_FOUND', 'ACTION_NOT_SUPPORTED', 'STALE_REF']);

function notPicked(error: unknown, isClosed: boolean): unknown {
  if (!(error instanceof DeskterityError)) return error;
  const done = isClosed
    ? 'The list was opened and closed again.'
    : 'The list was opened, and may still be open.';
  const message = `${done} ${error.message}`;
  // Nobody could agree to an option that only shows in the open list, if having looked there counted as an act.
  if (isClosed && error.code === 'CONFIRMATION_REQUIRED') return error.with({ message });
  return error.with({ message, delivered: true, retryable: false });
}
