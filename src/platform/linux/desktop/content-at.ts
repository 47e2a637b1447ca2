import type { Bounds } from '../../../model/tree/bounds.ts';
import type { NodeHandle, TreeNode } from '../../../model/tree/node.ts';
import type { CallOptions, PointContent } from '../../../ports/desktop.ts';
import type { Point } from '../../../ports/input.ts';
import type { Application } from '../atspi/bus/application.ts';
import { ElementAtPoint } from '../atspi/tree/element-at-point.ts';
import { readTree } from '../atspi/tree/tree-reader.ts';
import type { Connections } from './connections.ts';
import { itemInPopup, lineageByBounds, lineageInPopup } from './lineage-by-bounds.ts';
import type { DisplayPointContent } from '../display/display.ts';

/** More is too much to read for one click. */
const MOST_NODES = 5000;

/** What a click at a place would reach: by the display the window, by its application the element in it. */
export async function contentAt(
  connections: Connections,
  point: Point,
  options: CallOptions & { readonly app?: string | undefined },
): Promise<PointContent> {
  const { windows, applications } = connections;
  const [found, application] = await Promise.all([
    windows.display.contentAt(point, options),
    options.app === undefined ? undefined : applications.require(options.app, options).catch(() => undefined),
  ]);
  const { windowId, pid, popup } = found;
  const isTheirs =
    application !== undefined && (pid === application.pid || (pid === undefined && popup === undefined));
  const look = isTheirs ? new Look(connections, application, point, options) : undefined;
  // What an application does not say is not known; that is no reason to fail.
  const lineage = await look?.at(found).catch(() => []);
  options.signal?.throwIfAborted();
  return {
    ...(windowId === undefined ? {} : { windowId }),
    ...(pid === undefined ? {} : { pid }),
    isPopup: popup !== undefined,
    lineage: lineage ?? [],
  };
}

/** One look at what an application has at a place. */
class Look {
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
    if (popup) return this.#inPopup(popup.bounds);
    return windowId === undefined ? [] : this.#inWindow(windowId);
  }

  async #inWindow(windowId: string): Promise<readonly NodeHandle[]> {
    const { places } = this.#connections.windows;
    const root = await places.rootOf(this.#application, windowId, this.#options);
    if (root === undefined) return [];
    const asking = await ElementAtPoint.open(this.#application, this.#options);
    const place = await places.toToolkit(this.#application, root, this.#point, this.#options);
    const lineage = await asking.lineage(root, place);
    if (lineage.length > 0) return lineage;
    return handlesOf(lineageByBounds(await this.#read(root), this.#point));
  }

  /** Some toolkits have a window of their own for a popup, to others it is a part of the window that opened it. */
  async #inPopup(popup: Bounds): Promise<readonly NodeHandle[]> {
    const application = this.#application;
    const asking = await ElementAtPoint.open(application, this.#options);
    const popups = await this.#connections.popups.find(application, [{ bounds: popup }], this.#options);
    for (const { topLevel, mapping } of popups) {
      const place = { coordinates: mapping.coordinates, ...mapping.fromPixels(this.#point) };
      const lineage = await asking.lineage(topLevel.path, place);
      // Qt says that a context menu is in the element it was opened on, but a click on the menu is none on that.
      const end = lineage.findIndex(({ path }) => path === topLevel.path);
      if (lineage.length > 0) return end === -1 ? lineage : lineage.slice(0, end + 1);
    }
    for (const root of this.#connections.windows.places.rootsOf(application)) {
      const tree = await this.#read(root);
      const filling = lineageInPopup(tree, popup, this.#point);
      // GTK 4 places what is in the menu of a bar some pixels off: that must not name another item.
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
      maxNodes: MOST_NODES,
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
