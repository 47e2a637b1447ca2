import {
  LONGEST_KEPT_TEXT,
  SECRET,
  TOO_LONG,
  type Reversal,
  type Reversible,
  type WindowState,
} from '../../model/undo/reversal.ts';
import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { TextEditing } from '../../ports/desktop/acts.ts';
import type { DesktopWindow, WindowRequest } from '../../ports/desktop/windows.ts';
import type { Act, After, Before, Written } from './attempt.ts';
import { ON } from '../judging/judge-state.ts';
import { hidesSelection } from '../judging/judge-tab.ts';
import { wasInserted } from '../judging/judge-typed.ts';
import type { Session } from '../refs/session.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import { heldValue, isNumeric, valueEquality } from '../tree/element-value.ts';
import { isContainer, optionsIn, plain } from '../tree/option-search.ts';
import { pathTo } from '../tree/path-to.ts';
import { isSheetCell } from '../tree/sheet-cell.ts';
import { whyFormatIsLost } from '../undo/text-return.ts';
import { TreeIndex } from '../tree/tree-index.ts';
import { writtenForm } from '../tree/value-forms.ts';

/** An act on an element that has settled. */
export interface SettledAct {
  readonly act: Act;
  readonly target: ResolvedTarget;
  readonly before: Before;
  readonly after: After;
  /** Its text is withheld from answers. */
  readonly isWithheld: boolean;
  /** What its text was like before the act; absent for a plain field. */
  readonly editing?: TextEditing | undefined;
}

const NOT_READ = 'its element could not be read afterwards';
const NOT_WRITTEN =
  'its element holds something else than what was asked for, and that may be what somebody typed';
const MORE_EFFECTS = 'what it does depends on the application';

/** What is needed to undo an act, or why it cannot be undone. */
export async function reversalOf(session: Session, done: SettledAct): Promise<Reversible> {
  const { act, target, before, after, isWithheld } = done;
  if (target.ref === '' || target.ref.startsWith('@t')) return { irreversible: MORE_EFFECTS };
  const now = after.node;
  switch (act.kind) {
    case 'set-value':
    case 'type':
    case 'clear':
      if (isWithheld || [before.node, now].some((node) => node?.states.includes('protected') === true))
        return { irreversible: SECRET };
      if (now === undefined) return { irreversible: NOT_READ };
      return mayHaveDoneMore(act, now)
        ? { irreversible: 'Enter or Tab in it may have done more' }
        : textReversal(done, now);
    case 'toggle':
      return now === undefined ? { irreversible: NOT_READ } : switchReversal(session, done, now);
    case 'expand':
    case 'collapse':
      return now === undefined ? { irreversible: NOT_READ } : opennessReversal(target.ref, before.node, now);
    case 'select':
      return now === undefined ? { irreversible: NOT_READ } : choiceReversal(session, done, now);
    default:
      return { irreversible: MORE_EFFECTS };
  }
}

/** Line ends and tabs that are not in the text now were keys: Enter may have sent a form. In a sheet they complete the entry. */
function mayHaveDoneMore({ sent }: Act, now: NodeDetails): boolean {
  const text = sent !== undefined && 'text' in sent ? sent.text : '';
  if (!/[\n\r\t]/.test(text) || isSheetCell(now)) return false;
  return !withPlainLineEnds(entryOf(now) ?? '').includes(withPlainLineEnds(text));
}

/** What is entered to give an element the content that it has now; `undefined` if that cannot be read. */
export function entryOf(node: NodeDetails): string | undefined {
  const formula = isSheetCell(node) ? node.attributes['Formula'] : undefined;
  if (formula !== undefined && formula.startsWith('=')) return formula.endsWith('…') ? undefined : formula;
  return heldValue(node) ?? (isSheetCell(node) ? '' : undefined);
}

function valueReversal(
  { act, target: { ref }, before: { node: was } }: SettledAct,
  is: NodeDetails,
): Reversible {
  const [before, after] = [entryOf(was), entryOf(is)];
  if (before === undefined || after === undefined)
    return { irreversible: 'the element does not tell its content' };
  const wrote = act.wrote?.();
  if (before !== after && (wrote === undefined || !isWritten(wrote, was, is)))
    return { irreversible: NOT_WRITTEN };
  return kept({ kind: 'value', ref, before, after });
}

/** Whether an element holds what was written, if need be in the form in which it writes values. */
function isWritten({ text: given, isAdded = false }: Written, was: NodeDetails, is: NodeDetails): boolean {
  const inSheet = isSheetCell(is);
  // Enter and Tab complete the entry there.
  const text = withPlainLineEnds(inSheet ? given.replace(/(?:\r\n|[\n\r\t])$/, '') : given);
  const [before, after] = [was, is].map((node) => withPlainLineEnds(entryOf(node) ?? ''));
  if (before === undefined || after === undefined) return false;
  if (isAdded && wasInserted({ before, after, typed: text })) return true;
  if (isAdded && !inSheet) return false;
  const held = heldValue(is) ?? '';
  return (
    after === text ||
    valueEquality(is)(held, text) ||
    writtenForm(held, text, { role: is.role, was: heldValue(was) ?? '', isNumber: isNumeric(is) }) === 'known'
  );
}

function withPlainLineEnds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

function textReversal(done: SettledAct, now: NodeDetails): Reversible {
  const found = valueReversal(done, now);
  if (!('reversal' in found) || found.reversal.kind !== 'value') return found;
  const { act, editing } = done;
  const { before: was, after: is } = found.reversal;
  const typed = act.kind === 'type' && act.sent !== undefined && 'text' in act.sent ? act.sent.text : is;
  const lost = whyFormatIsLost({ editing, before: was, after: is, isWhole: typed === is });
  return lost === undefined ? found : { irreversible: lost };
}

function kept(reversal: Extract<Reversal, { readonly kind: 'value' | 'choice' }>): Reversible {
  const isTooLong = [reversal.before, reversal.after].some((text) => text.length > LONGEST_KEPT_TEXT);
  return isTooLong ? { irreversible: TOO_LONG } : { reversal };
}

/** `undefined` for a check box that is neither on nor off. */
export function switchedOf({ states }: Pick<NodeDetails, 'states'>): 'on' | 'off' | undefined {
  if (states.includes('indeterminate')) return undefined;
  return ON.some((state) => states.includes(state)) ? 'on' : 'off';
}

async function switchReversal(
  session: Session,
  { target, before, after }: SettledAct,
  now: NodeDetails,
): Promise<Reversible> {
  const was = switchedOf(before.node);
  if (was === undefined || switchedOf(now) === undefined)
    return { irreversible: 'a partly checked box cannot be brought back' };
  const rivals = besides(before, target).filter(
    (node) => node.role === now.role && switchedOf(node) === 'on',
  );
  const off = new Set(
    besides(after, target).flatMap((node) => (switchedOf(node) === 'off' ? [handleKey(node.handle)] : [])),
  );
  const replaced = rivals.filter(({ handle }) => off.has(handleKey(handle)));
  const isOneWay = now.role === 'radio' || now.role === 'menuitemradio';
  const isReplacing = was === 'off' && switchedOf(now) === 'on' && replaced.length > 0;
  if (!isOneWay) {
    // GTK 4 calls the buttons of a group check boxes, too. Another box may also have gone off by itself at that time.
    const partner = isReplacing ? await onlyRef(session, before, target, replaced) : undefined;
    return {
      reversal: {
        kind: 'switch',
        ref: target.ref,
        before: was,
        ...(partner === undefined ? {} : { partner }),
      },
    };
  }
  const ref = await onlyRef(session, before, target, isReplacing ? replaced : rivals);
  return ref === undefined
    ? { irreversible: 'it is not known which of its group was on before' }
    : { reversal: { kind: 'switch', ref, before: 'on', other: target.ref } };
}

/** The elements with the same parent. */
function besides({ tree }: Pick<Before, 'tree'>, { record }: ResolvedTarget): readonly TreeNode[] {
  if (tree === undefined) return [];
  const key = handleKey(record);
  const isParent = ({ children }: TreeNode): boolean =>
    children.some(({ handle }) => handleKey(handle) === key);
  const parent = new TreeIndex(tree.root).nodes.find((node) => isParent(node));
  return (parent?.children ?? []).filter(({ handle }) => handleKey(handle) !== key);
}

/** The reference of the only one of these elements. */
async function onlyRef(
  session: Session,
  { tree }: Pick<Before, 'tree'>,
  { record }: ResolvedTarget,
  [only, ...others]: readonly TreeNode[],
): Promise<string | undefined> {
  if (tree === undefined || only === undefined || others.length > 0) return undefined;
  const index = new TreeIndex(tree.root);
  return session.edit((table) => table.refForElement(index.describe(only, record.window)));
}

/** `undefined` for what is neither expanded nor collapsed. */
export function opennessOf({ states }: Pick<NodeDetails, 'states'>): 'expanded' | 'collapsed' | undefined {
  if (states.includes('expanded')) return 'expanded';
  return states.includes('collapsed') ? 'collapsed' : undefined;
}

function opennessReversal(ref: string, was: NodeDetails, is: NodeDetails): Reversible {
  const before = opennessOf(was);
  if (before === undefined || opennessOf(is) === undefined)
    return { irreversible: 'the element does not tell whether it is open' };
  return { reversal: { kind: 'openness', ref, before } };
}

async function choiceReversal(
  session: Session,
  { act, target, before, after }: SettledAct,
  now: NodeDetails,
): Promise<Reversible> {
  if (now.role === 'combobox') {
    const was = heldValue(before.node) ?? valueIn(before.tree, target);
    const is = heldValue(now) ?? valueIn(after.tree, target);
    if (was === undefined || is === undefined || was === '')
      return { irreversible: 'the combo box did not tell what was selected before' };
    const { shared } = act.wrote?.() ?? {};
    if ([was, is].some((text) => shared?.has(plain(text)) === true))
      return {
        irreversible: 'several of its options have the same name, so that nothing tells which was selected',
      };
    if (was !== is && plain(is) !== act.wrote?.()?.text) return { irreversible: NOT_WRITTEN };
    return kept({ kind: 'choice', ref: target.ref, before: was, after: is });
  }
  if (hidesSelection(before.node, now)) return tabReversal(session, before, after, target);
  const chosen = ({ states }: TreeNode): boolean => states.includes('selected');
  const selected = rivals(before, target).filter(chosen);
  if (selected.length > 0 && rivals(after, target).some(chosen))
    return { irreversible: 'other options are selected besides' };
  const ref = await onlyRef(session, before, target, selected);
  return ref === undefined || before.node.states.includes('selected')
    ? { irreversible: 'not exactly one other option was selected before' }
    : { reversal: { kind: 'option', ref, other: target.ref } };
}

/** Qt calls the bar like its current tab, and reports no tab as selected. */
async function tabReversal(
  session: Session,
  before: Pick<Before, 'tree'>,
  after: Pick<Before, 'tree'>,
  target: ResolvedTarget,
): Promise<Reversible> {
  const barIn = ({ tree }: Pick<Before, 'tree'>): TreeNode | undefined =>
    tree && pathTo(tree.root, handleKey(target.record)).findLast(({ role }) => role === 'tablist');
  const [was, is] = [barIn(before), barIn(after)];
  const named = was?.children.filter(({ role, name }) => role === 'tab' && name === was.name) ?? [];
  const own = is?.children.filter(({ role, name }) => role === 'tab' && name === is.name) ?? [];
  const isOwn = own.length === 1 && own.every(({ handle }) => handleKey(handle) === handleKey(target.record));
  const ref = await onlyRef(session, { tree: before.tree }, target, named);
  const bar = await onlyRef(session, { tree: after.tree }, target, is === undefined ? [] : [is]);
  return ref === undefined || bar === undefined || !isOwn || ref === target.ref
    ? { irreversible: 'its toolkit did not tell which tab was current before' }
    : { reversal: { kind: 'option', ref, other: target.ref, bar } };
}

/** What a reading of the window shows as its value: combo boxes of some toolkits do not tell it themselves. */
function valueIn(tree: Before['tree'], { record }: ResolvedTarget): string | undefined {
  const key = handleKey(record);
  return tree === undefined
    ? undefined
    : new TreeIndex(tree.root).nodes.find(({ handle }) => handleKey(handle) === key)?.value;
}

/** The other options of the innermost container of an option. */
function rivals({ tree }: Pick<Before, 'tree'>, { record }: ResolvedTarget): readonly TreeNode[] {
  if (tree === undefined) return [];
  const key = handleKey(record);
  const containers = new TreeIndex(tree.root).nodes.filter(({ role }) => isContainer(role));
  const around = containers.findLast((container) =>
    optionsIn(container).some(({ node }) => handleKey(node.handle) === key),
  );
  if (around === undefined) return [];
  return optionsIn(around).flatMap(({ node }) => (handleKey(node.handle) === key ? [] : [node]));
}

export function windowStateOf({ bounds, minimized, maximized = false }: DesktopWindow): WindowState {
  return { ...(bounds === undefined ? {} : { bounds: { ...bounds } }), minimized, maximized };
}

/** Undoing what was asked of a window. */
export function windowReversal(
  { kind }: WindowRequest,
  ref: string,
  before: DesktopWindow,
  after: DesktopWindow | undefined,
): Reversible {
  if (kind === 'close' || after === undefined)
    return { irreversible: 'a closed window cannot be opened again' };
  if (kind === 'focus') return { irreversible: 'it only changed which window is in front' };
  return { reversal: { kind: 'window', ref, before: windowStateOf(before), after: windowStateOf(after) } };
}
