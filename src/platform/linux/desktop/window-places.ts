import type { NodeHandle } from '../../../model/tree/node.ts';
import type { CallOptions } from '../../../ports/desktop.ts';
import type { Point } from '../../../ports/input.ts';
import type { Application } from '../atspi/bus/application.ts';
import { NULL_PATH, ROOT_PATH } from '../atspi/tree/names.ts';
import type { Extents } from '../atspi/tree/templates.ts';
import type { ToolkitKind } from '../atspi/tree/toolkit.ts';
import { readTopLevelExtents } from '../atspi/bus/top-levels.ts';
import type { TopLevel } from '../atspi/bus/top-levels.ts';
import type { PixelFrame, ToBounds } from '../atspi/tree/tree-reader.ts';
import { mappingOfPopup, pixelMapping } from './pixel-mapping.ts';
import type { PixelMapping, ToolkitFamily } from './pixel-mapping.ts';
import type { JoinedWindow } from './window-join.ts';
import type { DisplayPlace, DisplayWindow, DisplayWindows } from '../display/display.ts';

const FAMILY: Readonly<Record<ToolkitKind, ToolkitFamily>> = {
  gtk3: 'gtk3',
  gtk4: 'gtk4',
  qt: 'qt',
  gecko: 'other',
  chromium: 'other',
  libreoffice: 'other',
  java: 'other',
  other: 'other',
};

function familyOf({ traits }: Application): ToolkitFamily {
  return FAMILY[traits.kind];
}

/** A window that was not there, or that only its tree knew, is looked for again after so long. */
const LOOK_AGAIN_MS = 250;
const MAX_PARENTS = 100;
const MAX_POPUPS = 32;

/** A place in the coordinates of a toolkit. */
export interface ToolkitPoint extends Point {
  readonly coordinates: 'screen' | 'window';
}

/** A window of an application with its place on the display, where it has one. */
interface PlacedWindow {
  readonly shown: (DisplayPlace & Pick<DisplayWindow, 'id'>) | undefined;
  readonly topLevel: TopLevel;
  readonly isPopup?: boolean;
}

/** Lists the windows of the desktop anew and tells {@link WindowPlaces.note} of them. */
export type Relist = (options: CallOptions) => Promise<void>;

/**
 * Where the windows are that were listed, to turn what their elements say of themselves into pixels. What is remembered is which window of the
 * display belongs to which tree; where it is now is asked each time that matters.
 */
export class WindowPlaces {
  private readonly windows: DisplayWindows;
  private readonly relist: Relist;
  /** By bus name, then by path of the window's root. */
  private readonly byApplication = new Map<string, Map<string, PlacedWindow>>();
  private listedAt = Number.NEGATIVE_INFINITY;

  constructor(windows: DisplayWindows, relist: Relist) {
    this.windows = windows;
    this.relist = relist;
  }

  /**
   * Takes a list of windows. Windows of applications that did not answer this time stay as they were: another call may be reading them.
   * @param answered bus names of those who said which windows they have
   * @param present bus names of all that are there
   */
  note(joined: readonly JoinedWindow[], answered: ReadonlySet<string>, present: ReadonlySet<string>): void {
    for (const bus of this.byApplication.keys()) if (!present.has(bus)) this.byApplication.delete(bus);
    const found = new Map([...answered].map((bus) => [bus, this.popupsOf(bus)]));
    for (const { shown, topLevel } of joined) {
      if (!topLevel) continue;
      const { application, path } = topLevel;
      const known = this.find(application, path);
      found
        .get(application.bus)
        ?.set(path, shown === undefined && known?.isPopup ? known : { shown, topLevel });
    }
    for (const [bus, windows] of found) this.byApplication.set(bus, windows);
    this.listedAt = performance.now();
  }

  /** Takes popups, which are in no list. */
  notePopups(
    application: Application,
    popups: readonly {
      readonly shown: DisplayPlace & Pick<DisplayWindow, 'id'>;
      readonly topLevel: TopLevel;
    }[],
  ): void {
    const windows = this.byApplication.get(application.bus);
    for (const { shown, topLevel } of popups) windows?.set(topLevel.path, { shown, topLevel, isPopup: true });
  }

  /** The latest popups of an application: those of Qt are never in a list. */
  private popupsOf(bus: string): Map<string, PlacedWindow> {
    const popups = [...(this.byApplication.get(bus) ?? [])].filter(([, { isPopup }]) => isPopup);
    return new Map(popups.slice(-MAX_POPUPS));
  }

  /** Whether it is the root of a window that display and application both know. */
  isWindow(application: Application, path: string): boolean {
    const window = this.find(application, path);
    return window?.shown !== undefined && window.isPopup !== true;
  }

  /** What the display calls an application's windows, by the path of their root. */
  displayIds(application: Application): ReadonlyMap<string, string> {
    const windows = [...(this.byApplication.get(application.bus) ?? [])];
    return new Map(
      windows.flatMap(([path, { shown, isPopup }]) => (shown && !isPopup ? [[path, shown.id] as const] : [])),
    );
  }

  /** How extents of `node` become pixels; needs the window it is in only where the toolkit does not speak in screen pixels. */
  async frameOf(application: Application, node: NodeHandle, options: CallOptions): Promise<PixelFrame> {
    if (!this.byApplication.has(application.bus)) await this.lookAgain(options);
    const direct = this.find(application, node.path);
    if (direct) return this.frameIn(application, node.path, options);
    const known = [...(this.byApplication.get(application.bus)?.values() ?? [])];
    const speaksInPixels = known.length > 0 || !needsDisplay(application);
    if (speaksInPixels && known.every((window) => !mappingOf(window, window))) return SCREEN_PIXELS;
    const isPopup = (path: string): boolean => this.find(application, path)?.isPopup === true;
    const root = await topLevelOf(application, node.path, isPopup, options);
    if (root === undefined) return SCREEN_PIXELS;
    if (!this.find(application, root)) await this.lookAgain(options);
    return this.frameIn(application, root, options);
  }

  /** The root of the tree that belongs to a window of this application on the display; `undefined` where there is none. */
  async rootOf(
    application: Application,
    windowId: string,
    options: CallOptions,
  ): Promise<string | undefined> {
    const find = (): string | undefined =>
      this.rootsOf(application).find((root) => this.find(application, root)?.shown?.id === windowId);
    const known = find();
    if (known !== undefined) return known;
    await this.lookAgain(options);
    return find();
  }

  /** Roots of the windows of this application that were listed. */
  rootsOf(application: Application): readonly string[] {
    const windows = [...(this.byApplication.get(application.bus) ?? [])];
    return windows.flatMap(([path, { isPopup }]) => (isPopup ? [] : [path]));
  }

  /** What an application calls a place of the screen, inside one of its windows. */
  async toToolkit(
    application: Application,
    root: string,
    point: Point,
    options: CallOptions,
  ): Promise<ToolkitPoint> {
    const window = this.find(application, root);
    const mapping = window && ((await this.whereNow(window, options)) ?? mappingOf(window, window));
    if (!mapping) return { coordinates: 'screen', ...point };
    return { coordinates: mapping.coordinates, ...mapping.fromPixels(point) };
  }

  /** Some windows are never listed, such as those of a process embedded in another: they are not looked for in every call. */
  private async lookAgain(options: CallOptions): Promise<void> {
    if (performance.now() - this.listedAt > LOOK_AGAIN_MS) await this.relist(options);
  }

  private find(application: Application, root: string): PlacedWindow | undefined {
    return this.byApplication.get(application.bus)?.get(root);
  }

  private async frameIn(application: Application, root: string, options: CallOptions): Promise<PixelFrame> {
    if (needsDisplay(application) && !this.find(application, root)?.shown) await this.lookAgain(options);
    const window = this.find(application, root);
    const screenPixels = { ...SCREEN_PIXELS, rootPath: root };
    const mapping = window && mappingOf(window, window);
    if (!window || !mapping) return screenPixels;
    return {
      windowCoordinates: mapping.coordinates === 'window',
      rootPath: root,
      // Asked while the elements are read, so that it costs no time.
      toBounds: this.whereNow(window, options).then((now) => toBoundsBy(now ?? mapping)),
    };
  }

  /** The mapping by where the window is now; it never rejects, for it may be that nobody waits for it. */
  private async whereNow(window: PlacedWindow, options: CallOptions): Promise<PixelMapping | undefined> {
    const { shown, topLevel } = window;
    if (!shown) return undefined;
    const [place, extents] = await Promise.all([
      this.windows.place(shown.id, options).catch(() => undefined),
      readTopLevelExtents(topLevel.application, topLevel.path, options),
    ]);
    if (!place) return undefined;
    return mappingOf(window, { shown: place, topLevel: extents ? { extents } : topLevel });
  }
}

/** Whether where an element is can only be told from where its window is; other toolkits need it only where they are scaled. */
function needsDisplay(application: Application): boolean {
  return familyOf(application) === 'gtk4' || familyOf(application) === 'qt';
}

/** How one window's elements become pixels, given where it is; `undefined` where they are pixels already. */
function mappingOf(
  { topLevel, isPopup }: PlacedWindow,
  at: {
    readonly shown?: DisplayPlace | undefined;
    readonly topLevel?: Pick<TopLevel, 'extents'> | undefined;
  },
): PixelMapping | undefined {
  if (!at.shown || !at.topLevel) return undefined;
  if (isPopup) {
    const popup = at.topLevel.extents && mappingOfPopup(at.shown.bounds, at.topLevel.extents);
    return popup && isIdentity(popup) ? undefined : popup;
  }
  const mapping = pixelMapping({
    toolkit: familyOf(topLevel.application),
    window: at.shown.bounds,
    gtkFrameExtents: at.shown.shadow,
    frame: { screen: at.topLevel.extents, window: at.topLevel.extents },
  });
  // Open menus of GTK 3 are windows of their own: their window coordinates start there, but screen coordinates hold everywhere at scale 1.
  if (mapping?.scale === 1 && !needsDisplay(topLevel.application)) return undefined;
  return mapping && isIdentity(mapping) ? undefined : mapping;
}

/** Qt without scaling: it moves with its window by itself. */
function isIdentity({ coordinates, toPixels }: PixelMapping): boolean {
  const box = { x: 0, y: 0, width: 1000, height: 1000 };
  const pixels = toPixels(box);
  return coordinates === 'screen' && pixels?.x === 0 && pixels.y === 0 && pixels.width === 1000;
}

/** The path of the window an element is in: the last one below the application's root. */
async function topLevelOf(
  application: Application,
  path: string,
  isPopup: (path: string) => boolean,
  options: CallOptions,
): Promise<string | undefined> {
  const { connection, templates } = await application.readingChannel(options);
  let current = path;
  for (let climbed = 0; climbed < MAX_PARENTS; climbed++) {
    if (isPopup(current)) return current;
    const parent = await connection.invoke(templates.parent, current, options).catch(() => undefined);
    if (!parent || parent.path === NULL_PATH) return undefined;
    if (parent.path === ROOT_PATH) return current;
    current = parent.path;
  }
  return undefined;
}

const identity = pixelMapping({ toolkit: 'other', window: { x: 0, y: 0, width: 0, height: 0 }, frame: {} });

/** What the toolkit says is taken as it is. */
export const asScreenPixels: ToBounds = (extents: Extents) => identity?.toPixels(extents);

const SCREEN_PIXELS: PixelFrame = {
  windowCoordinates: false,
  rootPath: undefined,
  toBounds: Promise.resolve(asScreenPixels),
};

function toBoundsBy(mapping: PixelMapping): ToBounds {
  return (extents) => mapping.toPixels(extents);
}
