import type { State } from '../../model/tree/state.ts';
import type { DesktopEvent } from '../../ports/desktop.ts';
import { saysOpenness } from '../tree/element-states.ts';
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
import { tellingOf, wentThereAndBack, witnesses } from './judge-click.ts';
import type { ObservedChange } from './window-diff.ts';

const STATE_EVENTS = new Set(['state-changed']);
const FOCUS_EVENTS = new Set(['focus-changed']);
const ON: readonly State[] = ['checked', 'indeterminate', 'pressed'];

/** The effect of a toggle: what was on must be off, or the other way round. */
export function judgeToggle(seen: Observation): Judgement {
  if (!seen.after) return unverified([UNREADABLE], false);
  const [was, is] = [seen.before, seen.after].map(
    (node) => ON.filter((state) => node.states.includes(state)).join(' ') || 'not checked',
  );
  if (was === is) {
    if (wentThereAndBack(seen)) return unverified(['it went in and came out again'], false);
    // What is only slow would be toggled back.
    return noOp([`a fresh read still shows it ${is}`], false);
  }
  return secondedHere(seen, `fresh read: ${is} (was ${was})`, saidByTarget(seen), false);
}

/** The effect of expanding or collapsing: its state, or where it has none, what came up below it. */
export function judgeOpenness(seen: Observation, wanted: 'expanded' | 'collapsed'): Judgement {
  if (!seen.after) return unverified([UNREADABLE], false);
  const { states } = seen.after;
  if (states.includes(wanted)) return secondedHere(seen, `fresh read: ${wanted}`, saidByTarget(seen), true);
  if (saysOpenness(seen.before) || saysOpenness(seen.after)) {
    const is = saysOpenness(seen.after) ? 'the opposite' : 'neither expanded nor collapsed';
    // What opened and closed again would do so once more.
    const said = saidByTarget(seen).filter(({ detail }) => detail.startsWith('expanded='));
    const evidence = [...eventEvidence(said), `a fresh read shows it ${is}, not ${wanted}`];
    return noOp(evidence, said.length === 0);
  }
  const below = belowTarget(seen);
  const appeared = below.find(({ change }) => change.kind === 'appeared');
  if (appeared) return confirmed([describeChange(appeared.change), ...eventEvidence(tellingOf(seen))], false);
  const [window] = seen.windowChanges;
  if (window?.change.kind === 'window_opened')
    return confirmed([describeWindow(window), ...eventEvidence(tellingOf(seen))], false);
  const went = below.find(({ change }) => change.kind === 'disappeared');
  if (went) return noOp([`it closed instead: ${describeChange(went.change)}`], false);
  return unverified(
    [
      'it does not say whether it is expanded, and nothing came up below it',
      ...eventEvidence(tellingOf(seen)),
    ],
    false,
  );
}

/** The effect of giving the focus. */
export function judgeFocus(seen: Observation): Judgement {
  if (!seen.after) return unverified([UNREADABLE], true);
  if (!seen.after.states.includes('focused')) {
    const evidence = 'a fresh read shows it without the focus; its window may have to be active';
    return noOp([evidence], true);
  }
  return secondedHere(seen, 'fresh read: focused', eventsOfTarget(seen, FOCUS_EVENTS), true);
}

/** What the element said itself, or something in it that came or went with the act. */
function secondedHere(
  seen: Observation,
  reading: string,
  said: Observation['events'],
  retrySafe: boolean,
): Judgement {
  const other = belowTarget(seen).find(
    ({ key, change }) => key !== seen.targetKey && change.kind !== 'changed',
  );
  return seconded(reading, said, retrySafe, other);
}

function saidByTarget(seen: Observation): DesktopEvent[] {
  return eventsOfTarget(seen, STATE_EVENTS);
}

function belowTarget(seen: Observation): ObservedChange[] {
  return witnesses(seen).filter(({ lineage }) => lineage.includes(seen.targetKey));
}
