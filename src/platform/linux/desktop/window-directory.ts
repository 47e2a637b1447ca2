import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../model/effects/errors.ts';
import type { NodeHandle } from '../../../model/tree/node.ts';
import type { CallOptions, DesktopWindow } from '../../../ports/desktop.ts';
import type { Application } from '../atspi/bus/application.ts';
import type { ApplicationDirectory, KnownApplication } from '../atspi/bus/application-directory.ts';
import { hasState, STATE } from '../atspi/tree/states.ts';
import { readTopLevels } from '../atspi/bus/top-levels.ts';
import type { TopLevel } from '../atspi/bus/top-levels.ts';
import type { PixelFrame } from '../atspi/tree/tree-reader.ts';
import { explainMissingTree } from './inaccessible.ts';
import { joinWindows } from './window-join.ts';
import type { JoinedWindow } from './window-join.ts';
import { frameWithParts } from './window-parts.ts';
import { asScreenPixels, WindowPlaces } from './window-places.ts';
import { processStartTime, startingVariable } from '../process/facts.ts';
import type { X11Connection } from '../display/x11/connection.ts';
import type { X11Window } from '../display/x11/windows/window.ts';

const SHOWN_WITHIN_MS = 1000;
const LOOK_EVERY_MS = 50;
const X11_ID = /^x11:0x([0-9a-f]{1,8})$/;
/** What is left of the deadline is for the others: an application that falls silent in the middle must not cost it all. */
const TOP_LEVELS_SHARE = 0.6;

/** What is on the desktop: its applications, and their windows as X11 and the accessibility bus know them together. */
export interface Listing {
  readonly applications: readonly KnownApplication[];
  readonly windows: readonly DesktopWindow[];
}

/** The windows of the desktop. Nothing of a list outlives it but which X window belongs to which tree. */
export class WindowDirectory {
  private readonly x11: X11Connection;
  private readonly applications: ApplicationDirectory;
  readonly places: WindowPlaces;

  constructor(x11: X11Connection, applications: ApplicationDirectory) {
    this.x11 = x11;
    this.applications = applications;
    this.places = new WindowPlaces(x11, async (options) => {
      await this.list(options);
    });
  }

  async list(options: CallOptions): Promise<Listing> {
    const [x11Windows, { known, silent, topLevels }] = await Promise.all([
      this.x11.listWindows(options),
      this.readApplications(options),
    ]);
    const joined = joinWindows(x11Windows, [...topLevels.values()].flat());
    const present = new Set(known.map((entry) => entry.application.bus));
    this.places.note(joined, new Set(topLevels.keys()), present);
    const windows = joined
      .filter((window) => isListed(window) && !isElsewhere(window, this.x11.display))
      .map((window) => this.toDesktopWindow(window, known, silent));
    return { applications: known, windows };
  }

  /** See {@link WindowPlaces.frameOf} and {@link frameWithParts}. */
  async frameOf(application: Application, node: NodeHandle, options: CallOptions): Promise<PixelFrame> {
    const frame = await this.places.frameOf(application, node, options);
    const roots = this.places.rootsOf(application);
    return frameWithParts(frame, application, node.path, { x11: this.x11, roots, options });
  }

  private async readApplications(options: CallOptions): Promise<{
    known: KnownApplication[];
    silent: ReadonlySet<Application>;
    topLevels: Map<string, TopLevel[]>;
  }> {
    const patience = { deadlineMs: options.deadlineMs * TOP_LEVELS_SHARE, signal: options.signal };
    const early = new Map<Application, ReturnType<typeof readTopLevels>>();
    const known = await this.applications.list(options, (application) => {
      early.set(application, readTopLevels(application, patience));
    });
    const silent = new Set<Application>();
    const topLevels = new Map<string, TopLevel[]>();
    await Promise.all(
      known.map(async ({ application, responsive }) => {
        const reading = () => early.get(application) ?? readTopLevels(application, patience);
        const found = responsive ? await reading() : undefined;
        if (found) topLevels.set(application.bus, found);
        else silent.add(application);
      }),
    );
    return { known, silent, topLevels };
  }

  /** The X window that goes by an id; one that only the accessibility bus knows yet is given a moment to be shown. */
  async x11IdSoon(windowId: string, options: CallOptions): Promise<number> {
    for (let waited = 0; !X11_ID.test(windowId) && waited < SHOWN_WITHIN_MS; waited += LOOK_EVERY_MS) {
      const { windows } = await this.list(options);
      const shown = windows.find(({ otherId }) => otherId === windowId);
      if (shown) return this.x11Id(shown.id);
      await sleep(LOOK_EVERY_MS, undefined, { signal: options.signal });
    }
    return this.x11Id(windowId);
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
          'Choose a window with an x11: id from "desk list-windows", or take a screenshot of the whole screen with "desk screenshot --screen".',
        delivered: false,
      },
    );
  }

  private toDesktopWindow(
    { x11, topLevel }: JoinedWindow,
    known: readonly KnownApplication[],
    silent: ReadonlySet<Application>,
  ): DesktopWindow {
    const owner =
      topLevel?.application ?? known.find((entry) => entry.application.pid === x11?.pid)?.application;
    const frozen = owner !== undefined && silent.has(owner);
    const pid = x11?.pid ?? topLevel?.application.pid ?? 0;
    const bounds = x11
      ? visibleBounds(x11)
      : topLevel
        ? asScreenPixels(topLevel.extents ?? { x: 0, y: 0, width: 0, height: 0 })
        : undefined;
    const accessibleId = topLevel && `atspi:${topLevel.application.bus}${topLevel.path}`;
    return {
      ...(x11 ? { id: idOf(x11.id), otherId: accessibleId } : { id: accessibleId ?? '' }),
      ...(pid === 0 ? {} : { process: `${pid}:${processStartTime(pid) ?? ''}` }),
      title: topLevel?.title || x11?.title || '',
      appId: owner?.bus ?? '',
      appName: owner?.name ?? x11?.wmClass?.className ?? '',
      pid,
      ...(bounds ? { bounds } : {}),
      ...(x11 ? stateOf(x11, topLevel) : {}),
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

/** Whether only the accessibility bus knows it because its program is on another display than the one that is looked at. */
function isElsewhere({ x11, topLevel }: JoinedWindow, display: string): boolean {
  const pid = topLevel?.application.pid;
  if (x11 !== undefined || pid === undefined) return false;
  const theirs = startingVariable(pid, 'DISPLAY');
  return theirs !== undefined && theirs !== '' && displayNumber(theirs) !== displayNumber(display);
}

function displayNumber(display: string): string | undefined {
  return /:(\d+)(?:\.\d+)?$/.exec(display)?.[1];
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

function idOf(x11Id: number): string {
  return `x11:0x${x11Id.toString(16)}`;
}

function stateOf(
  { hasInput, states, transientFor }: X11Window,
  topLevel: TopLevel | undefined,
): Pick<DesktopWindow, 'hasInput' | 'maximized' | 'fullscreen' | 'modal' | 'transientFor'> {
  const has = (...names: string[]): boolean =>
    names.every((name) => states.includes(`_NET_WM_STATE_${name}`));
  return {
    hasInput,
    maximized: has('MAXIMIZED_HORZ', 'MAXIMIZED_VERT'),
    fullscreen: has('FULLSCREEN'),
    // Qt tells the display only; a toolkit that does not know EWMH tells accessibility only.
    modal: has('MODAL') || (topLevel !== undefined && hasState(topLevel.states, STATE.MODAL)),
    ...(transientFor === undefined ? {} : { transientFor: idOf(transientFor) }),
  };
}
