import type { Bounds } from '../../../model/tree/bounds.ts';
import type { NodeHandle, TreeNode } from '../../../model/tree/node.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { PointContent, PointOptions } from '../../../ports/desktop/elements.ts';
import type { Point } from '../../../ports/input.ts';
import type { Application } from '../atspi/bus/application.ts';
import { ElementAtPoint } from '../atspi/tree/element-at-point.ts';
import { NATIVE } from '../atspi/tree/roles.ts';
import { readTree } from '../atspi/tree/tree-reader.ts';
import type { Connections } from './connections.ts';
import {
  isFilledBy,
  isTooltipOf,
  itemInPopup,
  lineageByBounds,
  lineageInPopup,
} from './lineage-by-bounds.ts';
import type { DisplayPointContent, DisplayPopup } from '../display/display.ts';

const MENUS: ReadonlySet<number> = new Set([NATIVE.MENU, NATIVE.POPUP_MENU]);
/** More would be too much to read for one click. */
const MAX_NODES = 5000;

/** What a click at a point would reach: the window, from the display, and the element in it, from its application. */
export async function contentAt(
  connections: Connections,
  point: Point,
  options: PointOptions,
): Promise<PointContent> {
  const { windows, applications, popups } = connections;
  const { menus = false, lists = false } = options;
  const shown = menus || lists ? popups.shown(options).catch(() => []) : [];
  const [found, application] = await Promise.all([
    windows.display.contentAt(point, options),
    options.app === undefined ? undefined : applications.require(options.app, options).catch(() => undefined),
  ]);
  const { windowId, pid, clientPids, popup } = found;
  const isTheirs =
    application !== undefined && (pid === application.pid || (pid === undefined && popup === undefined));
  const lookup = isTheirs ? new PointLookup(connections, application, point, options) : undefined;
  // If the application does not report it, the element is unknown, which is not a failure.
  const lineage = await lookup?.at(found).catch(() => []);
  const open = popup === undefined && pid !== undefined ? await shown : [];
  const takers = open.filter(
    (other) => other.pid === pid && ((menus && other.isMenu) || (lists && other.isList)),
  );
  // Menus of Qt 6 look like lists to the display.
  const mayBeMenus = menus ? open.filter((other) => other.pid === pid && other.isList) : [];
  // Tooltips of GTK 4 look like lists to the display.
  const isBehindMenu =
    takers.some(({ isMenu }) => isMenu) ||
    (mayBeMenus.length > 0 && (await lookup?.hasMenu(mayBeMenus).catch(() => false)) === true) ||
    (takers.length > 0 && (lookup === undefined || (await lookup.isNoTooltip(takers)))) ||
    (menus && isTheirs && popup === undefined && (await popups.hasUntoldMenu(application, options)));
  options.signal?.throwIfAborted();
  return {
    ...(isBehindMenu ? { isBehindMenu } : {}),
    ...(windowId === undefined ? {} : { windowId }),
    ...(pid === undefined ? {} : { pid }),
    ...(clientPids === undefined ? {} : { clientPids }),
    isPopup: popup !== undefined,
    ...(popup?.isTooltip === true ? { isTooltip: true } : {}),
    ...(isTheirs && application.traits.hitsWhatIsDrawn ? { isWhatIsDrawn: true } : {}),
    lineage: lineage ?? [],
  };
}

/** Finds the element that an application has at a point. */
class PointLookup {
  readonly #connections: Connections;
  readonly #application: Application;
  readonly #point: Point;
  readonly #options: CallOptions;

  constructor(connections: Connections, application: Application, point: Point, options: CallOptions) {
    this.#connections = connections;
    this.#application = application;
    this.#point = point;
    this.#options = options;
  }

  async at({ windowId, popup }: DisplayPointContent): Promise<readonly NodeHandle[]> {
    if (popup) return this.#inPopup(popup);
    return windowId === undefined ? [] : this.#inWindow(windowId);
  }

  /** Whether one of these popups is more than a tooltip. If the application does not tell, it is. */
  async isNoTooltip(popups: readonly { readonly bounds: Bounds }[]): Promise<boolean> {
    if (this.#application.traits.kind !== 'gtk4') return true;
    const roots = this.#connections.windows.places.rootsOf(this.#application);
    const trees = await Promise.all([...roots].map((root) => this.#read(root).catch(() => undefined)));
    return popups.some(({ bounds }) => !trees.some((tree) => tree && isTooltipOf(tree, bounds)));
  }

  /** Whether one of these popups of Qt is a menu. */
  async hasMenu(popups: readonly DisplayPopup[]): Promise<boolean> {
    const application = this.#application;
    if (application.traits.kind !== 'qt') return false;
    const isMenuAmong = async (tree?: TreeNode): Promise<boolean> => {
      const found = await this.#connections.popups.find(application, popups, { ...this.#options, tree });
      return found.some(({ topLevel }) => MENUS.has(topLevel.nativeRole));
    };
    // Most menus were announced; to read a window takes longer.
    if (await isMenuAmong()) return true;
    for (const root of this.#connections.windows.places.rootsOf(application))
      if (await isMenuAmong(await this.#read(root).catch(() => undefined))) return true;
    return false;
  }

  async #inWindow(windowId: string): Promise<readonly NodeHandle[]> {
    const { places } = this.#connections.windows;
    const root = await places.rootOf(this.#application, windowId, this.#options);
    if (root === undefined) return [];
    const hitTest = await ElementAtPoint.open(this.#application, this.#options);
    const point = await places.toToolkit(this.#application, root, this.#point, this.#options);
    const lineage = await hitTest.lineage(root, point);
    if (lineage.length > 0) return lineage;
    return handlesOf(lineageByBounds(await this.#read(root), this.#point));
  }

  /**
   * In some toolkits a popup is a separate window, in others a part of the window that opened it. Of a tooltip there is nothing to click, and it goes
   * when the pointer comes; but lists that leave the keyboard to the field that they belong to call themselves tooltips in Qt.
   */
  async #inPopup({
    bounds: popup,
    isTooltip,
  }: NonNullable<DisplayPointContent['popup']>): Promise<readonly NodeHandle[]> {
    const application = this.#application;
    const hitTest = await ElementAtPoint.open(application, this.#options);
    const popups = await this.#connections.popups.find(application, [{ bounds: popup }], this.#options);
    for (const { topLevel, mapping } of popups) {
      if (isTooltip && !isFilledBy(await this.#read(topLevel.path), popup)) continue;
      const point = { coordinates: mapping.coordinates, ...mapping.fromPixels(this.#point) };
      let lineage = await hitTest.lineage(topLevel.path, point);
      const widgets =
        lineage.length > 0 ? [] : await this.#connections.popups.widgetsIn({ topLevel }, this.#options);
      for (const widget of widgets) if (lineage.length === 0) lineage = await hitTest.lineage(widget, point);
      // In Qt a context menu is a child of the element it was opened on, but a click on the menu does not reach that.
      const end = lineage.findIndex(({ path }) => path === topLevel.path);
      if (lineage.length > 0) return end === -1 ? lineage : lineage.slice(0, end + 1);
    }
    if (isTooltip) return [];
    for (const root of this.#connections.windows.places.rootsOf(application)) {
      const tree = await this.#read(root);
      if (application.traits.kind === 'gtk4' && isTooltipOf(tree, popup)) return [];
      const filling = lineageInPopup(tree, popup, this.#point);
      // GTK 4 reports items of a menu bar's menu some pixels off, which must not select a neighbouring item.
      const isOff = application.traits.kind === 'gtk4';
      const lineage = filling.length > 0 || isOff ? filling : itemInPopup(tree, popup, this.#point);
      if (lineage.length > 0) return handlesOf(lineage);
    }
    return [];
  }

  async #read(path: string): Promise<TreeNode> {
    const { applications, windows } = this.#connections;
    const root = { app: this.#application.bus, path };
    const result = await readTree(this.#application, {
      deadlineMs: this.#options.deadlineMs,
      signal: this.#options.signal,
      root,
      wholeTree: false,
      maxNodes: MAX_NODES,
      includeActions: false,
      frame: await windows.frameOf(this.#application, root, this.#options),
      applicationOf: (bus) => applications.require(bus, this.#options),
    });
    return result.root;
  }
}

function handlesOf(nodes: readonly TreeNode[]): readonly NodeHandle[] {
  return nodes.map(({ handle }) => handle);
}
