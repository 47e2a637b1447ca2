import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { CallTemplate } from '../../../dbus/index.ts';
import type { Channel } from '../../bus/application.ts';
import { NULL_PATH, ROOT_PATH } from '../names.ts';
import { type Extents } from '../object-facts.ts';
import { forEachNode, type RawNode } from '../raw-node.ts';
import type { PixelFrame } from '../read-plan.ts';
import type { ReadingTemplates } from '../templates.ts';

/** The place of what is not drawn. */
export const NOWHERE: Extents = { x: 0, y: 0, width: 0, height: 0 };
/** Places are whole pixels: the middle of a thinner element may be beside it. */
const LEAST_PX = 4;
/** Parts of an element that are asked whether they are drawn. */
const MOST_ASKED = 12;
/** Deeper than any window. */
const MAX_ANCESTORS = 64;

/**
 * Asks whether an element contains its own middle. GTK 4 reports neither which page of a stack or notebook shows, nor what a list filters out: what once
 * showed keeps its place. But what it does not draw contains no point. Undefined if the answer tells nothing.
 */
export function mappedCall(
  templates: ReadingTemplates,
  extents: Extents | undefined,
  windowCoordinates: boolean,
): ReturnType<ReadingTemplates['contains']> | undefined {
  if (extents === undefined || extents.width < LEAST_PX || extents.height < LEAST_PX) return undefined;
  const x = extents.x + Math.floor(extents.width / 2);
  return templates.contains(x, extents.y + Math.floor(extents.height / 2), windowCoordinates ? 1 : 0);
}

/**
 * Leaves out what is not drawn, such as the other pages of a stack. Some boxes let clicks pass, and contain no point either: they show if anything in them does.
 */
export function hideUnmapped(root: RawNode, wholeTree: boolean): void {
  const shown = new Map<RawNode, boolean | undefined>();
  // Nothing in a window that is itself not drawn at present tells more than that.
  if (isShown(root, shown) !== true && root.isTopLevel) return;
  const visit = (node: RawNode): void => {
    for (const child of node.children) {
      if (child.dropped) continue;
      if (shown.get(child) !== false) {
        visit(child);
        continue;
      }
      child.dropped ||= !wholeTree;
      forEachNode(child, (inside) => {
        inside.extents = NOWHERE;
      });
    }
  };
  visit(root);
}

/** Notes whether a node and each one in it is drawn; undefined if nothing tells. */
function isShown(node: RawNode, noted: Map<RawNode, boolean | undefined>): boolean | undefined {
  const known = [node.isMapped];
  for (const child of node.children) if (!child.dropped) known.push(isShown(child, noted));
  const shown = known.includes(true) ? true : known.find((one) => one !== undefined);
  noted.set(node, shown);
  return shown;
}

/** Whether an element is not drawn, in a window that is. */
export async function isUnmapped(
  channel: Channel,
  { path, extents }: { readonly path: string; readonly extents: Extents },
  frame: Pick<PixelFrame, 'windowCoordinates' | 'rootPath'>,
  options: CallOptions,
): Promise<boolean> {
  const live = new Live(channel, frame.windowCoordinates, options);
  if ((await live.isMapped(path, extents)) !== false || (await live.showsInside(path))) return false;
  const window = frame.rootPath ?? (await live.topOf(path));
  return window !== path && (await live.isMapped(window, await live.placeOf(window))) === true;
}

/** Elements as they are now, without a reading of their window. */
class Live {
  readonly #channel: Channel;
  readonly #windowCoordinates: boolean;
  readonly #options: CallOptions;

  constructor(channel: Channel, windowCoordinates: boolean, options: CallOptions) {
    this.#channel = channel;
    this.#windowCoordinates = windowCoordinates;
    this.#options = options;
  }

  placeOf(path: string): Promise<Extents | undefined> {
    const { windowExtents, screenExtents } = this.#channel.templates;
    return this.#read(this.#windowCoordinates ? windowExtents : screenExtents, path);
  }

  async isMapped(path: string, extents: Extents | undefined): Promise<boolean | undefined> {
    const call = mappedCall(this.#channel.templates, extents, this.#windowCoordinates);
    return call && this.#read(call, path);
  }

  /** Whether anything in an element is drawn: asks level by level. */
  async showsInside(path: string): Promise<boolean> {
    let asked = 0;
    for (let level = await this.#childrenOf([path]); level.length > 0 && asked < MOST_ASKED;) {
      const parts = level.slice(0, MOST_ASKED);
      asked += parts.length;
      const mapped = await Promise.all(
        parts.map(async (part) => this.isMapped(part, await this.placeOf(part))),
      );
      if (mapped.includes(true)) return true;
      level = await this.#childrenOf(parts);
    }
    return false;
  }

  /** The window of an element. */
  async topOf(path: string): Promise<string> {
    let top = path;
    for (let level = 0; level < MAX_ANCESTORS; level++) {
      const above = await this.#read(this.#channel.templates.parent, top);
      if (above === undefined || above.path === NULL_PATH || above.path === ROOT_PATH) break;
      top = above.path;
    }
    return top;
  }

  async #childrenOf(paths: readonly string[]): Promise<readonly string[]> {
    const { children } = this.#channel.templates;
    const found = await Promise.all(paths.map((path) => this.#read(children, path)));
    return found.flatMap((references) => (references ?? []).map(({ path }) => path));
  }

  #read<T>(template: CallTemplate<T>, path: string): Promise<T | undefined> {
    return this.#channel.connection.invoke(template, path, this.#options).catch(() => undefined);
  }
}
