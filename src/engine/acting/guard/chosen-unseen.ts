import { isModifier, type KeyName } from '../../../model/text/key-combination.ts';
import type { NodeHandle, TreeNode } from '../../../model/tree/node.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { DesktopPort } from '../../../ports/desktop/desktop.ts';
import { optionsIn } from '../../tree/option-search.ts';
import type { PressedNode } from '../attempt.ts';
import type { SentKeys } from './pressed-by-keys.ts';

const MOST_READ = 20_000;
/** Named keys that choose nothing in a list. */
const CHOOSING_NOTHING: ReadonlySet<string> = new Set(['Tab', 'Escape']);
/** With these, a key is a shortcut. */
const SHORTCUTS: ReadonlySet<string> = new Set(['Control', 'Alt', 'Meta']);

/** Whether keys may choose an option of a combo box. */
function mayChoose(sent: SentKeys, { role, states = [] }: Pick<PressedNode, 'role' | 'states'>): boolean {
  // A text goes into its field, if it has one.
  if ('text' in sent) return role === 'combobox' && !states.includes('editable');
  const last = sent.keys.at(-1);
  return last !== undefined && !isModifier(last) && !sent.keys.some(isApart);
}

function isApart(key: KeyName): boolean {
  return key.kind === 'named' && (SHORTCUTS.has(key.name) || CHOOSING_NOTHING.has(key.name));
}

/**
 * The options of a combo box that keys or the wheel change: which one they choose is known only afterwards, so that all of them count. A list that has
 * its options only while it is open has none here.
 */
export async function chosenUnseen(
  desktop: DesktopPort,
  { node, sent }: { readonly node: PressedNode; readonly sent: SentKeys | 'wheel' },
  options: CallOptions,
): Promise<readonly PressedNode[]> {
  if (sent !== 'wheel' && !mayChoose(sent, node)) return [];
  const list = node.role === 'combobox' ? node : await boxAround(desktop, node, options);
  if (list === undefined) return [];
  const request = { wholeTree: true, maxNodes: MOST_READ, includeActions: false };
  const { root } = await desktop.readTree({ ...options, ...request, root: list.handle });
  return optionsIn(root).map((option) => option.node);
}

/** All combo boxes of a window with their options, if keys may choose one: GTK 3 does not say that a combo box has the focus. */
export async function chosenAnywhere(
  desktop: DesktopPort,
  { root, sent }: { readonly root: NodeHandle; readonly sent: SentKeys },
  options: CallOptions,
): Promise<readonly PressedNode[]> {
  if (!mayChoose(sent, { role: 'combobox' })) return [];
  const request = { wholeTree: true, maxNodes: MOST_READ, includeActions: false };
  const read = await desktop.readTree({ ...options, ...request, root });
  return boxesIn(read.root).flatMap((box) => [box, ...optionsIn(box).map((option) => option.node)]);
}

function boxesIn(node: TreeNode): TreeNode[] {
  return node.role === 'combobox' ? [node] : node.children.flatMap(boxesIn);
}

/** Where a field or a button inside a combo box takes the keys. */
async function boxAround(
  desktop: DesktopPort,
  { parent }: PressedNode,
  options: CallOptions,
): Promise<PressedNode | undefined> {
  if (parent === undefined) return undefined;
  const around = await desktop.describe(parent, options);
  return around.role === 'combobox' ? around : undefined;
}
