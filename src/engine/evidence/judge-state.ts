import { handleKey } from '../../model/tree/node.ts';
import type { State } from '../../model/tree/state.ts';
import type { NodeDetails } from '../../ports/desktop.ts';
import { confirmed, describeChange, describeWindow, eventEvidence, unverified } from './evidence.ts';
import type { Judgement, Observation } from './evidence.ts';
import { tellingOf, wentThereAndBack, witnesses } from './judge-click.ts';
import type { ObservedChange } from './window-diff.ts';

const ON: readonly State[] = ['checked', 'indeterminate', 'pressed'];
const UNREADABLE = 'the element could not be read again';
const SILENT = 'the application did not say so itself';

/** The effect of a toggle: what was on must be off, or the other way round. */
export function judgeToggle(seen: Observation): Judgement {
  if (!seen.after) return unverified([UNREADABLE], false);
  const [was, is] = [seen.before, seen.after].map(
    (node) => ON.filter((state) => node.states.includes(state)).join(' ') || 'not checked',
  );
  if (was === is) {
    if (wentThereAndBack(seen)) return unverified(['it went in and came out again'], false);
    // What is only slow would be toggled back.
    return { effect: 'no_op', evidence: [`a fresh read still shows it ${is}`], retrySafe: false };
  }
  return seconded(seen, `fresh read: ${is} (was ${was})`, saidByTarget(seen), false);
}

/** The effect of expanding or collapsing: its state, or where it has none, what came up below it. */
export function judgeOpenness(seen: Observation, wanted: 'expanded' | 'collapsed'): Judgement {
  if (!seen.after) return unverified([UNREADABLE], false);
  const { states } = seen.after;
  if (states.includes(wanted)) return seconded(seen, `fresh read: ${wanted}`, saidByTarget(seen), true);
  if (saysOpenness(seen.before) || saysOpenness(seen.after)) {
    const is = saysOpenness(seen.after) ? 'the opposite' : 'neither expanded nor collapsed';
    // What opened and closed again would do so once more.
    const said = saidByTarget(seen).filter(({ detail }) => detail.startsWith('expanded='));
    const evidence = [...eventEvidence(said), `a fresh read shows it ${is}, not ${wanted}`];
    return { effect: 'no_op', evidence, retrySafe: said.length === 0 };
  }
  const below = belowTarget(seen);
  const appeared = below.find(({ change }) => change.kind === 'appeared');
  if (appeared) return confirmed([describeChange(appeared.change), ...eventEvidence(tellingOf(seen))], false);
  const [window] = seen.windowChanges;
  if (window?.change.kind === 'window_opened')
    return confirmed([describeWindow(window), ...eventEvidence(tellingOf(seen))], false);
  const went = below.find(({ change }) => change.kind === 'disappeared');
  if (went) {
    return {
      effect: 'no_op',
      evidence: [`it closed instead: ${describeChange(went.change)}`],
      retrySafe: false,
    };
  }
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
    return { effect: 'no_op', evidence: [evidence], retrySafe: true };
  }
  const said = seen.events.filter(
    (event) => event.kind === 'focus-changed' && handleKey(event.node) === seen.targetKey,
  );
  return seconded(seen, 'fresh read: focused', said, true);
}

/** A fresh read needs a second: what the element said itself, or something else that was told and seen to change with it. */
function seconded(
  seen: Observation,
  reading: string,
  said: Observation['events'],
  retrySafe: boolean,
): Judgement {
  if (said.length > 0) return confirmed([reading, ...eventEvidence(said)], retrySafe);
  const other = witnesses(seen).find(
    ({ key, lineage, change }) =>
      key !== seen.targetKey && change.kind !== 'changed' && lineage.includes(seen.targetKey),
  );
  if (other) return confirmed([reading, describeChange(other.change)], retrySafe);
  return unverified([reading, SILENT], retrySafe);
}

function saidByTarget(seen: Observation): Observation['events'] {
  return tellingOf(seen).filter(
    (event) => event.kind === 'state-changed' && handleKey(event.node) === seen.targetKey,
  );
}

function belowTarget(seen: Observation): ObservedChange[] {
  return witnesses(seen).filter(({ lineage }) => lineage.includes(seen.targetKey));
}

function saysOpenness({ states }: NodeDetails): boolean {
  return states.includes('expanded') || states.includes('collapsed');
}
