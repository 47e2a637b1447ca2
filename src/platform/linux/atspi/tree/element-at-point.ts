import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeHandle } from '../../../../model/tree/node.ts';
import type { CallOptions } from '../../../../ports/call-options.ts';
import type { Point } from '../../../../ports/input.ts';
import type { CallTemplate } from '../../dbus/index.ts';
import type { Application, Channel } from '../bus/application.ts';
import { isLate } from '../bus/call-failures.ts';
import { IMPLEMENTS } from './cache-items.ts';
import { addressOf } from './cells/cell-address.ts';
import { NULL_PATH, ROOT_PATH } from './names.ts';
import { isFilledBy, pointAcross } from './office-places.ts';
import { mayBeHuge, NATIVE } from './roles.ts';
import { hasState, STATE } from './states.ts';
import type { Extents, ObjectReference } from './object-facts.ts';

/** Deeper than any real interface; an endless tree must not block us. */
const MAX_DEPTH = 64;
const BOXES: ReadonlySet<number> = new Set([NATIVE.PANEL, NATIVE.FILLER]);
/** Boxes, and others that draw nothing themselves. */
const CONTAINERS: ReadonlySet<number> = new Set([
  ...BOXES,
  NATIVE.LAYERED_PANE,
  NATIVE.SCROLL_PANE,
  NATIVE.SPLIT_PANE,
  NATIVE.VIEWPORT,
  NATIVE.UNKNOWN,
]);
/** No real interface has more parts in one box. */
const MOST_SIBLINGS = 60;

/** A point in a toolkit's coordinates; see WindowPlaces. */
export interface ToolkitPoint {
  readonly coordinates: 'screen' | 'window';
  readonly x: number;
  readonly y: number;
}

/**
 * Finds an application's element at a point. Refusals and nonsensical replies count as no element; an answer that is late does not, because what is known
 * without it may name the wrong one. Then all methods reject.
 */
export class ElementAtPoint {
  readonly #application: Application;
  readonly #channel: Channel;
  readonly #options: CallOptions;

  private constructor(application: Application, channel: Channel, options: CallOptions) {
    this.#application = application;
    this.#channel = channel;
    this.#options = options;
  }

  static async open(application: Application, options: CallOptions): Promise<ElementAtPoint> {
    return new ElementAtPoint(application, await application.readingChannel(options), options);
  }

  /** The innermost element at `point` below `root`, followed by its ancestors; empty if there is none or it is unknown. */
  async lineage(root: string, point: ToolkitPoint): Promise<NodeHandle[]> {
    const { hitDelayMs } = this.#application.traits;
    if (hitDelayMs > 0) {
      await this.#hit(root, point);
      await sleep(hitDelayMs, undefined, { signal: this.#options.signal });
    }
    const start = (await this.#document(root)) ?? root;
    const hit =
      (await this.#hit(start, point)) ?? (start === root ? undefined : await this.#hit(root, point));
    if (hit === undefined) return [];
    const found = await this.ancestry(hit);
    // What lies beside an open menu is behind it. In GTK 3 the root of a menu is not even an ancestor of its items.
    const inside = found.slice(0, found.findIndex(({ path }) => path === root) + 1);
    const lineage = (await this.#covering(inside, root, point)) ?? found;
    const address = await addressOf(
      this.#application,
      this.#channel,
      lineage[0]?.path ?? hit,
      this.#options,
    ).catch(() => undefined);
    return address === undefined
      ? lineage
      : [{ app: this.#application.bus, path: address }, ...lineage.slice(1)];
  }

  /** An element and its ancestors, innermost first. */
  async ancestry(path: string): Promise<NodeHandle[]> {
    const lineage: NodeHandle[] = [];
    let current: string | undefined = path;
    while (current !== undefined && lineage.length < MAX_DEPTH) {
      lineage.push({ app: this.#application.bus, path: current });
      const parent: string | undefined = this.#own(await this.#read(this.#templates.parent, current));
      current = parent === ROOT_PATH ? undefined : parent;
    }
    return lineage;
  }

  /**
   * GTK 3 and Qt return the first child at a point, but draw later ones over earlier ones: what lies over the lineage, with its own ancestors.
   * A later child of the window, such as a popover, lies over what is drawn later inside an earlier one; only such are missed by LibreOffice, which
   * finds what it draws itself. A container with nothing at that point lets clicks through.
   */
  async #covering(
    lineage: readonly NodeHandle[],
    root: string,
    point: ToolkitPoint,
  ): Promise<NodeHandle[] | undefined> {
    const { hitsLowest, hitsClientArea } = this.#application.traits;
    if (hitsClientArea) return this.#aroundClientArea(lineage, point);
    if (hitsLowest === 'never') return undefined;
    const laterAt = async ({ path }: NodeHandle, level: number): Promise<readonly string[]> => {
      const parent = lineage[level + 1]?.path;
      return parent === undefined ? [] : this.#childrenAt(parent, { after: path }, point);
    };
    // In LibreOffice, what is hit does not lead up to the window: the lowest of all parts there is what it is in.
    const later =
      hitsLowest === 'in-window'
        ? (await this.#childrenAt(root, {}, point)).slice(0, -1)
        : (await Promise.all(lineage.map(laterAt))).toReversed().flat();
    for (const path of later) {
      const inside = (await this.#hit(path, point)) ?? path;
      if (!CONTAINERS.has(await this.#role(inside))) return this.ancestry(inside);
    }
    return undefined;
  }

  /** What the window draws around its client area, where only boxes were hit, which let clicks through. */
  async #aroundClientArea(
    lineage: readonly NodeHandle[],
    point: ToolkitPoint,
  ): Promise<NodeHandle[] | undefined> {
    const boxes = lineage.slice(0, -1);
    const roles = await Promise.all(boxes.map(({ path }) => this.#role(path)));
    if (!roles.every((role) => BOXES.has(role))) return undefined;
    for (const [level, { path }] of boxes.entries()) {
      const parent = lineage[level + 1]?.path;
      const below = parent === undefined ? [] : await this.#childrenAt(parent, { before: path }, point);
      for (const child of below)
        if (!CONTAINERS.has(await this.#role(child)))
          return this.ancestry((await this.#hit(child, point)) ?? child);
    }
    return undefined;
  }

  /** Children that are on screen at a point, highest first: all, or those before or after one. */
  async #childrenAt(
    parent: string,
    { before, after }: { readonly before?: string; readonly after?: string | undefined },
    point: ToolkitPoint,
  ): Promise<readonly string[]> {
    const [role, states] = await Promise.all([this.#role(parent), this.#read(this.#templates.state, parent)]);
    // Rows and pages do not overlap, and there may be very many.
    if (states === undefined || mayBeHuge(role) || hasState(states, STATE.MANAGES_DESCENDANTS)) return [];
    const children = (await this.#read(this.#templates.children, parent)) ?? [];
    const at = children.findIndex(({ path }) => path === (before ?? after));
    const start = before === undefined ? at + 1 : Math.max(0, at - MOST_SIBLINGS);
    const end = before === undefined ? start + MOST_SIBLINGS : at;
    const extents = this.#extentsFor(point);
    const found = await Promise.all(
      children.slice(start, Math.max(0, end)).map(async (reference) => {
        const path = this.#own(reference);
        if (path === undefined) return undefined;
        const [own, box] = await Promise.all([
          this.#read(this.#templates.state, path),
          this.#read(extents, path),
        ]);
        const isShown = own !== undefined && hasState(own, STATE.SHOWING);
        return isShown && box !== undefined && isAt(box, point) ? path : undefined;
      }),
    );
    return found.filter((path) => path !== undefined).toReversed();
  }

  /** Most toolkits return the innermost element directly, GTK 3 only the next one inside; repeating the call serves both. */
  async #hit(start: string, point: ToolkitPoint): Promise<string | undefined> {
    const seen = new Set([start]);
    let hit: string | undefined;
    let current = start;
    let { x, y } = point;
    while (seen.size <= MAX_DEPTH && (await this.#hasComponent(current))) {
      const call = this.#templates.elementAtPoint(x, y, point.coordinates === 'window' ? 1 : 0);
      const found = await this.#read(call, current);
      const inside = await this.#unlessBeside(this.#own(found), { ...point, x, y });
      const next = inside ?? (await this.#hidden(current));
      if (next === undefined || seen.has(next)) break;
      ({ x, y } = await this.#pointInside({ x, y }, point, {
        outside: current,
        inside: next,
        isHidden: inside === undefined,
      }));
      seen.add(next);
      if (inside !== undefined) hit = inside;
      current = next;
    }
    return hit;
  }

  /** Trees and tables of Qt return the first cell for a point in their header. */
  async #unlessBeside(path: string | undefined, point: ToolkitPoint): Promise<string | undefined> {
    if (path === undefined || this.#application.traits.kind !== 'qt') return path;
    if ((await this.#role(path)) !== NATIVE.TABLE_CELL) return path;
    const box = await this.#read(this.#extentsFor(point), path);
    return box === undefined || isAt(box, point) ? path : undefined;
  }

  /** The element inside another whose reported extents wrongly lie outside it. */
  async #hidden(path: string): Promise<string | undefined> {
    const role = await this.#role(path);
    // In ATK a tab is only as large as its label, so its page is never found by position.
    if (role === NATIVE.PAGE_TAB_LIST)
      return this.#own(await this.#read(this.#templates.selectedChild, path));
    if (!this.#isLibreOffice || !BOXES.has(role)) return undefined;
    const children = await this.#read(this.#templates.children, path);
    const only = children?.length === 1 ? this.#own(children[0]) : undefined;
    const roleOfOnly = only === undefined ? 0 : await this.#role(only);
    if (only === undefined || roleOfOnly === NATIVE.ROOT_PANE) return only;
    if (!BOXES.has(roleOfOnly)) return undefined;
    const [outer, inner] = await this.#boxes([path, only]);
    return outer && inner && isFilledBy(outer, inner) ? only : undefined;
  }

  /** Where the point is for an element inside another: LibreOffice has two kinds of coordinates. */
  async #pointInside(
    { x, y }: Point,
    actual: Point,
    found: { readonly outside: string; readonly inside: string; readonly isHidden: boolean },
  ): Promise<Point> {
    if (!this.#isLibreOffice) return { x, y };
    const { outside, inside, isHidden } = found;
    const role = await this.#role(inside);
    if (role !== NATIVE.ROOT_PANE && !(isHidden && BOXES.has(role))) return { x, y };
    const [outer, inner] = await this.#boxes([outside, inside]);
    if (outer === undefined || inner === undefined) return { x, y };
    return pointAcross({ x, y }, actual, { outer, inner, isRoot: role === NATIVE.ROOT_PANE });
  }

  #boxes(paths: readonly string[]): Promise<(Extents | undefined)[]> {
    return Promise.all(paths.map((path) => this.#read(this.#templates.screenExtents, path)));
  }

  get #isLibreOffice(): boolean {
    return this.#application.traits.kind === 'libreoffice';
  }

  #extentsFor({ coordinates }: ToolkitPoint): Channel['templates']['screenExtents'] {
    return coordinates === 'window' ? this.#templates.windowExtents : this.#templates.screenExtents;
  }

  async #role(path: string): Promise<number> {
    return (await this.#read(this.#templates.role, path)) ?? 0;
  }

  get #templates(): Channel['templates'] {
    return this.#channel.templates;
  }

  #read<T>(template: CallTemplate<T>, path: string): Promise<T | undefined> {
    return this.#channel.connection.invoke(template, path, this.#options).catch((error: unknown) => {
      if (isLate(error)) throw error;
      return undefined;
    });
  }

  /** Firefox finds elements reliably only from the page; its window has a relation to the visible page. */
  async #document(root: string): Promise<string | undefined> {
    if (this.#application.traits.kind !== 'gecko') return undefined;
    const relations = await this.#read(this.#templates.relations, root);
    return this.#own(relations?.find(({ type }) => type === 'embeds')?.targets[0]);
  }

  /** GTK 3 and LibreOffice warn on stderr when an object lacks the interface that is called. */
  async #hasComponent(path: string): Promise<boolean> {
    const names = await this.#read(this.#templates.interfaces, path);
    return names !== undefined && (names & IMPLEMENTS.COMPONENT) !== 0;
  }

  #own(reference: ObjectReference | undefined): string | undefined {
    if (reference === undefined || reference.path === NULL_PATH) return undefined;
    return reference.bus === '' || reference.bus === this.#application.bus ? reference.path : undefined;
  }
}

function isAt({ x, y, width, height }: Extents, point: Point): boolean {
  return point.x >= x && point.x < x + width && point.y >= y && point.y < y + height;
}
