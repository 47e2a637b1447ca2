import { DeskterityError } from '../../model/effects/errors.ts';
import { requireRef } from '../../model/refs/ref.ts';
import { mentionParameter } from '../../model/text/mention.ts';
import { LONGEST_ANSWER_BYTES } from '../../model/tree/budget/whole-nodes.ts';
import { prune } from '../../model/tree/distill/distill.ts';
import type { OutputNode, TreeNode } from '../../model/tree/node.ts';
import { cellsIn, MOST_CELLS, parseCellRange, type CellRange } from '../../model/tree/cell-range.ts';
import { parseRole, type Role } from '../../model/tree/role.ts';
import { windowKey } from '../refs/window-identity.ts';
import { FIND_METHODS } from '../requests/reading.ts';
import type { FindMethod, FindRequest, FindResult, FoundNode } from '../requests/reading.ts';
import { UNFILTERED } from '../tree/read-window.ts';
import { flatten, withinOf, type SearchEntry } from '../tree/search/entries.ts';
import { isCellIn, requireCells } from '../tree/search/named-cells.ts';
import { bestLikeness, createMatcher, unknownRole } from '../tree/search/match.ts';
import { TreeIndex } from '../tree/tree-index.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { TreeResult } from '../../ports/desktop/elements.ts';
import type { EngineParts } from './engine-parts.ts';
import { holesIn } from './holes.ts';
import { readWindow, storedReading } from './observe.ts';
import { comparableTree, refLookup, toReading } from './readings.ts';

const NEAR_MISSES = 5;
const USUAL_LIMIT = 20;

interface Hit {
  readonly entry: SearchEntry;
  readonly score: number;
}

/** One reading, and what was found in it. */
interface Searched {
  readonly read: TreeResult;
  readonly tree: ReturnType<typeof prune>;
  readonly hits: readonly Hit[];
  readonly matchedBy: FindMethod | undefined;
}

/** Whether something was found that is not only similar. */
function isNamed({ hits, matchedBy }: Searched): boolean {
  return hits.length > 0 && matchedBy !== 'fuzzy';
}

/** Whether only the cells on screen were read of a table. */
function hasSheet(node: TreeNode): boolean {
  return node.elided === 'lazy' || node.children.some(hasSheet);
}

/** Searches one window. Every match gets a ref, whatever its role. */
export async function find(parts: EngineParts, request: FindRequest): Promise<FindResult> {
  const query = request.query ?? '';
  const role = request.role === undefined ? undefined : parseRole(request.role);
  if (request.role !== undefined && role === undefined) throw unknownRole(request.role);
  // Checked first: a bad pattern should not cost reading the tree.
  const explicit =
    request.by === 'auto' || request.by === 'cell' ? undefined : createMatcher(request.by, query);
  const cells = cellsOf(request, query, role);

  const searched = (read: TreeResult): Searched => {
    const entriesOf = (tree: ReturnType<typeof prune>): SearchEntry[] =>
      flatten(tree.root).filter((entry) => role === undefined || entry.node.role === role);
    if (cells !== undefined) {
      // Cells that were asked for are shown even if they are empty or out of view.
      const tree = prune(read.root, { ...UNFILTERED, wholeTree: true });
      const named = entriesOf(tree).filter(({ node }) => isCellIn(cells, node, tree.sources));
      const others = request.by === 'cell' ? [] : entriesOf(tree).filter(isCalled(query));
      const hits = [...new Set([...named, ...others])].map((entry) => ({ entry, score: 1 }));
      if (named.length > 0 || request.by === 'cell')
        return { read, tree, hits, matchedBy: hits.length === 0 ? undefined : 'cell' };
    }
    const tree = prune(read.root, { ...UNFILTERED, wholeTree: request.wholeTree });
    const entries = entriesOf(tree);
    if (query === '' && role !== undefined)
      return { read, tree, hits: entries.map((entry) => ({ entry, score: 1 })), matchedBy: 'role' };
    for (const method of request.by === 'auto' ? automaticMethods(query) : [request.by]) {
      if (method === 'cell') continue;
      const scores = (explicit ?? createMatcher(method, query))(entries);
      const hits = entries
        .map((entry, index) => ({ entry, score: scores[index] ?? 0 }))
        .filter(({ score }) => score > 0);
      if (hits.length === 0) continue;
      if (method === 'fuzzy') hits.sort((a, b) => b.score - a.score);
      return { read, tree, hits, matchedBy: method };
    }
    return { read, tree, hits: [], matchedBy: undefined };
  };

  const end = parts.clock.now() + request.deadlineMs;
  const rest = (): CallOptions => ({
    deadlineMs: Math.max(1, end - parts.clock.now()),
    signal: request.signal,
  });
  const first = await readWindow(parts, { ...request, cells }, request.by === 'identifier');
  const { window } = first;
  let found = searched(first.read);
  // A reading leaves out the empty cells of a sheet, which a person sees and writes into.
  if (!isNamed(found) && !request.wholeTree && hasSheet(first.read.root)) {
    const whole = { ...request, ...rest(), wholeTree: true };
    const again = await readWindow(parts, whole, request.by === 'identifier');
    const more = searched(again.read);
    if (isNamed(more)) found = more;
  }
  const { read, tree, hits, matchedBy } = found;
  const limit = request.limit ?? (matchedBy === 'cell' ? MOST_CELLS : USUAL_LIMIT);
  const holes = await holesIn(parts.desktop, { window, root: first.read.root }, rest());
  const nearMisses = hits.length === 0 ? closest(flatten(tree.root), query) : [];
  const index = new TreeIndex(read.root);
  const stored = read === first.read ? tree : comparableTree(first.read.root, request.wholeTree);
  const { result, reading } = await parts.session.edit((table) => {
    const knownRef = refLookup(table, index, windowKey(window));
    const rest = request.after === undefined ? hits : hitsAfter(hits, request.after, tree.sources, knownRef);
    const give = (hit: Hit): FoundNode =>
      toFound(hit, tree.sources, (node) => table.refForElement(index.describe(node, windowKey(window))));
    const wanted = rest.slice(0, limit).map(give);
    const matches = asManyAsFit(wanted, request.bytesFor);
    const last = matches.length < wanted.length ? matches.at(-1)?.ref : undefined;
    return {
      result: {
        matches,
        matchedBy,
        total: rest.length,
        ...(last === undefined ? {} : { cutAfter: last }),
        nearMisses: nearMisses.map(give),
        complete: read.complete && holes.length === 0,
        incompleteReasons: [...read.incompleteReasons, ...holes.map(({ reason }) => reason)],
        cursor: table.advance(),
      },
      reading: toReading(stored, window.title, knownRef),
    };
  });
  const { wholeTree } = request;
  // Of a sheet it shows only what was asked for, which later readings cannot be compared with.
  if (cells === undefined || !hasSheet(first.read.root))
    await parts.readings.remember(
      storedReading(first, { shown: false, cursor: result.cursor, wholeTree, tree: reading }),
    );
  return result;
}

/** The cells that a query may name. @throws DeskterityError INVALID_ARGUMENT if it must name cells, and names none or too many */
function cellsOf({ by }: FindRequest, query: string, role: Role | undefined): CellRange | undefined {
  if (by === 'cell') return requireCells(query);
  const isOfRole = role === undefined || role === 'cell' || role === 'gridcell';
  const range = by === 'auto' && isOfRole ? parseCellRange(query) : undefined;
  return range !== undefined && cellsIn(range) <= MOST_CELLS ? range : undefined;
}

/** For what the answer says beside its matches. */
const MARGIN_BYTES = 4000;

/** The first matches that an answer has room for, at least one. */
function asManyAsFit(all: readonly FoundNode[], bytesFor: FindRequest['bytesFor']): readonly FoundNode[] {
  if (bytesFor === undefined) return all;
  let left = LONGEST_ANSWER_BYTES - MARGIN_BYTES;
  const end = all.findIndex((match) => {
    left -= bytesFor(match);
    return left < 0;
  });
  return end === -1 ? all : all.slice(0, Math.max(1, end));
}

/** @throws DeskterityError STALE_REF if the element is no longer among the matches */
function hitsAfter(
  hits: readonly Hit[],
  after: string,
  sources: ReadonlyMap<OutputNode, TreeNode>,
  refOf: (node: TreeNode) => string | undefined,
): readonly Hit[] {
  const last = requireRef(after, 'e');
  const at = hits.findIndex(({ entry }) => {
    const source = sources.get(entry.node);
    return source !== undefined && refOf(source) === last;
  });
  if (at !== -1) return hits.slice(at + 1);
  throw new DeskterityError(
    'STALE_REF',
    `${last} is not among the matches, so it is unknown which were shown.`,
    {
      suggestion: `Search from the beginning: leave out ${mentionParameter('after')}.`,
      delivered: false,
    },
  );
}

/** Sheets and other things may be called like a cell, such as Q1. */
function isCalled(name: string): (entry: SearchEntry) => boolean {
  return ({ node }) => node.name === name && node.role !== 'cell' && node.role !== 'gridcell';
}

/** In the order of FIND_METHODS, without those that the query cannot match. */
function automaticMethods(query: string): FindMethod[] {
  return FIND_METHODS.filter((method) => {
    if (method === 'regex') return /[\\^$*+?()[\]{}|]/.test(query) && isUsable('regex', query);
    if (method === 'role') return parseRole(query) !== undefined;
    if (method === 'cell') return false;
    if (method === 'path') return query.includes('/') && isUsable('path', query);
    return true;
  });
}

function isUsable(method: 'regex' | 'path', query: string): boolean {
  try {
    createMatcher(method, query);
    return true;
  } catch (error) {
    if (error instanceof DeskterityError) return false;
    throw error;
  }
}

function closest(entries: readonly SearchEntry[], query: string): Hit[] {
  const wanted = query.trim().toLowerCase();
  return entries
    .map((entry) => ({
      entry,
      score: bestLikeness(entry.node, wanted),
    }))
    .filter((hit) => hit.score > 0.2)
    .sort((a, b) => b.score - a.score)
    .slice(0, NEAR_MISSES);
}

function toFound(
  hit: Hit,
  sources: ReadonlyMap<OutputNode, TreeNode>,
  giveRef: (node: TreeNode) => string,
): FoundNode {
  const source = sources.get(hit.entry.node);
  const { children: _children, ...fields } = hit.entry.node;
  return {
    ...(source
      ? { ref: giveRef(source), ...(source.source === undefined ? {} : { source: source.source }) }
      : {}),
    ...fields,
    ...(source?.formula === undefined ? {} : { formula: source.formula }),
    within: withinOf(hit.entry),
    ...(hit.score < 1 ? { score: Math.round(hit.score * 100) / 100 } : {}),
  };
}
