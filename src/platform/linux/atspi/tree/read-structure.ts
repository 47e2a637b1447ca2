import type { BusError } from '../../dbus/index.ts';
import type { Application, Channel } from '../bus/application.ts';
import type { Mirror } from '../mirror/mirror.ts';
import type { ReadingCall } from '../mirror/reading-call.ts';
import type { Requests } from '../mirror/requests.ts';
import { CACHE_PATH, NULL_PATH } from './names.ts';
import { CachedTree, type CacheItem } from './cache-items.ts';
import { KeptElements, type KeepRequest } from './nodes/kept-elements.ts';
import { needsPlace } from './places-off-screen.ts';
import { RawNode } from './raw-node.ts';
import { mayBeHuge, NATIVE } from './roles.ts';
import { hasState, STATE } from './states.ts';
import { mappedCall } from './unseen/unmapped.ts';
import type { ObjectReference } from './object-facts.ts';

/**
 * The children of a larger container are not requested: LibreOffice Calc would fill memory with a sheet's 2^31 cells
 * until it crashes. Its visible part is read by position instead (cells/visible-cells.ts, cells/shown-cells.ts).
 */
export const MAX_CHILDREN = 3000;

export interface StructureRequest extends KeepRequest {
  readonly maxDepth: number;
  readonly maxNodes: number;
  readonly windowCoordinates: boolean;
  /** The tree starts at a window, not inside one. */
  readonly startsAtTopLevel: boolean;
  /** Read places of what is not on screen only where something else depends on them; see {@link needsPlace}. */
  readonly shownPlacesOnly: boolean;
}

/** A child in another process: an embedded plug. */
export interface ForeignChild {
  readonly parent: RawNode;
  readonly reference: ObjectReference;
}

/** Deeper than any real interface; an endless tree must not exhaust our stack. */
export const MAX_DEPTH = 400;

/**
 * Reads the structure of a tree in pipelined waves: states of every child, then role, name, extents and children of those
 * that are kept. Objects in the toolkit's bulk cache need calls only for their extents.
 */
export class StructureReader {
  readonly foreign: ForeignChild[] = [];
  /** Objects that returned an error although their parent listed them. */
  unreadable = 0;
  nodeLimitReached = false;
  /** The error of the root element. */
  rootError: BusError | undefined;
  private readonly seen = new Set<string>();
  private root: RawNode | undefined;
  private readonly extentsTemplate;
  private readonly cached: CachedTree;
  private readonly application: Application;
  private readonly channel: Channel;
  private readonly batch: Requests;
  private readonly request: StructureRequest;
  private readonly mirror: Mirror | undefined;
  private readonly onRead: (node: RawNode) => void;
  private readonly kept: KeptElements;

  /** `onRead` is called for each element that is kept, once its role, states, name and child count are known. */
  constructor(
    application: Application,
    channel: Channel,
    batch: Requests,
    request: StructureRequest,
    onRead: (node: RawNode) => void,
    mirror: Mirror | undefined,
  ) {
    this.application = application;
    this.channel = channel;
    this.batch = batch;
    this.request = request;
    this.mirror = mirror;
    this.onRead = onRead;
    this.kept = new KeptElements(application.traits, request);
    this.cached = new CachedTree(application.traits.cache === 'complete');
    this.extentsTemplate = request.windowCoordinates
      ? channel.templates.windowExtents
      : channel.templates.screenExtents;
  }

  /** Whether each element is asked whether it is drawn, as its place does not tell. */
  get asksMapped(): boolean {
    return !this.application.traits.showingIsTruthful;
  }

  get sparesPlaces(): boolean {
    return this.request.shownPlacesOnly;
  }

  /** Starts reading; the returned node is filled once the batch has settled. */
  start(rootPath: string, useCache: boolean): RawNode {
    const root = new RawNode(this.application.bus, rootPath, 0, this.request.startsAtTopLevel);
    this.root = root;
    this.seen.add(rootPath);
    if (useCache) {
      const askedAt = this.mirror?.now ?? 0;
      this.batch.request(this.channel.templates.cacheItems, CACHE_PATH, (_error, items) => {
        this.cached.add(items ?? []);
        this.keepItems(items ?? [], askedAt);
        this.enter(root);
      });
    } else this.enter(root);
    return root;
  }

  private keepItems(items: readonly CacheItem[], askedAt: number): void {
    const { bus } = this.application;
    this.mirror?.keepItems(items, askedAt, (item) =>
      this.cached.childrenOf(item)?.map(({ path }) => ({ bus, path })),
    );
  }

  /** Reads elements as children of one that has too many for all to be requested. */
  enterSome(node: RawNode, references: readonly ObjectReference[]): void {
    this.enterChildren(node, references);
    // Their positions among these are not those among all.
    for (const child of node.children) child.position = undefined;
  }

  private enter(node: RawNode): void {
    const item = this.cached.get(node.path);
    if (item) this.enterCached(node, item);
    else this.enterLive(node);
  }

  /**
   * If hidden elements are omitted, states are read first, so that those cost nothing more. Over the bus daemon a round
   * trip costs as much as ten calls, so there the role is read along with them.
   */
  private enterLive(node: RawNode): void {
    const { state, name, role } = this.channel.templates;
    const onFact = afterAll(3, () => this.enterKnown(node));
    const readName = (): void =>
      this.read(name, node, (text) => {
        node.name = text;
        onFact();
      });
    const readRole = (): void =>
      this.read(role, node, (nativeRole) => {
        node.nativeRole = nativeRole;
        onFact();
      });
    const readState = (then: () => void): void =>
      this.read(state, node, (states) => {
        node.states = states;
        then();
        onFact();
      });
    if (!this.kept.mayPrune(node)) {
      // The place of a window is known before what is in it, which answers that are known already bring at once.
      if (!this.kept.boxDecides && !this.request.shownPlacesOnly) this.readExtents(node, undefined);
      readState(() => undefined);
      readName();
      readRole();
      return;
    }
    const isOnOwnBus = this.channel.destination === undefined;
    readState(() => {
      if (this.kept.prunes(node)) {
        if (this.kept.mayOverflow(node))
          this.enterOverflowing(node, { readName, readRole: isOnOwnBus ? readRole : undefined });
        return;
      }
      readName();
      if (isOnOwnBus) readRole();
      if (!this.kept.boxDecides) this.readExtents(node, undefined);
    });
    if (!isOnOwnBus) readRole();
  }

  /** Reads the place of an element that is left out, and the rest if that place is on screen. */
  private enterOverflowing(
    node: RawNode,
    { readName, readRole }: { readonly readName: () => void; readonly readRole: (() => void) | undefined },
  ): void {
    this.batch.request(this.extentsTemplate, node.path, (_error, extents) => {
      if (!this.kept.overflows(node, extents, this.root?.extents)) return;
      readName();
      readRole?.();
    });
  }

  /** State, name and role are known, and the role decides whether it is safe to request the children. */
  private enterKnown(node: RawNode): void {
    if (node.dropped || this.kept.prunesInPane(node) || this.kept.prunesOverflowing(node)) return;
    if (this.kept.boxDecides) {
      this.readExtents(node, undefined);
      return;
    }
    if (this.request.shownPlacesOnly && needsPlace(node)) this.readExtents(node, undefined);
    this.descend(node, undefined);
  }

  private enterCached(node: RawNode, item: CacheItem): void {
    node.states = item.states;
    node.nativeRole = item.nativeRole;
    node.name = item.name;
    node.interfaces = item.interfaces;
    node.cachedDescription = item.description;
    if (this.kept.prunesInPane(node)) return;
    if (this.kept.mayPrune(node) && this.kept.prunes(node)) return;
    if (!this.request.shownPlacesOnly || needsPlace(node)) this.readExtents(node, item);
    if (!this.kept.boxDecides) this.descend(node, item);
  }

  /** Reads places that were left out. */
  readPlaces(requests: Requests, nodes: readonly RawNode[]): void {
    for (const node of nodes)
      requests.request(this.extentsTemplate, node.path, (_error, extents) => {
        node.extents = extents;
      });
  }

  private readExtents(node: RawNode, item: CacheItem | undefined): void {
    this.batch.request(this.extentsTemplate, node.path, (_error, extents) => {
      this.kept.place(node, extents);
      if (this.asksMapped && !node.dropped) this.readMapped(node);
      if (this.kept.boxDecides && !node.dropped) this.descend(node, item);
    });
  }

  private readMapped(node: RawNode): void {
    if (node.isDrawnWithin) return;
    const call = mappedCall(this.channel.templates, node.extents, this.request.windowCoordinates);
    if (call === undefined) return;
    this.batch.request(call, node.path, (_error, isMapped) => {
      node.isMapped = isMapped;
    });
  }

  private descend(node: RawNode, item: CacheItem | undefined): void {
    if (node.depth >= this.request.maxDepth) {
      this.countOnly(node, 'depth');
      return;
    }
    if (this.kept.isLeaf(node)) {
      this.onRead(node);
      return;
    }
    const known = item && this.cached.childrenOf(item);
    if (known) {
      const { bus } = this.application;
      this.adopt(
        node,
        known.map(({ path }) => ({ bus, path })),
      );
      return;
    }
    if (hasState(node.states, STATE.MANAGES_DESCENDANTS) || mayBeHuge(node.nativeRole)) {
      this.read(this.channel.templates.childCount, node, (count) => {
        if (count > 0 && count <= MAX_CHILDREN) {
          this.readChildren(node);
          return;
        }
        if (count > 0) {
          node.childCount = count;
          node.elided = 'too_many';
        }
        this.onRead(node);
      });
      return;
    }
    this.readChildren(node);
  }

  private countOnly(node: RawNode, reason: 'depth' | 'budget'): void {
    this.read(this.channel.templates.childCount, node, (count) => {
      if (count > 0) {
        node.childCount = count;
        node.elided = reason;
      }
      this.onRead(node);
    });
  }

  private readChildren(node: RawNode): void {
    node.elided = 'deadline';
    this.batch.request(this.channel.templates.children, node.path, (error, references) => {
      if (error) {
        if (error.errorName === 'local.Timeout' || error.errorName === 'local.Cancelled') return;
        node.elided = 'error';
        this.unreadable++;
        this.onRead(node);
        return;
      }
      node.elided = undefined;
      this.adopt(node, references ?? []);
    });
  }

  private adopt(node: RawNode, references: readonly ObjectReference[]): void {
    this.enterChildren(node, references);
    this.onRead(node);
  }

  private enterChildren(node: RawNode, references: readonly ObjectReference[]): void {
    const count = references.length;
    for (const [index, reference] of references.entries()) {
      if (reference.path === NULL_PATH) continue;
      if (reference.bus !== '' && reference.bus !== this.application.bus && !this.isOwnBus(reference.bus)) {
        this.foreign.push({ parent: node, reference });
        continue;
      }
      if (this.seen.has(reference.path)) {
        // A child listed twice is harmless; one that is its own ancestor would never end.
        node.elided ??= 'cycle';
        continue;
      }
      if (this.seen.size >= this.request.maxNodes) {
        this.nodeLimitReached = true;
        node.elided = 'budget';
        node.childCount = references.length;
        return;
      }
      this.seen.add(reference.path);
      const child = new RawNode(this.application.bus, reference.path, node.depth + 1);
      child.position = { index, count };
      child.isAtopPage = node.nativeRole === NATIVE.DOCUMENT_WEB && index < FIRST_OF_PAGE;
      child.isDrawnWithin = count === 1 && HOLD_ONE.has(node.nativeRole);
      child.isInPane = node.nativeRole === NATIVE.SCROLL_PANE && hasState(node.states, STATE.SHOWING);
      node.children.push(child);
      this.enter(child);
    }
  }

  /** On its private bus an application may use a name of that bus for itself. */
  private isOwnBus(bus: string): boolean {
    return this.channel.destination === undefined && !bus.startsWith(':');
  }

  private read<T>(template: ReadingCall<T>, node: RawNode, use: (value: T) => void): void {
    this.batch.request(template, node.path, (error: BusError | undefined, value: T | undefined) => {
      if (error || value === undefined) {
        if (
          !node.dropped &&
          node.depth > 0 &&
          error?.errorName !== 'local.Timeout' &&
          error?.errorName !== 'local.Cancelled'
        )
          this.unreadable++;
        node.dropped = node.depth > 0;
        if (node.depth === 0) this.rootError ??= error;
        return;
      }
      use(value);
    });
  }
}

/** What holds a single element always shows it. */
const HOLD_ONE: ReadonlySet<number> = new Set([
  NATIVE.PUSH_BUTTON,
  NATIVE.TOGGLE_BUTTON,
  NATIVE.LIST_ITEM,
  NATIVE.TABLE_CELL,
]);

/** So many elements of a page tell whether it has loaded: those of one that is loading have no place. */
const FIRST_OF_PAGE = 16;

/** Calls `then` with the last of so many calls of what it returns. */
function afterAll(count: number, then: () => void): () => void {
  let left = count;
  return () => {
    left--;
    if (left === 0) then();
  };
}
