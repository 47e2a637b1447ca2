import { OutputNode } from '../../model/tree/node.ts';
import { renderOutline } from '../../model/tree/outline.ts';
import type { Answer, Candidate, Node, Ref, Role, SnapshotOutput } from './commands.generated.ts';
import { toWire } from './convert.ts';
import { DeskterityError as Failure } from '../../model/effects/errors.ts';
import { shapes } from './shapes.generated.ts';

/** An element with a reference. */
export type UsableNode = Node & { readonly ref: Ref };

/** Methods of a snapshot; none of them queries the desktop. */
export interface SnapshotHelpers {
  /**
   * The only element with this role and exact name that has a reference; without a name, the only one with this role.
   * @throws DeskterityError ELEMENT_NOT_FOUND, or AMBIGUOUS_TARGET with the candidates
   */
  find(role: Role, name?: string): UsableNode;
  /** Every element, in document order. */
  all(): Node[];
  /** The outline: the compact text form for a model. */
  toString(): string;
}

type WithTree = Answer<SnapshotOutput> & { readonly tree: Node };

/** A window as a tree of elements. */
export type Snapshot = WithTree & SnapshotHelpers;

/** Changes since an earlier answer, in place of a tree. */
export type WindowChanges = Omit<Answer<SnapshotOutput>, 'tree'> & { readonly tree?: never };

const MOST_CANDIDATES = 10;

/** Adds the methods to an answer with a tree, not enumerable, so that JSON and loops skip them. */
export function withHelpers({ tree, ...rest }: Answer<SnapshotOutput>): Snapshot | WindowChanges {
  if (tree === undefined) return rest;
  const helpers: SnapshotHelpers = {
    find: (role, name) => findOne(tree, role, name),
    all: () => flatten(tree),
    toString: () => outline({ ...rest, tree }),
  };
  const snapshot: Snapshot = { ...rest, tree, ...helpers };
  for (const [name, value] of Object.entries(helpers))
    Object.defineProperty(snapshot, name, { value, enumerable: false });
  return snapshot;
}

function findOne(tree: Node, role: Role, name: string | undefined): UsableNode {
  const what = name === undefined ? role : `${role} ${JSON.stringify(name)}`;
  const found = flatten(tree).filter(
    (node): node is UsableNode =>
      node.ref !== undefined && node.role === role && (name === undefined || node.name === name),
  );
  const [only, ...others] = found;
  if (only === undefined)
    throw new Failure('ELEMENT_NOT_FOUND', `The snapshot contains no ${what} with a reference.`, {
      suggestion: 'Print the snapshot to see its elements, or search the application with desktop.find().',
    });
  if (others.length > 0)
    throw new Failure('AMBIGUOUS_TARGET', `The snapshot contains ${found.length} elements ${what}.`, {
      suggestion: 'Use the reference of one of the candidates.',
      candidates: found.slice(0, MOST_CANDIDATES).map((node) => candidateOf(node)),
    });
  return only;
}

function candidateOf({ ref, role, name }: UsableNode): Candidate {
  return { ref, role, ...(name === undefined ? {} : { name }) };
}

function flatten(node: Node): Node[] {
  const all: Node[] = [];
  const visit = (current: Node): void => {
    all.push(current);
    for (const child of current.children ?? []) visit(child);
  };
  visit(node);
  return all;
}

function outline({ tree, complete, incompleteReasons }: WithTree): string {
  const text = renderOutline(OutputNode.parse(toWire(tree, { name: 'Node' }, shapes.named, 'snapshot')));
  return complete ? text : `${text}incomplete: ${(incompleteReasons ?? ['unknown reason']).join('; ')}`;
}
