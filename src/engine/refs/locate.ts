import type { Healed } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import { parseLocator, printLocator, type Locator } from '../../model/refs/locator.ts';
import { prune, type DistilledTree } from '../../model/tree/distill/distill.ts';
import type { CellRange } from '../../model/tree/cell-range.ts';
import { handleKey, type OutputNode, type TreeNode } from '../../model/tree/node.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { TreeResult } from '../../ports/desktop/elements.ts';
import type { DesktopWindow } from '../../ports/desktop/windows.ts';
import type { ElementDescription } from '../tree/identity.ts';
import { readWindowTree, UNFILTERED } from '../tree/read-window.ts';
import { requireCells } from '../tree/search/named-cells.ts';
import { flatten, type SearchEntry } from '../tree/search/entries.ts';
import { TreeIndex } from '../tree/tree-index.ts';
import { waitFor } from '../wait.ts';
import { KnownWindows } from '../waiting/known-windows.ts';
import { ambiguous, inPart, missing } from './locate/failures.ts';
import type { LocatorMemory } from './locate/memory.ts';
import { select, type Selection } from './locate/select.ts';
import { clearlyBest, suggest, roundedScore, type Suggestion } from './locate/suggest.ts';
import type { ScopeResolver } from './scope.ts';
import type { Session } from './session.ts';
import { hasWindowKey, windowKey } from './window-identity.ts';

/** How the target of a locator is searched; has no effect on a ref. */
export interface TargetOptions {
  /** Milliseconds to wait for an element that does not exist yet; absent for a single search. */
  readonly waitMs?: number | undefined;
  /** Use the clearly best candidate if nothing matches. */
  readonly heal?: boolean | undefined;
  /** Search what is known of the window, as `TreeRequest` says. */
  readonly mirrored?: boolean | undefined;
  /** Of a waiter, and whether the windows that it chose last are the same. */
  readonly windows?: KnownWindows | undefined;
  readonly sameWindows?: boolean | undefined;
}

/** What one search may rest on. */
export type LookBasis = Pick<TargetOptions, 'mirrored' | 'windows' | 'sameWindows'>;

export interface Located {
  readonly ref: string;
  readonly healed?: Healed | undefined;
  /** What matched, if that rests on what is known. */
  readonly known?: TreeNode | undefined;
}

/** What a locator matches, without its limit to one element. */
export interface Matching {
  /** Its application or window is not there: then nothing was looked at. */
  readonly absent?: DeskterityError | undefined;
  readonly total: number;
  /** Whether the whole window was read. */
  readonly isComplete: boolean;
  readonly matches: readonly OutputNode[];
}

/** Why a search did not find exactly one element, and the candidates. */
interface Explanation {
  readonly failure: DeskterityError;
  readonly suggestions: readonly (Suggestion & { readonly ref: string })[];
}

/** A search that found nothing; the explanation is computed only for the last one. */
interface Missing {
  /** Whether the whole window was read. */
  readonly isComplete: boolean;
  readonly explain: (heal: boolean | undefined) => Promise<Explanation>;
}

/** One reading of a window and what a locator selects in it. */
interface Search {
  readonly window: DesktopWindow;
  readonly read: TreeResult;
  readonly tree: DistilledTree;
  readonly index: TreeIndex;
  readonly entries: readonly SearchEntry[];
  readonly selection: Selection;
}

const LAST_LOOK_SHARE = 0.7;
/** Errors that may pass: an application may start, a window may open, a tree may be readable later. */
const NOT_YET: ReadonlySet<string> = new Set([
  'APP_NOT_FOUND',
  'WINDOW_NOT_FOUND',
  'APP_UNRESPONSIVE',
  'TREE_TIMEOUT',
  'TIMEOUT',
]);

/** Whether the application or window of a locator is not there, so that nothing was looked at. */
export function isOfAbsentPlace({ code }: DeskterityError): boolean {
  return code === 'APP_NOT_FOUND' || code === 'WINDOW_NOT_FOUND';
}

/** Resolves locators to refs of live elements: the one that matches, or none. */
export class LocatorResolver {
  private readonly parts: {
    readonly desktop: DesktopPort;
    readonly clock: ClockPort;
    readonly session: Session;
    readonly scope: ScopeResolver;
    /** Knows the elements whose texts are withheld. */
    readonly readings: { readonly withheld: () => Promise<ReadonlySet<string>> };
    readonly memory: LocatorMemory;
  };

  constructor(parts: LocatorResolver['parts']) {
    this.parts = parts;
  }

  /** @throws DeskterityError INVALID_ARGUMENT, ELEMENT_NOT_FOUND, AMBIGUOUS_TARGET, TREE_TIMEOUT, and errors of resolving the window */
  async locate(text: string, options: CallOptions & TargetOptions): Promise<Located> {
    const locator = parseLocator(text);
    const { clock } = this.parts;
    const call = liveDeadline(options, clock);
    const canWait = options.waitMs !== undefined && options.waitMs > 0;
    const first = await this.look(locator, call).catch((error: unknown) => later(error, canWait));
    if ('ref' in first) return first;
    const last = canWait ? await this.lookLater(locator, options, call) : first;
    if ('ref' in last) return last;
    // Healing needs the current state; for an explanation, a complete search from before the wait is better than a partial one.
    const usesFirst = options.heal !== true && first.isComplete && !last.isComplete;
    const { failure, suggestions } = await (usesFirst ? first : last).explain(options.heal);
    const best = options.heal === true ? clearlyBest(suggestions) : undefined;
    if (best === undefined) throw failure;
    const { ref, score, locator: to } = best;
    return { ref, healed: { from: printLocator(locator), to, score: roundedScore(score) } };
  }

  /** Waits for the element to appear on screen; if it does not, searches the whole tree once more. */
  private async lookLater(
    locator: Locator,
    { waitMs: deadlineMs = 0, signal }: CallOptions & TargetOptions,
    call: CallOptions,
  ): Promise<Located | Missing> {
    const wait = { deadlineMs, signal, what: printLocator(locator) };
    const appeared = await waitFor(this.parts, wait, async () => {
      // Anew each time: what is acted on must be the only match.
      const seen = await this.look(locator, call, false).catch((error: unknown) => later(error, true));
      return 'ref' in seen ? seen : undefined;
    }).catch((error: unknown) => {
      if (error instanceof DeskterityError && error.code === 'TIMEOUT') return undefined;
      throw error;
    });
    if (appeared !== undefined) return appeared;
    // Finding candidates takes time, too.
    const most = { deadlineMs: call.deadlineMs * LAST_LOOK_SHARE, signal };
    const last = liveDeadline(most, this.parts.clock);
    return this.look(locator, last).catch((error: unknown) => later(error, true));
  }

  /**
   * Searches once: on screen, and in the whole tree if nothing on screen can match. Reading a whole window may take most of an application's
   * time, so waiting searches only on screen.
   */
  private async look(
    locator: Locator,
    call: CallOptions & LookBasis,
    looksEverywhere = true,
  ): Promise<Located | Missing> {
    const { session, memory } = this.parts;
    const search = await this.searching(locator, call);
    let found = await search(false);
    // Positions are counted among the matches on screen, if there are any.
    const { entries: hits, counted } = found.selection;
    if (hits.length === 0 && counted === undefined && looksEverywhere) found = await search(true);
    const { selection, read } = found;
    const [only] = selection.entries;
    const element = only && describe(found, only);
    if (only === undefined || element === undefined)
      return { isComplete: read.complete, explain: (heal) => this.explain(locator, found, heal) };
    if (selection.entries.length > 1)
      throw ambiguous(locator, selection.entries.length, await this.withRefs(found, selection.entries));
    const ref = await session.edit((table) => table.refForElement(element));
    if (!read.complete) {
      const failure = inPart(locator, read.incompleteReasons, [{ entry: only, ref }], true);
      return { isComplete: false, explain: async () => ({ failure, suggestions: [] }) };
    }
    await memory.remember(printLocator(locator), element);
    return call.mirrored === true ? { ref, known: found.tree.sources.get(only.node) } : { ref };
  }

  /** Chooses the window of a locator; the function then reads it, as it is on screen or whole, and searches it. */
  private async searching(
    locator: Locator,
    call: CallOptions & LookBasis,
  ): Promise<(wholeTree: boolean) => Promise<Search>> {
    const { desktop, scope } = this.parts;
    const { windows = new KnownWindows(), sameWindows = false } = call;
    const { window } = await windows.choose(sameWindows, () => scope.windowAmong(locator, call));
    const includeIdentifiers = locator.steps.some(({ kind }) => kind === 'id');
    const cells = cellsOf(locator);
    return async (wholeTree) => {
      const read = await readWindowTree(desktop, window, { ...call, wholeTree, cells }, includeIdentifiers);
      const tree = await this.toTree(read, wholeTree || cells !== undefined);
      const entries = flatten(tree.root);
      const selection = select(locator.steps, entries, tree.sources);
      return { window, read, tree, index: new TreeIndex(read.root), entries, selection };
    };
  }

  /** Everything on screen that a locator matches. The first ones get refs. */
  async matching(text: string, options: CallOptions & LookBasis): Promise<Matching> {
    const locator = parseLocator(text);
    const call = liveDeadline(options, this.parts.clock);
    const search = await this.searching(locator, call).catch((error: unknown) => {
      if (error instanceof DeskterityError && isOfAbsentPlace(error)) return error;
      throw error;
    });
    if (search instanceof DeskterityError) return { absent: search, total: 0, isComplete: true, matches: [] };
    const found = await search(false);
    const { entries } = found.selection;
    const matches = (await this.withRefs(found, entries)).map(({ entry, ref }): OutputNode => {
      const { children: _children, ...node } = entry.node;
      return { ...node, ref };
    });
    return { total: entries.length, isComplete: found.read.complete, matches };
  }

  private async explain(locator: Locator, search: Search, heal: boolean | undefined): Promise<Explanation> {
    const { window, read, tree, index, entries, selection } = search;
    const before = await this.parts.memory.recall(printLocator(locator));
    const found = suggest({
      locator,
      selection,
      entries,
      sources: tree.sources,
      index,
      windowKey: windowKey(window),
      before: before !== undefined && hasWindowKey(window, before.window) ? before : undefined,
    });
    const given = await this.withRefs(
      search,
      found.map(({ entry }) => entry),
    );
    const suggestions = given.flatMap(({ ref }, at) => {
      const suggestion = found[at];
      return suggestion === undefined ? [] : [{ ...suggestion, ref }];
    });
    if (!read.complete) return { failure: inPart(locator, read.incompleteReasons, given), suggestions: [] };
    const isHealable = heal === false && clearlyBest(suggestions) !== undefined;
    return { failure: missing({ locator, selection, window, isHealable }, suggestions), suggestions };
  }

  /** The tree as a snapshot shows it; withheld texts cannot be found by guessing. */
  private async toTree(read: TreeResult, wholeTree: boolean): Promise<DistilledTree> {
    const tree = prune(read.root, { ...UNFILTERED, wholeTree });
    hideTexts(tree, await this.parts.readings.withheld());
    return tree;
  }

  private async withRefs(
    search: Search,
    entries: readonly SearchEntry[],
  ): Promise<{ readonly entry: SearchEntry; readonly ref: string }[]> {
    const described = entries.slice(0, 10).flatMap((entry) => {
      const element = describe(search, entry);
      return element === undefined ? [] : [{ entry, element }];
    });
    return this.parts.session.edit((table) =>
      described.map(({ entry, element }) => ({ entry, ref: table.refForElement(element) })),
    );
  }
}

function describe({ window, index, tree }: Search, entry: SearchEntry): ElementDescription | undefined {
  const source = tree.sources.get(entry.node);
  return source && index.describe(source, windowKey(window));
}

/** The cells that a locator names; there is no sheet inside a cell, so only the last step can. */
function cellsOf({ steps }: Locator): CellRange | undefined {
  const last = steps.at(-1);
  return last?.kind === 'cell' ? requireCells(last.value) : undefined;
}

function later(error: unknown, canWait: boolean): Missing {
  if (!canWait || !(error instanceof DeskterityError) || !NOT_YET.has(error.code)) throw error;
  return { isComplete: false, explain: async () => ({ failure: error, suggestions: [] }) };
}

/** Removes texts that were written as secrets, and all texts inside those elements. */
function hideTexts({ root, sources }: DistilledTree, withheld: ReadonlySet<string>): void {
  if (withheld.size === 0) return;
  const isHidden = (source: TreeNode | undefined): boolean =>
    source !== undefined && withheld.has(handleKey(source.handle));
  const visit = (node: OutputNode, isInside: boolean): void => {
    const hides = isInside || isHidden(sources.get(node));
    if (hides) {
      if (isInside || node.name_from === 'content' || node.name === node.value) delete node.name;
      delete node.value;
    }
    for (const child of node.children ?? []) visit(child, hides);
  };
  visit(root, false);
}
