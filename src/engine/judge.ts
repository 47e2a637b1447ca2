import type { Change, Effect } from '../model/effect.ts';
import type { Role } from '../model/role.ts';
import type { State } from '../model/state.ts';
import type { ActOutcome, DesktopEvent, NodeDetails } from '../ports/desktop.ts';
import { mayTick } from './attribution.ts';
import { handleKey } from './ref-table.ts';
import type { ObservedChange, WindowChange } from './window-diff.ts';

/** All that was seen around one act. */
export interface Observation {
  readonly outcome: ActOutcome;
  readonly before: NodeDetails;
  /** A fresh reading after things settled; absent when the element is gone or did not answer. */
  readonly after: NodeDetails | undefined;
  /** Events of the application that the act may have caused. */
  readonly events: readonly DesktopEvent[];
  readonly changes: readonly ObservedChange[];
  /** Windows of this application that came or went. */
  readonly windowChanges: readonly WindowChange[];
  readonly targetKey: string;
}

export interface Judgement {
  readonly effect: Effect;
  readonly evidence: readonly string[];
  readonly retrySafe: boolean;
  /** The change elsewhere in the window that alone speaks for the act. */
  readonly reliesOn?: ObservedChange;
}

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

/** Events that come with any window activity and prove nothing about an act. */
const INCIDENTAL = new Set(['focus-changed', 'window-changed']);

/**
 * The effect of a click (DESIGN §5): `confirmed` needs two things that agree, a fresh reading and an event of the application (or another
 * window); a promise that a fresh reading contradicts is `no_op`; everything else is `unverified`.
 */
export function judgeClick(seen: Observation): Judgement {
  const promised = PROMISES[seen.before.role];
  const telling = seen.events.filter((event) => !INCIDENTAL.has(event.kind));
  const ofTarget = telling.filter((event) => handleKey(event.node) === seen.targetKey);
  if (promised && seen.after) return judgePromise(seen, promised, seen.after, ofTarget, telling);
  const [opened] = seen.windowChanges;
  if (opened && telling.length > 0)
    return confirmed([describeWindow(opened), ...eventEvidence(telling)], false);
  const evented = new Set(telling.map((event) => handleKey(event.node)));
  const witnesses = seen.changes.filter(
    (observed) => observed.change.kind !== 'focus' && evented.has(observed.key),
  );
  const witness = witnesses.find((observed) => !mayTick(observed)) ?? witnesses[0];
  if (witness) {
    return {
      ...confirmed([describeChange(witness.change), ...eventEvidence(telling)], false),
      reliesOn: witness,
    };
  }
  const structural = seen.changes.find(
    ({ change }) => change.kind === 'appeared' || change.kind === 'disappeared',
  );
  if (
    structural &&
    telling.some((event) => event.kind === 'children-changed' || event.kind === 'state-changed')
  )
    return confirmed([describeChange(structural.change), ...eventEvidence(telling)], false);
  return {
    effect: 'unverified',
    evidence: [
      seen.outcome.accepted
        ? 'the application accepted the action'
        : 'the application answered that it did not act',
      ...eventEvidence(telling),
      seen.changes.length === 0 && seen.windowChanges.length === 0
        ? 'nothing visible changed'
        : 'what changed may have changed by itself',
    ],
    retrySafe: false,
  };
}

function judgePromise(
  seen: Observation,
  promised: readonly State[],
  after: NodeDetails,
  ofTarget: readonly DesktopEvent[],
  telling: readonly DesktopEvent[],
): Judgement {
  const show = (node: NodeDetails): string =>
    promised.filter((state) => node.states.includes(state)).join(' ') || `not ${promised[0]}`;
  const [was, is] = [show(seen.before), show(after)];
  if (was !== is) {
    const reading = `fresh read: ${is} (was ${was})`;
    if (ofTarget.length > 0 || telling.length > 0)
      return confirmed([reading, ...eventEvidence(ofTarget.length > 0 ? ofTarget : telling)], false);
    return { effect: 'unverified', evidence: [reading, 'the application sent no event'], retrySafe: false };
  }
  if (ONE_WAY.has(seen.before.role) && !was.startsWith('not '))
    return confirmed(['already', `fresh read: ${is}`], true);
  const [opened] = seen.windowChanges;
  if (opened && telling.length > 0) return confirmed([describeWindow(opened)], false);
  return { effect: 'no_op', evidence: [`a fresh read still shows it ${is}`], retrySafe: true };
}

/** The effect of writing `wanted`: what a fresh reading shows, and whether the application said so itself. */
export function judgeValue(seen: Observation, wanted: string): Judgement {
  const read = seen.after && valueOf(seen.after);
  const was = valueOf(seen.before);
  if (seen.before.states.includes('protected')) {
    const ofTarget = seen.events.filter(
      (event) => handleKey(event.node) === seen.targetKey && event.kind === 'text-changed',
    );
    return {
      effect: ofTarget.length > 0 ? 'confirmed' : 'unverified',
      evidence: [...eventEvidence(ofTarget), 'a protected field cannot be read back'],
      retrySafe: true,
    };
  }
  if (read === undefined)
    return { effect: 'unverified', evidence: ['the element could not be read again'], retrySafe: true };
  if (sameValue(read, wanted)) {
    if (sameValue(was ?? '', wanted)) return confirmed(['already', `fresh read: ${quote(read)}`], true);
    const ofTarget = seen.events.filter(
      (event) => !INCIDENTAL.has(event.kind) && handleKey(event.node) === seen.targetKey,
    );
    const reading = `fresh read: ${quote(read)}`;
    if (ofTarget.length > 0) return confirmed([reading, ...eventEvidence(ofTarget)], true);
    const others = seen.changes.filter(
      (observed) => observed.key !== seen.targetKey && observed.change.kind !== 'focus' && !mayTick(observed),
    );
    if (others[0]) return confirmed([reading, describeChange(others[0].change)], true);
    return { effect: 'unverified', evidence: [reading, 'the application sent no event'], retrySafe: true };
  }
  if (sameValue(read, was ?? ''))
    return { effect: 'no_op', evidence: [`a fresh read still shows ${quote(read)}`], retrySafe: true };
  return {
    effect: 'partial',
    evidence: [`a fresh read shows ${quote(read)} instead of ${quote(wanted)}`],
    retrySafe: true,
  };
}

function confirmed(evidence: readonly string[], retrySafe: boolean): Judgement {
  return { effect: 'confirmed', evidence, retrySafe };
}

function valueOf(node: NodeDetails): string | undefined {
  if (node.range && node.role !== 'textbox') return String(node.range.current);
  return node.text ?? node.value;
}

/** Numbers are equal as numbers (42 and 42.0); toolkits store them with rounding. */
function sameValue(read: string, wanted: string): boolean {
  if (read === wanted) return true;
  const [a, b] = [Number(read), Number(wanted)];
  return (
    read.trim() !== '' &&
    wanted.trim() !== '' &&
    Number.isFinite(a) &&
    Number.isFinite(b) &&
    Math.abs(a - b) <= Math.abs(b) * 1e-9
  );
}

function eventEvidence(events: readonly DesktopEvent[]): string[] {
  const kinds = [
    ...new Set(events.map((event) => (event.detail === '' ? event.kind : `${event.kind} ${event.detail}`))),
  ];
  return kinds.length === 0
    ? []
    : [
        `application events: ${kinds.slice(0, 4).join(', ')}${kinds.length > 4 ? `, and ${kinds.length - 4} more kinds` : ''}`,
      ];
}

function describeWindow({ change }: WindowChange): string {
  const what = change.kind === 'window_closed' ? 'window closed' : 'window opened';
  return `${what}: ${JSON.stringify(change.name ?? '')}`;
}

function describeChange(change: Change): string {
  const what = `${change.role ?? 'element'}${change.name === undefined ? '' : ` ${JSON.stringify(change.name)}`}`;
  if (change.kind === 'changed') return `${what} changed from ${change.before} to ${change.after}`;
  return `${what} ${change.kind}`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
