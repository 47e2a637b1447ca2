import { roleSet, type Role } from '../../model/tree/role.ts';
import type { State } from '../../model/tree/state.ts';
import type { ActOutcome } from '../../ports/desktop/acts.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import { mayTick } from '../evidence/attribution.ts';
import {
  confirmed,
  describeChange,
  eventEvidence,
  OTHER_CAUSES,
  eventsOfTarget,
  noOp,
  NOTHING_CHANGED,
  corroborated,
  UNREADABLE,
  unverified,
} from '../evidence/evidence.ts';
import type { Judgement, Observation } from '../evidence/evidence.ts';
import { isInView } from '../tree/element-states.ts';
import type { ObservedChange } from '../evidence/window-diff.ts';
import { judgeByEffects, judgeByWindow } from './judge-effects.ts';
import { judgeChosen } from './judge-chosen.ts';
import { judgeReloaded } from './judge-reloaded.ts';
import { hidesSelection, judgeTab } from './judge-tab.ts';
import { isOnlyOneOn } from './only-one-on.ts';
import { isWrittenInto, judgeEntered } from './judge-focus.ts';
import { besidesClosing, ONLY_CLOSED, ONLY_HIGHLIGHTED } from '../evidence/menu-closing.ts';
import { significantEvents, witnesses } from '../evidence/witnesses.ts';

/** Roles whose click promises a change of state, and which states show it. */
const PROMISES: Readonly<Partial<Record<Role, readonly State[]>>> = {
  checkbox: ['checked', 'indeterminate'],
  switch: ['checked', 'pressed'],
  togglebutton: ['pressed'],
  radio: ['checked', 'selected'],
  menuitemcheckbox: ['checked'],
  menuitemradio: ['checked'],
  tab: ['selected'],
};

/** Roles that a second click does not change. */
const ONE_WAY = roleSet('radio', 'menuitemradio', 'tab');

const STATE_EVENTS = new Set(['state-changed']);
/**
 * The effect of a click: `confirmed` needs two sources that agree, a fresh reading and an event of the changed element, or a window that
 * display and application both know; a promise that a fresh reading contradicts is `no_op`; everything else is `unverified`.
 */
export function judgeClick(seen: Observation): Judgement {
  const { isCheckableGroup = false, role } = seen.before;
  if (isCheckableGroup) return judgeByEffects(seen) ?? unproven(seen, IN_GROUP);
  const promised = PROMISES[role];
  if (promised && seen.after) return judgePromise(seen, promised, seen.after);
  if (isLeftOpen(seen))
    return noOp([answerOf(seen.outcome), 'its menu is still open, and nothing changed'], true);
  if (IGNORES_CLICKS.has(seen.before.role)) return judgeIgnored(seen);
  const outside = besidesClosing(seen);
  return (
    judgeTicked(outside) ??
    judgeChosen(seen) ??
    judgeByEffects(outside) ??
    judgeReloaded(outside) ??
    judgeEntered(seen) ??
    unproven(outside)
  );
}

const IN_GROUP = 'its middle is the ground of a group; toggle switches the check box in its title';

/** A check item with the role of a plain one, as Qt has them: a fresh reading shows whether it was ticked, also once its menu is closed. */
export function judgeTicked(outside: Observation): Judgement | undefined {
  const { before, after } = outside;
  if (before.role !== 'menuitem' || after === undefined) return undefined;
  const [was, is] = [before, after].map(({ states }) => states.includes('checked'));
  if (was === is) return undefined;
  const reading = `fresh read: ${is === true ? 'checked' : 'not checked'} now`;
  const events = eventsOfTarget({ ...outside, events: significantEvents(outside) }).filter(isOfTick);
  return events.length > 0 ? corroborated(reading, events, false) : secondedByAnswer(outside, reading);
}

/** That an item is no longer shown or highlighted comes of its menu closing. */
function isOfTick({ detail }: DesktopEvent): boolean {
  return !/^(?:showing|visible|selected|focused|armed)=/.test(detail);
}

/** Roles that do not react to clicks in any toolkit, whatever actions they offer: Qt lets all take the focus. */
const IGNORES_CLICKS = roleSet('meter', 'progressbar', 'separator');

/** What changes elsewhere has another cause. */
function judgeIgnored(seen: Observation): Judgement {
  const changes = seen.changes.filter(({ key }) => key === seen.targetKey);
  const judgement = { ...judgeWithoutPromise({ ...seen, changes }), mayBePictured: false };
  if (judgement.effect === 'confirmed' || seen.changes.length === 0) return judgement;
  return inDoubt(seen, `a ${seen.before.role} does not react to clicks`);
}

/** The menu would have closed if the item had been used, whatever the item does. */
function isLeftOpen(seen: Observation): boolean {
  const { before, after, outcome } = seen;
  const isStillShown = isInView(before) && after !== undefined && isInView(after);
  const isQuiet = sawNothing(seen) && significantEvents(seen).length === 0;
  return before.closesWhenUsed === true && outcome.accepted !== undefined && isStillShown && isQuiet;
}

/** The effect of an act that promises nothing. */
export function judgeWithoutPromise(seen: Observation): Judgement {
  return judgeByEffects(seen) ?? unproven(seen);
}

/** The tree proves nothing. */
export function unproven(seen: Observation, ...first: string[]): Judgement {
  return judgeByPopup(seen) ?? pictured(inDoubt(seen, ...first), seen);
}

/** Some toolkits leave the context menus of text fields out of their tree, and GTK 2 all menus; the display knows them. */
function judgeByPopup(seen: Observation): Judgement | undefined {
  return seen.hasPopup === true
    ? confirmed([POPUP_OPENED, ...eventEvidence(significantEvents(seen))], false)
    : undefined;
}

const POPUP_OPENED =
  'a popup of the application opened where that menu opens; the tree does not show what is in it';

/**
 * Where the tree proves nothing, the picture of the window may; but not what vanished with the target, which then perhaps never received the act.
 * The target of keys is their window, and everything is inside that.
 */
function pictured(judgement: Judgement, seen: Observation): Judgement {
  const { changes, outcome, targetKey, hasUnrelated = false, isByKeys = false, isGesture = false } = seen;
  const hasShown = outcome.accepted === true || changes.some(({ change }) => change.kind !== 'focus');
  const hasReceived =
    hasShown &&
    !hasUnrelated &&
    (isByKeys || !changes.some(({ key, lineage }) => key === targetKey || lineage.includes(targetKey)));
  // A field shows the focus that it got in its picture, which proves no menu.
  const isOnlyFocus = changes.length > 0 && changes.every(({ change }) => change.kind === 'focus');
  const isDrawn = isGesture && isOnlyFocus && isWrittenInto(seen.before);
  const isTold = (judgement.sawNothing === true && !isDrawn) || hasReceived;
  // What the application says that it did not do, nothing drawn proves.
  const isDenied = outcome.accepted === false;
  const hasOtherCause = seen.dismissed !== undefined || seen.wasOnlyHighlighted === true;
  return { ...judgement, mayBePictured: isTold && !isDenied && !hasOtherCause };
}

/** Nothing proves an effect. */
function inDoubt(seen: Observation, ...first: string[]): Judgement {
  return {
    ...unverified([...first, ...doubtsAbout(seen)], false),
    sawNothing: sawNothing(seen) || isSelectedSilently(seen),
  };
}

/** Lists of Qt over a model with several columns report another row, or none: what the application shows for the row may come later. */
function isSelectedSilently({ changes, targetKey }: Observation): boolean {
  return changes.some(
    ({ change, key }) => key === targetKey && (change.after?.split(' ').includes('selected') ?? false),
  );
}

function judgePromise(seen: Observation, promised: readonly State[], after: NodeDetails): Judgement {
  const show = (node: NodeDetails): string =>
    promised.filter((state) => node.states.includes(state)).join(' ') || `not ${promised[0]}`;
  const [was, is] = [show(seen.before), show(after)];
  const filtered = { ...seen, events: significantEvents(seen) };
  if (was === is) {
    if (ONE_WAY.has(seen.before.role) && !was.startsWith('not '))
      return confirmed(['already', `fresh read: ${is}`], true);
    // Repeating a toggle that is merely slow would undo it.
    const retrySafe = ONE_WAY.has(seen.before.role) && eventsOfTarget(filtered).length === 0;
    if (hidesSelection(seen.before, after)) return judgeTab(seen) ?? judgeWithoutPromise(seen);
    if (mayBeSilent(seen)) return judgeByOthers(seen) ?? judgeSilent(seen);
    if (wentOutOfView(seen))
      return isCheckItem(seen.before)
        ? judgeUsed(seen, OUT_OF_VIEW)
        : (judgeByOthers(seen) ?? inDoubt(seen, OUT_OF_VIEW));
    if (wasMomentary(seen)) return judgeByEffects(seen) ?? unproven(seen, RELEASED);
    const still = `a fresh read still shows it ${is}`;
    const other = judgeByWindow(seen) ?? answeredOtherwise(seen, still);
    if (other !== undefined) return other;
    return isOnlyOneOn(seen)
      ? unproven(seen, `${still}, as the only one of its group`)
      : noOp([still], retrySafe);
  }
  const reading = `fresh read: ${is} (was ${was})`;
  // Another element of the group lost the state that this one gained.
  const counterpart = witnesses(seen).find(
    ({ change, node }) =>
      node.role === seen.before.role && promised.some((state) => change.before?.split(' ').includes(state)),
  );
  const events = eventsOfTarget(filtered);
  return events.length > 0 || counterpart !== undefined
    ? corroborated(reading, events, false, counterpart)
    : secondedByAnswer(seen, reading);
}

/**
 * A fresh reading of an element that reports nothing itself, such as the items of Qt menus and the toggle buttons of wxWidgets: what the application
 * shows for it, in its tree or its picture, is the second witness.
 */
export function secondedByAnswer(seen: Observation, reading: string): Judgement {
  const answer = judgeByEffects(seen);
  return answer === undefined
    ? { ...corroborated(reading, [], false), mayBePictured: true }
    : { ...answer, evidence: [reading, ...answer.evidence] };
}

export const SILENT =
  'check boxes and radio buttons of this toolkit do not always report whether they are checked';

/** A check box that seems unchanged, where that proves nothing: it accepted the action, or, as radio buttons always do, sent an event. */
export function mayBeSilent(seen: Observation): boolean {
  const { outcome, before } = seen;
  const isAccepted = outcome.accepted === true && before.role !== 'radio';
  return before.mayBeSilent === true && (isAccepted || togglesOf(seen).length > 0);
}

/** What cannot be read can be seen: its event and its picture are two witnesses. */
export function judgeSilent(seen: Observation): Judgement {
  const judgement = inDoubt(seen, SILENT);
  const isTold = togglesOf(seen).length > 0 && seen.before.bounds !== undefined;
  return isTold ? { ...judgement, mayBePictured: true, isDrawnItself: true } : judgement;
}

export const OUT_OF_VIEW = 'it is no longer on screen, so the state it reports may be out of date';

/** The popover or menu with the target closed, as menus do when one of their items was used. GTK reports the items of a closed one as they were. */
export function wentOutOfView({ before, after, changes, targetKey }: Observation): boolean {
  const isGone = changes.some(({ change, key }) => key === targetKey && change.kind === 'disappeared');
  return isInView(before) && after !== undefined && (isGone || !isInView(after));
}

const CHECK_ITEMS = roleSet('menuitemcheckbox', 'menuitemradio');

export function isCheckItem({ role }: NodeDetails): boolean {
  return CHECK_ITEMS.has(role);
}

/**
 * A check item of an open menu that closed with it, so that its own state tells nothing: what the application shows elsewhere, in its tree or its
 * picture, proves that the item was used, which switches it.
 */
export function judgeUsed(seen: Observation, ...why: string[]): Judgement {
  const outside = besidesClosing(seen);
  return judgeByOthers(outside) ?? { ...pictured(inDoubt(outside, ...why), outside), hasClosedWithIt: true };
}

/** The effect visible in what is still there: a popover may also have closed by itself. */
function judgeByOthers(seen: Observation): Judgement | undefined {
  const changes = seen.changes.filter(({ change }) => change.kind !== 'disappeared');
  return judgeByEffects({ ...seen, changes });
}

/** States that a press of a toggle button changes. */
const TOGGLED = /^(?:checked|indeterminate|pressed)=/;

/** What the target reported of being switched on or off, however late: an application may release it in its handler. */
export function togglesOf(seen: Observation): string[] {
  const own = seen.ownStates ?? eventsOfTarget(seen, STATE_EVENTS);
  return own.map(({ detail }) => detail).filter((detail) => TOGGLED.test(detail));
}

export const RELEASED = 'it was pressed and released again';

/** Whether a toggle button acted as a push button, like the keys of some calculators: pressed and released before it could be read. */
export function wasMomentary(seen: Observation): boolean {
  if (seen.before.role !== 'togglebutton') return false;
  const details = togglesOf(seen);
  return details.some((detail) => detail.endsWith('=1')) && details.some((detail) => detail.endsWith('=0'));
}

/**
 * The state is as before, but the act was not without effect: the target reported a change, or something else changed. What may tick proves
 * that only where the act cannot be repeated anyway.
 */
export function answeredOtherwise(seen: Observation, still: string): Judgement | undefined {
  // A check box stays as it is; a toggle button may be a key.
  const [toggle] = seen.before.role === 'togglebutton' ? togglesOf(seen) : [];
  const isOneWay = ONE_WAY.has(seen.before.role);
  const other = witnesses(seen).find((observed) => !isOneWay || !mayTick(observed));
  if (toggle === undefined && other === undefined) return undefined;
  const sign = other ? describeChange(other.change) : `it had reported ${toggle}`;
  return { ...unverified([still, sign], false), sawNothing: true };
}

/**
 * Whether nothing changed, and nothing that did change is left out here. Whatever is clicked takes the focus; only what is written into is clicked
 * for that, with the left button and once.
 */
export function sawNothing(seen: Observation): boolean {
  const { before, changes, windowChanges, hasUnrelated = false, isGesture = false } = seen;
  const isFocus = ({ change }: ObservedChange): boolean => change.kind === 'focus';
  const isWanted = !isGesture && isWrittenInto(before);
  const isOnlyFocus = changes.every(isFocus) && (changes.length === 0 || !isWanted);
  return isOnlyFocus && windowChanges.length === 0 && !hasUnrelated;
}

function answerOf({ accepted, isPending = false }: ActOutcome): string {
  if (isPending) return 'the application received the action and has not answered it yet';
  if (accepted === undefined) return 'the display accepted the input';
  return accepted ? 'the application accepted the action' : 'the application reported that it did not act';
}

export const DISMISSED = 'a menu or popover beside it closed, which may be all that it did';

/** Why the effect is unknown. */
function doubtsAbout(seen: Observation): string[] {
  return [
    answerOf(seen.outcome),
    ...eventEvidence(significantEvents(seen)),
    ...(seen.after ? [] : [UNREADABLE]),
    ...(seen.hasClosed === true ? [ONLY_CLOSED] : []),
    ...(seen.wasOnlyHighlighted === true ? [ONLY_HIGHLIGHTED] : []),
    ...(seen.dismissed === undefined ? [] : [DISMISSED]),
    ...(sawNothing(seen) ? nothingBut(seen) : [OTHER_CAUSES]),
  ];
}

function nothingBut(seen: Observation): string[] {
  const { changes, hasClosed = false, wasOnlyHighlighted = false, dismissed } = seen;
  if (changes.length > 0) return ['only the focus moved'];
  return hasClosed || wasOnlyHighlighted || dismissed !== undefined ? [] : [NOTHING_CHANGED];
}
