import { DeskterityError } from '../model/errors.ts';
import { handleKey } from '../model/node.ts';
import type { NodeHandle, TreeNode } from '../model/node.ts';
import { clip, quote } from '../model/untrusted-text.ts';
import type { CallOptions, DesktopPort, NodeDetails } from '../ports/desktop.ts';
import type { Act } from './attempt.ts';
import { heldValue } from './element-value.ts';
import type { SelectRequest } from './engine.ts';
import { judgeChoice } from './judge-choice.ts';
import { isContainer, optionAround, optionsIn, optionsNamed, plain } from './option-search.ts';
import type { Option } from './option-search.ts';
import type { ResolvedTarget, TargetResolver } from './resolve.ts';
import type { Session } from './session.ts';
import { TreeIndex } from './tree-index.ts';

/** More elements than this are not searched for an option. */
const MAX_SEARCHED = 20_000;
/** No container of options is deeper than this above them. */
const MAX_CLIMB = 12;
const OPTIONS_LISTED = 30;

/** An option that was found, and what it is chosen in. */
export interface Choice {
  /** What is acted on: the option, but the combo box that it is the value of. */
  readonly ref: string;
  readonly option: NodeHandle;
  readonly container: NodeHandle;
  readonly label: string;
  /** No other option there says the same, so that the label alone tells which one is chosen. */
  readonly isUnique: boolean;
}

interface Parts {
  readonly desktop: DesktopPort;
  readonly session: Session;
  readonly resolver: TargetResolver;
}

/**
 * Finds the option that a request means.
 * @throws DeskterityError ELEMENT_NOT_FOUND with the options there are, AMBIGUOUS_TARGET, INVALID_ARGUMENT, ACTION_NOT_SUPPORTED
 */
export async function findChoice(
  parts: Parts,
  { ref, option: wanted }: SelectRequest,
  options: CallOptions,
): Promise<Choice> {
  const target = await parts.resolver.resolve(ref, options);
  if (wanted === undefined) return choiceOfElement(parts, target, options);
  const root = isContainer(target.node.role)
    ? target.node.handle
    : (await lineageOf(parts.desktop, target.node, options)).find(({ role }) => isContainer(role))?.handle;
  if (!root) throw notSelectable(target);
  const read = await parts.desktop.readTree({
    ...options,
    root,
    wholeTree: true,
    maxNodes: MAX_SEARCHED,
    includeActions: false,
  });
  const all = optionsIn(read.root);
  const found =
    typeof wanted === 'string' ? optionsNamed(all, wanted) : all.slice(wanted.index, wanted.index + 1);
  const index = new TreeIndex(read.root, target.record);
  const refOf = (node: TreeNode): Promise<string> =>
    parts.session.edit((table) => table.giveElement(index.describe(node, target.record.window), true));
  const [only] = found;
  if (!only) throw notFound(target, all, wanted, read.complete);
  if (found.length > 1) throw await ambiguous(target, found, refOf);
  const isOfTarget = only.container.role === 'combobox' && handleKey(root) === handleKey(target.node.handle);
  return {
    ref: isOfTarget ? target.ref : await refOf(only.node),
    option: only.node.handle,
    container: only.container.handle,
    label: only.label,
    isUnique: all.filter(({ label }) => label === only.label).length === 1,
  };
}

/** The element is an option itself, or a part of one. */
async function choiceOfElement(
  { desktop }: Parts,
  target: ResolvedTarget,
  options: CallOptions,
): Promise<Choice> {
  if (isContainer(target.node.role)) {
    throw new DeskterityError(
      'INVALID_ARGUMENT',
      `Which option of ${called(target)} is meant was not said.`,
      {
        suggestion: 'Give its name, such as "desk select REF VALUE", or its place with --by-index.',
        delivered: false,
      },
    );
  }
  const around = optionAround(await lineageOf(desktop, target.node, options));
  if (!around || handleKey(around.option.handle) !== handleKey(target.node.handle))
    throw notSelectable(target);
  return {
    ref: target.ref,
    option: around.option.handle,
    container: around.container.handle,
    label: plain(target.node.name || target.record.name),
    isUnique: false,
  };
}

/** The act of choosing an option, as the actor carries it out. */
export function choosing(desktop: DesktopPort, choice: Choice): Act {
  const isTarget = (node: NodeHandle): boolean => handleKey(node) === handleKey(choice.option);
  return {
    kind: 'select',
    run: async (node, options) => {
      if (!isTarget(node)) await requireUnchanged(desktop, choice, options());
      return desktop.choose(choice.container, choice.option, options());
    },
    judge: (seen) => judgeChoice(seen, choice),
    already: (before) => {
      const isChosen = isTarget(before.handle)
        ? before.states.includes('selected')
        : choice.isUnique && plain(heldValue(before) ?? '') === choice.label;
      return isChosen ? ['already', `fresh read: ${quote(clip(choice.label, 80))} is selected`] : undefined;
    },
  };
}

/** The last look at an option of a combo box, which is not what the actor itself looks at. */
async function requireUnchanged(desktop: DesktopPort, choice: Choice, options: CallOptions): Promise<void> {
  const { name, states } = await desktop.describe(choice.option, options);
  if (name !== '' && plain(name) !== choice.label) {
    throw new DeskterityError('STALE_REF', `The option ${quoted(choice.label)} changed at the last moment.`, {
      suggestion: 'Repeat the command.',
      delivered: false,
    });
  }
  if (states.includes('disabled')) {
    throw new DeskterityError('NOT_ACTIONABLE', `The option ${quoted(choice.label)} is disabled.`, {
      suggestion: 'Find out what enables it, or choose another one.',
      delivered: false,
    });
  }
}

/** An element and what it is in, nearest first. */
async function lineageOf(
  desktop: DesktopPort,
  node: NodeDetails,
  options: CallOptions,
): Promise<NodeDetails[]> {
  const lineage = [node];
  for (let { parent } = node; parent && lineage.length < MAX_CLIMB;) {
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
  const what = typeof wanted === 'string' ? quoted(wanted) : `number ${wanted.index}, counted from 0,`;
  const partly = isComplete ? '' : ' It could be read in part only.';
  return new DeskterityError(
    'ELEMENT_NOT_FOUND',
    `${called(target)} has no option ${what} among its ${all.length}.${partly}`,
    {
      suggestion:
        all.length === 0
          ? 'Its options may be there only while it is open: try "desk expand REF" first.'
          : 'Use one of the candidates.',
      candidates: all
        .slice(0, OPTIONS_LISTED)
        .map(({ node, label }) => ({ role: node.role, name: clip(label, 80) })),
      delivered: false,
    },
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
  return new DeskterityError('AMBIGUOUS_TARGET', `${found.length} options of ${called(target)} match.`, {
    suggestion: 'Use the reference of the candidate you mean, or its place with --by-index.',
    candidates,
    delivered: false,
  });
}

function notSelectable(target: ResolvedTarget): DeskterityError {
  return new DeskterityError('ACTION_NOT_SUPPORTED', `${called(target)} has or is no option to select.`, {
    suggestion:
      'Choose a combo box, list, table, tree or tab list, or an option in one; press others with "desk click".',
    delivered: false,
  });
}

function called({ ref, node }: ResolvedTarget): string {
  return `${ref} (${node.role}${node.name === '' ? '' : ` ${quoted(node.name)}`})`;
}

function quoted(text: string): string {
  return quote(clip(text, 80));
}
