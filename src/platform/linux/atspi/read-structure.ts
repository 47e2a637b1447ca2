import type { Batch, BusError, CallTemplate } from '../dbus/index.ts';
import type { Application, Channel } from './application.ts';
import { CACHE_PATH, NULL_PATH } from './names.ts';
import type { CacheItem } from './cache-items.ts';
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
  private readonly seen = new Set<string>();
  private readonly extentsTemplate;
  private readonly cached = new Map<string, CacheItem>();
  private readonly cachedChildren = new Map<string, CacheItem[]>();
  private readonly application: Application;
  private readonly channel: Channel;
  private readonly batch: Batch;
  private readonly request: StructureRequest;

  constructor(application: Application, channel: Channel, batch: Batch, request: StructureRequest) {
    this.application = application;
    this.channel = channel;
    this.batch = batch;
    this.request = request;
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
        for (const item of items ?? []) this.remember(item);
        this.enter(root);
      });
    } else this.enter(root);
    return root;
  }

  private remember(item: CacheItem): void {
    this.cached.set(item.path, item);
    const siblings = this.cachedChildren.get(item.parentPath);
    if (siblings) siblings.push(item);
    else this.cachedChildren.set(item.parentPath, [item]);
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
        if (this.prunes(node)) return;
        this.askRole(node);
        this.askNameAndBox(node);
      });
      return;
    }
    this.ask(state, node, (states) => {
      node.states = states;
      if (this.mayPrune(node) && !this.prunes(node)) this.askNameAndBox(node);
    });
    this.askRole(node);
    if (!this.mayPrune(node)) this.askNameAndBox(node);
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

  private askNameAndBox(node: RawNode): void {
    this.ask(this.channel.templates.name, node, (text) => {
      node.name = text;
    });
    if (!this.boxDecides) this.readExtents(node, undefined);
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
    if (this.application.traits.staticIsLeaf && node.nativeRole === NATIVE.STATIC) return;
    const known = item && this.knownChildren(item);
    if (known) {
      this.adopt(node, known);
      return;
    }
    if (hasState(node.states, STATE.MANAGES_DESCENDANTS) || mayBeHuge(node.nativeRole)) {
      this.ask(this.channel.templates.childCount, node, (count) => {
        if (count > MAX_CHILDREN) {
          node.childCount = count;
          node.elided = 'too_many';
        } else if (count > 0) this.readChildren(node);
      });
      return;
    }
    this.readChildren(node);
  }

  /**
   * The children the cache has for an object, when it surely has them all, in order: as many as the object counts, at places 0, 1, 2 …
   * GTK 4 leaves hidden children in its cache and new ones out, so there only childlessness is believed.
   */
  private knownChildren(item: CacheItem): ObjectReference[] | undefined {
    if (item.childCount === 0) return [];
    if (item.childCount < 0 || this.application.traits.cache !== 'complete') return undefined;
    const known = this.cachedChildren.get(item.path) ?? [];
    if (known.length === item.childCount) known.sort((a, b) => a.index - b.index);
    if (known.length !== item.childCount || known.some((child, place) => child.index !== place))
      return undefined;
    return known.map((child) => ({ bus: this.application.bus, path: child.path }));
  }

  private countOnly(node: RawNode, reason: 'depth' | 'budget'): void {
    this.ask(this.channel.templates.childCount, node, (count) => {
      if (count <= 0) return;
      node.childCount = count;
      node.elided = reason;
    });
  }

  private readChildren(node: RawNode): void {
    node.elided = 'deadline';
    this.batch.request(this.channel.templates.children, node.path, (error, references) => {
      if (error) {
        if (error.errorName === 'local.Timeout' || error.errorName === 'local.Cancelled') return;
        node.elided = 'error';
        this.unreadable++;
        return;
      }
      node.elided = undefined;
      this.adopt(node, references ?? []);
    });
  }

  private adopt(node: RawNode, references: readonly ObjectReference[]): void {
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
        return;
      }
      use(value);
    });
  }
}
