import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { Choice } from '../judging/judge-choice.ts';
import type { ResolvedTarget } from '../refs/target.ts';
import type { SelectRequest } from '../requests/acting.ts';
import { isInView } from '../tree/element-states.ts';
import { optionsIn, optionsNamed, rowOptions, sharedLabels, type Option } from '../tree/option-search.ts';
import { windowByKey } from './front.ts';

const LISTS = roleSet('grid', 'list', 'listbox', 'menu', 'tree', 'treegrid');
const CONTROLS = 'controller_for';
const MOST_READ = 20_000;

/** The lists in view in the window of an element, by key. */
export async function listsInView(
  desktop: DesktopPort,
  { record }: Pick<ResolvedTarget, 'record'>,
  options: CallOptions,
): Promise<ReadonlyMap<string, TreeNode>> {
  const { root } = await windowByKey(desktop, record.window, options);
  if (root === undefined) return new Map();
  const read = await desktop.readTree({ ...options, ...READING, wholeTree: false, root });
  return new Map(listsIn(read.root).map((list) => [handleKey(list.handle), list]));
}

/**
 * The option of a combo box whose list is not inside it, as in widgets of web pages: in the list that it controls, or else in the one that
 * appeared when it was opened.
 * @param before the lists that were in view before it was opened
 */
export async function optionInSeparateList(
  desktop: DesktopPort,
  {
    target,
    wanted,
    before,
  }: {
    readonly target: ResolvedTarget;
    readonly wanted: NonNullable<SelectRequest['option']>;
    readonly before: ReadonlySet<string>;
  },
  options: () => CallOptions,
): Promise<Choice | undefined> {
  const lists = await listsInView(desktop, target, options());
  const combobox = await desktop.describe(target.node.handle, options());
  const controlled = new Set(
    combobox.relations.flatMap(({ type, targets }) => (type === CONTROLS ? targets.map(handleKey) : [])),
  );
  const own = [...lists].filter(([key]) => controlled.has(key));
  const [list, ...others] = own.length > 0 ? own : [...lists].filter(([key]) => !before.has(key));
  if (list === undefined || others.length > 0) return undefined;
  const all = optionsIn(list[1]).filter(({ node }) => isInView(node));
  const found =
    typeof wanted === 'string'
      ? optionsNamed(all, wanted)
      : rowOptions(all).slice(wanted.index, wanted.index + 1);
  const [only] = found;
  return only === undefined || found.length > 1 ? undefined : choiceOf(target, only, all);
}

const READING = { maxNodes: MOST_READ, includeActions: false } as const;

function choiceOf({ ref }: ResolvedTarget, option: Option, all: readonly Option[]): Choice {
  return {
    ref,
    refersTo: 'combobox',
    option: option.node.handle,
    container: option.container.handle,
    label: option.label,
    isListOpen: true,
    isUnique: all.filter(({ label }) => label === option.label).length === 1,
    shared: sharedLabels(all),
    adds: false,
    isAlone: true,
  };
}

/** Outermost first; a list inside a list is part of it. */
function listsIn(node: TreeNode): TreeNode[] {
  return LISTS.has(node.role) && isInView(node) ? [node] : node.children.flatMap(listsIn);
}
