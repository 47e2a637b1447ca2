import type { Change, Effect } from '../../model/effects/effect.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import type { Bounds } from '../../model/tree/bounds.ts';
import { handleKey } from '../../model/tree/node.ts';
import type { ActOutcome, Caret } from '../../ports/desktop/acts.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import type { ObservedChange, Reading, WindowChange } from './window-diff.ts';
import { WITHHELD } from '../../model/redaction/withheld.ts';

/** Everything observed around one act, except background activity. */
export interface Observation {
  readonly outcome: ActOutcome;
  /** Read at the last moment before the act. */
  readonly before: NodeDetails;
  /** A fresh reading after things settled; absent if the element no longer exists or did not answer. */
  readonly after: NodeDetails | undefined;
  /** Events of the application that the act may have caused. */
  readonly events: readonly DesktopEvent[];
  readonly changes: readonly ObservedChange[];
  /** What changes by itself, and was left out of these. */
  readonly background?: readonly ObservedChange[];
  /** Windows of this application that opened or closed, and the target's own if its size state changed. */
  readonly windowChanges: readonly WindowChange[];
  readonly targetKey: string;
  /** There are changes, such as windows that opened, with another cause or perhaps one. */
  readonly hasUnrelated?: boolean;
  /** It promises more than the focus: a menu, or something marked. */
  readonly isGesture?: boolean;
  /** Keys were sent: unlike the pointer, they can move the focus, the caret and the highlighted item. */
  readonly isByKeys?: boolean;
  /** The caret of what had the keyboard focus, before and after keys that moved it. */
  readonly carets?: { readonly key: string; readonly before: Caret; readonly after: Caret } | undefined;
  /** Its menu or list closed, which proves nothing; what that brought is left out here. */
  readonly hasClosed?: boolean;
  /** It is an item whose menu stayed open; what the pointer brings by resting on it, such as a hint in a status bar, is left out here. */
  readonly wasOnlyHighlighted?: boolean;
  /** A menu or popover beside the target closed, as it does wherever is clicked: what was in it. What its closing brought is left out here. */
  readonly dismissed?: ReadonlySet<string>;
  /** All that the target reported of its states since the act was sent, however late. */
  readonly ownStates?: readonly DesktopEvent[];
  /** The target reported something since the act was sent, however late or often. */
  readonly hasReported?: boolean;
  /** Where elements are that were scrolled out of view, by key. */
  readonly away?: ReadonlyMap<string, Bounds> | undefined;
  /** The display, too, shows another title for the window of the target. */
  readonly isRetitled?: boolean;
  /** A popup of the application is where the menu opens that was asked for, and none was before. */
  readonly hasPopup?: boolean;
  /** The window before and after, where both were read. */
  readonly trees?: { readonly before: Reading; readonly after: Reading } | undefined;
}

export interface Judgement {
  readonly effect: Effect;
  readonly evidence: readonly string[];
  readonly retrySafe: boolean;
  /** The one change that supports the judgement. */
  readonly reliesOn?: ObservedChange;
  /** The act promises nothing, and nothing changed so far: its effect may come later. */
  readonly sawNothing?: boolean;
  /** The picture of the window may confirm it, where the tree shows nothing. */
  readonly mayBePictured?: boolean;
  /** So does the picture of the element itself: it reported that it was switched, and no pointer marked it. */
  readonly isDrawnItself?: boolean;
  /** So does that of an element which a fresh reading shows switched, although it reported nothing. */
  readonly isReadItself?: boolean;
  /** Its menu closed with it: that it cannot be read again is no reason not to look at the picture. */
  readonly hasClosedWithIt?: boolean;
}

type JudgementOf = (evidence: readonly string[], retrySafe: boolean) => Judgement;

const judgementOf =
  (effect: Effect): JudgementOf =>
  (evidence, retrySafe) => ({ effect, evidence, retrySafe });
export const confirmed = judgementOf('confirmed');
export const unverified = judgementOf('unverified');
export const noOp = judgementOf('no_op');
export const partial = judgementOf('partial');

export const NOTHING_CHANGED = 'nothing visible changed';
export const OTHER_CAUSES = 'the changes seen may have other causes';
export const UNREADABLE = 'the element could not be read again';

/** A fresh reading needs a second witness: events of the application, or another change that agrees. */
export function corroborated(
  reading: string,
  events: readonly DesktopEvent[],
  retrySafe: boolean,
  agreeing?: ObservedChange,
): Judgement {
  if (events.length > 0) return confirmed([reading, ...eventEvidence(events)], retrySafe);
  return agreeing === undefined
    ? unverified([reading, 'no event of the application can be attributed to the act'], retrySafe)
    : confirmed([reading, describeChange(agreeing.change)], retrySafe);
}

/** Events of the target, only of these kinds if any are given. */
export function eventsOfTarget(
  { events, targetKey }: Pick<Observation, 'events' | 'targetKey'>,
  kinds?: ReadonlySet<string>,
): DesktopEvent[] {
  return events.filter(({ kind, node }) => (kinds?.has(kind) ?? true) && handleKey(node) === targetKey);
}

const KINDS_SHOWN = 4;

/** The kinds of `events` as one line, or none. */
export function eventEvidence(events: readonly DesktopEvent[]): string[] {
  const kinds = [...new Set(events.map(({ kind, detail }) => (detail === '' ? kind : `${kind} ${detail}`)))];
  if (kinds.length === 0) return [];
  const more = kinds.length > KINDS_SHOWN ? `, and ${kinds.length - KINDS_SHOWN} more kinds` : '';
  return [`application events: ${kinds.slice(0, KINDS_SHOWN).join(', ')}${more}`];
}

export function describeWindow({ change, isStarted = false, window }: WindowChange): string {
  if (change.kind === 'changed') return describeChange(change);
  const what = change.kind === 'window_closed' ? 'window closed' : 'window opened';
  const whose = isStarted ? ` of ${window.appName}, which the application started` : '';
  return `${what}: ${JSON.stringify(change.name ?? '')}${whose}`;
}

export function describeChange(change: Change): string {
  const what = `${change.role ?? 'element'}${change.name === undefined ? '' : ` ${JSON.stringify(change.name)}`}`;
  if (change.kind === 'changed') return `${what} changed from ${change.before} to ${change.after}`;
  return `${what} ${change.kind}`;
}

export function quote(text: string): string {
  return JSON.stringify(clip(text, 80));
}

/** Keys of the elements whose text must not appear in a receipt. */
export interface HiddenTexts {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
  /** Whether the target of the act is among them. */
  readonly isTarget: boolean;
}

const QUOTED = /"(?:[^"\\]|\\.)+"/gs;

/** The verdict without the texts of hidden elements, in changes and evidence. */
export function hideTexts<
  V extends { readonly judgement: Judgement; readonly changes: readonly ObservedChange[] },
>(verdict: V, hidden: HiddenTexts): V {
  if (hidden.before.size === 0 && hidden.after.size === 0) return verdict;
  let evidence = verdict.judgement.evidence;
  if (hidden.isTarget) evidence = evidence.map(coverQuoted);
  const changes = verdict.changes.map((observed) => {
    const change = covered(observed, hidden);
    for (const side of ['before', 'after', 'name'] as const) {
      const [from, to] = [observed.change[side], change[side]];
      if (from === undefined || to === undefined || from === to) continue;
      evidence = evidence.map((line) => line.replaceAll(from, () => to));
    }
    return { ...observed, change };
  });
  return { ...verdict, judgement: { ...verdict.judgement, evidence }, changes };
}

function covered({ change, key, lineage }: ObservedChange, hidden: HiddenTexts): Change {
  const isInside = (keys: ReadonlySet<string>): boolean => lineage.some((above) => keys.has(above));
  const cover = (text: string | undefined, keys: ReadonlySet<string>): string | undefined => {
    const hides = isInside(keys) || keys.has(key);
    return hides && text !== undefined ? coverQuoted(text) : text;
  };
  const { before, after, name } = change;
  const isNameHidden = isInside(hidden.before) || isInside(hidden.after);
  return {
    ...change,
    ...(name === undefined ? {} : { name: isNameHidden ? WITHHELD : name }),
    ...(before === undefined ? {} : { before: cover(before, hidden.before) }),
    ...(after === undefined ? {} : { after: cover(after, hidden.after) }),
  };
}

function coverQuoted(text: string): string {
  return text.replaceAll(QUOTED, JSON.stringify(WITHHELD));
}
