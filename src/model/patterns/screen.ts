import { roleSet, type Role } from '../tree/role.ts';
import type { State } from '../tree/state.ts';
import type { OutputNode } from '../tree/node.ts';

/** More is not looked at: what an application shows at once is far less. */
const MOST_NODES = 10_000;
/** Dialogs that are looked at. */
const MOST_DIALOGS = 10;

const DIALOGS = roleSet('alert', 'alertdialog', 'dialog');
const BUTTONS = roleSet('button', 'togglebutton');
const TEXTS = roleSet('heading', 'paragraph', 'text', 'status');
const UNSEEN: readonly State[] = ['hidden', 'offscreen'];

/** A part of a window, as a list in document order. */
export class Screen {
  readonly root: OutputNode;
  /** The title of the window, if this is a window. */
  readonly title: string;
  readonly nodes: readonly OutputNode[];
  readonly #parents = new Map<OutputNode, OutputNode>();
  #buttons: readonly OutputNode[] | undefined;

  constructor(root: OutputNode, title = root.name ?? '') {
    this.root = root;
    this.title = title;
    const nodes: OutputNode[] = [];
    const waiting: OutputNode[] = [root];
    for (let node = waiting.pop(); node !== undefined && nodes.length < MOST_NODES; node = waiting.pop()) {
      if (UNSEEN.some((state) => has(node, state))) continue;
      nodes.push(node);
      for (const child of (node.children ?? []).toReversed()) {
        this.#parents.set(child, node);
        waiting.push(child);
      }
    }
    this.nodes = nodes;
  }

  parentOf(node: OutputNode): OutputNode | undefined {
    return this.#parents.get(node);
  }

  /** The elements around this one, innermost first. */
  around(node: OutputNode): readonly OutputNode[] {
    const containers: OutputNode[] = [];
    for (let above = this.parentOf(node); above !== undefined; above = this.parentOf(above))
      containers.push(above);
    return containers;
  }

  isInside(node: OutputNode, roles: ReadonlySet<Role>): boolean {
    for (let above = this.parentOf(node); above !== undefined; above = this.parentOf(above))
      if (roles.has(above.role)) return true;
    return false;
  }

  of(...roles: readonly Role[]): readonly OutputNode[] {
    const wanted = roleSet(...roles);
    return this.nodes.filter(({ role }) => wanted.has(role));
  }

  /** What a person can press, without the buttons of a title bar, of tool bars and of fields. */
  get buttons(): readonly OutputNode[] {
    this.#buttons ??= this.nodes.filter(
      (node) => BUTTONS.has(node.role) && !isWithoutName(node) && !this.isInside(node, BESIDE),
    );
    return this.#buttons;
  }

  /** What is written: the names of texts, and the values of those whose text is their value. */
  get texts(): readonly OutputNode[] {
    return this.nodes.filter((node) => TEXTS.has(node.role) && textOf(node) !== '');
  }
}

const BESIDE = roleSet('titlebar', 'toolbar', 'menubar', 'combobox', 'spinbutton', 'textbox', 'tab');

export function has(node: OutputNode, state: State): boolean {
  return node.states?.includes(state) === true;
}

export function isDialog(node: OutputNode): boolean {
  return DIALOGS.has(node.role);
}

export function textOf({ name = '', value = '' }: OutputNode): string {
  return name === '' ? value : name;
}

function isWithoutName({ name }: OutputNode): boolean {
  return name === undefined || name.trim() === '';
}

export function isUsable(node: OutputNode): boolean {
  return !has(node, 'disabled') && !has(node, 'readonly');
}

/** Square pixels; 0 if unknown. */
export function areaOf({ bounds }: OutputNode): number {
  return bounds === undefined ? 0 : Math.max(0, bounds.width) * Math.max(0, bounds.height);
}

/** The dialogs that are shown: the window itself, or those drawn in it; each without what is in an inner one of the same kind. */
export function dialogsIn(screen: Screen): readonly Screen[] {
  const roots = screen.nodes.filter(
    (node) =>
      (node === screen.root && has(node, 'modal')) ||
      (isDialog(node) && (node === screen.root || !isBesideContent(node, screen))),
  );
  return roots.slice(0, MOST_DIALOGS).map((node) => (node === screen.root ? screen : new Screen(node)));
}

/** Some toolkits call a pane of a window a dialog: it is one if it is a window or modal, or has a message and buttons of its own in a page. */
function isBesideContent(node: OutputNode, screen: Screen): boolean {
  return screen
    .around(node)
    .some(({ role }) => role === 'group' && node.role === 'dialog' && !has(node, 'modal'));
}
