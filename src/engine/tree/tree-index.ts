import type { TrailStep } from '../../model/refs/ref-document.ts';
import { isSameBounds, type Bounds } from '../../model/tree/bounds.ts';
import { handleKey, type NodeHandle, type TreeNode } from '../../model/tree/node.ts';
import {
  clip,
  isItem,
  isReusable,
  labelOf,
  NEIGHBOURS_EACH_SIDE,
  sameList,
  sameTrail,
  sidesOf,
  type ElementDescription,
} from './identity.ts';

/** The position of a tree's root within its window, if the tree is only a part of it. */
export type Above = Pick<ElementDescription, 'trail' | 'has_twin'>;

interface Named {
  readonly name: string;
  readonly position: number;
  readonly node: TreeNode;
}

/** Parents, document order and similar elements of a tree, for descriptions by which elements can be found again. */
export class TreeIndex {
  private readonly parents = new Map<TreeNode, TreeNode>();
  private readonly order = new Map<TreeNode, number>();
  private readonly named: Named[] = [];
  /** Nodes with the same role, name and ancestors share an identity number. */
  private readonly identityOf = new Map<TreeNode, number>();
  private readonly countByIdentity: number[] = [];
  private readonly openAbove = new Map<TreeNode, string>();
  /** How often each of {@link placesOf} occurs among the children of a container. */
  private readonly placesIn = new Map<TreeNode, Map<string, number>>();
  private readonly described = new Map<TreeNode, ElementDescription>();
  /** How many have the same {@link boxOf}. */
  private drawnAt: ReadonlyMap<string, number> | undefined;
  private readonly above: Above | undefined;
  readonly nodes: readonly TreeNode[];

  /** `above` is absent if `root` is a window; a window's own name may change and is in no description. */
  constructor(root: TreeNode, above?: Above) {
    this.above = above;
    const nodes: TreeNode[] = [];
    const stack: TreeNode[] = [root];
    for (let node = stack.pop(); node; node = stack.pop()) {
      this.order.set(node, nodes.length);
      if (node.name !== '' && (node !== root || above))
        this.named.push({ name: clip(node.name), position: nodes.length, node });
      nodes.push(node);
      let open: string | undefined;
      for (const child of node.children) {
        if (open !== undefined) this.openAbove.set(child, open);
        if (isItem(child.role) && child.states.includes('expanded')) open = labelOf(child);
      }
      for (let index = node.children.length - 1; index >= 0; index--) {
        const child = node.children[index];
        if (!child) continue;
        this.parents.set(child, node);
        stack.push(child);
      }
    }
    this.nodes = nodes;
    const numbers = new Map<string, number>();
    for (const node of nodes) {
      const parent = this.parents.get(node);
      const key = `${parent ? this.identityOf.get(parent) : ''} ${node.role} ${labelOf(node)}`;
      const number = numbers.get(key) ?? numbers.size;
      numbers.set(key, number);
      this.identityOf.set(node, number);
      this.countByIdentity[number] = (this.countByIdentity[number] ?? 0) + 1;
    }
  }

  /** `undefined` for the root. */
  parentOf(node: TreeNode): TreeNode | undefined {
    return this.parents.get(node);
  }

  trail(node: TreeNode): TrailStep[] {
    const steps: TrailStep[] = [];
    for (let parent = this.parents.get(node); parent; parent = this.parents.get(parent)) {
      const isWindow = !this.above && !this.parents.has(parent);
      steps.unshift({ role: parent.role, name: isWindow ? '' : labelOf(parent) });
    }
    return [...(this.above?.trail ?? []), ...steps];
  }

  /** Keys of the elements that contain a node, nearest first. */
  ancestorKeys(node: TreeNode): string[] {
    const keys: string[] = [];
    for (let parent = this.parents.get(node); parent; parent = this.parents.get(parent))
      keys.push(handleKey(parent.handle));
    return keys;
  }

  /** The node of a native object, if it is in this tree. */
  at(handle: NodeHandle): TreeNode | undefined {
    return this.nodes.find((node) => node.handle.path === handle.path && node.handle.app === handle.app);
  }

  describe(node: TreeNode, window: string): ElementDescription {
    const known = this.described.get(node);
    if (known?.window === window) return known;
    const description = this.descriptionOf(node, window);
    this.described.set(node, description);
    return description;
  }

  private descriptionOf(node: TreeNode, window: string): ElementDescription {
    const open = this.openAbove.get(node);
    const alone = this.aloneOn(node);
    const trail = this.trail(node);
    const place = isReusable({ role: node.role, trail }) ? undefined : this.placeOf(node);
    return {
      app: node.handle.app,
      path: node.handle.path,
      role: node.role,
      name: labelOf(node),
      window,
      trail,
      neighbours: this.neighbours(node),
      ...(place === undefined ? {} : { place }),
      ...(open === undefined ? {} : { open_above: open }),
      ...(node.slot === undefined ? {} : { slot: node.slot }),
      ...(alone.length === 0 ? {} : { alone }),
      has_twin:
        this.above?.has_twin === true || (this.countByIdentity[this.identityOf.get(node) ?? -1] ?? 0) > 1,
    };
  }

  /** Elements that match a record: same role, name and ancestors and, if `strictly`, the same neighbours or the same place among them. */
  candidates(record: ElementDescription, strictly: boolean): TreeNode[] {
    const alike = this.nodes.filter(
      (node) =>
        node.role === record.role &&
        labelOf(node) === record.name &&
        sameTrail(this.trail(node), record.trail),
    );
    return strictly
      ? alike.filter(
          (node) => sameList(this.neighbours(node), record.neighbours) || this.isDrawnInPlace(node, record),
        )
      : alike;
  }

  /**
   * Whether an element is drawn where its record says, and all that was beside it is still there: Qt lists a widget that was created again behind all
   * others, wherever it is. Where the same button belongs to something else now, such as the next person, the name of the former one is gone.
   */
  private isDrawnInPlace(node: TreeNode, { place, neighbours }: ElementDescription): boolean {
    const [before, after] = sidesOf(neighbours);
    const names = new Set(this.named.map(({ name }) => name));
    const beside = [...before, ...after];
    return (
      place !== undefined &&
      isSameBounds(place, this.placeOf(node)) &&
      beside.length > 0 &&
      beside.every((name) => names.has(name))
    );
  }

  /** From the corner of the window; `undefined` if it has no pixels, others have the same place, or this is only a part of a window. */
  private placeOf({ role, bounds }: TreeNode): Bounds | undefined {
    const corner = this.above === undefined ? this.nodes[0]?.bounds : undefined;
    if (corner === undefined || bounds === undefined || bounds.width <= 0 || bounds.height <= 0)
      return undefined;
    this.drawnAt ??= countOf(this.nodes.map(boxOf));
    if (this.drawnAt.get(boxOf({ role, bounds })) !== 1) return undefined;
    return { ...bounds, x: bounds.x - corner.x, y: bounds.y - corner.y };
  }

  /**
   * The new object of an item of a view that creates objects for each reading, such as a tree of Qt. The old object still belongs to its item and
   * knows where that is drawn now, which tells apart even items without a name.
   */
  drawnAs(
    record: ElementDescription,
    { name, bounds }: Pick<TreeNode, 'name' | 'bounds'>,
  ): TreeNode | undefined {
    if (record.slot === undefined || bounds === undefined || clip(name) !== record.name) return undefined;
    const found = this.candidates(record, false).filter((node) => isSameBounds(node.bounds, bounds));
    return found.length === 1 ? found[0] : undefined;
  }

  /**
   * Whether an item is where its record says although items on one side of it changed, as they do when a row is expanded: the other side must be
   * unchanged, the changed side must still have its former items or at least not lose them to the other side, and the branch must be the same.
   */
  standsBeside(record: ElementDescription): boolean {
    const [node, ...others] = this.candidates(record, false);
    if (node === undefined || others.length > 0) return false;
    if (this.openAbove.get(node) !== record.open_above) return false;
    const position = this.order.get(node) ?? 0;
    const [before, after] = sidesOf(this.neighbours(node));
    const [wasBefore, wasAfter] = sidesOf(record.neighbours);
    const isAbove = (name: string): boolean =>
      this.named.some((entry) => entry.name === name && entry.position < position);
    const isBelow = (name: string): boolean =>
      this.named.some((entry) => entry.name === name && entry.position > position);
    // Near the edge of a window there are fewer neighbours, which more elements share: then all former items must still be there.
    const isUnchanged = (
      [is, was]: readonly [readonly string[], readonly string[]],
      others: { readonly areKept: boolean; readonly haveCrossed: boolean },
    ): boolean =>
      was.length > 0 &&
      sameList(is, was) &&
      (others.areKept || (was.length === NEIGHBOURS_EACH_SIDE && !others.haveCrossed));
    return (
      isUnchanged([before, wasBefore], {
        areKept: wasAfter.length > 0 && wasAfter.every(isBelow),
        haveCrossed: wasAfter.some(isAbove),
      }) ||
      isUnchanged([after, wasAfter], {
        areKept: wasBefore.length > 0 && wasBefore.every(isAbove),
        haveCrossed: wasBefore.some(isBelow),
      })
    );
  }

  /** See `ElementRecord.alone`; empty for an element without a slot. */
  private aloneOn(node: TreeNode): ('above' | 'below')[] {
    const parent = this.parents.get(node);
    if (parent === undefined || node.slot === undefined || parent.children.length < node.slot.count)
      return [];
    let counts = this.placesIn.get(parent);
    if (counts === undefined) {
      counts = countOf(parent.children.flatMap((child) => this.placesOf(child)).map(([, place]) => place));
      this.placesIn.set(parent, counts);
    }
    return this.placesOf(node).flatMap(([side, place]) => (counts.get(place) === 1 ? [side] : []));
  }

  /** What an element is and which of its kind are above it, and below it; what surrounds its container stays there whatever moves inside. */
  private placesOf(node: TreeNode): ['above' | 'below', string][] {
    const { before, after } = this.around(node);
    const isBeside = (other: TreeNode): boolean =>
      other.role === node.role && this.parents.get(other) === this.parents.get(node);
    return (
      [
        ['above', before],
        ['below', after],
      ] as const
    ).flatMap(([side, entries]): ['above' | 'below', string][] =>
      entries.length === NEIGHBOURS_EACH_SIDE && entries.every((entry) => isBeside(entry.node))
        ? [[side, JSON.stringify([side, node.role, labelOf(node), ...entries.map(({ name }) => name)])]]
        : [],
    );
  }

  private neighbours(node: TreeNode): string[] {
    const { before, after } = this.around(node);
    return [...before.map(({ name }) => name), '|', ...after.map(({ name }) => name)];
  }

  /** The named elements right before and right after a node. */
  private around(node: TreeNode): { readonly before: readonly Named[]; readonly after: readonly Named[] } {
    const position = this.order.get(node) ?? 0;
    let low = 0;
    let high = this.named.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.named[middle]?.position ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    const next = this.named[low]?.node === node ? low + 1 : low;
    return {
      before: this.named.slice(Math.max(0, low - NEIGHBOURS_EACH_SIDE), low),
      after: this.named.slice(next, next + NEIGHBOURS_EACH_SIDE),
    };
  }
}

function boxOf({ role, bounds }: Pick<TreeNode, 'role' | 'bounds'>): string {
  return bounds === undefined ? role : `${role} ${bounds.x} ${bounds.y} ${bounds.width} ${bounds.height}`;
}

function countOf(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
