import { DeskterityError } from '../../model/errors.ts';
import { liveDeadline } from '../../model/live-deadline.ts';
import type { NodeHandle } from '../../model/node.ts';
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
  TreeRequest,
  TreeResult,
} from '../../ports/desktop.ts';
import { AccessibilityBus, busFailure } from './atspi/accessibility-bus.ts';
import { press, setValue } from './atspi/actions.ts';
import { ApplicationDirectory, toDesktopApp } from './atspi/application-directory.ts';
import { isCutByDepth, isHollow, missingContent } from './atspi/completeness.ts';
import { readDetails } from './atspi/details.ts';
import { toDesktopEvent } from './atspi/events.ts';
import { readTree } from './atspi/tree-reader.ts';
import { overlayPopups } from './overlay-popups.ts';
import { checkPermissions } from './permissions.ts';
import { isAlive } from './process/facts.ts';
import { launchApp } from './process/launch.ts';
import { terminateProcess } from './process/terminate.ts';
import { WindowDirectory } from './window-directory.ts';
import { X11Connection } from './x11/connection.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How long a hollow tree is given to fill, and how often. */
const HOLLOW_RETRY_MS = 150;
const HOLLOW_RETRIES = 4;

const now = (): number => performance.now();

/** Display N listens on port 6000 + N. */
const LARGEST_DISPLAY = 65_535 - 6000;

interface Connections {
  readonly bus: AccessibilityBus;
  readonly x11: X11Connection;
  readonly applications: ApplicationDirectory;
  readonly windows: WindowDirectory;
}

/** One X11 desktop: its accessibility bus and its X server. Connects on first use. */
export class LinuxDesktop implements DesktopPort {
  readonly capabilities: DesktopCapabilities = { tree: true, events: true, capture: true, windows: true };
  private readonly environment: Environment;
  private connections: Promise<Connections> | undefined;

  constructor(environment: Environment) {
    this.environment = environment;
  }

  async desktopId(call: CallOptions): Promise<string> {
    const { bus } = await this.connect(liveDeadline(call, now));
    return bus.generation;
  }

  async status(call: CallOptions): Promise<DesktopStatus> {
    const options = liveDeadline(call, now);
    const { bus, x11 } = await this.connect(options);
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
  }

  permissions(options: CallOptions & { readonly request: boolean }): Promise<PermissionReport> {
    return checkPermissions(this.environment, options);
  }

  async listApps(call: CallOptions): Promise<DesktopApp[]> {
    const options = liveDeadline(call, now);
    const { applications, windows } = await this.connect(options);
    const known = await applications.list(options);
    const listed = known.map(toDesktopApp);
    const pids = new Set(listed.map((app) => app.pid));
    // Applications with windows but no tree are applications all the same.
    for (const window of await windows.list(known, options)) {
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
  }

  async listWindows(call: CallOptions & { readonly pid?: number | undefined }): Promise<DesktopWindow[]> {
    const options = liveDeadline(call, now);
    const { applications, windows } = await this.connect(options);
    const listed = await windows.list(await applications.list(options), options);
    return options.pid === undefined ? listed : listed.filter((window) => window.pid === options.pid);
  }

  async launch(request: LaunchRequest): Promise<LaunchedApp> {
    const environment = Object.fromEntries(
      Object.entries(this.environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    // The marker in the environment is what a private desktop finds its programs by; nothing else has to be told.
    const privateDesktop = this.isPrivate ? { adopt: () => undefined, release: () => undefined } : undefined;
    return launchApp(request, { environment, privateDesktop });
  }

  async closeApp(pid: number, options: CallOptions & { readonly force: boolean }): Promise<{ via: string }> {
    if (options.force) return terminateProcess(pid, options);
    const { x11 } = await this.connect(options);
    const own = (await x11.listWindows(options)).filter((window) => window.pid === pid);
    if (own.length === 0) return terminateProcess(pid, options);
    const answers = await Promise.all(own.map((window) => x11.closeWindow(window.id, options)));
    return { via: answers[0]?.via ?? 'x11' };
  }

  isProcessAlive(pid: number): boolean {
    return isAlive(pid);
  }

  async readTree(call: TreeRequest): Promise<TreeResult> {
    const started = performance.now();
    const request = liveDeadline(call, now);
    const { applications, windows } = await this.connect(request);
    const application = await applications.require(request.root.app, request);
    const frame = await windows.frameOf(application, request.root, request);
    const remaining = (): number => Math.max(1, request.deadlineMs - (performance.now() - started));
    const read = (): Promise<TreeResult> =>
      readTree(application, {
        ...request,
        deadlineMs: remaining(),
        frame,
        applicationOf: (bus) => applications.require(bus, request),
      });
    let result = await read();
    for (
      let retry = 0;
      retry < HOLLOW_RETRIES && isHollow(application, result) && remaining() > HOLLOW_RETRY_MS * 2;
      retry++
    ) {
      await new Promise((resolve) => setTimeout(resolve, HOLLOW_RETRY_MS));
      result = await read();
    }
    const missing = [
      missingContent(application, result),
      request.maxDepth === undefined && isCutByDepth(result.root) ? 'deeper levels were not read' : undefined,
    ].filter((reason) => reason !== undefined);
    if (missing.length === 0) return result;
    return { ...result, complete: false, incompleteReasons: [...result.incompleteReasons, ...missing] };
  }

  async describe(node: NodeHandle, call: CallOptions): Promise<NodeDetails> {
    const options = liveDeadline(call, now);
    const { applications, windows } = await this.connect(options);
    const application = await applications.require(node.app, options);
    return readDetails(application, node, await windows.frameOf(application, node, options), options);
  }

  async press(node: NodeHandle, call: CallOptions): Promise<ActOutcome> {
    const options = liveDeadline(call, now);
    const { applications } = await this.connect(options);
    return press(await applications.require(node.app, options), node, options);
  }

  async setValue(node: NodeHandle, value: string, call: CallOptions): Promise<ActOutcome> {
    const options = liveDeadline(call, now);
    const { applications } = await this.connect(options);
    return setValue(await applications.require(node.app, options), node, value, options);
  }

  async activationDelayMs(node: NodeHandle, call: CallOptions): Promise<number> {
    const options = liveDeadline(call, now);
    const { applications } = await this.connect(options);
    return (await applications.require(node.app, options)).traits.activationDelayMs;
  }

  async watch(
    listener: (event: DesktopEvent) => void,
    call: CallOptions & { readonly appId?: string | undefined },
  ): Promise<() => void> {
    const options = liveDeadline(call, now);
    const { bus } = await this.connect(options);
    const stopListening = bus.connection.onSignal((message) => {
      if (options.appId !== undefined && message.sender !== options.appId) return;
      const event = toDesktopEvent(message, performance.now());
      if (event) listener(event);
    });
    const removals = await subscribe(bus, options).catch((error: unknown) => {
      stopListening();
      throw busFailure('The accessibility bus did not take the subscription.', error);
    });
    await bus.registerEvents(options);
    return () => {
      stopListening();
      for (const remove of removals) remove().catch(() => undefined);
    };
  }

  async capture(target: CaptureTarget, call: CallOptions): Promise<CapturedImage> {
    const options = liveDeadline(call, now);
    const { x11, windows } = await this.connect(options);
    if (target.kind === 'screen') return x11.captureScreen(options);
    if (target.kind === 'region') return x11.captureRegion(target.bounds, options);
    const id = windows.x11Id(target.windowId);
    const image = await x11.captureWindow(id, options);
    return overlayPopups(x11, id, image, options);
  }

  async close(): Promise<void> {
    const opened = await this.connections?.catch(() => undefined);
    this.connections = undefined;
    await opened?.applications.close();
    opened?.bus.close();
    opened?.x11.close();
  }

  private get isPrivate(): boolean {
    return this.environment['DESKTERITY_PRIVATE_DESKTOP'] !== undefined;
  }

  private connect(options: CallOptions): Promise<Connections> {
    this.connections ??= this.open(options).catch((error: unknown) => {
      this.connections = undefined;
      throw error;
    });
    return this.connections;
  }

  private async open(options: CallOptions): Promise<Connections> {
    const display = this.environment['DISPLAY'];
    if (!display) {
      throw new DeskterityError('DISPLAY_UNAVAILABLE', 'There is no display: DISPLAY is not set.', {
        suggestion: 'Start a private desktop: npm run desktop -- COMMAND.',
      });
    }
    // The X11 library would turn a larger number into a port that there is not, and end the process.
    if (Number(/:(\d+)(?:\.\d+)?$/.exec(display)?.[1]) > LARGEST_DISPLAY) {
      throw new DeskterityError('DISPLAY_UNAVAILABLE', `There is no display ${display.slice(0, 80)}.`, {
        suggestion: 'Set DISPLAY to one that runs, or start a private desktop: npm run desktop -- COMMAND.',
      });
    }
    const x11 = await X11Connection.connect(display, {
      ...options,
      xauthority: this.environment['XAUTHORITY'],
    });
    try {
      const bus = await AccessibilityBus.connect(this.environment['DBUS_SESSION_BUS_ADDRESS'], options);
      const applications = new ApplicationDirectory(bus);
      const connections = { bus, x11, applications, windows: new WindowDirectory(x11, applications) };
      bus.connection.onClose(() => {
        this.connections = undefined;
      });
      return connections;
    } catch (error) {
      x11.close();
      throw error;
    }
  }
}

function subscribe(
  bus: AccessibilityBus,
  options: CallOptions & { readonly appId?: string | undefined },
): Promise<(() => Promise<void>)[]> {
  const sender = options.appId === undefined ? '' : `,sender='${options.appId}'`;
  return Promise.all(
    ['org.a11y.atspi.Event.Object', 'org.a11y.atspi.Event.Window'].map((name) =>
      bus.connection.addMatch(`type='signal',interface='${name}'${sender}`, options),
    ),
  );
}
