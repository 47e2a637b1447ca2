import { DeskterityError } from '../../model/errors.ts';
import type { NodeHandle } from '../../model/node.ts';
import type { CallOptions, DesktopWindow } from '../../ports/desktop.ts';
import type { Application } from './atspi/application.ts';
import type { ApplicationDirectory, KnownApplication } from './atspi/application-directory.ts';
import { NULL_PATH, ROOT_PATH } from './atspi/names.ts';
import { hasState, STATE } from './atspi/states.ts';
import { readTopLevels } from './atspi/top-levels.ts';
import type { TopLevel } from './atspi/top-levels.ts';
import type { ToolkitKind } from './atspi/toolkit.ts';
import type { PixelFrame } from './atspi/tree-reader.ts';
import { explainMissingTree } from './inaccessible.ts';
import { pixelMapping } from './pixel-mapping.ts';
import type { ToolkitFamily } from './pixel-mapping.ts';
import { joinWindows } from './window-join.ts';
import type { JoinedWindow } from './window-join.ts';
import type { X11Connection } from './x11/connection.ts';
import type { X11Window } from './x11/window.ts';

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

const X11_ID = /^x11:0x([0-9a-f]{1,8})$/;
const MAX_PARENTS = 100;

/** The windows of the desktop as X11 and the accessibility bus know them together. */
export class WindowDirectory {
  private readonly x11: X11Connection;
  private readonly applications: ApplicationDirectory;
  private joinedByRoot = new Map<string, JoinedWindow>();

  constructor(x11: X11Connection, applications: ApplicationDirectory) {
    this.x11 = x11;
    this.applications = applications;
  }

  async list(known: readonly KnownApplication[], options: CallOptions): Promise<DesktopWindow[]> {
    const [x11Windows, topLevels] = await Promise.all([
      this.x11.listWindows(options),
      Promise.all(
        known
          .filter((entry) => entry.responsive)
          .map((entry) => readTopLevels(entry.application, options).catch(() => [])),
      ),
    ]);
    const joined = joinWindows(x11Windows, topLevels.flat());
    const byRoot = new Map<string, JoinedWindow>();
    for (const window of joined) if (window.topLevel) byRoot.set(rootKey(window.topLevel), window);
    this.joinedByRoot = byRoot;
    return joined.filter(isListed).map((window) => this.toDesktopWindow(window, known));
  }

  /** How extents of `node` become pixels; needs the window it is in only where the toolkit does not speak in screen pixels. */
  async frameOf(application: Application, node: NodeHandle, options: CallOptions): Promise<PixelFrame> {
    if (this.joinedByRoot.size === 0) await this.list(await this.applications.list(options), options);
    const root = await this.topLevelOf(application, node, options);
    const joined = root === undefined ? undefined : this.joinedByRoot.get(root);
    return joined ? frameOf(joined) : SCREEN_PIXELS;
  }

  /** @throws DeskterityError INVALID_ARGUMENT for an id that is none of X11's */
  x11Id(windowId: string): number {
    const match = X11_ID.exec(windowId);
    if (match) return Number.parseInt(match[1] ?? '', 16);
    throw new DeskterityError(
      'ACTION_NOT_SUPPORTED',
      `${windowId.slice(0, 80)} is not a window of the X server.`,
      {
        suggestion:
          'Take a screenshot of the whole screen instead, or choose a window with an x11: id from "desk list-windows".',
      },
    );
  }

  private async topLevelOf(
    application: Application,
    node: NodeHandle,
    options: CallOptions,
  ): Promise<string | undefined> {
    if (this.joinedByRoot.has(`${node.app} ${node.path}`)) return `${node.app} ${node.path}`;
    const own = [...this.joinedByRoot].filter(
      ([, window]) => window.topLevel?.application.bus === application.bus,
    );
    const [only] = own;
    if (only && own.length === 1) return only[0];
    const { connection, templates } = await application.readingChannel(options);
    let path = node.path;
    for (let climbed = 0; climbed < MAX_PARENTS; climbed++) {
      const parent = await connection.invoke(templates.parent, path, options).catch(() => undefined);
      if (!parent || parent.path === NULL_PATH || parent.path === ROOT_PATH) return undefined;
      path = parent.path;
      if (this.joinedByRoot.has(`${node.app} ${path}`)) return `${node.app} ${path}`;
    }
    return undefined;
  }

  private toDesktopWindow(
    { x11, topLevel }: JoinedWindow,
    known: readonly KnownApplication[],
  ): DesktopWindow {
    const owner =
      topLevel?.application ?? known.find((entry) => entry.application.pid === x11?.pid)?.application;
    const frozen = known.find((entry) => entry.application.pid === x11?.pid)?.responsive === false;
    const pid = x11?.pid ?? topLevel?.application.pid ?? 0;
    const bounds = x11
      ? visibleBounds(x11)
      : topLevel
        ? SCREEN_PIXELS.toBounds(topLevel.extents ?? { x: 0, y: 0, width: 0, height: 0 })
        : undefined;
    const accessibleId = topLevel && `atspi:${topLevel.application.bus}${topLevel.path}`;
    return {
      ...(x11 ? { id: `x11:0x${x11.id.toString(16)}`, otherId: accessibleId } : { id: accessibleId ?? '' }),
      title: topLevel?.title || x11?.title || '',
      appId: owner?.bus ?? '',
      appName: owner?.name ?? x11?.wmClass?.className ?? '',
      pid,
      ...(bounds ? { bounds } : {}),
      focused: x11 ? x11.active : topLevel !== undefined && hasState(topLevel.states, STATE.ACTIVE),
      minimized: x11?.minimized ?? (topLevel !== undefined && hasState(topLevel.states, STATE.ICONIFIED)),
      ...(x11 && x11.stacking >= 0 ? { stacking: x11.stacking } : {}),
      accessible: topLevel !== undefined,
      ...(topLevel
        ? { root: { app: topLevel.application.bus, path: topLevel.path } }
        : {
            responsive: !frozen,
            reason: frozen
              ? 'The application does not answer: it is busy or frozen.'
              : explainMissingTree(x11?.pid),
          }),
    };
  }
}

/** Menus and tool tips are windows to AT-SPI but not to a person. */
function isListed({ x11, topLevel }: JoinedWindow): boolean {
  if (x11) return !NOT_FOR_PEOPLE.has(x11.windowType ?? '');
  return (
    topLevel !== undefined &&
    topLevel.title !== '' &&
    (topLevel.extents?.width ?? 0) > 1 &&
    (topLevel.extents?.height ?? 0) > 1
  );
}

const NOT_FOR_PEOPLE: ReadonlySet<string> = new Set([
  '_NET_WM_WINDOW_TYPE_DESKTOP',
  '_NET_WM_WINDOW_TYPE_DOCK',
]);

/** The client area without the shadow that GTK draws around it. */
function visibleBounds(x11: X11Window): X11Window['bounds'] {
  const shadow = x11.gtkFrameExtents;
  if (!shadow) return x11.bounds;
  return {
    x: x11.bounds.x + shadow.left,
    y: x11.bounds.y + shadow.top,
    width: Math.max(0, x11.bounds.width - shadow.left - shadow.right),
    height: Math.max(0, x11.bounds.height - shadow.top - shadow.bottom),
  };
}

function rootKey(topLevel: TopLevel): string {
  return `${topLevel.application.bus} ${topLevel.path}`;
}

const identity = pixelMapping({ toolkit: 'other', window: { x: 0, y: 0, width: 0, height: 0 }, frame: {} });

/** For windows without an X11 counterpart: what the toolkit says is taken as it is. */
const SCREEN_PIXELS: PixelFrame = {
  windowCoordinates: false,
  rootPath: undefined,
  toBounds: (extents) => identity?.toPixels(extents),
};

function frameOf({ x11, topLevel }: JoinedWindow): PixelFrame {
  const screenPixels = { ...SCREEN_PIXELS, rootPath: topLevel?.path };
  if (!x11 || !topLevel) return screenPixels;
  const mapping = pixelMapping({
    toolkit: FAMILY[topLevel.application.traits.kind],
    window: x11.bounds,
    gtkFrameExtents: x11.gtkFrameExtents,
    frame: { screen: topLevel.extents, window: topLevel.extents },
  });
  if (!mapping) return screenPixels;
  // Open menus of GTK 3 are X windows of their own: their window coordinates start there, but screen coordinates hold everywhere at scale 1.
  if (topLevel.application.traits.kind === 'gtk3' && mapping.scale === 1) return screenPixels;
  return {
    windowCoordinates: mapping.coordinates === 'window',
    rootPath: topLevel.path,
    toBounds: (extents) => mapping.toPixels(extents),
  };
}
