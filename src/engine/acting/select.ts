import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { clip, quoteClipped } from '../../model/text/untrusted-text.ts';
import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { ActManner } from '../../ports/desktop/acts.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import { judgeChoice, type Choice } from '../judging/judge-choice.ts';
import type { TargetResolver } from '../refs/resolve.ts';
import type { Session } from '../refs/session.ts';
import { named, type ResolvedTarget } from '../refs/target.ts';
import type { SelectRequest } from '../requests/acting.ts';
import { isInView } from '../tree/element-states.ts';
import { heldValue } from '../tree/element-value.ts';
import {
  isCell,
  isContainer,
  optionAround,
  optionsIn,
  optionsNamed,
  plain,
  rivalsOf,
  rowOptions,
  sharedLabels,
} from '../tree/option-search.ts';
import type { Option } from '../tree/option-search.ts';
import { isSheetCell } from '../tree/sheet-cell.ts';
import { TreeIndex } from '../tree/tree-index.ts';
import type { Act } from './attempt.ts';

/** At most this many elements are searched for an option. */
const MAX_SEARCHED = 20_000;
/** At most this many levels above an option are searched for its container. */
const MAX_LINEAGE = 12;
const OPTIONS_LISTED = 30;

interface Parts {
  readonly desktop: DesktopPort;
  readonly session: Session;
  readonly resolver: TargetResolver;
}

/**
 * Finds the requested option.
 * @throws DeskterityError ELEMENT_NOT_FOUND with the available options, AMBIGUOUS_TARGET, INVALID_ARGUMENT, ACTION_NOT_SUPPORTED
 */
export async function findChoice(parts: Parts, request: SelectRequest): Promise<Choice> {
  const { ref, option: wanted } = request;
  const target = await parts.resolver.resolve(ref, request);
  if (wanted === undefined) return choiceOfElement(parts, target, request);
  const root = isContainer(target.node.role)
    ? target.node.handle
    : (await lineageOf(parts.desktop, target.node, request)).find(({ role }) => isContainer(role))?.handle;
  if (!root) throw notSelectable(target);
  const read = await parts.desktop.readTree({
    root,
    wholeTree: true,
    maxNodes: MAX_SEARCHED,
    includeActions: false,
    deadlineMs: request.deadlineMs,
    signal: request.signal,
  });
  const all = optionsIn(read.root);
  const found =
    typeof wanted === 'string'
      ? optionsNamed(all, wanted)
      : rowOptions(all).slice(wanted.index, wanted.index + 1);
  const index = new TreeIndex(read.root, target.record);
  const refOf = (node: TreeNode): Promise<string> =>
    parts.session.edit((table) => table.refForElement(index.describe(node, target.record.window), true));
  const [only] = found;
  if (all.length === 0 && target.node.role === 'combobox') throw isClosed(target);
  if (!only) throw notFound(target, all, wanted, read.complete);
  if (found.length > 1) throw await ambiguous(target, found, refOf);
  const rivals = rivalsOf(only, all);
  const isOfTarget = only.container.role === 'combobox' && handleKey(root) === handleKey(target.node.handle);
  return {
    ref: isOfTarget ? target.ref : await refOf(only.node),
    refersTo: isOfTarget ? 'combobox' : 'option',
    option: only.node.handle,
    container: only.container.handle,
    isListOpen: isListOpen(only.container, only.node),
    label: only.label,
    isUnique: all.filter(({ label }) => label === only.label).length === 1,
    shared: sharedLabels(all),
    adds: request.adds ?? false,
    isAlone: !rivals.some(({ node }) => node.states.includes('selected')),
  };
}

/** The element itself is an option or part of one. */
async function choiceOfElement(
  { desktop }: Parts,
  target: ResolvedTarget,
  request: SelectRequest,
): Promise<Choice> {
  if (isContainer(target.node.role))
    throw new DeskterityError(
      'INVALID_ARGUMENT',
      `No option was given for ${named(target.ref, target.node)}.`,
      {
        suggestion: `Give its name, such as ${mentionCommand('select', { ref: 'REF', value: 'VALUE' })}, or its position with ${mentionParameter('by_index')}.`,
        delivered: false,
      },
    );
  const lineage = await lineageOf(desktop, target.node, request);
  const around = optionAround(lineage);
  if (!around) throw notSelectable(target);
  const isOption = handleKey(around.option.handle) === handleKey(target.node.handle);
  if (!isOption && !isCell(target.node.role)) throw notSelectable(target);
  return {
    ref: target.ref,
    refersTo: isOption ? 'option' : 'cell of the option',
    option: around.option.handle,
    container: around.container.handle,
    isListOpen: isListOpen(around.container, around.option) || lineage.some(isPopup),
    label: plain(target.node.name || target.record.name),
    isUnique: false,
    adds: request.adds ?? false,
    isAlone: await isChosenAlone(desktop, { option: around.option, container: around.container }, request),
  };
}

type Shown = Pick<TreeNode, 'role' | 'bounds' | 'states'>;

function isListOpen(container: Shown, option: Shown): boolean {
  return container.role === 'combobox' && !container.states.includes('collapsed') && isInView(option);
}

/** Whether it is the window of a list that has dropped down, such as those of LibreOffice: choosing closes it, also what is chosen. */
function isPopup({ nativeRole, states }: NodeDetails): boolean {
  return nativeRole === 'window' && states.includes('modal');
}

/** Whether it is what a click would make it: the cell with the cursor, with no mark, or a selected option. */
function isChosenNow(option: NodeDetails): boolean {
  const isSelected = option.states.includes('selected');
  return isSheetCell(option) ? option.states.includes('focused') && !isSelected : isSelected;
}

/** Whether no other option is selected; only read if the option itself is chosen, because then nothing might have to be sent. */
async function isChosenAlone(
  desktop: DesktopPort,
  { option, container }: { readonly option: NodeDetails; readonly container: NodeDetails },
  { deadlineMs, signal }: CallOptions,
): Promise<boolean> {
  if (!isChosenNow(option) || container.role === 'combobox' || container.role === 'tablist') return true;
  const read = await desktop.readTree({
    root: container.handle,
    wholeTree: true,
    maxNodes: MAX_SEARCHED,
    includeActions: false,
    deadlineMs,
    signal,
  });
  const all = optionsIn(read.root);
  const own = all.find(({ node }) => handleKey(node.handle) === handleKey(option.handle));
  return own === undefined || !rivalsOf(own, all).some(({ node }) => node.states.includes('selected'));
}

/** The act of choosing an option. */
export function choosing(desktop: DesktopPort, choice: Choice, manner?: ActManner): Act {
  const { refersTo, container } = choice;
  return {
    kind: 'select',
    reaches: async (_target, options) => [await desktop.describe(choice.option, options)],
    run: async (node, options) => {
      if (refersTo === 'combobox') await requireUnchanged(desktop, choice, options());
      // Qt sometimes replaces the objects of its rows; the ref was resolved to the current one.
      const { adds } = choice;
      const option = refersTo === 'option' ? node : choice.option;
      return desktop.choose(container, option, { ...options(), adds, manner });
    },
    judge: (seen) => judgeChoice(seen, choice),
    wrote: () => ({ text: choice.label, shared: choice.shared }),
    already: (before) => {
      const isChosen =
        refersTo === 'combobox'
          ? choice.isUnique && plain(heldValue(before) ?? '') === choice.label
          : isChosenNow(before) && (choice.isAlone || (choice.adds && !isSheetCell(before)));
      const state = isSheetCell(before) ? 'has the cell cursor' : 'is selected';
      return isChosen && !choice.isListOpen
        ? ['already', `fresh read: ${quoteClipped(choice.label)} ${state}`]
        : undefined;
    },
  };
}

/** The last check of a combo box's option; the actor itself checks only the combo box. */
async function requireUnchanged(desktop: DesktopPort, choice: Choice, options: CallOptions): Promise<void> {
  const option = await desktop.describe(choice.option, options);
  const { name } = option;
  if (name !== '' && plain(name) !== choice.label)
    throw new DeskterityError(
      'STALE_REF',
      `The option ${quoteClipped(choice.label)} changed just before it was chosen.`,
      {
        suggestion: 'Repeat the command.',
        delivered: false,
      },
    );
  requireEnabled(choice, option);
}

/** The option itself: the actor checks only what holds it. @throws DeskterityError NOT_ACTIONABLE */
export function requireEnabled(
  { label }: Pick<Choice, 'label'>,
  { states }: Pick<NodeDetails, 'states'>,
): void {
  if (!states.includes('disabled')) return;
  throw new DeskterityError('NOT_ACTIONABLE', `The option ${quoteClipped(label)} is disabled.`, {
    suggestion: 'Find out what enables it, or choose another one.',
    delivered: false,
  });
}

/** An element and its ancestors, nearest first. */
async function lineageOf(
  desktop: DesktopPort,
  node: NodeDetails,
  options: CallOptions,
): Promise<NodeDetails[]> {
  const lineage = [node];
  for (let { parent } = node; parent && lineage.length < MAX_LINEAGE;) {
    const above: NodeDetails = await desktop.describe(parent, options);
    lineage.push(above);
    parent = above.parent;
  }
  return lineage;
}

function notFound(
  target: ResolvedTarget,
  all: readonly Option[],
  wanted: NonNullable<SelectRequest['option']>,
  isComplete: boolean,
): DeskterityError {
  const what = typeof wanted === 'string' ? quoteClipped(wanted) : `number ${wanted.index} (counted from 0)`;
  const partly = isComplete ? '' : ' Only part of it could be read.';
  return new DeskterityError(
    'ELEMENT_NOT_FOUND',
    `${named(target.ref, target.node)} has no option ${what} among its ${all.length}.${partly}`,
    {
      suggestion: `Use one of the candidates, or look with ${mentionCommand('snapshot', { root: 'REF', whole_tree: true })}.`,
      candidates: all
        .slice(0, OPTIONS_LISTED)
        .map(({ node, label }) => ({ role: node.role, name: clip(label, 80) })),
      delivered: false,
    },
  );
}

/** GTK 4 drop-downs create their list when they open, and then ignore selections through accessibility. */
function isClosed(target: ResolvedTarget): DeskterityError {
  return new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    `${named(target.ref, target.node)} has options only while it is open, and they cannot be chosen through accessibility.`,
    { suggestion: 'Use the keyboard or the pointer.', delivered: false },
  );
}

async function ambiguous(
  target: ResolvedTarget,
  found: readonly Option[],
  refOf: (node: TreeNode) => Promise<string>,
): Promise<DeskterityError> {
  const candidates = [];
  for (const { node, label } of found.slice(0, 10))
    candidates.push({ ref: await refOf(node), role: node.role, name: clip(label, 80) });
  return new DeskterityError(
    'AMBIGUOUS_TARGET',
    `${found.length} options of ${named(target.ref, target.node)} match.`,
    {
      suggestion: `Use the reference of the candidate you mean, or its position with ${mentionParameter('by_index')}.`,
      candidates,
      delivered: false,
    },
  );
}

function notSelectable(target: ResolvedTarget): DeskterityError {
  return new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    `${named(target.ref, target.node)} is not an option and has no options to select.`,
    {
      suggestion: `Choose a combo box, list, table, tree or tab list, or an option in one; press other elements with ${mentionCommand('click')}.`,
      delivered: false,
    },
  );
}
