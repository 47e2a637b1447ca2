import type { Bounds } from '../../../model/tree/bounds.ts';
import type { TreeNode } from '../../../model/tree/node.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { TreeRequest, TreeResult } from '../../../ports/desktop/elements.ts';
import type { Application } from '../atspi/bus/application.ts';
import { NATIVE } from '../atspi/tree/roles.ts';
import { hasState, STATE } from '../atspi/tree/states.ts';
import { readTopLevels, type TopLevel } from '../atspi/bus/top-levels.ts';
import type { ReadPlan } from '../atspi/tree/read-plan.ts';
import { readTree } from '../atspi/tree/tree-reader.ts';
import type { UnlistedMenus } from '../atspi/tree/unlisted-menus.ts';
import { isFilledBy } from './lineage-by-bounds.ts';
import { mappingOfPopup, type PixelMapping } from './pixel-mapping.ts';
import type { WindowPlaces } from './window-places.ts';
import type { DisplayPopup, DisplayWindows } from '../display/display.ts';

/** A menu with its submenus, a list and a tooltip; no real interface opens more at once. */
const MAX_POPUPS = 12;
/** A window around a menu or list, with no content of its own. */
const WRAPPERS: ReadonlySet<number> = new Set([NATIVE.FRAME, NATIVE.WINDOW]);

/** Menus, and windows without a frame around them; tooltips have nothing to act on. */
const POPPED: ReadonlySet<number> = new Set([NATIVE.WINDOW, NATIVE.MENU, NATIVE.POPUP_MENU]);

const NOWHERE: PixelMapping = {
  coordinates: 'screen',
  scale: 1,
  toPixels: () => undefined,
  fromPixels: (point) => point,
};

const NO_CONTENT = 'a popup reports no content';

/** A popup on the display with its accessible window. */
interface OpenPopup<P> {
  readonly shown: P;
  readonly topLevel: TopLevel;
  readonly mapping: PixelMapping;
}

/**
 * Menus, lists and tooltips that are separate windows. For a person, and so in the tree we return, they are part of the
 * window that opened them. Some toolkits already include them there (GTK 4, Firefox, menu bars, combo boxes in Qt).
 */
export class OpenPopups {
  readonly #windows: DisplayWindows;
  readonly #places: WindowPlaces;
  readonly #menus: UnlistedMenus;

  constructor(windows: DisplayWindows, places: WindowPlaces, menus: UnlistedMenus) {
    this.#windows = windows;
    this.#places = places;
    this.#menus = menus;
  }

  /** The popups on the display now; read in parallel with the window, so that it costs no time. Never rejects. */
  shown(options: CallOptions): Promise<readonly DisplayPopup[]> {
    return this.#windows.popups(options).catch(() => []);
  }

  /** Whether a menu of an application is open, by what it tells itself: for displays that do not list popups. Never rejects. */
  async hasUntoldMenu(application: Application, options: CallOptions): Promise<boolean> {
    if (this.#windows.clientsKnowPlaces !== false) return false;
    const listed = await readTopLevels(application, options).catch(() => undefined);
    const isQt = application.traits.kind === 'qt';
    const announced = isQt ? await this.#menus.announced(application, options).catch(() => []) : [];
    const popped = [...(listed ?? []), ...announced].filter(
      ({ path, nativeRole, states }) =>
        POPPED.has(nativeRole) &&
        hasState(states, STATE.SHOWING) &&
        !this.#places.isWindow(application, path),
    );
    const areMenus = popped.map(async (topLevel) => isMenu(await roleInside(topLevel, options)));
    return (await Promise.all(areMenus)).includes(true);
  }

  /**
   * The accessible windows of some popups of an application, lowest first; popups without one, or already inside a window's
   * tree, are omitted.
   * @param tree of the window they belong to, if it was read
   */
  async find<P extends { readonly bounds: Bounds; readonly isTooltip?: boolean | undefined }>(
    application: Application,
    popups: readonly P[],
    options: CallOptions & { readonly tree?: TreeNode | undefined },
  ): Promise<readonly OpenPopup<P>[]> {
    const { tree } = options;
    const topLevels = (await readTopLevels(application, options)) ?? [];
    const listed = topLevels.filter(({ path }) => !this.#places.isWindow(application, path));
    const found = match(popups, listed);
    if (application.traits.kind !== 'qt') return found;
    const isMissing = (popup: P): boolean =>
      popup.isTooltip !== true &&
      !found.some(({ shown }) => shown === popup) &&
      (tree === undefined || !isFilledBy(tree, popup.bounds));
    if (!popups.some(isMissing)) return found;
    found.push(...match(popups.filter(isMissing), await this.#menus.announced(application, options)));
    if (tree && popups.some(isMissing))
      found.push(...match(popups.filter(isMissing), await this.#menus.guess(application, tree, options)));
    return found.toSorted((a, b) => popups.indexOf(a.shown) - popups.indexOf(b.shown));
  }

  /** Widgets of a popup that are no children of it. */
  async widgetsIn(
    { topLevel }: { readonly topLevel: TopLevel },
    options: CallOptions,
  ): Promise<readonly string[]> {
    const { application, path, nativeRole } = topLevel;
    if (application.traits.kind !== 'qt' || WRAPPERS.has(nativeRole)) return [];
    return this.#menus.widgetsIn(application, path, options);
  }

  /** The tree of a window with its open popups as the last children; other trees are returned unchanged. */
  async addTo(
    result: TreeResult,
    application: Application,
    {
      request,
      shown,
      applicationOf,
    }: {
      readonly request: TreeRequest;
      readonly shown: readonly DisplayPopup[];
      readonly applicationOf: ReadPlan['applicationOf'];
    },
  ): Promise<TreeResult> {
    const theirs = shown.filter(({ pid }) => pid === application.pid).slice(-MAX_POPUPS);
    const { path } = request.root;
    const isTold = this.#windows.clientsKnowPlaces !== false;
    if ((isTold && theirs.length === 0) || request.maxDepth === 0) return result;
    if (!this.#places.isWindow(application, path)) return result;
    const options = { deadlineMs: request.deadlineMs, signal: request.signal, tree: result.root };
    const open = isTold
      ? await this.#told(application, path, theirs, options)
      : await this.#untold(application, path, options);
    const seen = new Set(paths(result.root));
    let read = result;
    for (const popup of open) {
      if (seen.has(popup.topLevel.path)) continue;
      const isWrapper = WRAPPERS.has(popup.topLevel.nativeRole);
      const plan: ReadPlan = {
        ...planFor(popup, request),
        maxNodes: Math.max(1, request.maxNodes - read.nodeCount),
        maxDepth: request.maxDepth === undefined ? undefined : request.maxDepth - (isWrapper ? 0 : 1),
        applicationOf,
      };
      const menu = await readTree(application, plan).catch(() => undefined);
      // It closed meanwhile.
      if (!menu) continue;
      const part = menu.root.children.length > 0 ? menu : await this.#withWidgets(menu, popup, plan);
      const added = (isWrapper ? part.root.children : [part.root]).filter(
        ({ handle }) => !seen.has(handle.path),
      );
      for (const each of added.flatMap(paths)) seen.add(each);
      read = joined(read, part, added);
    }
    return read;
  }

  /** Those of a window that the display lists. */
  async #told(
    application: Application,
    root: string,
    theirs: readonly DisplayPopup[],
    options: CallOptions & { readonly tree: TreeNode },
  ): Promise<readonly OpenPopup<unknown>[]> {
    const here = await this.#of(application, root, theirs, options);
    const open = here.length === 0 ? [] : await this.find(application, here, options);
    this.#places.addPopups(application, open);
    return open;
  }

  /**
   * Those that only their application lists, and the display does not: they belong to its frontmost window. They have no place: what toolkits report
   * is where they asked for them to be, relative to something that they do not name.
   */
  async #untold(
    application: Application,
    root: string,
    options: CallOptions & { readonly tree: TreeNode },
  ): Promise<readonly OpenPopup<unknown>[]> {
    const own = this.#places.displayIds(application);
    const windows = (await this.#windows.list(options)).filter(({ id }) => [...own.values()].includes(id));
    const front = (windows.find(({ active }) => active) ?? windows.at(-1))?.id;
    if (front === undefined || own.get(root) !== front) return [];
    const listed = (await readTopLevels(application, options)) ?? [];
    const isQt = application.traits.kind === 'qt';
    const announced = isQt ? await this.#menus.announced(application, options) : [];
    const guessed =
      isQt && announced.length === 0 ? await this.#menus.guess(application, options.tree, options) : [];
    return [...listed, ...announced, ...guessed]
      .filter(({ path, nativeRole }) => POPPED.has(nativeRole) && !this.#places.isWindow(application, path))
      .map((topLevel) => ({ shown: undefined, topLevel, mapping: NOWHERE }));
  }

  /** A popup that reports no content, with the widgets that report to be in it. */
  async #withWidgets(menu: TreeResult, popup: OpenPopup<unknown>, plan: ReadPlan): Promise<TreeResult> {
    if (plan.maxDepth !== undefined && plan.maxDepth < 1) return menu;
    let read = menu;
    for (const path of await this.widgetsIn(popup, plan)) {
      const part = await readTree(popup.topLevel.application, {
        ...plan,
        root: { ...plan.root, path },
        maxNodes: Math.max(1, plan.maxNodes - read.nodeCount),
        maxDepth: plan.maxDepth === undefined ? undefined : plan.maxDepth - 1,
      }).catch(() => undefined);
      if (part) read = joined(read, part, [part.root]);
    }
    if (read.root.children.length > 0) return read;
    return { ...read, complete: false, incompleteReasons: [...read.incompleteReasons, NO_CONTENT] };
  }

  /** The popups of one window: the window they name as owner, else their application's frontmost window. */
  async #of(
    application: Application,
    root: string,
    popups: readonly DisplayPopup[],
    options: CallOptions,
  ): Promise<readonly DisplayPopup[]> {
    const own = this.#places.displayIds(application);
    const window = own.get(root);
    const known = new Set(own.values());
    const owners = popups.map((popup) => ownerOf(popup, popups));
    const isNamed = (owner: string | undefined): boolean => owner !== undefined && known.has(owner);
    let front: string | undefined;
    if (!owners.every(isNamed)) {
      const windows = (await this.#windows.list(options)).filter(({ id }) => known.has(id));
      front = (windows.find(({ active }) => active) ?? windows.at(-1))?.id;
    }
    return popups.filter((_popup, index) => {
      const owner = owners[index];
      return (isNamed(owner) ? owner : front) === window;
    });
  }
}

function isMenu(nativeRole: number): boolean {
  return nativeRole === NATIVE.MENU || nativeRole === NATIVE.POPUP_MENU;
}

/** The role of a popup, or of what its window is around. */
async function roleInside(
  { application, path, nativeRole }: TopLevel,
  options: CallOptions,
): Promise<number> {
  if (!WRAPPERS.has(nativeRole)) return nativeRole;
  try {
    const { connection, templates } = await application.readingChannel(options);
    const [inner] = await connection.invoke(templates.children, path, options);
    return inner === undefined ? nativeRole : await connection.invoke(templates.role, inner.path, options);
  } catch {
    return nativeRole;
  }
}

/** A submenu may name its parent menu as owner. */
function ownerOf(popup: DisplayPopup, popups: readonly DisplayPopup[]): string | undefined {
  let owner = popup.transientFor;
  for (let step = 0; step < popups.length; step++) {
    const around = popups.find(({ id }) => id === owner);
    if (!around) break;
    owner = around.transientFor;
  }
  return owner;
}

function match<P extends { readonly bounds: Bounds }>(
  popups: readonly P[],
  topLevels: readonly TopLevel[],
): OpenPopup<P>[] {
  const left = new Set(topLevels);
  return popups.flatMap((shown) => {
    for (const topLevel of left) {
      const mapping = topLevel.extents && mappingOfPopup(shown.bounds, topLevel.extents);
      if (!mapping) continue;
      left.delete(topLevel);
      return [{ shown, topLevel, mapping }];
    }
    return [];
  });
}

function planFor(
  { topLevel, mapping }: OpenPopup<unknown>,
  { wholeTree, includeActions, deadlineMs, signal }: TreeRequest,
): Omit<ReadPlan, 'maxNodes' | 'applicationOf'> {
  return {
    deadlineMs,
    signal,
    wholeTree,
    includeActions,
    startsAtMenu: topLevel.application.traits.kind === 'qt' && !WRAPPERS.has(topLevel.nativeRole),
    root: { app: topLevel.application.bus, path: topLevel.path },
    frame: {
      windowCoordinates: false,
      rootPath: topLevel.path,
      toBounds: Promise.resolve((extents) => mapping.toPixels(extents)),
    },
  };
}

function joined(into: TreeResult, part: TreeResult, added: readonly TreeNode[]): TreeResult {
  return {
    root: { ...into.root, children: [...into.root.children, ...added] },
    complete: into.complete && part.complete,
    incompleteReasons: [...new Set([...into.incompleteReasons, ...part.incompleteReasons])],
    nodeCount: into.nodeCount + added.flatMap(paths).length,
    callCount: into.callCount + part.callCount,
  };
}

function paths(node: TreeNode): string[] {
  return [node.handle.path, ...node.children.flatMap(paths)];
}
