import { handleKey, type NodeHandle, type TreeNode } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { DesktopEvent } from '../../ports/desktop/events.ts';
import { heldValue } from '../tree/element-value.ts';
import { isSheetCell } from '../tree/sheet-cell.ts';
import { optionsIn, plain, rivalsOf } from '../tree/option-search.ts';
import {
  confirmed,
  describeChange,
  eventEvidence,
  noOp,
  partial,
  quote,
  corroborated,
  UNREADABLE,
  unverified,
} from '../evidence/evidence.ts';
import type { Judgement, Observation } from '../evidence/evidence.ts';
import { judgeClick, OUT_OF_VIEW, wentOutOfView } from './judge-click.ts';
import { judgeByEffects } from './judge-effects.ts';
import { judgeCellCursor } from './judge-state.ts';
import { judgeOpened } from './judge-opened.ts';
import { besideInRow, isSelectedBy, selectedAround } from './selected-nearby.ts';
import { significantEvents, witnesses } from '../evidence/witnesses.ts';
import type { Reading } from '../evidence/window-diff.ts';

/** An option that was found, with its container. */
export interface Choice {
  /** The element that is acted on and checked afterwards. */
  readonly ref: string;
  readonly refersTo: 'option' | 'cell of the option' | 'combobox';
  readonly option: NodeHandle;
  readonly container: NodeHandle;
  readonly label: string;
  /** It is in the list of a combo box that was open when it was found; choosing an option closes it, also the selected one. */
  readonly isListOpen: boolean;
  /** Keeps what is selected besides. */
  readonly adds: boolean;
  /** No other option was selected when it was found. */
  readonly isAlone: boolean;
  /** No other option has this label, so the label alone identifies the chosen one. */
  readonly isUnique: boolean;
  /** Labels that several options have, of the options that were read. */
  readonly shared?: ReadonlySet<string> | undefined;
}

const VALUE_EVENTS = new Set(['selection-changed', 'name-changed', 'value-changed', 'text-changed']);

/** The effect of choosing an option: confirmed if a fresh read shows it chosen and the option or its container sent an event. */
export function judgeChoice(seen: Observation, choice: Choice): Judgement {
  if (!seen.after)
    return (
      judgeRemade(seen, choice) ??
      enteredElsewhere(seen, choice) ??
      judgeOpened(seen, choice) ??
      // What made it anew was an answer to the act, which a second one may undo.
      unverified([UNREADABLE], false)
    );
  return choice.refersTo === 'combobox'
    ? judgeCombobox(seen, seen.after, choice)
    : judgeOption(seen, seen.after, choice);
}

/** Choosing a tab may lay the tabs out anew, in other rows: the one with its name is selected then, and its page appeared. */
function judgeRemade(seen: Observation, choice: Choice): Judgement | undefined {
  const { trees, before } = seen;
  if (trees === undefined || choice.refersTo !== 'option' || choice.label === '') return undefined;
  const alike = ({ root }: Reading): TreeNode[] =>
    nodesOf(root).filter(({ role, name }) => role === before.role && plain(name) === choice.label);
  const [was, is] = [alike(trees.before), alike(trees.after)];
  const isNow = is.length === 1 && is[0]?.states.includes('selected') === true;
  if (!isNow || was.length !== 1 || was[0]?.states.includes('selected') !== false) return undefined;
  const reading = `fresh read: a new ${before.role} ${quote(choice.label)} in its place is selected`;
  const answer = judgeByEffects(seen);
  return answer === undefined
    ? unverified([reading], true)
    : { ...answer, evidence: [reading, ...answer.evidence], retrySafe: true };
}

type Node = NonNullable<Observation['after']>;

function judgeOption(seen: Observation, after: Node, choice: Choice): Judgement {
  const name = quote(choice.label);
  const wrong = wrongRivals(seen, choice);
  if (isSheetCell(after)) {
    const judged = judgeCellCursor(seen, after);
    const isThere = wrong !== undefined && judged.effect !== 'no_op';
    return isThere ? partial([...judged.evidence.slice(0, 1), wrong], true) : judged;
  }
  if (after.states.includes('selected') && wrong !== undefined)
    return partial([`fresh read: ${name} is selected`, wrong], true);
  if (after.states.includes('selected')) {
    const reading = `fresh read: ${name} is selected`;
    const events = [...choiceEvents(seen, choice), ...closingEvents(seen, choice)];
    const isNew = events.length === 0 && !seen.before.states.includes('selected');
    return isNew ? judgeByPicture(seen, reading) : corroborated(reading, events, true);
  }
  // Combo boxes report the chosen option, the options themselves rarely do; some toolkits select only the cells of a row.
  const other = witnesses(seen).find(
    ({ change, key, node, lineage }) =>
      (key === handleKey(choice.container) && plain(node.value ?? '') === choice.label) ||
      ((key === seen.targetKey || lineage.includes(seen.targetKey)) && isSelectedBy(change)),
  );
  if (other) return corroborated(describeChange(other.change), choiceEvents(seen, choice), true);
  const beside = besideInRow(seen, after, choice);
  if (beside !== undefined) {
    const reading = `fresh read: its row is selected: ${describeChange(beside.change)}`;
    return confirmed([reading, ...eventEvidence(significantEvents(seen))], true);
  }
  const around = selectedAround(seen);
  if (around !== undefined)
    return judgeByAnswer(seen, `fresh read: what it is in is selected: ${describeChange(around.change)}`);
  // Qt tabs never report that they are selected.
  if (after.role === 'tab' && !after.states.includes('selectable')) return judgeClick(seen);
  const entered = enteredElsewhere(seen, choice);
  if (entered !== undefined) return entered;
  const judged = notChosen(seen, choice, `a fresh read shows ${name} not selected`);
  // A list that closed may have taken the option; choosing it again would be to do so twice.
  return judged.effect === 'no_op' && wentOutOfView(seen)
    ? unverified([...judged.evidence, OUT_OF_VIEW], false)
    : judged;
}

/** Lists such as those of emojis select nothing: they close, and what was chosen is in a field then. */
function enteredElsewhere(seen: Observation, { container, label }: Choice): Judgement | undefined {
  const isGone = seen.changes.some(
    ({ change, key }) => key === seen.targetKey && change.kind === 'disappeared',
  );
  if (label === '' || !(isGone || wentOutOfView(seen))) return undefined;
  const field = witnesses(seen).find(
    ({ change, key, node, lineage }) =>
      FIELDS.has(node.role) &&
      !lineage.includes(handleKey(container)) &&
      change.kind === 'changed' &&
      wasPutIn(label, { before: valueIn(seen.trees?.before, key), after: node.value }),
  );
  return (
    field && {
      ...confirmed([describeChange(field.change), ...eventEvidence(significantEvents(seen))], false),
      reliesOn: field,
    }
  );
}

const FIELDS = roleSet('combobox', 'searchbox', 'textbox');

/**
 * Whether a text is the one before, or a part of it, with this label put in: as a whole, at its beginning or end, or in between. Other texts may
 * merely contain it, as most contain the name of an option such as "a".
 */
function wasPutIn(
  label: string,
  { before = '', after = '' }: Partial<Record<'before' | 'after', string>>,
): boolean {
  const [was, is] = [plain(before), plain(after)];
  if (was === is) return false;
  for (let at = is.indexOf(label); at !== -1; at = is.indexOf(label, at + 1)) {
    // Lists put what stands between their entries beside what is chosen.
    const head = is.slice(0, at).replace(/[\s,;]+$/, '');
    const tail = is.slice(at + label.length).replace(/^[\s,;]+/, '');
    if (was.startsWith(head) && was.endsWith(tail) && head.length + tail.length <= was.length) return true;
  }
  return false;
}

/** Side bars go where a place is, and may select another row for it, or none. */
function answeredElsewhere(seen: Observation, reading: string): Judgement | undefined {
  const answer = seen.outcome.accepted === undefined ? judgeByEffects(seen) : undefined;
  return answer?.effect === 'confirmed'
    ? { ...unverified([reading, ...answer.evidence], false), sawNothing: true }
    : undefined;
}

/**
 * Nothing reported the choice. What the application shows for it, such as a text in its status bar, is the second witness then; it may come some
 * time later.
 */
function judgeByAnswer(seen: Observation, reading: string): Judgement {
  const answer = judgeByEffects(seen);
  return answer === undefined
    ? { ...corroborated(reading, [], true), sawNothing: true }
    : { ...answer, evidence: [reading, ...answer.evidence], retrySafe: true };
}

/** The same, where also the picture of the option itself may tell: nothing else shows which layer of a drawing is current. */
function judgeByPicture(seen: Observation, reading: string): Judgement {
  const judged = judgeByAnswer(seen, reading);
  // As for a click: what the application says that it did not do, and what may be of a window that came, nothing drawn proves.
  const isDoubtful = seen.outcome.accepted === false || seen.hasUnrelated === true;
  const isDrawn = judged.effect === 'unverified' && seen.before.bounds !== undefined && !isDoubtful;
  return isDrawn ? { ...judged, mayBePictured: true, isReadItself: true } : judged;
}

function judgeCombobox(seen: Observation, after: Node, choice: Choice): Judgement {
  const was = heldValue(seen.before) ?? valueIn(seen.trees?.before, seen.targetKey);
  const is = heldValue(after) ?? valueIn(seen.trees?.after, seen.targetKey);
  // An option in a submenu is not the box's own: it reports the one that the submenu hangs on, but is named by what was chosen.
  const isNamedAnew = plain(after.name) === choice.label && plain(seen.before.name) !== choice.label;
  if (is === undefined || (is === was && isNamedAnew)) return judgeByLabel(seen, choice);
  if (plain(is) === choice.label) {
    const reading = `fresh read: ${quote(is)}`;
    const events = [...choiceEvents(seen, choice), ...closingEvents(seen, choice)];
    if (choice.isUnique) return corroborated(reading, events, true);
    return unverified([reading, 'other options have the same label'], true);
  }
  if (is === was) return notChosen(seen, choice, `a fresh read still shows ${quote(is)}`);
  return partial([`a fresh read shows ${quote(is)} instead of ${quote(choice.label)}`], true);
}

/** What a fresh reading shows of the other options, if it is not as it should be. */
function wrongRivals({ trees }: Observation, choice: Choice): string | undefined {
  if (trees === undefined) return undefined;
  const [was, is] = [trees.before, trees.after].map((reading) => selectedRivals(reading, choice));
  if (is !== undefined && !choice.adds)
    return is.size === 0 ? undefined : `still selected besides: ${listed([...is.values()])}`;
  if (was === undefined || is === undefined) return undefined;
  const lost = [...was].filter(([key]) => !is.has(key)).map(([, label]) => label);
  return lost.length === 0 ? undefined : `no longer selected: ${listed(lost)}; it takes one option at a time`;
}

function listed(labels: readonly string[]): string {
  return labels.slice(0, 3).map(quote).join(', ');
}

/** The other options of its container that are selected, by key; none if the option is not on screen. */
function selectedRivals(reading: Reading, choice: Choice): ReadonlyMap<string, string> | undefined {
  const container = nodesOf(reading.root).find(
    ({ handle }) => handleKey(handle) === handleKey(choice.container),
  );
  const all = container === undefined ? [] : optionsIn(container);
  const own = all.find(({ node }) => handleKey(node.handle) === handleKey(choice.option));
  if (own === undefined) return undefined;
  return new Map(
    rivalsOf(own, all)
      .filter(({ node }) => node.states.includes('selected'))
      .map(({ node, label }) => [handleKey(node.handle), label]),
  );
}

/** GTK 4 shows what is chosen in a label inside the drop-down, and combo boxes of Qt without a label are named by it. */
function judgeByLabel(seen: Observation, choice: Choice): Judgement {
  const names = new Map(
    nodesOf(seen.trees?.before.root).map(({ handle, name }) => [handleKey(handle), plain(name)]),
  );
  // The label may have the name of the option, and the option itself is shown when the list opens.
  const shown = witnesses(seen).find(
    ({ change, key, node, lineage }) =>
      (key === seen.targetKey || lineage.includes(seen.targetKey)) &&
      change.kind === 'changed' &&
      plain(node.name) === choice.label &&
      (names.get(key) !== choice.label || isSelectedBy(change)),
  );
  if (shown === undefined || !choice.isUnique)
    return unverified(['the combo box does not report which option is chosen'], true);
  return confirmed([describeChange(shown.change), ...eventEvidence(significantEvents(seen))], true);
}

/** Combo boxes used as menus act on the choice and revert: once events reported a choice, repeating it is not safe. */
function notChosen(seen: Observation, choice: Choice, reading: string): Judgement {
  const opened = judgeOpened(seen, choice);
  if (opened !== undefined) return { ...opened, evidence: [reading, ...opened.evidence] };
  const events = choiceEvents(seen, choice);
  const elsewhere = significantEvents(seen).filter(
    ({ kind, detail }) => kind === 'state-changed' && detail === 'selected=1',
  );
  // Something was chosen: in Qt, perhaps only a cell of the row that another one spans.
  if (events.length === 0 && elsewhere.length > 0)
    return unverified([...eventEvidence(elsewhere), reading], true);
  return answeredElsewhere(seen, reading) ?? noOp([...eventEvidence(events), reading], events.length === 0);
}

/** Some combo boxes report their value only in the window's tree. */
function valueIn(reading: Reading | undefined, key: string): string | undefined {
  return reading && nodesOf(reading.root).find(({ handle }) => handleKey(handle) === key)?.value;
}

function nodesOf(node: TreeNode | undefined): TreeNode[] {
  return node === undefined ? [] : [node, ...node.children.flatMap(nodesOf)];
}

/** Choosing the option that is selected already changes nothing but the list, which closes. */
function closingEvents(seen: Observation, { isListOpen, option, refersTo }: Choice): DesktopEvent[] {
  const closed = refersTo === 'combobox' ? seen.targetKey : undefined;
  const isGone = seen.changes.some(
    ({ change, key }) => key === handleKey(option) && change.kind === 'disappeared',
  );
  if (!isListOpen || !(isGone || (refersTo !== 'combobox' && wentOutOfView(seen)))) return [];
  return significantEvents(seen).filter(
    ({ kind, detail, node }) =>
      kind === 'state-changed' &&
      (detail === 'showing=0' || (detail === 'expanded=0' && handleKey(node) === closed)),
  );
}

/** Events that the option or its container sends when the choice changes. */
function choiceEvents(seen: Observation, choice: Choice): DesktopEvent[] {
  const concerned = new Set([seen.targetKey, handleKey(choice.option), handleKey(choice.container)]);
  return significantEvents(seen).filter(
    ({ kind, detail, node }) =>
      concerned.has(handleKey(node)) &&
      (VALUE_EVENTS.has(kind) || (kind === 'state-changed' && detail === 'selected=1')),
  );
}
