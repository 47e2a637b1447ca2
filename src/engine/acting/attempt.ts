import type { HandUse } from '../../model/effects/seat.ts';
import type { Bounds } from '../../model/tree/bounds.ts';
import { handleKey, type NodeHandle } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { ActOutcome, Caret } from '../../ports/desktop/acts.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { CapturedImage } from '../../ports/desktop/capture.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import type { Point } from '../../ports/input.ts';
import type { ScreenPort, Sent } from '../../ports/screen.ts';
import {
  attributableEvents,
  earliestEffect,
  isBackground,
  isOnlyVisibility,
  isSignificant,
  wasLostBefore,
  windowsMovedBefore,
} from '../evidence/attribution.ts';
import type { ActSpan } from '../evidence/attribution.ts';
import { besidesDismissed } from '../evidence/beside-popup.ts';
import type { ElementContext } from '../evidence/element-context.ts';
import {
  confirmed,
  describeWindow,
  eventEvidence,
  OTHER_CAUSES,
  unverified,
  type Judgement,
  type Observation,
} from '../evidence/evidence.ts';
import { FOCUS_TAKEN, wasFocusTaken } from '../evidence/focus-taken.ts';
import { minimizedByTitleBar } from '../evidence/own-title-bar.ts';
import { isUnderWay, type PriorAct } from '../evidence/prior-acts.ts';
import { isPartOfMenu } from '../evidence/menu-closing.ts';
import type { EventLog } from '../evidence/settle.ts';
import { becameTimeOfDay } from '../evidence/time-of-day.ts';
import { withKnownSources, withTargetKey } from '../evidence/remade-sources.ts';
import { withTargetHandle } from '../evidence/target-in-reading.ts';
import {
  isOfTitle,
  isRetitled,
  isTitleTold,
  OPENED_BEFORE,
  windowChangesBetween,
} from '../evidence/unrelated-windows.ts';
import { diffTrees, type ObservedChange, type Reading, type WindowChange } from '../evidence/window-diff.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import type { Pictured } from './picture.ts';
import type { PressedBy } from '../../model/destructive/destructive-act.ts';
import type { PointerGesture, SemanticActKind } from '../requests/acting.ts';

export type ActKind =
  | 'click'
  | PointerGesture
  | 'set-value'
  | 'type'
  | 'select'
  | 'scroll'
  | 'drag'
  | 'press'
  | 'mouse'
  | SemanticActKind;

/** A text that an act puts into its element. */
export interface Written {
  readonly text: string;
  /** It is added to what is there, or replaces the selection. */
  readonly isAdded?: boolean;
  /** Texts that do not tell which of several options of the same name it is. */
  readonly shared?: ReadonlySet<string> | undefined;
}

/** What is pressed, as far as its guard sees it. */
export type PressedNode = Pick<NodeDetails, 'handle' | 'role' | 'name' | 'description' | 'bounds'> &
  Partial<Pick<NodeDetails, 'parent' | 'states'>> & {
    /** For keys: how they reach it. */
    readonly presses?: PressedBy | undefined;
    /** It is what something is dropped on. */
    readonly isDropped?: boolean;
  };

/** What a click at a place is aimed at. */
export interface Placed {
  readonly node: NodeDetails;
  /** The button, how often, and the place on the element: the same again does the same. */
  readonly what: string;
}

/** An act to carry out: what to do, and how to judge the effect. */
export interface Act {
  readonly kind: ActKind;
  /** Checks that the act would reach its element; changes nothing. */
  readonly check?: (target: ResolvedTarget, options: CallOptions) => Promise<void>;
  /** Why it would not be the same as by hand, with what the window of the target shows; then nothing is sent. */
  readonly unlikeByHand?:
    | ((target: ResolvedTarget, tree: Reading | undefined) => string | undefined)
    | undefined;
  /** Checks that nothing that its window shows would take a click instead. */
  readonly requireFree?: (
    target: ResolvedTarget,
    tree: Reading | undefined,
    options: CallOptions,
  ) => Promise<void>;
  /** For keys and clicks at a point: the element that they press, if one is known. It is looked for only if somebody must agree to the act. */
  readonly presses?:
    | ((target: ResolvedTarget, options: CallOptions) => Promise<PressedNode | undefined>)
    | undefined;
  /** How often a button is pressed; once if absent. */
  readonly count?: number | undefined;
  /** For clicks at a place: the element there, and what is done to it where. Absent if no element is known to be there. */
  readonly placed?: (() => Placed | undefined) | undefined;
  /** What it reaches besides its target: what has the keyboard focus, is at a point, or is chosen. Looked for only if somebody has a say in that. */
  readonly reaches?:
    | ((target: ResolvedTarget, options: CallOptions) => Promise<readonly PressedNode[]>)
    | undefined;
  /** Establishes preconditions before the last check, such as a window in front; performs no part of the act. */
  readonly prepare?: (target: ResolvedTarget, options: () => CallOptions) => Promise<void>;
  readonly run: (node: NodeHandle, options: () => CallOptions, target: ResolvedTarget) => Promise<ActOutcome>;
  readonly judge: (seen: Observation) => Judgement;
  /** Evidence that the element already is as requested; then nothing is sent. `tree`: its window, once that was read. */
  readonly already?: ((before: NodeDetails, tree?: Reading) => readonly string[] | undefined) | undefined;
  /** What it does with the keyboard or the pointer; absent if it uses neither. */
  readonly byHand?: HandUse | undefined;
  /** It moves the pointer, which leaves marks wherever it is. */
  readonly usesPointer?: boolean;
  /** Puts the pointer back to where it was, after the act: its mark goes with it. */
  readonly setAside?: (point: Point, options: CallOptions) => Promise<void>;
  /** The picture of its window with the pointer on the element, just before the click: what differs from it is no mark of the pointer. */
  readonly pointed?: () => CapturedImage | undefined;
  /** Keys whose very effect may be that the focus moves: its mark is not beside the point. */
  readonly movesFocus?: boolean;
  /** It normally changes nothing that can be seen, such as holding Shift down: no effect is waited for. */
  readonly isSilent?: boolean;
  /** Time until the effect is visible where nothing acknowledges the act; the toolkit's own delay applies if it is longer. */
  readonly reactionMs?: number;
  /** What its element is to hold afterwards. Only that can be undone: anything else in it may be somebody's. */
  readonly wrote?: (() => Written | undefined) | undefined;
  /** The typed input; on a text screen the act is judged by it alone. */
  readonly sent?: Sent | undefined;
  /** Whether the written value must not appear in receipts. */
  readonly isWithheld?: boolean;
}

const LOST_BEFORE = 'the element was destroyed or hidden before the act is known to have taken effect';
const LATE = 'it came only some time after the act';

/** One act in progress. */
export interface Attempt {
  readonly act: Act;
  readonly target: ResolvedTarget;
  /** Judges the act if the desktop is a text screen. */
  readonly screen: ScreenPort | undefined;
  readonly log: EventLog;
  /** Keys of the elements whose text was withheld before the act. */
  readonly withheld: ReadonlySet<string>;
  /** Call options with the remaining time. */
  readonly options: (share?: number) => CallOptions;
}

export interface Before extends ElementContext {
  readonly node: NodeDetails;
  /** Before keys: what has the focus, and its caret. */
  readonly caret?: { readonly node: NodeHandle; readonly at: Caret } | undefined;
  readonly picture?: Pictured | undefined;
}

/** An act that was sent. */
export interface SentAct {
  readonly before: Before;
  readonly outcome: ActOutcome;
  readonly span: ActSpan;
  readonly prior: PriorAct | undefined;
}

export interface After extends ElementContext {
  readonly node: NodeDetails | undefined;
  /** {@link node} is another object, which the toolkit made in the place of the one that was acted on. */
  readonly isRemade?: boolean;
  /** The elements that sent events from objects of their own. */
  readonly sources?: ReadonlyMap<string, NodeHandle>;
  /** The caret of what had the focus before. */
  readonly caret?: Caret | undefined;
  /** Where elements are that were scrolled out of view, by key. */
  readonly away?: ReadonlyMap<string, Bounds> | undefined;
  /** A popup of the application is where the menu opens that was asked for, and none was before. */
  readonly hasPopup?: boolean;
  /** Windows that opened independently of the act. */
  readonly unrelated: ReadonlySet<DesktopWindow>;
  /** Windows of programs that the application started since the act. */
  readonly started?: ReadonlySet<DesktopWindow>;
}

export interface Verdict {
  readonly judgement: Judgement;
  readonly changes: readonly ObservedChange[];
  readonly windowChanges: readonly WindowChange[];
  /** What was seen came later than an effect usually does. */
  readonly isLate: boolean;
}

/** Judges an act from the observations before and after it. */
export function judgeAttempt(
  { act, target, screen, log }: Attempt,
  { before, outcome, span, prior, isLate = false }: SentAct & { readonly isLate?: boolean },
  after: After,
  alsoRestless: ReadonlySet<string> = new Set(),
): Verdict {
  const attributed = attributableEvents(
    withKnownSources(log.events, after.sources),
    span,
    isLate ? log.limitMs : undefined,
  );
  const targetKey = handleKey(target.record);
  const all = withTargetKey(diffTrees(before.tree, after.tree), after.node, targetKey);
  const now = new Date();
  const clocks = all.filter((change) => becameTimeOfDay(change, now)).map(({ key }) => key);
  const unrelated = new Set([...alsoRestless, ...clocks]);
  const restless = new Set([...attributed.restless, ...unrelated]);
  const { sentAtMs, aimedAtMs = sentAtMs } = outcome;
  const beganAt = (isPartOfMenu(before.node.role) ? aimedAtMs : sentAtMs) ?? span.askedAt;
  const caused = attributed.caused.filter(
    ({ node, atMs }) => !unrelated.has(handleKey(node)) && atMs >= beganAt,
  );
  const background = all.filter((change) => isBackground(change, restless));
  const changes = all.filter((change) => !background.includes(change));
  const windowChanges = windowChangesBetween(before, after);
  const verdictOf = (judgement: Judgement): Verdict => ({ judgement, changes, windowChanges, isLate });
  const isActivated = isActivatedLater(act, before.node);
  const earliestAt = earliestOf(act, { before, outcome, span });
  if (wasLostBefore(log.events, targetKey, earliestAt)) {
    const hasChanges = changes.length > 0 || windowChanges.length > 0;
    return verdictOf(unverified([LOST_BEFORE, ...(hasChanges ? [OTHER_CAUSES] : [])], false));
  }
  const isAmidWindows = (sentAtMs !== undefined || isActivated) && windowsMovedBefore(log.events, earliestAt);
  const isMinimized = wasMinimized(before, after);
  const events = caused.filter(({ atMs }) => atMs >= earliestAt);
  const windows = { was: before.window, is: after.window };
  const isLateAnswer = isUnderWay(prior, span.askedAt);
  const mayMinimize = act.kind === 'click' && !isLateAnswer;
  if (mayMinimize && minimizedByTitleBar({ ...windows, tree: before.tree, targetKey, events })) {
    const own = windowChanges.filter(({ window }) => window.id === after.window?.id);
    return verdictOf(confirmed([...own.map(describeWindow), ...eventEvidence(caused)], false));
  }
  const possible = isMinimized ? changes.filter((change) => !isOfMinimizing(change)) : changes;
  const telling = windowChanges.filter((change) => !isOfTitle(change) || isTitleTold(change, caused));
  const sinceSent = log.events.filter(({ atMs }) => atMs >= (sentAtMs ?? span.askedAt));
  const own = sinceSent.filter(({ node }) => handleKey(node) === targetKey);
  const judge = screen === undefined ? act.judge : onScreen(screen, act.sent);
  const seen: Observation = {
    outcome,
    before: before.node,
    after: after.node,
    events: caused,
    changes: possible,
    background,
    windowChanges: isAmidWindows
      ? []
      : telling.filter(
          ({ change, window }) => !after.unrelated.has(window) && !(isMinimized && change.kind === 'changed'),
        ),
    hasUnrelated: telling.length > 0 || possible.length < changes.length,
    ownStates: own.filter(({ kind }) => kind === 'state-changed'),
    hasReported: own.some(isSignificant),
    isRetitled: isRetitled(before.window, after.window),
    targetKey,
    away: after.away,
    hasPopup: after.hasPopup === true && !isLateAnswer,
    trees: before.tree &&
      after.tree && {
        before: withTargetHandle(before.tree, before.node, target.record),
        after: withTargetHandle(after.tree, after.node, target.record),
      },
    carets: before.caret &&
      after.caret && { key: handleKey(before.caret.node), before: before.caret.at, after: after.caret },
  };
  const isPressing = act.usesPointer === true || act.byHand === 'drag';
  const beside = isPressing ? besidesDismissed(seen, act.placed?.()?.node) : seen;
  const judgement = withDismissal(judge(beside), beside);
  if (judgement.effect === 'confirmed' && act.kind === 'press' && wasFocusTaken(before, after, sinceSent))
    return verdictOf(unverified([...judgement.evidence, FOCUS_TAKEN], false));
  if (outcome.hasStrayed === true && ['confirmed', 'unverified'].includes(judgement.effect))
    return verdictOf(unverified([...judgement.evidence, STRAYED], false));
  const remarks = [
    ...(after.unrelated.size === 0 ? [] : [OPENED_BEFORE]),
    ...(isMinimized ? [MINIMIZED] : []),
    ...(isLate && judgement.effect === 'confirmed' ? [LATE] : []),
  ];
  return verdictOf(
    remarks.length === 0 ? judgement : { ...judgement, evidence: [...judgement.evidence, ...remarks] },
  );
}

/** When an act can have had an effect, at the earliest. */
export function earliestOf(
  act: Act,
  { before, outcome, span }: Pick<SentAct, 'before' | 'outcome' | 'span'>,
): number {
  const isActivated = isActivatedLater(act, before.node);
  return earliestEffect(span, { sentAtMs: outcome.sentAtMs, isActivated });
}

function isActivatedLater({ kind, reactionMs }: Act, { role }: NodeDetails): boolean {
  return kind === 'click' && reactionMs === undefined && PRESSED_FOR_A_WHILE.has(role);
}

/** A click beside an open menu or popover closes it, and often does nothing else: something happened, but not what was asked for. */
function withDismissal(judgement: Judgement, { dismissed }: Observation): Judgement {
  if (dismissed === undefined || judgement.effect !== 'no_op') return judgement;
  return { ...judgement, effect: 'partial', evidence: [DISMISSED, ...judgement.evidence] };
}

const DISMISSED = 'a menu or popover beside it closed, which took the click';

/** Toolkits show these pressed for a while before they run the handler of an accessibility action; menu items and rows act at once. */
const PRESSED_FOR_A_WHILE = roleSet('button', 'togglebutton', 'checkbox', 'radio', 'switch', 'link');

const MINIMIZED = 'the window was minimized or restored meanwhile, which hides and shows its elements';

/** The window manager, or a person, minimized or restored the window: what disappeared or appeared with that is no effect of the act. */
function wasMinimized({ window: was }: Before, { window: is }: After): boolean {
  return was !== undefined && is !== undefined && was.minimized !== is.minimized;
}

/** Qt reports a minimized window without its title. */
function isOfMinimizing(observed: ObservedChange): boolean {
  return isOnlyVisibility(observed) || observed.lineage.length === 0;
}

const STRAYED =
  'something else came under the pointer while the button was being pressed, and may have received a part of it';

function onScreen(screen: ScreenPort, sent: Sent | undefined): Act['judge'] {
  return ({ trees, after, changes, events }) => ({
    ...screen.judge(
      {
        trees:
          trees === undefined || after === undefined
            ? undefined
            : { before: trees.before.root, after: trees.after.root },
        changes,
        reported: new Set(events.map(({ node }) => handleKey(node))),
      },
      sent,
    ),
    retrySafe: false,
  });
}
