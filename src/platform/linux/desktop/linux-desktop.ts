import { DeskterityError } from '../../../model/effects/errors.ts';
import { liveDeadline } from '../../../model/live-deadline.ts';
import type { NodeHandle } from '../../../model/tree/node.ts';
import type {
  ActOutcome,
  CallOptions,
  CapturedImage,
  CaptureTarget,
  DesktopApp,
  DesktopCapabilities,
  DesktopEvent,
  DesktopPort,
  DesktopStatus,
  DesktopWindow,
  LaunchedApp,
  LaunchRequest,
  NodeDetails,
  PermissionReport,
  PointContent,
  SemanticAct,
  TreeRequest,
  TreeResult,
  WatchScope,
  WindowRequest,
} from '../../../ports/desktop.ts';
import type { InputPort, Point, StopSwitchPort } from '../../../ports/input.ts';
import type { ProbeWindow } from '../../../ports/probe-window.ts';
import { press, setValue } from '../atspi/actions/actions.ts';
import { toDesktopApp } from '../atspi/bus/application-directory.ts';
import type { Application } from '../atspi/bus/application.ts';
import { liveNode, placeOf } from '../atspi/tree/cell-address.ts';
import { choose } from '../atspi/actions/choosing.ts';
import { isCutByDepth, isHollow, missingContent } from '../atspi/tree/completeness.ts';
import { readDetails } from '../atspi/tree/details.ts';
import { scrollIntoView } from '../atspi/actions/scrolling.ts';
import { performAct } from '../atspi/actions/semantic-acts.ts';
import { goToCell } from '../atspi/actions/sheet-cursor.ts';
import { insertText } from '../atspi/actions/text-insertion.ts';
import { readTree } from '../atspi/tree/tree-reader.ts';
import { ConnectionKeeper, openClipboard, openControls } from './connections.ts';
import type { Connections } from './connections.ts';
import { PRIVATE_DESKTOP_MARKER, programEnvironment } from '../machine/desktop-environment.ts';
import { contentAt } from './content-at.ts';
import type { Environment } from '../machine/desktop-environment.ts';
import { EventStreams } from './event-streams.ts';
import { machineChecks } from '../machine/machine-checks.ts';
import { overlayPopups } from './overlay-popups.ts';
import { checkConnected, checkPermissions } from '../machine/permissions.ts';
import { isAlive } from '../../paths.ts';
import { openProbe } from '../probe-window/linux-probe.ts';
import { launchApp } from '../process/launch.ts';
import { terminateProcess } from '../process/terminate.ts';
import type { X11Clipboard } from '../display/x11/clipboard/clipboard.ts';
import type { Controls } from '../display/x11/input/controls.ts';

/** How long a hollow tree is given to fill, and how often. */
const HOLLOW_RETRY_MS = 150;
const HOLLOW_RETRIES = 4;

const now = (): number => performance.now();

/** What a private desktop wants to know of the programs that are started in it, to end them with it. */
export interface ProgramKeeper {
  adopt(pid: number): void;
  release(pid: number): void;
}

/**
 * One X11 desktop: its accessibility bus and its X server. Connects on first use, and anew when either was lost: calls that were under way
 * then fail with what was lost, the next one finds what is there now. Calls may run at the same time.
 */
export class LinuxDesktop implements DesktopPort {
  readonly capabilities: DesktopCapabilities = {
    tree: true,
    events: true,
    capture: true,
    windows: true,
    clipboard: true,
    input: true,
  };
  readonly clipboard: X11Clipboard;
  readonly input: InputPort;
  readonly stopSwitch: StopSwitchPort;
  private readonly environment: Environment;
  private readonly keeper: ProgramKeeper | undefined;
  private readonly streams = new EventStreams();
  private readonly connections: ConnectionKeeper;
  private readonly controls: Controls;

  /** @param keeper of the private desktop that the environment belongs to */
  constructor(environment: Environment, keeper?: ProgramKeeper) {
    this.environment = environment;
    this.keeper = keeper;
    this.clipboard = openClipboard(environment);
    this.controls = openControls(environment);
    this.input = this.controls.input;
    this.stopSwitch = this.controls.stopSwitch;
    this.connections = new ConnectionKeeper(environment, {
      opened: (connections) => this.streams.resume(connections),
      lost: () => this.streams.tellLoss(),
    });
  }

  async desktopId(call: CallOptions): Promise<string> {
    const { bus } = await this.connections.get(call);
    return bus.generation;
  }

  status(call: CallOptions): Promise<DesktopStatus> {
    return this.look(call, async ({ bus, x11 }, options) => {
      const [screen, windowManager] = await Promise.all([
        x11.screenSize(options),
        x11.windowManagerName(options),
      ]);
      return {
        desktopId: bus.generation,
        display: x11.display,
        session: 'x11',
        isPrivate: this.isPrivate,
        ...(windowManager === undefined ? {} : { windowManager }),
        screen,
      };
    });
  }

  async permissions(options: CallOptions & { readonly request: boolean }): Promise<PermissionReport> {
    if (!options.request) {
      try {
        return await this.look(options, checkConnected);
      } catch {
        // Then each part is tried by itself, to say which one is missing.
        options.signal?.throwIfAborted();
      }
    }
    return checkPermissions(this.environment, options);
  }

  async machineChecks(): Promise<PermissionReport['checks']> {
    return machineChecks(this.environment);
  }

  openProbe(call: CallOptions): Promise<ProbeWindow> {
    return openProbe(this.environment, call);
  }

  listApps(call: CallOptions): Promise<DesktopApp[]> {
    return this.look(call, async (connections, options) => {
      const { applications, windows } = await connections.windows.list(options);
      const listed = applications.map(toDesktopApp);
      const pids = new Set(listed.map((app) => app.pid));
      // Applications with windows but no tree are applications all the same.
      for (const window of windows) {
        if (window.accessible || pids.has(window.pid)) continue;
        pids.add(window.pid);
        listed.push({
          id: '',
          name: window.appName,
          pid: window.pid,
          accessible: false,
          reason: window.reason,
          responsive: true,
        });
      }
      return listed;
    });
  }

  listWindows(call: CallOptions & { readonly pid?: number | undefined }): Promise<DesktopWindow[]> {
    return this.look(call, async (connections, options) => {
      const { windows } = await connections.windows.list(options);
      return windows.filter((window) => options.pid === undefined || window.pid === options.pid);
    });
  }

  launch(request: LaunchRequest): Promise<LaunchedApp> {
    // The marker in the environment is what a private desktop finds most of its programs by.
    const markedOnly: ProgramKeeper = { adopt: () => undefined, release: () => undefined };
    return launchApp(request, {
      environment: programEnvironment(this.environment, request.environment),
      privateDesktop: this.isPrivate ? (this.keeper ?? markedOnly) : undefined,
    });
  }

  async closeApp(pid: number, call: CallOptions & { readonly force: boolean }): Promise<{ via: string }> {
    if (call.force) return terminateProcess(pid, call);
    return this.act(call, async ({ x11 }, options) => {
      const own = (await x11.listWindows(options)).filter((window) => window.pid === pid);
      if (own.length === 0) return terminateProcess(pid, options);
      const answers = await Promise.all(own.map((window) => x11.closeWindow(window.id, options)));
      return { via: answers[0]?.via ?? 'x11' };
    });
  }

  isProcessAlive(pid: number): boolean {
    return isAlive(pid);
  }

  controlWindow(
    windowId: string,
    request: WindowRequest,
    call: CallOptions,
  ): Promise<{ readonly via: string }> {
    return this.act(call, async ({ x11, windows }, options) =>
      x11.controlWindow(await windows.x11IdSoon(windowId, options), request, options),
    );
  }

  userTimeMs(windowId: string, call: CallOptions): Promise<number | undefined> {
    return this.look(call, ({ x11, windows }, options) => x11.userTimeMs(windows.x11Id(windowId), options));
  }

  readTree(call: TreeRequest): Promise<TreeResult> {
    return this.look(call, async ({ applications, windows, popups }, request) => {
      const application = await applications.require(request.root.app, request);
      const applicationOf = (bus: string) => applications.require(bus, request);
      const shown = popups.shown(request);
      const read = async (): Promise<TreeResult> =>
        readTree(application, {
          ...request,
          frame: await windows.frameOf(
            application,
            await liveNode(application, request.root, request),
            request,
          ),
          applicationOf,
        });
      let result = await read();
      for (
        let retry = 0;
        retry < HOLLOW_RETRIES && isHollow(application, result) && request.deadlineMs > HOLLOW_RETRY_MS * 2;
        retry++
      ) {
        await new Promise((resolve) => setTimeout(resolve, HOLLOW_RETRY_MS));
        result = await read();
      }
      result = await popups.addTo(result, application, { request, shown: await shown, applicationOf });
      const missing = [
        missingContent(application, result),
        request.maxDepth === undefined && isCutByDepth(result.root)
          ? 'deeper levels were not read'
          : undefined,
      ].filter((reason) => reason !== undefined);
      if (missing.length === 0) return result;
      return { ...result, complete: false, incompleteReasons: [...result.incompleteReasons, ...missing] };
    });
  }

  describe(node: NodeHandle, call: CallOptions): Promise<NodeDetails> {
    return this.look(call, async ({ applications, windows }, options) => {
      const application = await applications.require(node.app, options);
      const live = await liveNode(application, node, options);
      const frame = await windows.frameOf(application, live, options);
      const details = await readDetails(application, live, frame, options);
      return placeOf(node) === undefined ? details : { ...details, handle: node, isNamedByPlace: true };
    });
  }

  press(node: NodeHandle, call: CallOptions): Promise<ActOutcome> {
    return this.onElement(node, call, (application, live, options) => press(application, live, options));
  }

  setValue(node: NodeHandle, value: string, call: CallOptions): Promise<ActOutcome> {
    return this.onElement(node, call, (application, live, options) =>
      setValue(application, live, value, options),
    );
  }

  perform(node: NodeHandle, act: SemanticAct, call: CallOptions): Promise<ActOutcome> {
    const cell = act === 'focus' ? placeOf(node) : undefined;
    return this.onElement(node, call, (application, live, options) =>
      cell === undefined
        ? performAct(application, live, act, options)
        : goToCell(application, cell, live, { ...options, isMarked: false }),
    );
  }

  choose(container: NodeHandle, option: NodeHandle, call: CallOptions): Promise<ActOutcome> {
    const cell = placeOf(option);
    return this.onElement(option, call, (application, live, options) =>
      cell === undefined
        ? choose(application, container, live, options)
        : goToCell(application, cell, live, { ...options, isMarked: true }),
    );
  }

  insertText(node: NodeHandle, text: string, call: CallOptions): Promise<ActOutcome> {
    return this.onElement(node, call, (application, live, options) =>
      insertText(application, live, text, options),
    );
  }

  scrollIntoView(node: NodeHandle, call: CallOptions): Promise<ActOutcome> {
    return this.onElement(node, call, (application, live, options) =>
      scrollIntoView(application, live, options),
    );
  }

  contentAt(point: Point, call: CallOptions & { readonly app?: string | undefined }): Promise<PointContent> {
    return this.look(call, (connections, options) => contentAt(connections, point, options));
  }

  activationDelayMs(node: NodeHandle, call: CallOptions): Promise<number> {
    return this.look(call, async ({ applications }, options) => {
      const { traits } = await applications.require(node.app, options);
      return traits.activationDelayMs;
    });
  }

  watch(listener: (event: DesktopEvent) => void, call: CallOptions & WatchScope): Promise<() => void> {
    return this.act(call, (connections, options) => this.streams.add(connections, listener, options));
  }

  capture(target: CaptureTarget, call: CallOptions): Promise<CapturedImage> {
    return this.look(call, async ({ x11, windows }, options) => {
      if (target.kind === 'screen' && target.monitor !== undefined)
        return x11.captureMonitor(target.monitor, options);
      if (target.kind === 'screen') return x11.captureScreen(options);
      if (target.kind === 'region') return x11.captureRegion(target.bounds, options);
      const id = windows.x11Id(target.windowId);
      const image = await x11.captureWindow(id, options);
      return overlayPopups(x11, id, image, options);
    });
  }

  async close(): Promise<void> {
    this.streams.tellLoss();
    await Promise.all([this.clipboard.close(), this.controls.close(), this.connections.close()]);
  }

  private get isPrivate(): boolean {
    return this.environment[PRIVATE_DESKTOP_MARKER] !== undefined;
  }

  /** An act on what stands for an element at this moment. */
  private onElement<T>(
    node: NodeHandle,
    call: CallOptions,
    work: (application: Application, live: NodeHandle, options: CallOptions) => Promise<T>,
  ): Promise<T> {
    return this.act(call, async ({ applications }, options) => {
      const application = await applications.require(node.app, options);
      return work(application, await liveNode(application, node, options), options);
    });
  }

  /** A call that only looks: what it saw while the desktop was lost is worth nothing. */
  private async look<T, C extends CallOptions>(
    call: C,
    work: (connections: Connections, options: C) => Promise<T>,
  ): Promise<T> {
    return this.act(call, async (connections, options) => {
      const result = await work(connections, options);
      if (connections.loss) throw connections.loss;
      return result;
    });
  }

  /** What fails because the desktop was lost says so. */
  private async act<T, C extends CallOptions>(
    call: C,
    work: (connections: Connections, options: C) => Promise<T>,
  ): Promise<T> {
    const options = liveDeadline(call, now);
    const connections = await this.connections.get(options);
    try {
      return await work(connections, options);
    } catch (error) {
      throw connections.loss ? lostIn(error, connections.loss) : error;
    }
  }
}

function lostIn(error: unknown, loss: DeskterityError): DeskterityError {
  const delivered = error instanceof DeskterityError ? error.delivered : undefined;
  return new DeskterityError(loss.code, loss.message, {
    suggestion: loss.suggestion,
    retryable: true,
    ...(loss.platformDetail === undefined ? {} : { platformDetail: loss.platformDetail }),
    ...(delivered === undefined ? {} : { delivered }),
    cause: error,
  });
}
