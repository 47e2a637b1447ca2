import { roleSet } from '../../model/tree/role.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import { partial, unverified, type Judgement, type Observation } from '../evidence/evidence.ts';
import { SILENT, togglesOf } from '../judging/judge-click.ts';
import { judgeToggle, ON } from '../judging/judge-state.ts';
import type { Switched } from '../requests/acting.ts';

/** Roles that are on or off. */
const SWITCHES = roleSet('checkbox', 'switch', 'togglebutton', 'radio', 'menuitemcheckbox', 'menuitemradio');

/** Roles that cannot be switched off. */
const ONE_WAY = roleSet('radio', 'menuitemradio');

/** The words that name a state. */
const ON_WORDS = ['on', 'true', '1', 'checked'];
const OFF_WORDS = ['off', 'false', '0', 'unchecked'];
export const SWITCH_WORDS = [...ON_WORDS, ...OFF_WORDS];

/** The state that a value names, if it names one. */
export function switchedBy(value: string): Switched | undefined {
  const word = value.trim().toLowerCase();
  if (ON_WORDS.includes(word)) return 'on';
  return OFF_WORDS.includes(word) ? 'off' : undefined;
}

export function isSwitch({ role }: Pick<NodeDetails, 'role'>): boolean {
  return SWITCHES.has(role);
}

/** Evidence that the element is already in the requested state, so that it must not be toggled. */
export function alreadySwitched(node: NodeDetails, to: Switched | undefined): readonly string[] | undefined {
  const wanted = to ?? (ONE_WAY.has(node.role) ? 'on' : undefined);
  // What reports no state when it is off is off only if it is a switch at all, and one that reports.
  if (wanted === undefined || stateOf(node) !== wanted) return undefined;
  if (wanted === 'off' && !isSwitch(node)) return undefined;
  const reading = `fresh read: ${wanted === 'on' ? 'checked' : 'not checked'}`;
  return ['already', reading, ...(mayLookOff(node) ? [SILENT] : [])];
}

/** Whether it may be on though it reports no such state. */
function mayLookOff(node: NodeDetails): boolean {
  return node.mayBeSilent === true && stateOf(node) === 'off';
}

/** Why an element cannot be brought into a state, if it cannot. */
export function whyNotSwitched(node: NodeDetails, to: Switched | undefined): string | undefined {
  if (to === 'off' && ONE_WAY.has(node.role) && stateOf(node) === 'on')
    return 'it is switched off only by switching on another one of its group';
  return undefined;
}

/** The effect of toggling towards a state. */
export function judgeSwitched(seen: Observation, to: Switched | undefined): Judgement {
  const judgement = judgeToggle(seen);
  if (to === undefined || seen.after === undefined || judgement.effect === 'no_op') return judgement;
  const is = stateOf(seen.after);
  if (is !== to && seen.before.mayBeSilent === true) return judgeSilently(seen, to, judgement);
  if (is === to || (judgement.effect !== 'confirmed' && is === stateOf(seen.before))) return judgement;
  return partial([...judgement.evidence, `a fresh read shows it ${is}, not ${to}`], true);
}

/** Its picture shows that it was switched, and only its event tells whether on or off. */
function judgeSilently(seen: Observation, to: Switched, judgement: Judgement): Judgement {
  const event = togglesOf(seen).at(-1);
  if (event === undefined) return unverified([...judgement.evidence, UNKNOWN_STATE], false);
  const told: Switched = event.endsWith('=1') ? 'on' : 'off';
  if (told === to) return judgement;
  return partial([...judgement.evidence, `its event (${event}) says that it was switched ${told}`], true);
}

const UNKNOWN_STATE = 'whether it is on or off now is not known: it may have been on before';

/** `mixed`: as the check box of a group of which only some are checked. */
function stateOf({ states }: NodeDetails): Switched | 'mixed' {
  if (states.includes('indeterminate')) return 'mixed';
  return ON.some((state) => states.includes(state)) ? 'on' : 'off';
}
