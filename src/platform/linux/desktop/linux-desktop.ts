import { liveDeadline } from '../../../model/live-deadline.ts';
import type { NodeHandle } from '../../../model/tree/node.ts';
import type {
  ActCall,
  ActOutcome,
  Caret,
  HandAct,
  SemanticAct,
  TextChange,
  TextEditing,
  Turn,
} from '../../../ports/desktop/acts.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { CapturedImage, CaptureTarget } from '../../../ports/desktop/capture.ts';
import type {
  DesktopCapabilities,
  DesktopPort,
  DesktopStatus,
  PermissionReport,
} from '../../../ports/desktop/desktop.ts';
import type {
  DescribeOptions,
  NodeDetails,
  PointContent,
  PointOptions,
  TreeRequest,
  TreeResult,
} from '../../../ports/desktop/elements.ts';
import type { DesktopEvent, WatchScope } from '../../../ports/desktop/events.ts';
import type {
  DesktopApp,
  DesktopPopup,
  DesktopWindow,
  LaunchedApp,
  LaunchRequest,
  WindowRequest,
} from '../../../ports/desktop/windows.ts';
import type { ClipboardPort } from '../../../ports/clipboard.ts';
import type { InputPort, Point, StopSwitchPort } from '../../../ports/input.ts';
import type { NotificationListener } from '../../../ports/notifications.ts';
import type { PictureWatch } from '../../../ports/picture-watch.ts';
import type { ProbeWindow } from '../../../ports/probe-window.ts';
import { actionFor, press, type ActTarget } from '../atspi/actions/actions.ts';
import { setValue } from '../atspi/actions/set-value.ts';
import { liveNode, placeOf } from '../atspi/tree/cells/cell-address.ts';
import { choose } from '../atspi/actions/choosing.ts';
import { cellsAreChosenAlone, goToCell, performAct, scrollIntoView } from '../atspi/actions/semantic-acts.ts';
import { changeText, readTextEditing } from '../atspi/actions/text-parts.ts';
import { insertText, placeCaret, readCaret } from '../atspi/actions/text-insertion.ts';
import { ConnectionManager, type Connections } from './connections.ts';
import { PRIVATE_DESKTOP_MARKER, programEnvironment } from '../machine/desktop-environment.ts';
import { captureByConsent } from './capture-by-consent.ts';
import { contentAt } from './content-at.ts';
import type { Environment } from '../../../model/sessions/caller.ts';
import { EventStreams } from './event-streams.ts';
import { monitorNotifications } from './notification-monitor.ts';
import { machineChecks } from '../machine/permissions.ts';
import { checkConnected, checkPermissions } from '../machine/permissions.ts';
import { isAlive } from '../../paths.ts';
import { openProbe } from '../probe-window/linux-probe.ts';
import { launchApp, resolveLaunch, type LaunchContext } from '../process/launch.ts';
import { startedLately } from '../process/started-by.ts';
import { terminateProcess } from '../process/terminate.ts';
import type { Display, DisplayKind } from '../display/display.ts';
import { NO_CLIPBOARD, NO_CONTROLS, unsupportedPart } from '../display/missing-parts.ts';
import { selectDisplay } from '../display/select-display.ts';
import { ownSeatDesktop } from './own-seat-desktop.ts';
import { requireProven, type SeatedAct, type SeatRule } from './proven-seat.ts';
import { describeElement, readWindowTree } from './read-window-tree.ts';

/** Receives the programs started in a private desktop, which end with it. */
export interface ProgramKeeper {
  adopt(pid: number): void;
  release(pid: number): void;
}

export interface LinuxDesktopOptions {
  /** Of the display; by default the one that the environment names. */
  readonly kind?: DisplayKind | undefined;
  /** What is done with a keyboard and a pointer of our own; by default what is proven. */
  readonly seatRule?: SeatRule | undefined;
}

/**
 * One desktop: its accessibility bus and its display. Connects on first use, and again when either was lost: calls in
 * progress then fail with the loss, and the next call reconnects. Calls may run concurrently.
 */
export class LinuxDesktop implements DesktopPort {
  readonly capabilities: DesktopCapabilities;
  readonly clipboard: ClipboardPort;
  readonly input: InputPort;
  readonly ownSeat: DesktopPort | undefined;
  readonly stopSwitch: StopSwitchPort;
  private readonly kind: string;
  private readonly place: { readonly display: Display; readonly environment: Environment };
  private readonly keeper: ProgramKeeper | undefined;
  private readonly streams = new EventStreams();
  private readonly connections: ConnectionManager;

  /**
   * @param keeper of the private desktop that the environment belongs to
   */
  constructor(
    environment: Environment,
    keeper?: ProgramKeeper,
    { kind = selectDisplay(environment), seatRule = requireProven }: LinuxDesktopOptions = {},
  ) {
    this.keeper = keeper;
    this.kind = kind.name;
    const display = kind.open(environment);
    this.place = { display, environment };
    this.capabilities = { tree: true, events: true, ...display.capabilities };
    this.clipboard = display.clipboard ?? NO_CLIPBOARD;
    const { input, ownSeat, stopSwitch } = display.controls ?? NO_CONTROLS;
    this.input = input;
    const displayId = (id: string, call: CallOptions) => this.displayIdOf(id, call);
    this.ownSeat =
      ownSeat &&
      ownSeatDesktop(this, ownSeat, {
        displayId,
        requireAllowed: async (app, act, call) => seatRule({ ...act, ...(await this.seatedIn(app, call)) }),
      });
    this.stopSwitch = stopSwitch;
    this.connections = new ConnectionManager(this.place, {
      opened: (connections) => this.streams.resume(connections),
      lost: () => this.streams.reportLoss(),
    });
  }

  async desktopId(call: CallOptions): Promise<string> {
    const { bus } = await this.connections.get(call);
    return bus.generation;
  }

  status(call: CallOptions): Promise<DesktopStatus> {
    return this.read(call, async ({ bus, display }, options) => ({
      desktopId: bus.generation,
      display: display.name,
      session: this.kind,
      isPrivate: this.isPrivate,
      ...(await display.facts(options)),
    }));
  }

  async permissions(options: CallOptions & { readonly request: boolean }): Promise<PermissionReport> {
    if (!options.request) {
      try {
        return await this.read(options, checkConnected);
      } catch {
        // Then each part is checked separately, to report which one is missing.
        options.signal?.throwIfAborted();
      }
    }
    return checkPermissions(this.place, options);
  }

  async machineChecks(): Promise<PermissionReport['checks']> {
    return machineChecks(this.place.environment);
  }

  openProbe(call: CallOptions): Promise<ProbeWindow> {
    return openProbe(this.place, call);
  }

  listApps(call: CallOptions): Promise<DesktopApp[]> {
    return this.read(call, ({ windows }, options) => windows.listApps(options));
  }

  processOf(app: string, call: CallOptions): Promise<number | undefined> {
    return this.read(call, ({ applications }, options) => applications.processOf(app, options));
  }

  async requireAllowed(): Promise<void> {}

  listWindows(call: CallOptions & { readonly pid?: number | undefined }): Promise<DesktopWindow[]> {
    return this.read(call, async (connections, options) => {
      const { windows } = await connections.windows.list(options);
      return windows.filter((window) => options.pid === undefined || window.pid === options.pid);
    });
  }

  listPopups(call: CallOptions): Promise<readonly DesktopPopup[]> {
    return this.read(call, ({ windows }, options) => windows.display.popups(options));
  }

  async resolveLaunch(request: LaunchRequest): Promise<Pick<LaunchedApp, 'command'>> {
    return resolveLaunch(request, this.launchContext(request));
  }

  launch(request: LaunchRequest): Promise<LaunchedApp> {
    return launchApp(request, this.launchContext(request));
  }

  private launchContext({ environment }: LaunchRequest): LaunchContext {
    // A private desktop finds most of its programs by the marker in their environment.
    const markedOnly: ProgramKeeper = { adopt: () => undefined, release: () => undefined };
    return {
      environment: programEnvironment(this.place.environment, environment),
      privateDesktop: this.isPrivate ? (this.keeper ?? markedOnly) : undefined,
    };
  }

  async closeApp(pid: number, call: CallOptions & { readonly force: boolean }): Promise<{ via: string }> {
    if (call.force) return terminateProcess(pid, call);
    return this.act(call, async ({ windows: { display } }, options) => {
      const own = (await display.list(options)).filter((window) => window.pid === pid);
      const [closed] = await Promise.all(
        own.map(({ id }) => display.control(id, { kind: 'close' }, options)),
      );
      return closed ?? terminateProcess(pid, options);
    });
  }

  isProcessAlive(pid: number): boolean {
    return isAlive(pid);
  }

  startedLately(...asked: Parameters<DesktopPort['startedLately']>): ReadonlySet<number> {
    return startedLately(...asked);
  }

  controlWindow(
    windowId: string,
    request: WindowRequest,
    call: CallOptions,
  ): Promise<{ readonly via: string }> {
    return this.act(call, async ({ windows }, options) => {
      if (!this.capabilities.windows) throw unsupportedPart('windows');
      return windows.display.control(await windows.displayIdSoon(windowId, options), request, options);
    });
  }

  userTimeMs(windowId: string, call: CallOptions): Promise<number | undefined> {
    return this.read(call, ({ windows }, options) => windows.display.userTimeMs(windowId, options));
  }

  readTree(call: TreeRequest): Promise<TreeResult> {
    return this.read(call, readWindowTree);
  }

  describe(node: NodeHandle, { includeKeys, ...call }: DescribeOptions): Promise<NodeDetails> {
    return this.read(call, (connections, options) =>
      describeElement(connections, node, { ...options, includeKeys }),
    );
  }

  async requireAction(node: NodeHandle, act: HandAct, call: ActCall): Promise<void> {
    await this.onElement(node, call, (target) => actionFor(target, act, 'Reading what the element offers'));
  }

  press(node: NodeHandle, call: ActCall): Promise<ActOutcome> {
    return this.onElement(node, call, press);
  }

  setValue(node: NodeHandle, value: string, call: CallOptions): Promise<ActOutcome> {
    return this.onElement(node, call, (target) => setValue(target, value));
  }

  perform(node: NodeHandle, act: SemanticAct, call: ActCall): Promise<ActOutcome> {
    const cell = act === 'focus' ? placeOf(node) : undefined;
    return this.onElement(node, call, (target) => (cell ? goToCell(target, cell) : performAct(target, act)));
  }

  choose(
    container: NodeHandle,
    option: NodeHandle,
    { adds = false, ...call }: ActCall & { readonly adds?: boolean | undefined },
  ): Promise<ActOutcome> {
    const cell = placeOf(option);
    return this.onElement(option, call, (target) => {
      if (cell && adds) throw cellsAreChosenAlone();
      return cell ? goToCell(target, cell) : choose(target, container, adds);
    });
  }

  insertText(node: NodeHandle, text: string, call: ActCall): Promise<ActOutcome> {
    return this.onElement(node, call, (target) => insertText(target, text));
  }

  textEditing(node: NodeHandle, call: CallOptions): Promise<TextEditing> {
    return this.onElement(node, call, readTextEditing);
  }

  changeText(node: NodeHandle, change: TextChange, call: CallOptions): Promise<ActOutcome> {
    return this.onElement(node, call, (target) => changeText(target, change));
  }

  caret(node: NodeHandle, call: CallOptions): Promise<Caret | undefined> {
    return this.onElement(node, call, readCaret);
  }

  placeCaret(node: NodeHandle, caret: Caret, call: CallOptions): Promise<void> {
    return this.onElement(node, call, (target) => placeCaret(target, caret));
  }

  scrollIntoView(node: NodeHandle, call: CallOptions): Promise<ActOutcome> {
    return this.onElement(node, call, scrollIntoView);
  }

  contentAt(point: Point, call: PointOptions): Promise<PointContent> {
    return this.read(call, (connections, options) => contentAt(connections, point, options));
  }

  activationDelayMs(node: NodeHandle, call: CallOptions): Promise<number> {
    return this.read(call, async ({ applications }, options) => {
      const { traits } = await applications.require(node.app, options);
      return traits.activationDelayMs;
    });
  }

  menusAwaitOpening(node: NodeHandle, call: CallOptions): Promise<boolean> {
    return this.read(call, async ({ applications }, options) => {
      const { traits } = await applications.require(node.app, options);
      return traits.menusAwaitOpening;
    });
  }

  takeTurn(
    { app, pid }: { readonly app: string; readonly pid?: number | undefined },
    call: CallOptions,
  ): Promise<Turn> {
    return this.act(call, async ({ applications, turns }, options) => {
      const owner = app === '' ? pid : (await applications.require(app, options)).pid;
      return turns.take(owner ?? 0, options);
    });
  }

  watch(listener: (event: DesktopEvent) => void, call: CallOptions & WatchScope): Promise<() => void> {
    return this.act(call, (connections, options) => this.streams.add(connections, listener, options));
  }

  watchNotifications(listener: NotificationListener, call: CallOptions): Promise<() => void> {
    return monitorNotifications(this.place.environment['DBUS_SESSION_BUS_ADDRESS'], listener, call);
  }

  capture(target: CaptureTarget, call: CallOptions): Promise<CapturedImage> {
    const { isPrivate } = this;
    const { portal } = this.place.display;
    return this.read(call, ({ display: connection }, options) =>
      captureByConsent(target, { portal, connection, isPrivate }, options),
    );
  }

  watchPicture(listener: () => void, call: CallOptions): Promise<PictureWatch> {
    return this.act(call, async ({ display }, options) => {
      if (display.watchPicture === undefined) throw display.whyNoCapture ?? unsupportedPart('capture');
      return display.watchPicture(listener, options);
    });
  }

  async close(): Promise<void> {
    this.streams.reportLoss();
    const { clipboard, controls, portal } = this.place.display;
    portal?.close();
    await Promise.all([clipboard?.close(), controls?.close(), this.connections.close()]);
  }

  private displayIdOf(windowId: string, call: CallOptions): Promise<string> {
    return this.act(call, ({ windows }, options) => windows.displayIdSoon(windowId, options));
  }

  /** Who is worked with a second keyboard and pointer. */
  private seatedIn(app: string, call: CallOptions): Promise<Pick<SeatedAct, 'application' | 'manager'>> {
    return this.read(call, async ({ applications, display }, options) => {
      const [application, { windowManager }] = await Promise.all([
        app === '' ? undefined : applications.require(app, options),
        display.facts(options),
      ]);
      return { application, manager: windowManager };
    });
  }

  private get isPrivate(): boolean {
    return this.place.environment[PRIVATE_DESKTOP_MARKER] !== undefined;
  }

  /** Acts on the object that currently represents an element. */
  private onElement<T>(node: NodeHandle, call: ActCall, work: (target: ActTarget) => Promise<T>): Promise<T> {
    return this.act(call, async ({ applications }, options) => {
      const application = await applications.require(node.app, options);
      return work({ application, node: await liveNode(application, node, options), options });
    });
  }

  /** A read-only call: a result from a desktop that was lost meanwhile is discarded. */
  private async read<T, C extends CallOptions>(
    call: C,
    work: (connections: Connections, options: C) => Promise<T>,
  ): Promise<T> {
    return this.act(call, async (connections, options) => {
      const result = await work(connections, options);
      if (connections.loss) throw connections.loss;
      return result;
    });
  }

  /** A call that fails because the desktop was lost reports that. */
  private async act<T, C extends CallOptions>(
    call: C,
    work: (connections: Connections, options: C) => Promise<T>,
  ): Promise<T> {
    const options = liveDeadline(call, performance);
    const connections = await this.connections.get(options);
    try {
      return await work(connections, options);
    } catch (error) {
      throw connections.explain(error);
    }
  }
}
