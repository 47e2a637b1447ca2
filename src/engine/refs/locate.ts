import type { Healed } from '../../model/effects/effect.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import { parseLocator, printLocator } from '../../model/refs/locator.ts';
import type { Locator } from '../../model/refs/locator.ts';
import { prune } from '../../model/tree/distill/distill.ts';
import type { DistilledTree } from '../../model/tree/distill/distill.ts';
import { handleKey } from '../../model/tree/node.ts';
import type { OutputNode, TreeNode } from '../../model/tree/node.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { CallOptions, DesktopPort, DesktopWindow, TreeResult } from '../../ports/desktop.ts';
import type { ElementDescription } from '../tree/identity.ts';
import { readWindowTree, UNFILTERED } from '../tree/read-window.ts';
import { flatten } from '../tree/search/entries.ts';
import type { SearchEntry } from '../tree/search/entries.ts';
import { TreeIndex } from '../tree/tree-index.ts';
import { waitFor } from '../wait.ts';
import { ambiguous, inPart, missing } from './locate/failures.ts';
import type { LocatorMemory } from './locate/memory.ts';
import { select } from './locate/select.ts';
import type { Selection } from './locate/select.ts';
import { clearlyBest, suggest, toldScore } from './locate/suggest.ts';
import type { Suggestion } from './locate/suggest.ts';
import type { ScopeResolver } from './scope.ts';
import type { Session } from './session.ts';
import { goesBy, windowKey } from './window-identity.ts';

/** How a target is looked for that is named by a locator; without effect on a ref. */
export interface TargetOptions {
  /** Milliseconds to wait for an element that is not there yet; absent for one look. */
  readonly waitMs?: number | undefined;
  /** Take what is clearly meant where nothing matches. */
  readonly heal?: boolean | undefined;
}

export interface Located {
  readonly ref: string;
  readonly healed?: Healed | undefined;
}

/** Why a look did not find the one element, and what may be meant instead. */
interface Explanation {
  readonly failure: DeskterityError;
  readonly suggestions: readonly (Suggestion & { readonly ref: string })[];
}

/** A look that found nothing; why is worked out only when it was the last. */
interface Missing {
  /** All of the window was read. */
  readonly isComplete: boolean;
  readonly explain: (heal: boolean | undefined) => Promise<Explanation>;
}

/** One reading of a window and what a locator leads to in it. */
interface Search {
  readonly window: DesktopWindow;
  readonly read: TreeResult;
  readonly tree: DistilledTree;
  readonly index: TreeIndex;
  readonly entries: readonly SearchEntry[];
  readonly selection: Selection;
}

const LAST_LOOK_SHARE = 0.7;
/** What time may heal: an application that starts, a window that opens, a tree that could not be read to the end. */
const NOT_YET: ReadonlySet<string> = new Set([
  'APP_NOT_FOUND',
  'WINDOW_NOT_FOUND',
  'APP_UNRESPONSIVE',
  'TREE_TIMEOUT',
  'TIMEOUT',
]);

/** Turns locators into refs of live elements: the one that matches, or none. */
export class LocatorResolver {
  private readonly parts: {
    readonly desktop: DesktopPort;
    readonly clock: ClockPort;
    readonly session: Session;
    readonly scope: ScopeResolver;
    /** Knows the elements whose texts must not be repeated. */
    readonly readings: { readonly withheld: () => Promise<ReadonlySet<string>> };
    readonly memory: LocatorMemory;
  };

  constructor(parts: LocatorResolver['parts']) {
    this.parts = parts;
  }

  /** @throws DeskterityError INVALID_ARGUMENT, ELEMENT_NOT_FOUND, AMBIGUOUS_TARGET, TREE_TIMEOUT, and what naming a window fails with */
  async locate(text: string, options: CallOptions & TargetOptions): Promise<Located> {
    const locator = parseLocator(text);
    const { clock } = this.parts;
    const call = liveDeadline(options, () => clock.now());
    const canWait = options.waitMs !== undefined && options.waitMs > 0;
    const first = await this.look(locator, call).catch((error: unknown) => later(error, canWait));
    if ('ref' in first) return first;
    const last = canWait ? await this.lookLater(locator, options, call) : first;
    if ('ref' in last) return last;
    // What is taken in its place must be there now; for telling what is not, the look before the waiting is good enough.
    const isTold = options.heal !== true && first.isComplete && !last.isComplete;
    const { failure, suggestions } = await (isTold ? first : last).explain(options.heal);
    const best = options.heal === true ? clearlyBest(suggestions) : undefined;
    if (best === undefined) throw failure;
    const { ref, score, locator: to } = best;
    return { ref, healed: { from: printLocator(locator), to, score: toldScore(score) } };
  }

  /** Waits for it to come on the screen; when it does not, it is looked for everywhere once more. */
  private async lookLater(
    locator: Locator,
    { waitMs: deadlineMs = 0, signal }: CallOptions & TargetOptions,
    call: CallOptions,
  ): Promise<Located | Missing> {
    const wait = { deadlineMs, signal, what: printLocator(locator) };
    const appeared = await waitFor(this.parts, wait, async () => {
      const seen = await this.look(locator, call, false).catch((error: unknown) => later(error, true));
      return 'ref' in seen ? seen : undefined;
    }).catch((error: unknown) => {
      if (error instanceof DeskterityError && error.code === 'TIMEOUT') return undefined;
      throw error;
    });
    if (appeared !== undefined) return appeared;
    // Telling what comes near takes time, too.
    const most = { deadlineMs: call.deadlineMs * LAST_LOOK_SHARE, signal };
    const last = liveDeadline(most, () => this.parts.clock.now());
    return this.look(locator, last).catch((error: unknown) => later(error, true));
  }

  /**
   * Looks once: at what is on screen, and at the whole tree where nothing is there that the locator could mean. Reading all of a window may take
   * an application most of its time, so that one that is waited for is looked for on the screen.
   */
  private async look(
    locator: Locator,
    call: CallOptions,
    looksEverywhere = true,
  ): Promise<Located | Missing> {
    const { desktop, scope, session, memory } = this.parts;
    const window = await scope.window(locator, call);
    const includeIdentifiers = locator.steps.some(({ kind }) => kind === 'id');
    const search = async (wholeTree: boolean): Promise<Search> => {
      const read = await readWindowTree(desktop, window, { ...call, wholeTree }, includeIdentifiers);
      const tree = await this.toTree(read, wholeTree);
      const entries = flatten(tree.root);
      const selection = select(locator.steps, entries);
      return { window, read, tree, index: new TreeIndex(read.root), entries, selection };
    };
    let found = await search(false);
    // Positions are counted among what is on screen where anything is.
    const { entries: hits, counted } = found.selection;
    if (hits.length === 0 && counted === undefined && looksEverywhere) found = await search(true);
    const { selection, read } = found;
    const [only] = selection.entries;
    const element = only && describe(found, only);
    if (only === undefined || element === undefined)
      return { isComplete: read.complete, explain: (heal) => this.explain(locator, found, heal) };
    if (selection.entries.length > 1)
      throw ambiguous(locator, selection.entries.length, await this.giveRefs(found, selection.entries));
    const ref = await session.edit((table) => table.giveElement(element));
    if (!read.complete) {
      const failure = inPart(locator, read.incompleteReasons, [{ entry: only, ref }], true);
      return { isComplete: false, explain: async () => ({ failure, suggestions: [] }) };
    }
    await memory.remember(printLocator(locator), element);
    return { ref };
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
      before: before !== undefined && goesBy(window, before.window) ? before : undefined,
    });
    const given = await this.giveRefs(
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

  /** As a snapshot shows it; what must not be told cannot be guessed either. */
  private async toTree(read: TreeResult, wholeTree: boolean): Promise<DistilledTree> {
    const tree = prune(read.root, { ...UNFILTERED, wholeTree });
    hideTexts(tree, await this.parts.readings.withheld());
    return tree;
  }

  private async giveRefs(
    search: Search,
    entries: readonly SearchEntry[],
  ): Promise<{ readonly entry: SearchEntry; readonly ref: string }[]> {
    const described = entries.slice(0, 10).flatMap((entry) => {
      const element = describe(search, entry);
      return element === undefined ? [] : [{ entry, element }];
    });
    return this.parts.session.edit((table) =>
      described.map(({ entry, element }) => ({ entry, ref: table.giveElement(element) })),
    );
  }
}

function describe({ window, index, tree }: Search, entry: SearchEntry): ElementDescription | undefined {
  const source = tree.sources.get(entry.node);
  return source && index.describe(source, windowKey(window));
}

function later(error: unknown, canWait: boolean): Missing {
  if (!canWait || !(error instanceof DeskterityError) || !NOT_YET.has(error.code)) throw error;
  return { isComplete: false, explain: async () => ({ failure: error, suggestions: [] }) };
}

/** Takes the texts out of a tree that were written as secrets, and whatever stands inside those elements. */
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
