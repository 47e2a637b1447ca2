import type { NodeHandle } from '../../../model/tree/node.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { Point } from '../../../ports/input.ts';
import type { Application } from '../atspi/bus/application.ts';
import type { ToolkitPoint } from '../atspi/tree/element-at-point.ts';
import type { Extents } from '../atspi/tree/object-facts.ts';
import { readInset, readTopLevelExtents, type TopLevel } from '../atspi/bus/top-levels.ts';
import type { PixelFrame, ToBounds } from '../atspi/tree/read-plan.ts';
import { Ancestors } from './ancestors.ts';
import { mappingOfPopup, pixelMapping, type PixelMapping, type ToolkitFamily } from './pixel-mapping.ts';
import { mayHaveInset, surfaceMapping, type Inset } from './surface-mapping.ts';
import type { JoinedWindow } from './window-join.ts';
import type { DisplayPlace, DisplayWindow, DisplayWindows } from '../display/display.ts';

function familyOf({ traits: { kind } }: Application): ToolkitFamily {
  return kind === 'gtk3' || kind === 'gtk4' || kind === 'qt' ? kind : 'other';
}

/** Minimum time between two lists for a window that is missing, or only in the accessibility tree. */
const REFRESH_AFTER_MS = 250;
const MAX_POPUPS = 32;

/** A window of an application with its place on the display, if it has one. */
interface PlacedWindow {
  readonly shown: (DisplayPlace & Pick<DisplayWindow, 'id'>) | undefined;
  readonly topLevel: TopLevel;
  readonly isPopup?: boolean;
}

/** Lists the windows of the desktop and passes them to {@link WindowPlaces.update}. */
export type Relist = (options: CallOptions) => Promise<void>;

/**
 * The positions of listed windows, for turning the extents of their elements into pixels. Only the pairing of display
 * windows with trees is kept; the current position is read whenever it matters.
 */
export class WindowPlaces {
  private readonly windows: DisplayWindows;
  private readonly relist: Relist;
  private readonly clientsKnowPlaces: boolean;
  /** By bus name, then by path of the window's root. */
  private readonly byApplication = new Map<string, Map<string, PlacedWindow>>();
  private readonly ancestors = new Ancestors();
  private listedAt = Number.NEGATIVE_INFINITY;

  constructor(windows: DisplayWindows, relist: Relist) {
    this.windows = windows;
    this.relist = relist;
    this.clientsKnowPlaces = windows.clientsKnowPlaces !== false;
  }

  /**
   * Updates from a list of windows. Windows of applications that did not reply are kept: another call may be reading them.
   * @param replied bus names of applications that reported their windows
   * @param present bus names of all applications
   */
  update(joined: readonly JoinedWindow[], replied: ReadonlySet<string>, present: ReadonlySet<string>): void {
    for (const bus of this.byApplication.keys()) if (!present.has(bus)) this.byApplication.delete(bus);
    const found = new Map([...replied].map((bus) => [bus, this.popupsOf(bus)]));
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

  /** Adds popups, which are in no list. */
  addPopups(
    application: Application,
    popups: readonly {
      readonly shown: DisplayPlace & Pick<DisplayWindow, 'id'>;
      readonly topLevel: TopLevel;
    }[],
  ): void {
    const windows = this.byApplication.get(application.bus);
    for (const { shown, topLevel } of popups) windows?.set(topLevel.path, { shown, topLevel, isPopup: true });
  }

  /** The latest popups of an application; Qt never lists its own. */
  private popupsOf(bus: string): Map<string, PlacedWindow> {
    const popups = [...(this.byApplication.get(bus) ?? [])].filter(([, { isPopup }]) => isPopup);
    return new Map(popups.slice(-MAX_POPUPS));
  }

  /** Whether it is the root of a window that both the display and the application list. */
  isWindow(application: Application, path: string): boolean {
    const window = this.find(application, path);
    return window?.shown !== undefined && window.isPopup !== true;
  }

  /** The display's ids of an application's windows, by the path of their root. */
  displayIds(application: Application): ReadonlyMap<string, string> {
    const windows = [...(this.byApplication.get(application.bus) ?? [])];
    return new Map(
      windows.flatMap(([path, { shown, isPopup }]) => (shown && !isPopup ? [[path, shown.id] as const] : [])),
    );
  }

  /** How extents of `node` become pixels; its window matters only if the toolkit does not report screen pixels. */
  async frameOf(application: Application, node: NodeHandle, options: CallOptions): Promise<PixelFrame> {
    if (!this.byApplication.has(application.bus)) await this.refresh(options);
    const direct = this.find(application, node.path);
    if (direct) return this.frameIn(application, node.path, options);
    const known = [...(this.byApplication.get(application.bus)?.values() ?? [])];
    const reportsPixels = known.length > 0 || !needsDisplay(application);
    if (this.clientsKnowPlaces && reportsPixels && known.every((window) => !mappingOf(window, window)))
      return SCREEN_PIXELS;
    const isPopup = (path: string): boolean => this.find(application, path)?.isPopup === true;
    const ancestors = await this.ancestors.of(application, node.path, isPopup, options);
    const root = ancestors?.at(-1);
    if (root === undefined) return this.unplaced;
    if (!this.find(application, root)) await this.refresh(options);
    return { ...(await this.frameIn(application, root, options)), ancestors };
  }

  /** The root of the tree for a window of this application on the display; `undefined` if there is none. */
  async rootOf(
    application: Application,
    windowId: string,
    options: CallOptions,
  ): Promise<string | undefined> {
    const find = (): string | undefined =>
      this.rootsOf(application).find((root) => this.find(application, root)?.shown?.id === windowId);
    const known = find();
    if (known !== undefined) return known;
    await this.refresh(options);
    return find();
  }

  /** Roots of the listed windows of this application. */
  rootsOf(application: Application): readonly string[] {
    const windows = [...(this.byApplication.get(application.bus) ?? [])];
    return windows.flatMap(([path, { isPopup }]) => (isPopup ? [] : [path]));
  }

  /** A point on the screen in the coordinates of an application, inside one of its windows. */
  async toToolkit(
    application: Application,
    root: string,
    point: Point,
    options: CallOptions,
  ): Promise<ToolkitPoint> {
    const window = this.find(application, root);
    const mapping = window && ((await this.currentMapping(window, options)) ?? this.knownMapping(window));
    if (!mapping) return { coordinates: 'screen', ...point };
    return { coordinates: mapping.coordinates, ...mapping.fromPixels(point) };
  }

  /** Some windows are never listed, such as those of a process embedded in another, so not every call lists again. */
  private async refresh(options: CallOptions): Promise<void> {
    if (performance.now() - this.listedAt > REFRESH_AFTER_MS) await this.relist(options);
  }

  private find(application: Application, root: string): PlacedWindow | undefined {
    return this.byApplication.get(application.bus)?.get(root);
  }

  private async frameIn(application: Application, root: string, options: CallOptions): Promise<PixelFrame> {
    const isNeeded = needsDisplay(application) || !this.clientsKnowPlaces;
    if (isNeeded && !this.find(application, root)?.shown) await this.refresh(options);
    const window = this.find(application, root);
    const unplaced = { ...this.unplaced, rootPath: root };
    const mapping = window && this.knownMapping(window);
    if (!window || !mapping) return unplaced;
    return {
      windowCoordinates: mapping.coordinates === 'window',
      rootPath: root,
      // Read in parallel with the elements, so that it costs no time.
      toBounds: this.currentMapping(window, options).then((now) => toBoundsBy(now ?? mapping)),
    };
  }

  /** The mapping at the window's current position; never rejects, because there may be no caller to handle it. */
  private async currentMapping(
    window: PlacedWindow,
    options: CallOptions,
  ): Promise<PixelMapping | undefined> {
    const { shown, topLevel } = window;
    if (!shown) return undefined;
    const [place, extents] = await Promise.all([
      this.windows.place(shown.id, options).catch(() => undefined),
      readTopLevelExtents(topLevel.application, topLevel.path, options),
    ]);
    if (!place) return undefined;
    if (!this.clientsKnowPlaces)
      return this.surfaceMappingOf(window, { place, extents: extents ?? topLevel.extents }, options);
    return exactMapping(window, { shown: place, topLevel: extents ? { extents } : topLevel });
  }

  /** The mapping at the place that was listed. */
  private knownMapping(window: PlacedWindow): PixelMapping | undefined {
    if (this.clientsKnowPlaces) return mappingOf(window, window);
    return window.shown && onSurface(window, window.shown, window.topLevel.extents);
  }

  private async surfaceMappingOf(
    window: PlacedWindow,
    { place, extents }: { readonly place: DisplayPlace; readonly extents: Extents | undefined },
    options: CallOptions,
  ): Promise<PixelMapping | undefined> {
    const { application, path } = window.topLevel;
    const input = { toolkit: familyOf(application), window: place.bounds, frame: extents };
    const inset = mayHaveInset(input) ? await readInset(application, path, options) : undefined;
    return onSurface(window, place, extents, inset);
  }

  /** For elements of a window whose place is unknown: what toolkits report is a place only if they know it. */
  private get unplaced(): PixelFrame {
    return this.clientsKnowPlaces ? SCREEN_PIXELS : NO_PLACES;
  }
}

function onSurface(
  { topLevel }: PlacedWindow,
  { bounds }: DisplayPlace,
  frame: Extents | undefined,
  inset?: Inset,
): PixelMapping | undefined {
  return surfaceMapping({ toolkit: familyOf(topLevel.application), window: bounds, frame, inset });
}

/** Whether an element's position always depends on its window's; in other toolkits only if they are scaled. */
function needsDisplay(application: Application): boolean {
  return familyOf(application) === 'gtk4' || familyOf(application) === 'qt';
}

/** A position of a window. */
interface Position {
  readonly shown?: DisplayPlace | undefined;
  readonly topLevel?: Pick<TopLevel, 'extents'> | undefined;
}

/** The mapping of one window's elements at a given position; `undefined` if it is unknown, or if their extents are already pixels. */
function mappingOf(window: PlacedWindow, at: Position): PixelMapping | undefined {
  const mapping = exactMapping(window, at);
  return mapping && isIdentity(mapping) ? undefined : mapping;
}

/** Like {@link mappingOf}, but a mapping that changes nothing is one: a window that was listed while it moved needs it to replace what was known. */
function exactMapping({ topLevel, isPopup }: PlacedWindow, at: Position): PixelMapping | undefined {
  if (!at.shown || !at.topLevel) return undefined;
  if (isPopup) return at.topLevel.extents && mappingOfPopup(at.shown.bounds, at.topLevel.extents);
  const mapping = pixelMapping({
    toolkit: familyOf(topLevel.application),
    window: at.shown.bounds,
    gtkFrameExtents: at.shown.shadow,
    frame: { screen: at.topLevel.extents, window: at.topLevel.extents },
  });
  // Open menus in GTK 3 are separate windows with their own window coordinates, but at scale 1 screen coordinates are valid everywhere.
  return mapping?.scale === 1 && !needsDisplay(topLevel.application) ? undefined : mapping;
}

/** Qt without scaling: its screen coordinates are pixels. */
function isIdentity({ coordinates, toPixels }: PixelMapping): boolean {
  const box = { x: 0, y: 0, width: 1000, height: 1000 };
  const pixels = toPixels(box);
  return coordinates === 'screen' && pixels?.x === 0 && pixels.y === 0 && pixels.width === 1000;
}

const identity = pixelMapping({ toolkit: 'other', window: { x: 0, y: 0, width: 0, height: 0 }, frame: {} });

/** For extents that are already screen pixels. */
export const asScreenPixels: ToBounds = (extents: Extents) => identity?.toPixels(extents);

const SCREEN_PIXELS: PixelFrame = {
  windowCoordinates: false,
  rootPath: undefined,
  toBounds: Promise.resolve(asScreenPixels),
};

const NO_PLACES: PixelFrame = { ...SCREEN_PIXELS, toBounds: Promise.resolve(() => undefined) };

function toBoundsBy(mapping: PixelMapping): ToBounds {
  return (extents) => mapping.toPixels(extents);
}
