import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { CallTemplate } from '../../../dbus/index.ts';
import type { Application, Channel } from '../../bus/application.ts';
import { IMPLEMENTS } from '../cache-items.ts';
import { NULL_PATH, ROOT_PATH } from '../names.ts';
import { forEachNode, type RawNode } from '../raw-node.ts';
import { NATIVE } from '../roles.ts';
import { hasState, STATE } from '../states.ts';
import type { Extents } from '../object-facts.ts';

/** Parts of a page that are asked whether they are drawn; a field never is what it returns for its own middle. */
const MOST_ASKED = 12;
/** The place of what is not drawn. */
export const NOWHERE: Extents = { x: 0, y: 0, width: 0, height: 0 };

/** A page of a stack: an object without a place between the stack, which does not list it, and what is drawn for it. */
export interface Page {
  readonly path: string;
  /** What is drawn for it, and parts of that. */
  parts(): readonly Part[] | Promise<readonly Part[]>;
}

interface Part {
  readonly path: string;
  readonly extents: Extents;
}

/** Asks an application about its pages. */
export interface PageCalls {
  parentOf(element: string): Promise<string | undefined>;
  /** Whether the tab that a page is labelled by is selected; undefined if it has none. */
  isChosen(page: string): Promise<boolean | undefined>;
  /** Whether the toolkit finds anything in the middle of an element; it finds nothing in what is not drawn. */
  isDrawn(part: Part): Promise<boolean>;
}

/**
 * GTK 4 does not report which page of a notebook or a stack shows: those that showed before keep their place. The selected tab tells it, or else
 * that nothing can be hit in the others. If neither tells it, they all stay.
 */
export async function hideUnseenPages(
  { traits }: { readonly traits: Pick<Application['traits'], 'kind'> },
  calls: () => PageCalls,
  root: RawNode,
  wholeTree: boolean,
): Promise<void> {
  if (traits.kind !== 'gtk4') return;
  const stacks: { readonly stack: RawNode; readonly contents: readonly RawNode[] }[] = [];
  forEachNode(root, (stack) => {
    const placed = stack.children.filter((child) => !child.dropped && hasPlace(child.extents));
    const contents = placed.filter((child) =>
      placed.some((other) => other !== child && covers(other, child)),
    );
    if (contents.length > 1) stacks.push({ stack, contents });
  });
  if (stacks.length === 0) return;
  const asked = calls();
  await Promise.all(
    stacks.map(async ({ stack, contents }) => {
      const parents = await Promise.all(contents.map(async ({ path }) => asked.parentOf(path)));
      const pages = contents.flatMap((content, index) => {
        const path = parents[index];
        return path === undefined || path === stack.path
          ? []
          : [{ path, content, parts: () => partsOf(content) }];
      });
      const shown = await shownPage(asked, pages);
      if (shown === undefined) return;
      for (const { content } of pages.filter(({ path }) => path !== shown)) {
        content.dropped ||= !wholeTree;
        forEachNode(content, (inside) => {
          inside.extents = NOWHERE;
        });
      }
    }),
  );
}

/** The path of the only page that shows; undefined if that is not known, or while one takes the place of another. */
export async function shownPage(calls: PageCalls, pages: readonly Page[]): Promise<string | undefined> {
  const chosen = await Promise.all(pages.map(async ({ path }) => calls.isChosen(path)));
  const byTab = pages.filter((_page, index) => chosen[index] === true);
  if (byTab.length === 1 && chosen.every((one) => one !== undefined)) return byTab[0]?.path;
  const drawn = await Promise.all(
    pages.map(async (page) => {
      const parts = (await page.parts()).slice(0, MOST_ASKED);
      const answers = await Promise.all(parts.map(async (part) => calls.isDrawn(part)));
      return answers.includes(true);
    }),
  );
  const byPlace = pages.filter((_page, index) => drawn[index] === true);
  return byPlace.length === 1 ? byPlace[0]?.path : undefined;
}

/** Reads what {@link shownPage} asks for, in the coordinates in which the places were read. */
export function pageCalls(
  { connection, templates }: Channel,
  windowCoordinates: boolean,
  options: () => CallOptions,
): PageCalls {
  const read = <T>(template: CallTemplate<T>, path: string): Promise<T | undefined> =>
    connection.invoke(template, path, options()).catch(() => undefined);
  return {
    parentOf: async (path) => (await read(templates.parent, path))?.path,
    isChosen: async (page) => {
      const relations = await read(templates.relations, page);
      const tab = relations?.find(({ type }) => type === 'labelled_by')?.targets[0]?.path;
      if (tab === undefined) return undefined;
      const [role, states] = await Promise.all([read(templates.role, tab), read(templates.state, tab)]);
      if (role !== NATIVE.PAGE_TAB || states === undefined) return undefined;
      return hasState(states, STATE.SELECTED);
    },
    isDrawn: async ({ path, extents: { x, y, width, height } }) => {
      const [middleX, middleY] = [Math.floor(x + width / 2), Math.floor(y + height / 2)];
      const found = await read(templates.elementAtPoint(middleX, middleY, windowCoordinates ? 1 : 0), path);
      return found !== undefined && found.path !== NULL_PATH;
    },
  };
}

function hasPlace(extents: Extents | undefined): extents is Extents {
  return extents !== undefined && extents.width > 0 && extents.height > 0;
}

/** Whether one lies over the middle of another. */
function covers({ extents: over }: RawNode, { extents: under }: RawNode): boolean {
  if (over === undefined || under === undefined) return false;
  const [x, y] = [under.x + under.width / 2, under.y + under.height / 2];
  return x >= over.x && x < over.x + over.width && y >= over.y && y < over.y + over.height;
}

/** An element and its innermost parts, in whose middle they are found themselves if they are drawn at all. */
function partsOf(content: RawNode): Part[] {
  const parts: Part[] = [];
  forEachNode(content, (node) => {
    const { path, extents, children, nativeRole } = node;
    const isInnermost = children.length === 0 && nativeRole !== NATIVE.TEXT;
    if (hasPlace(extents) && (node === content || isInnermost)) parts.push({ path, extents });
  });
  return parts;
}

/** Deeper than any window. */
const MAX_ANCESTORS = 64;

/**
 * Whether an element is in a page that another one covers.
 * @param ancestors the element and all that contains it, outermost last; asked for if absent
 */
export async function isInUnseenPage(
  channel: Channel,
  element: Part,
  {
    windowCoordinates,
    ancestors,
  }: { readonly windowCoordinates: boolean; readonly ancestors?: readonly string[] | undefined },
  options: CallOptions,
): Promise<boolean> {
  const calls = pageCalls(channel, windowCoordinates, () => options);
  if (await calls.isDrawn(element)) return false;
  const live = new LivePages(channel, windowCoordinates, options);
  const [, ...above] = ancestors ?? (await ancestorsOf(calls, element.path));
  const arePages = await Promise.all(above.map((path) => live.isPage(path)));
  for (const [index, page] of above.entries()) {
    const stack = above[index + 1];
    if (arePages[index] !== true || stack === undefined) continue;
    const shown = await shownPage(calls, await live.pagesIn(stack, calls));
    if (shown !== undefined && shown !== page) return true;
  }
  return false;
}

async function ancestorsOf(calls: PageCalls, path: string): Promise<readonly string[]> {
  const found: string[] = [];
  let current: string | undefined = path;
  while (
    current !== undefined &&
    current !== NULL_PATH &&
    current !== ROOT_PATH &&
    found.length < MAX_ANCESTORS
  ) {
    found.push(current);
    current = await calls.parentOf(current);
  }
  return found;
}

/** Pages as they are now, without a reading of their window. */
class LivePages {
  readonly #channel: Channel;
  readonly #windowCoordinates: boolean;
  readonly #options: CallOptions;

  constructor(channel: Channel, windowCoordinates: boolean, options: CallOptions) {
    this.#channel = channel;
    this.#windowCoordinates = windowCoordinates;
    this.#options = options;
  }

  async isPage(path: string): Promise<boolean> {
    const names = await this.#read(this.#channel.templates.interfaces, path);
    return names !== undefined && (names & IMPLEMENTS.COMPONENT) === 0;
  }

  async pagesIn(stack: string, calls: PageCalls): Promise<readonly Page[]> {
    const contents = (await this.#read(this.#channel.templates.children, stack)) ?? [];
    const pages = await Promise.all(
      contents.map(async ({ path: content }) => {
        const [path = stack, extents] = await Promise.all([calls.parentOf(content), this.#placeOf(content)]);
        return { path, extents, parts: () => this.#partsOf(content) };
      }),
    );
    return pages.filter(({ path, extents }) => path !== stack && hasPlace(extents));
  }

  /** What is drawn for a page and what is in it, level by level. */
  async #partsOf(content: string): Promise<readonly Part[]> {
    const parts: Part[] = [];
    for (let level = [content]; level.length > 0 && parts.length < MOST_ASKED;) {
      const places = await Promise.all(level.map((path) => this.#placeOf(path)));
      const shown = level.flatMap((path, index) => {
        const extents = places[index];
        return hasPlace(extents) ? [{ path, extents }] : [];
      });
      parts.push(...shown);
      const below = await Promise.all(
        shown.map(({ path }) => this.#read(this.#channel.templates.children, path)),
      );
      level = below.flatMap((children) => (children ?? []).map(({ path }) => path)).slice(0, MOST_ASKED);
    }
    return parts;
  }

  #placeOf(path: string): Promise<Extents | undefined> {
    const { windowExtents, screenExtents } = this.#channel.templates;
    return this.#read(this.#windowCoordinates ? windowExtents : screenExtents, path);
  }

  #read<T>(template: CallTemplate<T>, path: string): Promise<T | undefined> {
    return this.#channel.connection.invoke(template, path, this.#options).catch(() => undefined);
  }
}
