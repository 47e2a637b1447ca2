import {
  addReading,
  findReading,
  lastShownIn,
  markWithheld,
  withheldIn,
} from '../../model/refs/reading-document.ts';
import type { ReadNode, StoredReading } from '../../model/refs/reading.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import type { DistilledTree } from '../../model/tree/distill/distill.ts';
import type { NodeHandle, OutputNode, TreeNode } from '../../model/tree/node.ts';
import type { SessionStore } from '../../ports/session-store.ts';
import type { RefTable } from '../refs/ref-table.ts';
import { prunedTree } from '../tree/known-trees.ts';
import { UNFILTERED } from '../tree/read-window.ts';
import type { TreeIndex } from '../tree/tree-index.ts';

const DOCUMENT = 'readings';
/** Characters of a name or value that are stored verbatim; as many as a change shows. */
export const LONGEST_KEPT = 120;

/** The last readings of a session, so that later calls, even in other processes, can report what changed since. */
export class Readings {
  private readonly store: SessionStore;
  private readonly desktopId: string;

  constructor(store: SessionStore, desktopId: string) {
    this.store = store;
    this.desktopId = desktopId;
  }

  /** Stores a reading and prolongs the storage of the one at the cursor `used`; a failure affects only later comparisons. */
  async remember(reading: StoredReading, used?: number): Promise<void> {
    await this.store.update(DOCUMENT, (data) => addReading(data, this.desktopId, reading, used));
  }

  /** Stops storing texts of an element and removes stored ones or, unless `isWithheld`, stores them again. */
  async mark(handle: NodeHandle, isWithheld: boolean): Promise<void> {
    await this.store.update(DOCUMENT, (data) => markWithheld(data, this.desktopId, handle, isWithheld));
  }

  /** Keys of the elements whose texts are not stored. */
  async withheld(): Promise<ReadonlySet<string>> {
    return withheldIn(await this.store.load(DOCUMENT), this.desktopId);
  }

  /** The cursor at which this window was shown last, if its reading is still stored. */
  async lastShown(isWindow: Parameters<typeof lastShownIn>[2]): Promise<number | undefined> {
    return lastShownIn(await this.store.load(DOCUMENT), this.desktopId, isWindow);
  }

  /** The stored reading at a cursor of this desktop. */
  async recall(cursor: number): Promise<StoredReading | undefined> {
    return findReading(await this.store.load(DOCUMENT), this.desktopId, cursor);
  }
}

/** The tree that readings are made of: that of a snapshot without filters, so that filters of one call do not look like changes in the next. */
export function comparableTree(root: TreeNode, wholeTree: boolean): DistilledTree {
  return prunedTree(root, { ...UNFILTERED, includeBounds: false, wholeTree });
}

interface Told {
  readonly title: string;
  readonly refs: readonly (string | undefined)[];
  readonly reading: ReadNode;
}
/** The stored form of trees that may be returned again. */
const told = new WeakMap<DistilledTree, Told>();

/** The stored form of {@link comparableTree}. `refOf` returns the current ref of an element; `title` names a window without a name. */
export function toReading(
  tree: DistilledTree,
  title: string,
  refOf: (node: TreeNode) => string | undefined,
): ReadNode {
  const refs = Array.from(tree.sources.values(), refOf);
  const known = told.get(tree);
  if (known?.title === title && refs.every((ref, index) => ref === known.refs[index])) return known.reading;
  const refBySource = new Map([...tree.sources.values()].map((source, index) => [source, refs[index]]));
  const reading = makeReading(tree, title, (node) => refBySource.get(node));
  told.set(tree, { title, refs, reading });
  return reading;
}

function makeReading(
  tree: DistilledTree,
  title: string,
  refOf: (node: TreeNode) => string | undefined,
): ReadNode {
  const keep = (node: OutputNode): ReadNode | undefined => {
    const source = tree.sources.get(node);
    if (!source) return undefined;
    const name = node.name ?? (node === tree.root ? title : '');
    const value = node.value ?? '';
    const isLong = name.length > LONGEST_KEPT || value.length > LONGEST_KEPT;
    return {
      handle: source.handle,
      role: node.role,
      name: clip(name, LONGEST_KEPT),
      value: clip(value, LONGEST_KEPT),
      states: node.states ?? [],
      ref: node === tree.root ? undefined : refOf(source),
      ...(isLong ? { digest: digest(wholeText(node, source)) } : {}),
      children: (node.children ?? []).flatMap((child) => keep(child) ?? []),
    };
  };
  const root = keep(tree.root);
  if (!root) throw new Error('a distilled tree does not know the source of its root');
  return root;
}

/** Looks up the current ref of an element without assigning one. */
export function refLookup(
  table: RefTable,
  index: TreeIndex,
  window: string,
): (node: TreeNode) => string | undefined {
  return (node) =>
    table.refOf(node.handle) === undefined && node.slot === undefined
      ? undefined
      : table.known(index.describe(node, window))?.ref;
}

/** The full text of a node, from its source if the snapshot cut it. Masked texts are short and never looked up. */
function wholeText(node: OutputNode, source: TreeNode): string {
  const name = node.name ?? '';
  const value = node.value ?? '';
  if (node.states?.includes('protected') === true) return JSON.stringify([name, value]);
  const isNameCut = name.length > LONGEST_KEPT && name.endsWith('…');
  return JSON.stringify([
    isNameCut ? `${source.name}${source.name.trim() === '' ? (source.value ?? '') : ''}` : name,
    node.value_length === undefined ? value : (source.value ?? ''),
  ]);
}

/** Length and FNV-1a: enough to notice an edit, not meant to be secure. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return `${text.length}:${(hash >>> 0).toString(36)}`;
}
