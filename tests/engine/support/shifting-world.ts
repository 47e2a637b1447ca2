import { SimulatedDesktop } from '../../simulated/simulated-desktop.ts';
import { SimulatedWorld, type SimulatedNode } from '../../simulated/simulated-world.ts';
import { oneWindow } from './stage.ts';

export interface Mutation {
  readonly kind:
    | 'rename'
    | 'remove'
    | 'insert'
    | 'recreate'
    | 'swap'
    | 'twin'
    | 'recycle'
    | 'toggle'
    | 'write'
    | 'look';
  readonly at: number;
  readonly other: number;
  readonly name: string;
}

const APP = 'app';

/**
 * A window that keeps changing. Each native object represents an element with a number that only the test knows, so that the test can check
 * whether a ref still means the same. Two forms side by side and a list of rows with a button each, many with the same name.
 */
export class ShiftingWorld {
  readonly desktop: SimulatedDesktop;
  private readonly world: SimulatedWorld;
  private readonly identities = new Map<string, number>();
  private readonly renewed = new Set<string>();
  private nextIdentity = 1;
  private nextPath = 1;

  constructor() {
    const form = (name: string, buttons: readonly string[]): SimulatedNode =>
      this.make('group', name, [
        this.make('text', `${name}:`),
        ...buttons.map((button) => this.make('button', button)),
        this.make('textbox', name),
      ]);
    const row = (name: string): SimulatedNode =>
      this.make('listitem', name, [this.make('button', 'Delete'), this.make('button', '')]);
    // GTK rows have no name themselves.
    const plainRow = (name: string): SimulatedNode =>
      this.make('row', '', [this.make('text', name), this.make('button', 'Edit')]);
    this.world = new SimulatedWorld(
      oneWindow([
        form('Left', ['OK', 'Cancel', 'Save']),
        form('Right', ['OK', 'Apply']),
        this.make('list', 'People', ['Alice', 'Bob', 'Item 1', 'Item 12'].map(row)),
        this.make('table', 'Files', ['Alice', 'Carol', 'Bob'].map(plainRow)),
      ]),
    );
    this.identities.set('win-root', 0);
    this.desktop = new SimulatedDesktop(this.world);
  }

  identityOf(path: string): number {
    const identity = this.identities.get(path);
    if (identity === undefined) throw new Error(`no element ${path}`);
    return identity;
  }

  /** Whether the element was destroyed and recreated. */
  isNewObject(path: string): boolean {
    return this.renewed.has(path);
  }

  rename(path: string, name: string): void {
    this.world.change(APP, path, { name });
  }

  apply({ kind, at, other, name }: Mutation): void {
    const nodes = this.inside();
    const node = nodes[at % nodes.length];
    const second = nodes[other % nodes.length];
    if (!node || !second) return;
    if (kind === 'rename' && !isInItem(this.pathTo(node))) this.world.change(APP, node.id, { name });
    if (kind === 'remove') this.world.remove(APP, node.id);
    if (kind === 'insert') this.insertBeside(node, this.make('button', `New ${this.nextIdentity}`));
    if (kind === 'recreate') this.recreate(node);
    if (kind === 'swap') this.swap(node, second);
    if (kind === 'twin') this.insertBeside(node, this.make(node.role, node.name ?? ''));
    if (kind === 'recycle') this.recycle(node, second);
    if (kind === 'toggle') node.states = node.states?.includes('checked') === true ? [] : ['checked'];
    if (kind === 'write' && node.role === 'textbox') node.value = name;
  }

  private make(role: SimulatedNode['role'], name: string, children: SimulatedNode[] = []): SimulatedNode {
    const id = `n${this.nextPath++}`;
    this.identities.set(id, this.nextIdentity++);
    return { id, role, name, actions: ['click'], children };
  }

  /** The same element as a new native object, with its content. */
  private renew(node: SimulatedNode): SimulatedNode {
    const id = `n${this.nextPath++}`;
    this.identities.set(id, this.identityOf(node.id));
    this.renewed.add(id);
    return { ...node, id, children: (node.children ?? []).map((child) => this.renew(child)) };
  }

  private recreate(node: SimulatedNode): void {
    const index = this.positionOf(node);
    const parent = this.pathTo(node).at(-2);
    this.world.remove(APP, node.id);
    if (parent) this.world.insert(APP, parent.id, this.renew(node), index);
  }

  private insertBeside(node: SimulatedNode, added: SimulatedNode): void {
    const parent = this.pathTo(node).at(-2);
    if (parent) this.world.insert(APP, parent.id, added, this.positionOf(node) + 1);
  }

  private swap(a: SimulatedNode, b: SimulatedNode): void {
    const [parentA, parentB] = [this.pathTo(a).at(-2), this.pathTo(b).at(-2)];
    if (a === b || !parentA?.children || parentA !== parentB) return;
    parentA.children = parentA.children.map((child) => (child === a ? b : child === b ? a : child));
  }

  /** What a list does when it sorts or scrolls: its native objects stay where they are and show each other's items. */
  private recycle(a: SimulatedNode, b: SimulatedNode): void {
    const [rowA, rowB] = [this.rowOf(a), this.rowOf(b)];
    if (!rowA || !rowB || rowA === rowB || rowA.role !== rowB.role) return;
    this.trade(rowA, rowB);
  }

  private trade(a: SimulatedNode, b: SimulatedNode): void {
    const [identityA, identityB] = [this.identityOf(a.id), this.identityOf(b.id)];
    this.identities.set(a.id, identityB);
    this.identities.set(b.id, identityA);
    const nameA = a.name ?? '';
    a.name = b.name ?? '';
    b.name = nameA;
    const [inA, inB] = [a.children ?? [], b.children ?? []];
    const isAlike = inA.length === inB.length && inA.every((child, index) => child.role === inB[index]?.role);
    if (isAlike) inA.forEach((child, index) => inB[index] && this.trade(child, inB[index]));
    else [a.children, b.children] = [inB, inA];
  }

  private rowOf(node: SimulatedNode): SimulatedNode | undefined {
    return this.pathTo(node).find((step) => step.role === 'listitem' || step.role === 'row');
  }

  private positionOf(node: SimulatedNode): number {
    return this.pathTo(node).at(-2)?.children?.indexOf(node) ?? 0;
  }

  private pathTo(node: SimulatedNode): SimulatedNode[] {
    return this.world.pathTo(APP, node.id);
  }

  private inside(): SimulatedNode[] {
    const visit = (node: SimulatedNode): SimulatedNode[] => [node, ...(node.children ?? []).flatMap(visit)];
    return visit(this.world.node(APP, 'win-root')).slice(1);
  }
}

/** A renamed row is another row. */
function isInItem(path: readonly SimulatedNode[]): boolean {
  return path.some((step) => step.role === 'listitem' || step.role === 'row');
}
