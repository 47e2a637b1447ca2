import type { Change, Effect } from '../../model/effects/effect.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import { handleKey } from '../../model/tree/node.ts';
import type { ActOutcome, DesktopEvent, NodeDetails } from '../../ports/desktop.ts';
import type { ObservedChange, Reading, WindowChange } from './window-diff.ts';

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
  /** Windows of this application that opened or closed. */
  readonly windowChanges: readonly WindowChange[];
  readonly targetKey: string;
  /** The window before and after, where both were read. */
  readonly trees?: { readonly before: Reading; readonly after: Reading } | undefined;
}

export interface Judgement {
  readonly effect: Effect;
  readonly evidence: readonly string[];
  readonly retrySafe: boolean;
  /** The one change that supports the judgement. */
  readonly reliesOn?: ObservedChange;
}

export function confirmed(evidence: readonly string[], retrySafe: boolean): Judgement {
  return { effect: 'confirmed', evidence, retrySafe };
}

export function unverified(evidence: readonly string[], retrySafe: boolean): Judgement {
  return { effect: 'unverified', evidence, retrySafe };
}

export function noOp(evidence: readonly string[], retrySafe: boolean): Judgement {
  return { effect: 'no_op', evidence, retrySafe };
}

export function partial(evidence: readonly string[], retrySafe: boolean): Judgement {
  return { effect: 'partial', evidence, retrySafe };
}

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
    ? unverified([reading, 'the application sent no event about it'], retrySafe)
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

export function describeWindow({ change }: WindowChange): string {
  const what = change.kind === 'window_closed' ? 'window closed' : 'window opened';
  return `${what}: ${JSON.stringify(change.name ?? '')}`;
}

export function describeChange(change: Change): string {
  const what = `${change.role ?? 'element'}${change.name === undefined ? '' : ` ${JSON.stringify(change.name)}`}`;
  if (change.kind === 'changed') return `${what} changed from ${change.before} to ${change.after}`;
  return `${what} ${change.kind}`;
}

export function quote(text: string): string {
  return JSON.stringify(clip(text, 80));
}
