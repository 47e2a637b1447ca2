import type { Batch, BusError, CallTemplate } from '../../dbus/index.ts';
import type { Application, Channel } from '../bus/application.ts';
import { CACHE_PATH, NULL_PATH } from './names.ts';
import type { CacheItem } from './cache-items.ts';
import { CachedTree } from './cached-tree.ts';
import { createRawNode } from './raw-node.ts';
import type { RawNode } from './raw-node.ts';
import { mayBeHuge, NATIVE } from './roles.ts';
import { hasState, STATE } from './states.ts';
import type { ObjectReference } from './templates.ts';

/**
 * A container with more children than this is not asked for them: LibreOffice Calc answers a sheet's 2^31 cells by filling memory until it
 * dies. Its visible part is read by position instead (visible-cells.ts).
 */
export const MAX_CHILDREN = 3000;

export interface StructureRequest {
  readonly wholeTree: boolean;
  readonly maxDepth: number;
  readonly maxNodes: number;
  readonly windowCoordinates: boolean;
  /** The tree starts at a window, not inside one. */
  readonly startsAtTopLevel: boolean;
}

/** A child that lives in another process: an embedded plug. */
export interface ForeignChild {
  readonly parent: RawNode;
  readonly reference: ObjectReference;
}

/**
 * Reads the shape of a tree in pipelined waves: states of every child, then role, name, extents and children of those worth keeping.
 * Where the toolkit has a bulk cache, objects found there cost no calls but their extents.
 */
export class StructureReader {
  readonly foreign: ForeignChild[] = [];
  /** Objects that answered an error although their parent listed them. */
  unreadable = 0;
  nodeLimitReached = false;
  /** What was answered instead of the first element. */
  rootError: BusError | undefined;
  private readonly seen = new Set<string>();
  private readonly extentsTemplate;
  private readonly cached: CachedTree;
  private readonly application: Application;
  private readonly channel: Channel;
  private readonly batch: Batch;
  private readonly request: StructureRequest;
  private readonly onRead: (node: RawNode) => void;

  /** `onRead` is told of each element that is kept, once its role, states, name and the number of its children are known. */
  constructor(
    application: Application,
    channel: Channel,
    batch: Batch,
    request: StructureRequest,
    onRead: (node: RawNode) => void,
  ) {
    this.application = application;
    this.channel = channel;
    this.batch = batch;
    this.request = request;
    this.onRead = onRead;
    this.cached = new CachedTree(application.traits.cache === 'complete');
    this.extentsTemplate = request.windowCoordinates
      ? channel.templates.windowExtents
      : channel.templates.screenExtents;
  }

  /** Starts reading; the returned node is filled once the batch has settled. */
  start(rootPath: string, useCache: boolean): RawNode {
    const root = createRawNode(this.application.bus, rootPath, 0, this.request.startsAtTopLevel);
    this.seen.add(rootPath);
    if (useCache) {
      this.batch.request(this.channel.templates.cacheItems, CACHE_PATH, (_error, items) => {
        this.cached.add(items ?? []);
        this.enter(root);
      });
    } else this.enter(root);
    return root;
  }

  private enter(node: RawNode): void {
    const item = this.cached.get(node.path);
    if (item) this.enterCached(node, item);
    else this.enterLive(node);
  }

  /**
   * States first where hidden elements will be left out: those cost no more. Over the daemon a round trip costs as much as ten calls, so
   * there the role comes along.
   */
  private enterLive(node: RawNode): void {
    const { state } = this.channel.templates;
    if (this.mayPrune(node) && this.channel.destination === undefined) {
      this.ask(state, node, (states) => {
        node.states = states;
        if (!this.prunes(node)) this.askKept(node);
      });
      return;
    }
    if (!this.mayPrune(node)) {
      this.ask(state, node, (states) => {
        node.states = states;
      });
      this.askKept(node);
      return;
    }
    this.ask(state, node, (states) => {
      node.states = states;
      if (this.prunes(node)) return;
      this.askName(node);
      if (!this.boxDecides) this.readExtents(node, undefined);
    });
    this.askRole(node);
  }

  /** The name first: once the children are known, it must be. */
  private askKept(node: RawNode): void {
    this.askName(node);
    this.askRole(node);
    if (!this.boxDecides) this.readExtents(node, undefined);
  }

  /** The role decides whether it is safe to ask for children. */
  private askRole(node: RawNode): void {
    this.ask(this.channel.templates.role, node, (nativeRole) => {
      node.nativeRole = nativeRole;
      if (node.dropped) return;
      if (this.boxDecides) this.readExtents(node, undefined);
      else this.descend(node, undefined);
    });
  }

  private askName(node: RawNode): void {
    this.ask(this.channel.templates.name, node, (text) => {
      node.name = text;
    });
  }

  private enterCached(node: RawNode, item: CacheItem): void {
    node.states = item.states;
    node.nativeRole = item.nativeRole;
    node.name = item.name;
    node.interfaces = item.interfaces;
    node.cachedDescription = item.description;
    if (this.mayPrune(node) && this.prunes(node)) return;
    this.readExtents(node, item);
    if (!this.boxDecides) this.descend(node, item);
  }

  /** GTK 4 tells what is hidden only by an empty box, so there the children wait for it. */
  private get boxDecides(): boolean {
    return !this.application.traits.showingIsTruthful && !this.request.wholeTree;
  }

  private readExtents(node: RawNode, item: CacheItem | undefined): void {
    this.batch.request(this.extentsTemplate, node.path, (_error, extents) => {
      node.extents = extents;
      if (!this.boxDecides) return;
      if (node.depth > 0 && extents && (extents.width <= 0 || extents.height <= 0)) node.dropped = true;
      else this.descend(node, item);
    });
  }

  private mayPrune(node: RawNode): boolean {
    return !this.request.wholeTree && node.depth > 0 && this.application.traits.showingIsTruthful;
  }

  private prunes(node: RawNode): boolean {
    if (hasState(node.states, STATE.SHOWING)) return false;
    node.dropped = true;
    return true;
  }

  private descend(node: RawNode, item: CacheItem | undefined): void {
    if (node.depth >= this.request.maxDepth) {
      this.countOnly(node, 'depth');
      return;
    }
    if (this.isLeaf(node)) {
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
      this.ask(this.channel.templates.childCount, node, (count) => {
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

  private isLeaf({ nativeRole, states }: RawNode): boolean {
    const { staticIsLeaf, remakesItems } = this.application.traits;
    if (remakesItems && nativeRole === NATIVE.LABEL && hasState(states, STATE.TRANSIENT)) return true;
    return staticIsLeaf && nativeRole === NATIVE.STATIC;
  }

  private countOnly(node: RawNode, reason: 'depth' | 'budget'): void {
    this.ask(this.channel.templates.childCount, node, (count) => {
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
    for (const reference of references) {
      if (reference.path === NULL_PATH) continue;
      if (reference.bus !== '' && reference.bus !== this.application.bus && !this.isOwnBus(reference.bus)) {
        this.foreign.push({ parent: node, reference });
        continue;
      }
      if (this.seen.has(reference.path)) {
        // A child listed twice is noise; one that is its own ancestor would never end.
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
      const child = createRawNode(this.application.bus, reference.path, node.depth + 1);
      node.children.push(child);
      this.enter(child);
    }
  }

  /** On its private bus an application may name itself by a name of that bus. */
  private isOwnBus(bus: string): boolean {
    return this.channel.destination === undefined && !bus.startsWith(':');
  }

  private ask<T>(template: CallTemplate<T>, node: RawNode, use: (value: T) => void): void {
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
