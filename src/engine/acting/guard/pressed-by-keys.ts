import { isDestructive } from '../../../model/destructive/destructive-act.ts';
import { isModifier, type KeyName } from '../../../model/text/key-combination.ts';
import { handleKey, type TreeNode } from '../../../model/tree/node.ts';
import { roleSet } from '../../../model/tree/role.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { DesktopPort } from '../../../ports/desktop/desktop.ts';
import type { NodeDetails } from '../../../ports/desktop/elements.ts';
import type { DesktopWindow } from '../../../ports/desktop/windows.ts';
import { focusIn } from '../../tree/focus.ts';
import { readWindowTree } from '../../tree/read-window.ts';
import type { PressedNode } from '../attempt.ts';
import { isKeyOf, nameOf } from './key-bindings.ts';

/** Keys that are about to be sent, as far as they may press something. */
export type SentKeys =
  | { readonly keys: readonly KeyName[]; readonly isHeld?: boolean | undefined }
  | { readonly text: string };

/** What is known of where they go. */
export interface KeyPlace {
  readonly window: DesktopWindow;
  /** What they are for; what has the keyboard focus in the window if absent. */
  readonly focus?: TreeNode | NodeDetails | undefined;
}

/** Roles that Enter or Space press if they have the keyboard focus. */
const PRESSED = roleSet('button', 'togglebutton', 'menuitem', 'link');
const DIALOGS = roleSet('dialog', 'alertdialog', 'alert');
const MENUS = roleSet('menu', 'menubar', 'menuitem', 'menuitemcheckbox', 'menuitemradio');
const TEXTS = roleSet('textbox', 'searchbox', 'combobox', 'spinbutton', 'document', 'terminal', 'cell');
/** Keys that edit text wherever there is some, even if an item of a menu has them, too. */
const EDITING: ReadonlySet<string> = new Set(['Delete', 'Backspace', 'Enter', ' ']);
/** Elements asked whether Enter presses them, or which keys do. */
const MOST_ASKED = 40;

/**
 * The element that keys press: what has the focus, the default button of a dialog, or what they are the shortcut of. Where the application does not
 * say which, it is one that loses something, if they may press it.
 */
export async function pressedByKeys(
  desktop: DesktopPort,
  sent: SentKeys,
  { window, focus: given }: KeyPlace,
  options: CallOptions,
): Promise<PressedNode | undefined> {
  if (!mayPress(sent) || window.root === undefined) return undefined;
  const read = { ...options, wholeTree: isShortcut(sent), mirrored: true, shownPlacesOnly: true };
  const { root } = await readWindowTree(desktop, window, read);
  const focus = given ?? focusIn(root);
  const asked = new Asked(desktop, options);
  if (isHeldPress(sent)) return { ...(focus ?? root), presses: 'held' };
  return 'text' in sent
    ? byText(sent.text, { root, window, focus }, asked)
    : byCombination(sent.keys, { root, window, focus }, asked);
}

interface Scene {
  readonly root: TreeNode;
  readonly window: DesktopWindow;
  readonly focus: TreeNode | NodeDetails | undefined;
}

async function byCombination(
  keys: readonly KeyName[],
  scene: Scene,
  asked: Asked,
): Promise<PressedNode | undefined> {
  const { root, focus } = scene;
  if (isPlain(keys, 'Enter')) return byEnter(scene, asked);
  if (isPlain(keys, ' ')) return pressedFocus(scene);
  const last = keys.at(-1);
  const name = last === undefined ? '' : nameOf(last);
  if (keys.length === 1 && EDITING.has(name) && focus !== undefined && TEXTS.has(focus.role))
    return undefined;
  const inMenu = focus !== undefined && MENUS.has(focus.role);
  for (const node of destructiveIn(root)) {
    const how = { isInMenu: inMenu && MENUS.has(node.role), isShown: isShown(node) };
    if (isKeyOf(keys, { name: node.name, bindings: await asked.bindings(node) }, how))
      return { ...node, presses: 'shortcut' };
  }
  return undefined;
}

/** Enter presses what has the focus, writes a line, or presses the default button. */
async function byEnter({ root, window, focus }: Scene, asked: Asked): Promise<PressedNode | undefined> {
  const pressed = pressedFocus({ focus });
  if (pressed !== undefined || (focus !== undefined && isWrittenInto(focus))) return pressed;
  const buttons = nodesIn(root).filter((node) => node.role === 'button' && isShown(node));
  const lossy = buttons.filter(isDestructive);
  if (lossy.length === 0) return undefined;
  for (const node of buttons.slice(0, MOST_ASKED))
    if (await asked.isDefault(node)) return isDestructive(node) ? { ...node, presses: 'default' } : undefined;
  const [guess] = lossy;
  const isDialog = window.modal === true || DIALOGS.has(root.role);
  return isDialog && guess !== undefined ? { ...guess, presses: 'perhaps' } : undefined;
}

async function byText(text: string, scene: Scene, asked: Asked): Promise<PressedNode | undefined> {
  const [guess] = nodesIn(scene.root).filter((node) => isShown(node) && isDestructive(node));
  // Tab moves the focus to what the next key may press.
  if (guess !== undefined && /\t[^\t]*[ \n\r]/.test(text)) return { ...guess, presses: 'perhaps' };
  return pressedFocus(scene) ?? (/[\n\r]/.test(text) ? byEnter(scene, asked) : undefined);
}

/** What Enter and Space press by themselves. */
function pressedFocus({ focus }: Pick<Scene, 'focus'>): PressedNode | undefined {
  return focus !== undefined && PRESSED.has(focus.role) ? focus : undefined;
}

/** Whether the keys could press anything, or are letters for a field. */
function mayPress(sent: SentKeys): boolean {
  return 'text' in sent ? /[ \n\r\t]/.test(sent.text) : sent.keys.some((key) => !isModifier(key));
}

/** Only items of closed menus need the whole tree. */
function isShortcut(sent: SentKeys): boolean {
  if ('text' in sent || isPlain(sent.keys, 'Enter') || isPlain(sent.keys, ' ')) return false;
  return sent.keys.length > 1 || sent.keys.some(({ kind }) => kind === 'named');
}

/** A key that is held repeats, and presses whatever gets the focus meanwhile. */
function isHeldPress(sent: SentKeys): boolean {
  return 'keys' in sent && sent.isHeld === true && (isPlain(sent.keys, 'Enter') || isPlain(sent.keys, ' '));
}

function isPlain(keys: readonly KeyName[], name: string): boolean {
  const [only] = keys;
  return keys.length === 1 && only !== undefined && nameOf(only) === name;
}

function isWrittenInto({ states }: Pick<TreeNode, 'states'>): boolean {
  return states.includes('multiline') && !states.includes('readonly');
}

function isShown({ states }: TreeNode): boolean {
  return !states.includes('hidden') && !states.includes('offscreen') && !states.includes('disabled');
}

function destructiveIn(root: TreeNode): TreeNode[] {
  return nodesIn(root)
    .filter((node) => !node.states.includes('disabled') && isDestructive(node))
    .slice(0, MOST_ASKED);
}

function nodesIn(root: TreeNode): TreeNode[] {
  const found: TreeNode[] = [];
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    found.push(node);
    waiting.push(...node.children.toReversed());
  }
  return found;
}

/** Asks elements what a tree does not tell, each once. One that does not answer says nothing. */
class Asked {
  private readonly desktop: DesktopPort;
  private readonly options: CallOptions;
  private readonly answers = new Map<string, Promise<NodeDetails | undefined>>();

  constructor(desktop: DesktopPort, options: CallOptions) {
    this.desktop = desktop;
    this.options = options;
  }

  async isDefault(node: TreeNode): Promise<boolean> {
    return (await this.details(node))?.isDefault === true;
  }

  async bindings(node: TreeNode): Promise<readonly string[]> {
    return (await this.details(node))?.keyBindings ?? [];
  }

  private details({ handle }: TreeNode): Promise<NodeDetails | undefined> {
    const key = handleKey(handle);
    const known = this.answers.get(key);
    if (known !== undefined) return known;
    const asking = this.desktop
      .describe(handle, { ...this.options, includeKeys: true })
      .catch(() => undefined);
    this.answers.set(key, asking);
    return asking;
  }
}
