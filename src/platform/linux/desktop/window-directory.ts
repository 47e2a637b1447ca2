import { setTimeout as sleep } from 'node:timers/promises';
import { liveDeadline } from '../../../model/live-deadline.ts';
import type { Bounds } from '../../../model/tree/bounds.ts';
import type { NodeHandle } from '../../../model/tree/node.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { DesktopApp, DesktopWindow } from '../../../ports/desktop/windows.ts';
import type { Application } from '../atspi/bus/application.ts';
import { toDesktopApp } from '../atspi/bus/application-directory.ts';
import type { ApplicationDirectory, KnownApplication } from '../atspi/bus/application-directory.ts';
import { hasState, STATE } from '../atspi/tree/states.ts';
import { readTopLevels, type TopLevel } from '../atspi/bus/top-levels.ts';
import type { PixelFrame } from '../atspi/tree/read-plan.ts';
import { explainMissingTree, LEFT_BEHIND, type MissingTree } from './inaccessible.ts';
import { OpeningDialogs } from './opening-dialogs.ts';
import type { StrandedProcesses } from './stranded-processes.ts';
import { joinWindows, type JoinedWindow } from './window-join.ts';
import { frameWithParts } from './window-parts.ts';
import { asScreenPixels, WindowPlaces } from './window-places.ts';
import { processStartTime, programName } from '../process/facts.ts';
import { TREE_WINDOW, treeWindowId, type DisplayWindow, type DisplayWindows } from '../display/display.ts';

const SHOWN_WITHIN_MS = 1000;
const LOOK_EVERY_MS = 50;
/** Share of the deadline for all that is asked of the applications: one that stops responding must not use up the time of the others. */
const TOP_LEVELS_SHARE = 0.6;

/** The applications of the desktop, and their windows as joined from the display and the accessibility bus. */
export interface Listing {
  readonly applications: readonly KnownApplication[];
  readonly windows: readonly DesktopWindow[];
}

/** The windows of the desktop. Only the pairing of display windows with trees is kept between calls. */
export class WindowDirectory {
  readonly display: DisplayWindows;
  private readonly applications: ApplicationDirectory;
  readonly places: WindowPlaces;
  private readonly openingDialogs = new OpeningDialogs();
  private readonly stranded: StrandedProcesses;
  /** The look that began in this turn of the event loop. */
  private beginning: { readonly options: CallOptions; readonly listing: Promise<Listing> } | undefined;

  constructor(display: DisplayWindows, applications: ApplicationDirectory, stranded: StrandedProcesses) {
    this.display = display;
    this.stranded = stranded;
    this.applications = applications;
    this.places = new WindowPlaces(display, async (options) => {
      await this.list(options);
    });
  }

  /** Calls that begin at once, before anything can have been heard from outside, share one look. */
  list(options: CallOptions): Promise<Listing> {
    if (this.beginning !== undefined && mayShare(this.beginning.options, options))
      return this.beginning.listing;
    const listing = this.look(options);
    this.beginning = { options, listing };
    // It runs when no promise is left to be continued, and before any input or output.
    process.nextTick(() => {
      this.beginning = undefined;
    });
    return listing;
  }

  private async look(options: CallOptions): Promise<Listing> {
    const [displayed, { known, silent, topLevels }] = await Promise.all([
      this.display.list(options),
      this.readApplications(options),
    ]);
    const joined = joinWindows(displayed, [...topLevels.values()].flat());
    // One that gave its name, but not its windows, does not respond either.
    const applications = known.map((entry) =>
      silent.has(entry.application) ? { ...entry, responsive: false } : entry,
    );
    const present = new Set(known.map((entry) => entry.application.bus));
    this.places.update(joined, new Set(topLevels.keys()), present);
    const here = joined.filter((window) => isListed(window) && !this.isElsewhere(window));
    const opening = this.openingDialogs.among(here);
    const windows = here.map((window) => ({
      ...this.toDesktopWindow(window, known, silent),
      ...(opening.has(window) ? { isOpening: true } : {}),
    }));
    return { applications, windows };
  }

  async listApps(options: CallOptions): Promise<DesktopApp[]> {
    const { applications, windows } = await this.list(options);
    const listed = applications.map(toDesktopApp).map((app) => ({ ...app, program: programName(app.pid) }));
    const pids = new Set(listed.map((app) => app.pid));
    // Applications with windows but without a tree count, too.
    for (const { accessible, pid, appName, reason } of windows) {
      if (accessible || pids.has(pid)) continue;
      pids.add(pid);
      listed.push({
        id: '',
        name: appName,
        pid,
        program: programName(pid),
        accessible,
        reason,
        responsive: true,
      });
    }
    return listed.map((app) => ({ ...app, process: processIdentity(app.pid) }));
  }

  /** See {@link WindowPlaces.frameOf} and {@link frameWithParts}. */
  async frameOf(application: Application, node: NodeHandle, options: CallOptions): Promise<PixelFrame> {
    const frame = await this.places.frameOf(application, node, options);
    const roots = this.places.rootsOf(application);
    return frameWithParts(frame, application, node.path, { windows: this.display, roots, options });
  }

  private async readApplications(options: CallOptions): Promise<{
    known: KnownApplication[];
    silent: ReadonlySet<Application>;
    topLevels: Map<string, TopLevel[]>;
  }> {
    // It runs down over all steps: an application that answers some of them late would otherwise get this time for each.
    const share = liveDeadline(
      { deadlineMs: options.deadlineMs * TOP_LEVELS_SHARE, signal: options.signal },
      performance,
    );
    const early = new Map<Application, ReturnType<typeof readTopLevels>>();
    const known = await this.applications.list(options, (application) => {
      early.set(application, readTopLevels(application, share));
    });
    const silent = new Set<Application>();
    const topLevels = new Map<string, TopLevel[]>();
    await Promise.all(
      known.map(async ({ application, responsive }) => {
        const reading = () => early.get(application) ?? readTopLevels(application, share);
        const found = responsive ? await reading() : undefined;
        if (found) topLevels.set(application.bus, found);
        else silent.add(application);
      }),
    );
    return { known, silent, topLevels };
  }

  /** The display's id of a window; waits briefly for a window that so far is only on the accessibility bus. */
  async displayIdSoon(windowId: string, options: CallOptions): Promise<string> {
    for (
      let waited = 0;
      windowId.startsWith(TREE_WINDOW) && waited < SHOWN_WITHIN_MS;
      waited += LOOK_EVERY_MS
    ) {
      const { windows } = await this.list(options);
      const shown = windows.find(({ otherId }) => otherId === windowId);
      if (shown) return shown.id;
      await sleep(LOOK_EVERY_MS, undefined, { signal: options.signal });
    }
    return windowId;
  }

  /** Whether it is only on the accessibility bus because its program uses another display. */
  private isElsewhere({ shown, topLevel }: JoinedWindow): boolean {
    return (
      shown === undefined && topLevel !== undefined && this.display.isElsewhere(topLevel.application.pid)
    );
  }

  private toDesktopWindow(
    { shown, topLevel }: JoinedWindow,
    known: readonly KnownApplication[],
    silent: ReadonlySet<Application>,
  ): DesktopWindow {
    const owner =
      topLevel?.application ?? known.find((entry) => entry.application.pid === shown?.pid)?.application;
    const frozen = owner !== undefined && silent.has(owner);
    const pid = shown?.pid ?? topLevel?.application.pid ?? 0;
    const bounds = shown
      ? visibleBounds(shown)
      : topLevel && this.display.clientsKnowPlaces !== false
        ? asScreenPixels(topLevel.extents ?? { x: 0, y: 0, width: 0, height: 0 })
        : undefined;
    const accessibleId = topLevel && treeWindowId(topLevel.application.bus, topLevel.path);
    return {
      ...(shown ? { id: shown.id, otherId: accessibleId } : { id: accessibleId ?? '', isTreeOnly: true }),
      process: processIdentity(pid),
      title: topLevel?.title || shown?.title || '',
      appId: owner?.bus ?? '',
      appName: owner?.name ?? shown?.className ?? '',
      pid,
      ...(shown?.clientPid === undefined ? {} : { clientPid: shown.clientPid }),
      otherNames: [shown?.className, shown?.instanceName].filter((name) => name !== undefined),
      ...(bounds ? { bounds } : {}),
      ...(shown?.isHidden === undefined ? {} : { isHidden: shown.isHidden }),
      ...(shown ? stateOf(shown, topLevel) : {}),
      focused: shown ? shown.active : topLevel !== undefined && hasState(topLevel.states, STATE.ACTIVE),
      minimized: shown?.minimized ?? (topLevel !== undefined && hasState(topLevel.states, STATE.ICONIFIED)),
      accessible: topLevel !== undefined,
      ...(topLevel
        ? { root: { app: topLevel.application.bus, path: topLevel.path } }
        : {
            responsive: !frozen,
            ...(frozen
              ? { reason: 'The application does not respond: it is busy or frozen.' }
              : this.missingTree(shown?.pid)),
          }),
    };
  }

  private missingTree(pid: number | undefined): MissingTree {
    return pid !== undefined && this.stranded.has(pid) ? LEFT_BEHIND : explainMissingTree(pid);
  }
}

/** Pids are reused; a pid together with the time its process started is not. */
function processIdentity(pid: number): string | undefined {
  return pid === 0 ? undefined : `${pid}:${processStartTime(pid) ?? ''}`;
}

/** Whether a call can do with what another one gets: both end together, and that one has as much time. */
function mayShare(one: CallOptions, other: CallOptions): boolean {
  return one.signal === other.signal && one.deadlineMs + 1 >= other.deadlineMs;
}

/** AT-SPI also lists menus and tooltips as windows. */
function isListed({ shown, topLevel }: JoinedWindow): boolean {
  if (shown) return shown.isUserWindow;
  return (
    topLevel !== undefined &&
    topLevel.title !== '' &&
    (topLevel.extents?.width ?? 0) > 1 &&
    (topLevel.extents?.height ?? 0) > 1
  );
}

/** The client area without the shadow drawn by its toolkit. */
function visibleBounds({ bounds, shadow }: DisplayWindow): Bounds {
  if (!shadow) return bounds;
  return {
    x: bounds.x + shadow.left,
    y: bounds.y + shadow.top,
    width: Math.max(0, bounds.width - shadow.left - shadow.right),
    height: Math.max(0, bounds.height - shadow.top - shadow.bottom),
  };
}

function stateOf(
  { hasInput, maximized, fullscreen, modal, transientFor, stacking }: DisplayWindow,
  topLevel: TopLevel | undefined,
): Pick<DesktopWindow, 'hasInput' | 'maximized' | 'fullscreen' | 'modal' | 'transientFor' | 'stacking'> {
  return {
    hasInput,
    maximized,
    fullscreen,
    // Qt reports it only to the display, some toolkits only through accessibility.
    modal: modal || (topLevel !== undefined && hasState(topLevel.states, STATE.MODAL)),
    ...(transientFor === undefined ? {} : { transientFor }),
    ...(stacking === undefined ? {} : { stacking }),
  };
}
