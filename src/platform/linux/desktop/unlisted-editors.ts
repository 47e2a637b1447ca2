import { intersect } from '../../../model/tree/bounds.ts';
import type { TreeNode } from '../../../model/tree/node.ts';
import { roleSet } from '../../../model/tree/role.ts';
import type { TreeResult } from '../../../ports/desktop/elements.ts';
import type { Application } from '../atspi/bus/application.ts';
import { toDesktopEvent } from '../atspi/bus/events.ts';
import type { ReadPlan } from '../atspi/tree/read-plan.ts';
import { readTree } from '../atspi/tree/tree-reader.ts';
import type { BusConnection } from '../dbus/index.ts';

const MAX_APPLICATIONS = 64;
/** From an editor to the list that shows it: the area that scrolls, and the boxes that hold the editor and its buttons, of which Qt Designer has three. */
const MOST_UNLISTED_PARENTS = 6;
const MOST_NODES = 100;
const EDITORS = roleSet('textbox', 'searchbox', 'spinbutton', 'combobox');

/** How the editor of an application is read. */
export interface EditorReader {
  /** The element at a path, with what is in it. */
  readonly read: (path: string, maxNodes: number) => Promise<TreeResult>;
  readonly parentOf: (path: string) => Promise<string | undefined>;
}

/**
 * What is typed into in place of an item, as after F2 in lists of Qt 5. The list names its items as its children, but not the area that scrolls, which
 * contains the editor. The editor names its parents and sends events, so the last element of each application that got the focus is remembered.
 */
export class UnlistedEditors {
  /** Paths by bus name, latest last. */
  readonly #focused = new Map<string, string>();

  constructor(bus: Pick<BusConnection, 'onSignal'>) {
    bus.onSignal((message) => {
      if (message.member !== 'StateChanged') return;
      const event = toDesktopEvent(message, 0);
      if (event?.detail === 'focused=1') this.noteFocus(event.node.app, event.node.path);
    });
  }

  /** An element of an application got the focus. */
  noteFocus(bus: string, path: string): void {
    this.#focused.delete(bus);
    this.#focused.set(bus, path);
    const [oldest] = this.#focused.keys();
    if (this.#focused.size > MAX_APPLICATIONS && oldest !== undefined) this.#focused.delete(oldest);
  }

  /** The tree of an application with the editor behind the item that it covers. Other trees are returned unchanged; never rejects. */
  async addTo(result: TreeResult, bus: string, reader: EditorReader): Promise<TreeResult> {
    const path = this.#focused.get(bus);
    if (path === undefined || nodeAt(result.root, path)) return result;
    const container = await listedAncestor(result.root, path, reader);
    if (container === undefined) return result;
    const part = await reader.read(path, MOST_NODES).catch(() => undefined);
    if (part === undefined || !isOpenEditor(part.root)) {
      if (this.#focused.get(bus) === path) this.#focused.delete(bus);
      return result;
    }
    return {
      ...result,
      root: withChild(result.root, container, part.root),
      nodeCount: result.nodeCount + part.nodeCount,
      callCount: result.callCount + part.callCount,
    };
  }
}

/** Reads through the accessibility bus. */
export function editorReader(application: Application, plan: ReadPlan): EditorReader {
  const { connection, templates } = application.daemonChannel;
  const { deadlineMs, signal } = plan;
  return {
    read: (path, maxNodes) =>
      readTree(application, { ...plan, root: { app: application.bus, path }, maxNodes }),
    parentOf: async (path) => (await connection.invoke(templates.parent, path, { deadlineMs, signal })).path,
  };
}

/** The nearest ancestor in a tree of an element whose parent is not in it; what has a listed parent is an item of that, or was left out on purpose. */
async function listedAncestor(
  tree: TreeNode,
  path: string,
  { parentOf }: EditorReader,
): Promise<TreeNode | undefined> {
  let at = path;
  for (let unlisted = 0; unlisted <= MOST_UNLISTED_PARENTS; unlisted++) {
    const parent = await parentOf(at).catch(() => undefined);
    if (parent === undefined || parent === at) return undefined;
    const listed = nodeAt(tree, parent);
    if (listed !== undefined) return unlisted === 0 ? undefined : listed;
    at = parent;
  }
  return undefined;
}

function isOpenEditor({ role, states, bounds }: TreeNode): boolean {
  return (
    EDITORS.has(role) && bounds !== undefined && !states.includes('hidden') && !states.includes('offscreen')
  );
}

function nodeAt(node: TreeNode, path: string): TreeNode | undefined {
  if (node.handle.path === path) return node;
  for (const child of node.children) {
    const found = nodeAt(child, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

function withChild(node: TreeNode, container: TreeNode, added: TreeNode): TreeNode {
  if (node !== container)
    return { ...node, children: node.children.map((child) => withChild(child, container, added)) };
  const covered = node.children
    .map((child, index) => ({ index, pixels: sharedPixels(child, added) }))
    .toSorted((a, b) => b.pixels - a.pixels)
    .find(({ pixels }) => pixels > 0);
  return {
    ...node,
    children: node.children.toSpliced((covered?.index ?? node.children.length) + 1, 0, added),
  };
}

function sharedPixels({ bounds: one }: TreeNode, { bounds: other }: TreeNode): number {
  const shared = one && other && intersect(one, other);
  return shared === undefined ? 0 : shared.width * shared.height;
}
