import type { TreeNode } from '../../../../model/tree/node.ts';
import type { CallOptions } from '../../../../ports/call-options.ts';
import type { BusConnection } from '../../dbus/index.ts';
import type { Application } from '../bus/application.ts';
import { toDesktopEvent } from '../bus/events.ts';
import { NATIVE } from './roles.ts';
import { describeTopLevels, type TopLevel } from '../bus/top-levels.ts';

const MAX_APPLICATIONS = 64;
/** A dialog emits an event for each of its elements when it opens; a menu that opened before it must still be found. */
const MAX_PATHS = 64;
/** Qt warns on stderr about each request for an object that does not exist. */
const MAX_GUESSES = 48;
const NUMBERED = /^\/org\/a11y\/atspi\/accessible\/(\d{1,12})$/;
const MENUS: ReadonlySet<number> = new Set([NATIVE.MENU, NATIVE.POPUP_MENU]);

/**
 * Context menus in Qt are neither windows of their application nor children of any object: only what is in them refers to
 * them. Their paths are learned from the event that Qt emits when an object is shown or, without a listener at that time,
 * from the way it numbers its objects.
 */
export class UnlistedMenus {
  /** By bus name, latest last. */
  readonly #shown = new Map<string, Set<string>>();

  constructor(bus: Pick<BusConnection, 'onSignal'>) {
    bus.onSignal((message) => {
      if (message.member !== 'StateChanged') return;
      const event = toDesktopEvent(message, 0);
      if (event?.detail === 'showing=1') this.#remember(event.node.app, event.node.path);
    });
  }

  /** Menus that were announced by an event and are open now. */
  async announced(application: Application, options: CallOptions): Promise<TopLevel[]> {
    return this.#read(application, [...(this.#shown.get(application.bus) ?? [])], options);
  }

  /** Menus that are open and have higher numbers than everything in `tree`. */
  async guess(application: Application, tree: TreeNode, options: CallOptions): Promise<TopLevel[]> {
    const last = highestNumber(tree);
    if (last === 0) return [];
    const paths = Array.from(
      { length: MAX_GUESSES },
      (_, index) => `/org/a11y/atspi/accessible/${last + 1 + index}`,
    );
    const found = await this.#read(application, paths, options);
    for (const { path } of found) this.#remember(application.bus, path);
    return found;
  }

  /**
   * Widgets that a menu contains in place of items, such as the search field of a command palette: in Qt they are no children of it, but they
   * name it as their parent.
   */
  async widgetsIn(application: Application, menu: string, options: CallOptions): Promise<readonly string[]> {
    const paths = [...(this.#shown.get(application.bus) ?? [])].filter((path) => path !== menu);
    const { connection, templates } = application.daemonChannel;
    const found = await Promise.all(
      paths.map(async (path) => {
        const parent = await connection.invoke(templates.parent, path, options).catch(() => undefined);
        return parent?.path === menu ? path : undefined;
      }),
    );
    const inside = found.filter((path) => path !== undefined);
    return ((await describeTopLevels(application, inside, options)) ?? []).map(({ path }) => path);
  }

  async #read(application: Application, paths: readonly string[], options: CallOptions): Promise<TopLevel[]> {
    if (paths.length === 0) return [];
    const found = (await describeTopLevels(application, paths, options)) ?? [];
    return found.filter(({ nativeRole }) => MENUS.has(nativeRole));
  }

  #remember(bus: string, path: string): void {
    const paths = this.#shown.get(bus) ?? new Set();
    this.#shown.delete(bus);
    this.#shown.set(bus, paths);
    paths.delete(path);
    paths.add(path);
    dropOldest(paths, MAX_PATHS);
    dropOldest(this.#shown, MAX_APPLICATIONS);
  }
}

function dropOldest<K>(
  collection: { readonly size: number; keys(): Iterable<K>; delete(key: K): boolean },
  most: number,
): void {
  for (const key of collection.keys()) {
    if (collection.size <= most) return;
    collection.delete(key);
  }
}

function highestNumber(node: TreeNode): number {
  const own = Number(NUMBERED.exec(node.handle.path)?.[1] ?? 0);
  return node.children.reduce((highest, child) => Math.max(highest, highestNumber(child)), own);
}
