import type { State } from '../../model/tree/state.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import { isInView, reportsExpansion, ROWS } from '../tree/element-states.ts';
import { isSheetCell } from '../tree/sheet-cell.ts';
import {
  confirmed,
  describeChange,
  describeWindow,
  eventEvidence,
  eventsOfTarget,
  noOp,
  corroborated,
  partial,
  quote,
  UNREADABLE,
  unverified,
} from '../evidence/evidence.ts';
import type { Judgement, Observation } from '../evidence/evidence.ts';
import {
  answeredOtherwise,
  isCheckItem,
  judgeSilent,
  judgeUsed,
  mayBeSilent,
  OUT_OF_VIEW,
  RELEASED,
  secondedByAnswer,
  sawNothing,
  wasMomentary,
  wentOutOfView,
} from './judge-click.ts';
import { judgeByEffects } from './judge-effects.ts';
import { rowsBelow } from './rows-below.ts';
import { isStillOpen, listOutside } from '../evidence/list-outside.ts';
import { significantEvents, witnesses } from '../evidence/witnesses.ts';
import type { ObservedChange } from '../evidence/window-diff.ts';

const STATE_EVENTS = new Set(['state-changed']);
const FOCUS_EVENTS = new Set(['focus-changed']);
/** States of what is switched on. */
export const ON: readonly State[] = ['checked', 'indeterminate', 'pressed'];

/** The effect of a toggle: what was on must be off, or the other way round. */
export function judgeToggle(seen: Observation): Judgement {
  // The state of an item in a closed menu may have been out of date before.
  const wasShown = isCheckItem(seen.before) && isInView(seen.before);
  if (!seen.after) return wasShown ? judgeUsed(seen) : judgeGone(seen);
  const [was, is] = [seen.before, seen.after].map(
    (node) => ON.filter((state) => node.states.includes(state)).join(' ') || 'not checked',
  );
  if (was === is) {
    if (wasMomentary(seen)) return judgeMomentary(seen);
    if (mayBeSilent(seen)) return judgeSilent(seen);
    if (wentOutOfView(seen))
      return wasShown ? judgeUsed(seen, OUT_OF_VIEW) : unverified([OUT_OF_VIEW], false);
    // Repeating a toggle that is merely slow would undo it.
    const still = `a fresh read still shows it ${is}`;
    // What changed elsewhere does not switch it.
    return answeredOtherwise({ ...seen, changes: [] }, still) ?? noOp([still], false);
  }
  const reading = `fresh read: ${is} (was ${was})`;
  const judged = corroboratedInside(seen, reading, stateEventsOf(seen), false);
  return judged.effect === 'confirmed' ? judged : secondedByAnswer(seen, reading);
}

/** A button that switches to another view may go away with the bar that it is in: what appeared instead proves that it was used. */
function judgeGone(seen: Observation): Judgement {
  const isButton = seen.outcome.accepted === true && !isCheckItem(seen.before);
  const changes = seen.changes.filter(({ change }) => change.kind !== 'disappeared');
  const effect = isButton ? judgeByEffects({ ...seen, changes }) : undefined;
  return effect ?? unverified([UNREADABLE], false);
}

/**
 * A toggle button that acts as a push button did what a press of it does, and is not switched. Java tells by events of the same name that the
 * button is held down, which is no switching.
 */
function judgeMomentary(seen: Observation): Judgement {
  const own = seen.ownStates ?? stateEventsOf(seen);
  if (own.some(({ detail }) => detail.startsWith('armed='))) return unverified([RELEASED], false);
  const effect = judgeByEffects(seen)?.evidence ?? eventEvidence(stateEventsOf(seen));
  return partial(
    [...effect, `${RELEASED}, so it is as before: it works as a push button, which click presses`],
    false,
  );
}

/** The effect of expanding or collapsing, judged by the state or, without one, by what appeared below the element. */
export function judgeOpenness(seen: Observation, wanted: 'expanded' | 'collapsed'): Judgement {
  if (!seen.after) return unverified([UNREADABLE], false);
  const { states } = seen.after;
  const wasOutside = wanted === 'collapsed' ? listOutside(seen.before, seen.trees?.before) : undefined;
  if (wasOutside !== undefined && seen.trees !== undefined) {
    if (isStillOpen(wasOutside, seen.trees.after)) return noOp(['its list is still open'], false);
    return confirmed(['its list disappeared', ...eventEvidence(significantEvents(seen))], true);
  }
  if (states.includes(wanted)) {
    const reading = `fresh read: ${wanted}`;
    const rows = seen.before.states.includes(wanted)
      ? undefined
      : (rowsBelow(seen, wanted) ?? ownWord(seen, wanted));
    if (rows !== undefined) return confirmed([reading, rows, ...eventEvidence(stateEventsOf(seen))], true);
    const judged = corroboratedInside(seen, reading, stateEventsOf(seen), true);
    // GTK 3 makes the rows some time after the row was opened.
    return judged.effect === 'unverified' && ROWS.has(seen.before.role)
      ? { ...judged, sawNothing: true }
      : judged;
  }
  const list = wanted === 'expanded' ? listOpenedOutside(seen) : undefined;
  if (list !== undefined)
    return confirmed([describeChange(list.change), ...eventEvidence(significantEvents(seen))], false);
  if (reportsExpansion(seen.before) || reportsExpansion(seen.after)) {
    const opposite = wanted === 'expanded' ? 'collapsed' : 'expanded';
    const is = reportsExpansion(seen.after) ? opposite : 'neither expanded nor collapsed';
    // If it opened and closed again, repeating would do the same.
    const events = stateEventsOf(seen).filter(({ detail }) => detail.startsWith('expanded='));
    const evidence = [...eventEvidence(events), `a fresh read shows it ${is}, not ${wanted}`];
    return noOp(evidence, events.length === 0);
  }
  const below = belowTarget(seen);
  const appeared = below.find(({ change }) => change.kind === 'appeared');
  if (appeared)
    return confirmed([describeChange(appeared.change), ...eventEvidence(significantEvents(seen))], false);
  const [window] = seen.windowChanges;
  if (window?.change.kind === 'window_opened')
    return confirmed([describeWindow(window), ...eventEvidence(significantEvents(seen))], false);
  const disappeared = below.find(({ change }) => change.kind === 'disappeared');
  if (disappeared) return noOp([`it closed instead: ${describeChange(disappeared.change)}`], false);
  const evidence = [
    'it does not report whether it is expanded, and nothing appeared below it',
    ...eventEvidence(significantEvents(seen)),
  ];
  return { ...unverified(evidence, false), sawNothing: sawNothing(seen) };
}

/**
 * A row that input opened or closed, and no accessibility action, which may set the state alone: Qt sends no event about it, and no row appears below
 * an empty folder, one that loads its contents later, or the last row in view.
 */
function ownWord({ before, outcome }: Observation, wanted: 'expanded' | 'collapsed'): string | undefined {
  if (outcome.accepted !== undefined || !ROWS.has(before.role)) return undefined;
  return `it was ${wanted === 'expanded' ? 'collapsed' : 'expanded'} before the click`;
}

/** Firefox opens the list of a combo box outside its page, as one of its own, and the combo box itself stays collapsed. */
function listOpenedOutside(seen: Observation): ObservedChange | undefined {
  if (seen.before.role !== 'combobox') return undefined;
  return witnesses(seen).find(
    ({ change, node, lineage }) =>
      change.kind === 'appeared' &&
      node.role === 'combobox' &&
      node.states.includes('expanded') &&
      !lineage.includes(seen.targetKey),
  );
}

/** The effect of focusing. */
export function judgeFocus(seen: Observation): Judgement {
  if (!seen.after) return unverified([UNREADABLE], true);
  if (!seen.after.states.includes('focused')) {
    const evidence = 'a fresh read shows it not focused; its window may need to be active';
    return noOp([evidence], true);
  }
  if (isSheetCell(seen.after)) return judgeCellCursor(seen, seen.after);
  return corroboratedInside(seen, 'fresh read: focused', eventsOfTarget(seen, FOCUS_EVENTS), true);
}

/** The effect of going to a cell of a sheet, which reports no event of its own: the application shows elsewhere where its cursor is. */
export function judgeCellCursor(seen: Observation, after: NodeDetails): Judgement {
  const name = quote(after.name);
  if (!after.states.includes('focused'))
    return noOp([`a fresh read shows the cell cursor elsewhere than in ${name}`], true);
  return { ...secondedByAnswer(seen, `fresh read: the cell cursor is in ${name}`), retrySafe: true };
}

/** Corroborates a reading by events of the element, or by something that appeared or disappeared inside it. */
function corroboratedInside(
  seen: Observation,
  reading: string,
  events: Observation['events'],
  retrySafe: boolean,
): Judgement {
  const other = belowTarget(seen).find(
    ({ key, change }) => key !== seen.targetKey && change.kind !== 'changed',
  );
  return corroborated(reading, events, retrySafe, other);
}

function stateEventsOf(seen: Observation): DesktopEvent[] {
  return eventsOfTarget(seen, STATE_EVENTS);
}

function belowTarget(seen: Observation): ObservedChange[] {
  return witnesses(seen).filter(({ lineage }) => lineage.includes(seen.targetKey));
}
