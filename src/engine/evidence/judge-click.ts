import { handleKey } from '../../model/tree/node.ts';
import type { Role } from '../../model/tree/role.ts';
import type { State } from '../../model/tree/state.ts';
import type { ActOutcome, DesktopEvent, NodeDetails } from '../../ports/desktop.ts';
import { isTelling, mayTick } from './attribution.ts';
import {
  confirmed,
  describeChange,
  describeWindow,
  eventEvidence,
  eventsOfTarget,
  noOp,
  seconded,
  UNREADABLE,
  unverified,
} from './evidence.ts';
import type { Judgement, Observation } from './evidence.ts';
import type { ObservedChange, WindowChange } from './window-diff.ts';

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

/** Roles that stay as they are when clicked a second time. */
const ONE_WAY: ReadonlySet<Role> = new Set<Role>(['radio', 'menuitemradio', 'tab']);

/** Shown by the pointer, not by an act. */
const POINTER_ROLES: ReadonlySet<Role> = new Set<Role>(['tooltip']);

const STATE_EVENTS = new Set(['state-changed']);
/** What a parent says when children come, go, or become visible; its name and value have nothing to do with them. */
const STRUCTURAL_EVENTS = new Set(['children-changed', 'state-changed', 'selection-changed']);

/**
 * The effect of a click: `confirmed` needs two things that agree, a fresh reading and an event of the element that it shows
 * changed, or a window that the display and the application both know; a promise that a fresh reading contradicts is `no_op`; everything
 * else is `unverified`.
 */
export function judgeClick(seen: Observation): Judgement {
  const promised = PROMISES[seen.before.role];
  if (promised && seen.after) return judgePromise(seen, promised, seen.after);
  return judgeFreely(seen);
}

/** The effect of an act that promises nothing. */
export function judgeFreely(seen: Observation): Judgement {
  return judgeByEffects(seen) ?? unverified(lackOf(seen), false);
}

/** What came of an act around its target, if anything did. */
export function judgeByEffects(seen: Observation): Judgement | undefined {
  return judgeByWindow(seen) ?? judgeByChange(seen);
}

function judgePromise(seen: Observation, promised: readonly State[], after: NodeDetails): Judgement {
  const show = (node: NodeDetails): string =>
    promised.filter((state) => node.states.includes(state)).join(' ') || `not ${promised[0]}`;
  const [was, is] = [show(seen.before), show(after)];
  const telling = { ...seen, events: tellingOf(seen) };
  if (was === is) {
    if (ONE_WAY.has(seen.before.role) && !was.startsWith('not '))
      return confirmed(['already', `fresh read: ${is}`], true);
    // A toggle that is only slow would be toggled back.
    const retrySafe = ONE_WAY.has(seen.before.role) && eventsOfTarget(telling).length === 0;
    if (cannotTell(seen.before, after)) return judgeFreely(seen);
    if (wentThereAndBack(seen))
      return judgeByEffects(seen) ?? unverified(['it went in and came out again', ...lackOf(seen)], false);
    return judgeByWindow(seen) ?? noOp([`a fresh read still shows it ${is}`], retrySafe);
  }
  const reading = `fresh read: ${is} (was ${was})`;
  // One of a group lost what this one gained.
  const counterpart = witnesses(seen).find(
    ({ change, node }) =>
      node.role === seen.before.role && promised.some((state) => change.before?.split(' ').includes(state)),
  );
  return seconded(reading, eventsOfTarget(telling), false, counterpart);
}

/** Tabs of Qt never say that they are selected, nor that they could be. */
function cannotTell(before: NodeDetails, after: NodeDetails): boolean {
  const says = ({ states }: NodeDetails): boolean =>
    states.includes('selectable') || states.includes('selected');
  return before.role === 'tab' && !says(before) && !says(after);
}

/** A menu is selected as soon as it is pointed at; that it opened is told by the items that appear. */
function isOnlyPointedAt({ change, node }: ObservedChange): boolean {
  return (
    change.kind === 'changed' &&
    (node.role === 'menu' || node.role === 'menuitem') &&
    (change.before === 'selected' || change.after === 'selected')
  );
}

/** A toggle button used as a push button, like the keys of some calculators: its promise is kept and over before anybody can read it. */
export function wentThereAndBack(seen: Observation): boolean {
  if (seen.before.role !== 'togglebutton') return false;
  const said = eventsOfTarget(seen, STATE_EVENTS).map(({ detail }) => detail);
  return said.some((detail) => detail.endsWith('=1')) && said.some((detail) => detail.endsWith('=0'));
}

/** A window is known to the display and to the application: both agree, or an event of the application speaks for it. */
function judgeByWindow(seen: Observation): Judgement | undefined {
  const isTold = ({ window }: WindowChange): boolean =>
    window.accessible ||
    seen.events.some((event) => event.kind === 'window-opened' || event.kind === 'window-closed');
  const change = seen.windowChanges.find(isTold);
  return change && confirmed([describeWindow(change), ...eventEvidence(tellingOf(seen))], false);
}

function judgeByChange(seen: Observation): Judgement | undefined {
  const all = witnesses(seen);
  const ofTarget = (observed: ObservedChange): boolean => observed.key === seen.targetKey;
  const [best] = [
    all.find((observed) => ofTarget(observed) && !mayTick(observed)),
    all.find((observed) => !mayTick(observed)),
    all[0],
  ].filter((observed) => observed !== undefined);
  if (!best) return undefined;
  return {
    ...confirmed([describeChange(best.change), ...eventEvidence(eventsFor(best, seen))], false),
    reliesOn: best,
  };
}

/** Changes that the application told of: at the element itself, or around it where it came or went. */
export function witnesses(seen: Observation): ObservedChange[] {
  return seen.changes.filter(
    (observed) =>
      observed.change.kind !== 'focus' &&
      !POINTER_ROLES.has(observed.node.role) &&
      !isOnlyPointedAt(observed) &&
      !isSwitchedOff(observed, seen) &&
      !isMadeAnew(observed, seen) &&
      eventsFor(observed, seen).length > 0,
  );
}

/** Whoever disabled the target at that moment kept the act from it. */
function isSwitchedOff({ change, key }: ObservedChange, { targetKey }: Observation): boolean {
  return key === targetKey && change.kind === 'changed' && change.after === 'disabled';
}

/** What was replaced by its like has not changed; and where that was the target, it may have kept the act from it. */
function isMadeAnew({ change: { kind }, node }: ObservedChange, { changes }: Observation): boolean {
  if (kind !== 'appeared' && kind !== 'disappeared') return false;
  const opposite = kind === 'appeared' ? 'disappeared' : 'appeared';
  return changes.some(
    ({ change, node: other }) =>
      change.kind === opposite && other.role === node.role && other.name === node.name,
  );
}

function eventsFor({ change, key, lineage }: ObservedChange, seen: Observation): DesktopEvent[] {
  const around = new Set(change.kind === 'changed' ? [] : lineage);
  return tellingOf(seen).filter((event) => {
    const source = handleKey(event.node);
    return source === key || (STRUCTURAL_EVENTS.has(event.kind) && around.has(source));
  });
}

export function tellingOf(seen: Observation): readonly DesktopEvent[] {
  return seen.events.filter(isTelling);
}

function answerOf({ accepted }: ActOutcome): string {
  if (accepted === undefined) return 'the display took the input';
  return accepted ? 'the application accepted the action' : 'the application answered that it did not act';
}

/** Why nothing can be said. */
function lackOf(seen: Observation): string[] {
  const nothing = seen.changes.length === 0 && seen.windowChanges.length === 0;
  return [
    answerOf(seen.outcome),
    ...eventEvidence(tellingOf(seen)),
    ...(seen.after ? [] : [UNREADABLE]),
    nothing ? 'nothing visible changed' : 'what changed may have changed by itself',
  ];
}
