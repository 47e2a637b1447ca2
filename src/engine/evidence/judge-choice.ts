import { handleKey } from '../../model/tree/node.ts';
import type { NodeHandle, TreeNode } from '../../model/tree/node.ts';
import type { DesktopEvent } from '../../ports/desktop.ts';
import { heldValue } from '../tree/element-value.ts';
import { plain } from '../tree/option-search.ts';
import {
  confirmed,
  describeChange,
  eventEvidence,
  noOp,
  partial,
  quote,
  seconded,
  UNREADABLE,
  unverified,
} from './evidence.ts';
import type { Judgement, Observation } from './evidence.ts';
import { judgeClick, tellingOf, witnesses } from './judge-click.ts';
import type { Reading } from './window-diff.ts';

/** An option that was found, and what it is chosen in. */
export interface Choice {
  /** What is acted on and looked at, and what that is. */
  readonly ref: string;
  readonly refersTo: 'option' | 'cell of the option' | 'combobox';
  readonly option: NodeHandle;
  readonly container: NodeHandle;
  readonly label: string;
  /** No other option there says the same, so that the label alone tells which one is chosen. */
  readonly isUnique: boolean;
}

const VALUE_EVENTS = new Set(['selection-changed', 'name-changed', 'value-changed', 'text-changed']);

/** The effect of choosing an option: a fresh read shows it chosen, and the option or what it is chosen in said so. */
export function judgeChoice(seen: Observation, choice: Choice): Judgement {
  if (!seen.after) return unverified([UNREADABLE], true);
  return choice.refersTo === 'combobox'
    ? judgeCombobox(seen, seen.after, choice)
    : judgeOption(seen, seen.after, choice);
}

type Node = NonNullable<Observation['after']>;

function judgeOption(seen: Observation, after: Node, choice: Choice): Judgement {
  const name = quote(choice.label);
  if (after.states.includes('selected'))
    return seconded(`fresh read: ${name} is selected`, saidOf(seen, choice), true);
  // Combo boxes say what is chosen, their options seldom; of a row some toolkits say it of the cells only.
  const other = witnesses(seen).find(
    ({ change, key, node, lineage }) =>
      (key === handleKey(choice.container) && plain(node.value ?? '') === choice.label) ||
      (lineage.includes(seen.targetKey) && (change.after?.split(' ').includes('selected') ?? false)),
  );
  if (other) return seconded(describeChange(other.change), saidOf(seen, choice), true);
  // Tabs of Qt never say that they are selected.
  if (after.role === 'tab' && !after.states.includes('selectable')) return judgeClick(seen);
  return notChosen(seen, choice, `a fresh read shows ${name} not selected`);
}

function judgeCombobox(seen: Observation, after: Node, choice: Choice): Judgement {
  const was = heldValue(seen.before) ?? shownIn(seen.trees?.before, seen.targetKey);
  const is = heldValue(after) ?? shownIn(seen.trees?.after, seen.targetKey);
  if (is === undefined) return judgeByLabel(seen, choice);
  if (plain(is) === choice.label) {
    const reading = `fresh read: ${quote(is)}`;
    if (choice.isUnique) return seconded(reading, saidOf(seen, choice), true);
    return unverified([reading, 'other options say the same'], true);
  }
  if (is === was) return notChosen(seen, choice, `a fresh read still shows ${quote(is)}`);
  return partial([`a fresh read shows ${quote(is)} instead of ${quote(choice.label)}`], true);
}

/** GTK 4 shows what is chosen in a label inside the drop-down. */
function judgeByLabel(seen: Observation, choice: Choice): Judgement {
  const shown = witnesses(seen).find(
    ({ change, node, lineage }) =>
      lineage.includes(seen.targetKey) && change.kind === 'changed' && plain(node.name) === choice.label,
  );
  if (shown === undefined || !choice.isUnique) return unverified(['it does not say what is chosen'], true);
  return confirmed([describeChange(shown.change), ...eventEvidence(tellingOf(seen))], true);
}

/** Menus in disguise do what was chosen and go back: what told of a choice must not be asked again. */
function notChosen(seen: Observation, choice: Choice, reading: string): Judgement {
  const said = saidOf(seen, choice);
  return noOp([...eventEvidence(said), reading], said.length === 0);
}

/** Some combo boxes say only in the window's tree, by what is chosen in them, what they hold. */
function shownIn(reading: Reading | undefined, key: string): string | undefined {
  return reading && nodesOf(reading.root).find(({ handle }) => handleKey(handle) === key)?.value;
}

function nodesOf(node: TreeNode): TreeNode[] {
  return [node, ...node.children.flatMap(nodesOf)];
}

/** Events that the option, or what it is chosen in, sends when the choice changes. */
function saidOf(seen: Observation, choice: Choice): DesktopEvent[] {
  const concerned = new Set([seen.targetKey, handleKey(choice.option), handleKey(choice.container)]);
  return tellingOf(seen).filter(
    ({ kind, detail, node }) =>
      concerned.has(handleKey(node)) &&
      (VALUE_EVENTS.has(kind) || (kind === 'state-changed' && detail === 'selected=1')),
  );
}
