import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeHandle } from '../../../../model/tree/node.ts';
import type { CallOptions } from '../../../../ports/desktop.ts';
import type { Point } from '../../../../ports/input.ts';
import type { Application, Channel } from '../bus/application.ts';
import { IMPLEMENTS, interfaceSet } from './cache-items.ts';
import { addressOf } from './cell-address.ts';
import { NULL_PATH, ROOT_PATH } from './names.ts';
import { NATIVE } from './roles.ts';
import type { Extents, ObjectReference } from './templates.ts';

/** Deeper than any real interface; a tree that nests for ever must not keep us. */
const MAX_DEPTH = 64;
const BOXES: ReadonlySet<number> = new Set([NATIVE.PANEL, NATIVE.FILLER]);
/** Widgets of GTK may be higher than the room they are given. */
const SIZE_TOLERANCE_PX = 2;

/** The place of a toolkit in its own coordinates; see WindowPlaces. */
export interface PlaceInWindow {
  readonly coordinates: 'screen' | 'window';
  readonly x: number;
  readonly y: number;
}

/** Asks one application what lies at a place. Whatever it refuses, or answers that makes no sense, is nothing. */
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

  /** The innermost element at `place` below `root`, with what it is in; empty where that cannot be told. */
  async lineage(root: string, place: PlaceInWindow): Promise<NodeHandle[]> {
    const { hitDelayMs } = this.#application.traits;
    if (hitDelayMs > 0) {
      await this.#hit(root, place);
      await sleep(hitDelayMs, undefined, { signal: this.#options.signal });
    }
    const start = (await this.#document(root)) ?? root;
    const hit =
      (await this.#hit(start, place)) ?? (start === root ? undefined : await this.#hit(root, place));
    if (hit === undefined) return [];
    const lineage = await this.ancestry(hit);
    const address = await addressOf(this.#application, this.#channel, hit, this.#options).catch(
      () => undefined,
    );
    return address === undefined
      ? lineage
      : [{ app: this.#application.bus, path: address }, ...lineage.slice(1)];
  }

  /** An element and what it is in, innermost first. */
  async ancestry(path: string): Promise<NodeHandle[]> {
    const { connection, templates } = this.#channel;
    const lineage: NodeHandle[] = [];
    let current: string | undefined = path;
    while (current !== undefined && lineage.length < MAX_DEPTH) {
      lineage.push({ app: this.#application.bus, path: current });
      const parent: ObjectReference | undefined = await connection
        .invoke(templates.parent, current, this.#options)
        .catch(() => undefined);
      current = this.#own(parent);
      if (current === ROOT_PATH) current = undefined;
    }
    return lineage;
  }

  /** Most toolkits name the innermost element at once, GTK 3 only the next one: asked again, the former have nothing to add. */
  async #hit(start: string, place: PlaceInWindow): Promise<string | undefined> {
    const { connection, templates } = this.#channel;
    const seen = new Set([start]);
    let hit: string | undefined;
    let current = start;
    let { x, y } = place;
    while (seen.size <= MAX_DEPTH && (await this.#hasPlace(current))) {
      const question = templates.elementAtPoint(x, y, place.coordinates === 'window' ? 1 : 0);
      const answer = await connection.invoke(question, current, this.#options).catch(() => undefined);
      const inside = this.#own(answer);
      const next = inside ?? (await this.#hidden(current));
      if (next === undefined || seen.has(next)) break;
      const shift = await this.#shift(current, next, inside === undefined);
      x += shift.x;
      y += shift.y;
      seen.add(next);
      if (inside !== undefined) hit = inside;
      current = next;
    }
    return hit;
  }

  /** What is in an element, though by what both say of themselves it lies elsewhere. */
  async #hidden(path: string): Promise<string | undefined> {
    const { connection, templates } = this.#channel;
    const role = await this.#role(path);
    // To ATK a tab is no larger than its label, and so nobody finds the page that is in it.
    if (role === NATIVE.PAGE_TAB_LIST)
      return this.#own(
        await connection.invoke(templates.selectedChild, path, this.#options).catch(() => undefined),
      );
    if (!this.#isLibreOffice || !BOXES.has(role)) return undefined;
    const children = await connection.invoke(templates.children, path, this.#options).catch(() => undefined);
    const only = children?.length === 1 ? this.#own(children[0]) : undefined;
    const roleOfOnly = only === undefined ? 0 : await this.#role(only);
    if (only === undefined || roleOfOnly === NATIVE.ROOT_PANE) return only;
    if (!BOXES.has(roleOfOnly)) return undefined;
    const [outer, inner] = await this.#boxes([path, only]);
    return outer && inner && isAsLarge(outer, inner) ? only : undefined;
  }

  /**
   * What LibreOffice draws itself is, to itself, where the window begins, though it begins below the menu bar of GTK; what is of GTK inside of
   * that is right again.
   */
  async #shift(outside: string, inside: string, isHidden: boolean): Promise<Point> {
    const none = { x: 0, y: 0 };
    if (!this.#isLibreOffice) return none;
    const role = await this.#role(inside);
    if (role !== NATIVE.ROOT_PANE && !(isHidden && BOXES.has(role))) return none;
    const [outer, inner] = await this.#boxes([outside, inside]);
    return outer && inner ? { x: inner.x - outer.x, y: inner.y - outer.y } : none;
  }

  #boxes(paths: readonly string[]): Promise<(Extents | undefined)[]> {
    const { connection, templates } = this.#channel;
    return Promise.all(
      paths.map((path) =>
        connection.invoke(templates.screenExtents, path, this.#options).catch(() => undefined),
      ),
    );
  }

  get #isLibreOffice(): boolean {
    return this.#application.traits.kind === 'libreoffice';
  }

  #role(path: string): Promise<number> {
    const { connection, templates } = this.#channel;
    return connection.invoke(templates.role, path, this.#options).catch(() => 0);
  }

  /** Firefox answers reliably only from the page; its window says which page it shows. */
  async #document(root: string): Promise<string | undefined> {
    if (this.#application.traits.kind !== 'gecko') return undefined;
    const { connection, templates } = this.#channel;
    const relations = await connection
      .invoke(templates.relations, root, this.#options)
      .catch(() => undefined);
    return this.#own(relations?.find(({ type }) => type === 'embeds')?.targets[0]);
  }

  /** GTK 3 and LibreOffice complain on stderr when they are asked for what an object has not. */
  async #hasPlace(path: string): Promise<boolean> {
    const { connection, templates } = this.#channel;
    const names = await connection.invoke(templates.interfaces, path, this.#options).catch(() => undefined);
    return names !== undefined && (interfaceSet(names) & IMPLEMENTS.COMPONENT) !== 0;
  }

  #own(reference: ObjectReference | undefined): string | undefined {
    if (reference === undefined || reference.path === NULL_PATH) return undefined;
    return reference.bus === '' || reference.bus === this.#application.bus ? reference.path : undefined;
  }
}

function isAsLarge(a: Extents, b: Extents): boolean {
  return (
    Math.abs(a.width - b.width) <= SIZE_TOLERANCE_PX && Math.abs(a.height - b.height) <= SIZE_TOLERANCE_PX
  );
}
