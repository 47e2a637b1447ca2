import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { NodeHandle } from '../../src/model/tree/node.ts';
import type {
  ActCall,
  ActOutcome,
  Caret,
  HandAct,
  SemanticAct,
  TextChange,
  TextEditing,
  Turn,
} from '../../src/ports/desktop/acts.ts';
import type { CallOptions } from '../../src/ports/call-options.ts';
import type { CapturedImage, CaptureTarget } from '../../src/ports/desktop/capture.ts';
import type {
  DesktopCapabilities,
  DesktopPort,
  DesktopStatus,
  PermissionReport,
} from '../../src/ports/desktop/desktop.ts';
import type { NodeDetails, PointContent, TreeRequest, TreeResult } from '../../src/ports/desktop/elements.ts';
import type { DesktopEvent, WatchScope } from '../../src/ports/desktop/events.ts';
import type {
  DesktopApp,
  DesktopPopup,
  DesktopWindow,
  LaunchedApp,
  LaunchRequest,
  WindowRequest,
} from '../../src/ports/desktop/windows.ts';
import { takeTurnBy, TurnQueue } from '../../src/model/turn-queue.ts';
import { gone, unresponsive } from './simulated-failures.ts';
import type { Point } from '../../src/ports/input.ts';
import type { NotificationListener } from '../../src/ports/notifications.ts';
import type { PictureWatch } from '../../src/ports/picture-watch.ts';
import type { ProbeWindow } from '../../src/ports/probe-window.ts';
import { SimulatedInput } from './simulated-input.ts';
import { openSimulatedProbe } from './simulated-probe.ts';
import { SimulatedStopSwitch } from './simulated-stop-switch.ts';
import { SimulatedClipboard } from './simulated-clipboard.ts';
import { interfacesOf, readSimulatedTree, toTreeNode } from './simulated-tree.ts';
import { controlSimulatedWindow } from './simulated-window-control.ts';
import { contains } from './simulated-world.ts';
import type { SimulatedApp, SimulatedNode, SimulatedWindow, SimulatedWorld } from './simulated-world.ts';

/** The desktop port over a scripted world: a test double that fails the way real desktops do. */
export class SimulatedDesktop implements DesktopPort {
  readonly capabilities: DesktopCapabilities = {
    tree: true,
    events: true,
    capture: true,
    windows: true,
    clipboard: true,
    input: true,
  };
  readonly clipboard = new SimulatedClipboard();
  readonly input: SimulatedInput;
  readonly stopSwitch: SimulatedStopSwitch;
  private readonly world: SimulatedWorld;
  private readonly turns = new TurnQueue<number>();

  constructor(world: SimulatedWorld) {
    this.world = world;
    this.input = new SimulatedInput(world);
    this.stopSwitch = new SimulatedStopSwitch(this.input);
  }

  async desktopId(): Promise<string> {
    return (await this.status()).desktopId;
  }

  async status(): Promise<DesktopStatus> {
    return {
      desktopId: 'simulated',
      display: 'simulated',
      session: 'simulated',
      isPrivate: true,
      screen: this.world.screen,
    };
  }

  async permissions(): Promise<PermissionReport> {
    return {
      granted: true,
      checks: [{ name: 'simulated', ok: true, detail: 'A simulated desktop needs nothing.' }],
    };
  }

  async machineChecks(): Promise<PermissionReport['checks']> {
    return [];
  }

  async openProbe(): Promise<ProbeWindow> {
    return openSimulatedProbe(this.world, this.input);
  }

  async listApps(options: CallOptions): Promise<DesktopApp[]> {
    return this.world.apps.map((app) => {
      const responsive = this.world.frozenForMs(app.id) <= options.deadlineMs;
      return {
        id: app.id,
        name: app.name,
        pid: app.pid,
        process: `${app.pid}:${app.id}`,
        ...(app.toolkit === undefined ? {} : { toolkit: app.toolkit }),
        accessible: responsive,
        ...(responsive ? {} : { reason: 'It does not respond: it is busy or frozen.' }),
        responsive,
      };
    });
  }

  async processOf(app: string): Promise<number | undefined> {
    return this.world.apps.find(({ id }) => id === app)?.pid;
  }

  async requireAllowed(): Promise<void> {}

  async listWindows(options: CallOptions & { readonly pid?: number | undefined }): Promise<DesktopWindow[]> {
    return this.world.apps
      .filter((app) => options.pid === undefined || app.pid === options.pid)
      .flatMap((app) => app.windows.map((window, index) => toDesktopWindow(app, window, index)));
  }

  async listPopups(): Promise<readonly DesktopPopup[]> {
    return this.world.apps.flatMap(({ pid, windows }) =>
      windows.flatMap(({ id, popup }) =>
        popup === undefined ? [] : [{ pid, isTooltip: false, transientFor: id, bounds: popup }],
      ),
    );
  }

  async resolveLaunch({ app, args }: LaunchRequest): Promise<Pick<LaunchedApp, 'command'>> {
    this.launchable(app);
    return { command: [app, ...args] };
  }

  private launchable(app: string): () => SimulatedApp {
    const create = this.world.launchable.get(app);
    if (create !== undefined) return create;
    throw new DeskterityError('APP_NOT_FOUND', `No program is called ${JSON.stringify(app.slice(0, 80))}.`, {
      suggestion: 'Give the name of an installed program or a path.',
    });
  }

  async launch(request: LaunchRequest): Promise<LaunchedApp> {
    const create = this.launchable(request.app);
    const app = create();
    this.world.apps.push(app);
    this.world.emit(app.id, app.windows[0]?.root?.id ?? '', 'window-opened', '');
    return {
      pid: app.pid,
      owns: (pid) => pid === app.pid,
      isRunningAs: (pid) => this.world.apps.some((other) => other.pid === pid && other.name === app.name),
      command: [request.app, ...request.args],
      adjustments: [],
      exited: app.exited ?? new Promise(() => undefined),
    };
  }

  async closeApp(pid: number): Promise<{ via: string }> {
    const index = this.world.apps.findIndex((app) => app.pid === pid);
    if (index < 0)
      throw new DeskterityError('APP_NOT_FOUND', `There is no running process ${pid}.`, {
        suggestion: 'Run "desk list-apps".',
      });
    const app = this.world.apps[index];
    const end = (): void => {
      this.world.apps.splice(index, 1);
      this.world.emit(app?.id ?? '', '', 'window-closed', '');
    };
    if (app?.onQuit === undefined) end();
    else app.onQuit(end);
    return { via: 'simulated' };
  }

  isProcessAlive(pid: number): boolean {
    return this.world.apps.some((app) => app.pid === pid);
  }

  startedLately(starter: number, processes: readonly number[], withinMs: number): ReadonlySet<number> {
    const since = this.world.clock.now() - withinMs;
    const started = this.world.apps.filter(
      ({ startedBy }) => startedBy?.pid === starter && startedBy.atMs >= since,
    );
    return new Set(started.map(({ pid }) => pid).filter((pid) => processes.includes(pid)));
  }

  async controlWindow(windowId: string, request: WindowRequest): Promise<{ via: string }> {
    return controlSimulatedWindow(this.world, windowId, request);
  }

  async userTimeMs(windowId: string): Promise<number | undefined> {
    const windows = this.world.apps.flatMap((app) => app.windows);
    return windows.find(({ id }) => id === windowId)?.userTimeMs;
  }

  async readTree(request: TreeRequest): Promise<TreeResult> {
    await this.reach(request.root.app, request);
    return readSimulatedTree(this.require(request.root), request);
  }

  async describe(node: NodeHandle, options: CallOptions): Promise<NodeDetails> {
    await this.reach(node.app, options);
    const found = this.require(node);
    const path = this.world.pathTo(node.app, node.path);
    const parent = path.at(-2);
    const { children: _children, ...fields } = toTreeNode(node.app, found, []);
    const current = Number(found.value);
    return {
      ...fields,
      actions: found.actions ?? [],
      childCount: found.children?.length ?? 0,
      ...(found.accepts === 'text' || found.accepts === 'lies' ? { text: found.value ?? '' } : {}),
      ...(found.range && Number.isFinite(current) ? { range: { ...found.range, current } } : {}),
      ...(found.closesWhenUsed === true ? { closesWhenUsed: true } : {}),
      ...(found.mayBeBehindHeader === true ? { mayBeBehindHeader: true } : {}),
      ...(found.isCheckableGroup === true ? { isCheckableGroup: true } : {}),
      ...(found.mayBeSilent === true ? { mayBeSilent: true } : {}),
      ...(found.isDefault === true ? { isDefault: true } : {}),
      ...(found.keyBindings === undefined ? {} : { keyBindings: found.keyBindings }),
      attributes: {},
      relations: [],
      interfaces: interfacesOf(found),
      ...(parent
        ? { parent: { app: node.app, path: parent.id }, indexInParent: parent.children?.indexOf(found) ?? 0 }
        : {}),
    };
  }

  async requireAction(node: NodeHandle, act: HandAct, options: ActCall): Promise<void> {
    await this.reach(node.app, options);
    const found = this.require(node);
    if (options.manner === 'background' && found.grabs === true)
      throw unsupported('It takes the next click.');
    if ((act === 'click' ? found.actions?.[0] : found.onAct?.[act]) === undefined)
      throw unsupported(`There is no way to ${act} this element.`);
  }

  async press(node: NodeHandle, options: CallOptions): Promise<ActOutcome> {
    await this.reach(node.app, options);
    const found = this.require(node);
    const action = found.actions?.[0];
    if (action === undefined) {
      throw new DeskterityError(
        'ACTION_NOT_SUPPORTED',
        'This element offers no action that does what a click does.',
        {
          suggestion: 'Act on a parent or child of it instead.',
          delivered: false,
        },
      );
    }
    const { onPress } = found;
    if (onPress && !found.states?.includes('disabled'))
      this.world.clock.after(this.delayOf(node.app), () => onPress(this.world));
    const answersAfter = found.answersAfterMs ?? 0;
    if (answersAfter > 0)
      await this.world.clock.sleep(Math.min(answersAfter, options.deadlineMs), options.signal);
    if (answersAfter > options.deadlineMs) throw unresponsive(true);
    return { accepted: found.denies !== true, delivered: true, via: `simulated:press(${action})` };
  }

  async setValue(node: NodeHandle, value: string, options: CallOptions): Promise<ActOutcome> {
    await this.reach(node.app, options);
    const found = this.require(node);
    if (found.accepts === undefined) {
      throw new DeskterityError(
        'ACTION_NOT_SUPPORTED',
        'The value of this element cannot be set through accessibility.',
        {
          suggestion: 'Choose a text field, slider or spin button.',
          delivered: false,
        },
      );
    }
    if (found.accepts === 'number' && !Number.isFinite(Number(value))) {
      throw new DeskterityError('INVALID_ARGUMENT', 'This element takes a number.', {
        suggestion: 'Pass a number such as 42.',
        delivered: false,
      });
    }
    if (found.accepts !== 'lies')
      this.world.change(node.app, node.path, {
        value: clamp(value, found.range),
        ...(Array.isArray(found.runs) ? { runs: Array.from(value, () => '') } : {}),
      });
    const outcome = { accepted: true, delivered: true, via: 'simulated:set-value' };
    return found.pends === true ? { ...outcome, isUncommitted: true } : outcome;
  }

  async perform(node: NodeHandle, act: SemanticAct, options: CallOptions): Promise<ActOutcome> {
    await this.reach(node.app, options);
    const run = this.require(node).onAct?.[act];
    if (!run) {
      throw new DeskterityError('ACTION_NOT_SUPPORTED', `There is no way to ${act} this element.`, {
        suggestion: 'Act on a parent or child of it instead.',
        delivered: false,
      });
    }
    this.world.clock.after(this.delayOf(node.app), () => run(this.world));
    return { accepted: true, delivered: true, via: `simulated:${act}` };
  }

  async choose(
    container: NodeHandle,
    option: NodeHandle,
    options: CallOptions & { readonly adds?: boolean | undefined },
  ): Promise<ActOutcome> {
    await this.reach(container.app, options);
    this.world.adds = options.adds === true;
    const run = this.require(option).onChoose;
    if (!run) throw unsupported('There is no way to choose this option.');
    this.world.clock.after(this.delayOf(option.app), () => run(this.world));
    return { accepted: true, delivered: true, via: 'simulated:choose' };
  }

  async insertText(node: NodeHandle, text: string, options: CallOptions): Promise<ActOutcome> {
    await this.reach(node.app, options);
    const found = this.require(node);
    if (found.accepts !== 'text' && found.accepts !== 'lies')
      throw unsupported('This element takes no text through accessibility.');
    const { value = '', caret } = found;
    const at = caret?.offset ?? value.length;
    if (found.accepts === 'text')
      this.world.change(node.app, node.path, {
        value: value.slice(0, at) + text + value.slice(at),
        ...formatOfInserted(found, Array.from(value.slice(0, at)).length, text),
        ...(caret ? { caret: { offset: at + text.length } } : {}),
      });
    const outcome = { accepted: true, delivered: true, via: 'simulated:insert-text' };
    return found.pends === true ? { ...outcome, isUncommitted: true } : outcome;
  }

  async textEditing(node: NodeHandle): Promise<TextEditing> {
    const { accepts, runs } = this.require(node);
    const changesParts = accepts === 'text' && runs !== 'whole-only';
    return { changesParts, isFormatted: runs !== undefined };
  }

  async changeText(node: NodeHandle, change: TextChange, options: CallOptions): Promise<ActOutcome> {
    await this.reach(node.app, options);
    const found = this.require(node);
    if (found.accepts !== 'text' || found.runs === 'whole-only')
      throw unsupported('No part of it can be changed.');
    const characters = Array.from(found.value ?? '');
    const { text, at, removed, inserted } = change;
    const [from, to] = [at, at + Array.from(removed).length];
    if (found.value !== text || characters.slice(from, to).join('') !== removed) throw gone();
    this.world.change(node.app, node.path, {
      value: [...characters.slice(0, from), inserted, ...characters.slice(to)].join(''),
      ...(Array.isArray(found.runs)
        ? {
            runs: [...found.runs.slice(0, from), ...Array.from(inserted, () => ''), ...found.runs.slice(to)],
          }
        : {}),
    });
    return { accepted: true, delivered: true, via: 'simulated:change-text' };
  }

  async caret(node: NodeHandle): Promise<Caret | undefined> {
    return this.require(node).caret;
  }

  async placeCaret(node: NodeHandle, caret: Caret): Promise<void> {
    this.require(node).caret = caret;
  }

  async scrollIntoView(node: NodeHandle, options: CallOptions): Promise<ActOutcome> {
    await this.reach(node.app, options);
    const found = this.require(node);
    if (!found.onScrollIntoView) throw unsupported('This element cannot be brought into view.');
    found.onScrollIntoView(this.world);
    return { accepted: true, delivered: true, via: 'simulated:scroll-into-view' };
  }

  async contentAt(point: Point): Promise<PointContent> {
    const found = this.world.windowAt(point);
    if (!found) return { isPopup: false, lineage: [] };
    const { app, window } = found;
    const hit = this.world.elementAt(point);
    const path = hit ? this.world.pathTo(app.id, hit.node.id) : [];
    return {
      windowId: window.id,
      pid: app.pid,
      isPopup: window.popup !== undefined && contains(window.popup, point),
      lineage: path.toReversed().map(({ id }) => ({ app: app.id, path: id })),
    };
  }

  async menusAwaitOpening(node: NodeHandle): Promise<boolean> {
    return this.world.apps.find(({ id }) => id === node.app)?.menusAwaitOpening === true;
  }

  async activationDelayMs(node: NodeHandle): Promise<number> {
    return this.delayOf(node.app);
  }

  async takeTurn(
    { app, pid }: { readonly app: string; readonly pid?: number | undefined },
    options: CallOptions,
  ): Promise<Turn> {
    const { clock, apps } = this.world;
    const key = apps.find(({ id }) => id === app)?.pid ?? pid ?? 0;
    return takeTurnBy(clock, { queue: this.turns, key }, options);
  }

  async watch(
    listener: (event: DesktopEvent) => void,
    { appId, windowsOnly = false }: WatchScope,
  ): Promise<() => void> {
    return this.world.listen((event) => {
      if (appId !== undefined && appId !== event.node.app) return;
      if (!windowsOnly || event.kind.startsWith('window-') || event.kind === 'desktop-lost') listener(event);
    });
  }

  async watchNotifications(listener: NotificationListener): Promise<() => void> {
    return this.world.hearNotifications(listener);
  }

  async watchPicture(_listener: () => void): Promise<PictureWatch> {
    throw new DeskterityError(
      'ACTION_NOT_SUPPORTED',
      'The simulated screen does not report what is painted.',
      { suggestion: 'Compare pictures.' },
    );
  }

  async capture(target: CaptureTarget): Promise<CapturedImage> {
    const window = target.kind === 'window' ? this.windowOf(target.windowId) : undefined;
    const screen = { x: 0, y: 0, ...this.world.screen };
    const bounds = window?.bounds ?? (target.kind === 'region' ? target.bounds : screen);
    const image = {
      width: bounds.width,
      height: bounds.height,
      bgrx: new Uint8Array(bounds.width * bounds.height * 4).fill(0xcc),
      origin: { x: bounds.x, y: bounds.y },
      scale: 1,
    };
    for (const { bounds: part, grey } of window?.drawn ?? [])
      for (let y = part.y - bounds.y; y < part.y - bounds.y + part.height; y += 1) {
        const from = (y * image.width + part.x - bounds.x) * 4;
        image.bgrx.fill(grey, from, from + part.width * 4);
      }
    const isAsShown = target.kind === 'window' && target.asShown === true;
    return isAsShown ? { ...image, covered: window?.covered ?? [] } : image;
  }

  async close(): Promise<void> {}

  private windowOf(id: string): SimulatedWindow {
    const window = this.world.apps.flatMap((app) => app.windows).find((candidate) => candidate.id === id);
    if (window) return window;
    throw new DeskterityError('WINDOW_NOT_FOUND', `There is no window ${id}.`, {
      suggestion: 'Run "desk list-windows".',
    });
  }

  private delayOf(appId: string): number {
    return this.world.apps.find((app) => app.id === appId)?.activationDelayMs ?? 0;
  }

  private require(node: NodeHandle): SimulatedNode {
    const found = this.world.findNode(node.app, node.path);
    if (!found) throw gone();
    return found;
  }

  /** A frozen application costs its caller the deadline and no more. */
  private async reach(appId: string, options: CallOptions): Promise<void> {
    if (!this.world.apps.some((app) => app.id === appId)) throw gone();
    const frozen = this.world.frozenForMs(appId);
    if (frozen === 0) return;
    await this.world.clock.sleep(Math.min(frozen, options.deadlineMs), options.signal);
    if (frozen <= options.deadlineMs) return;
    throw unresponsive(false);
  }
}

function unsupported(message: string): DeskterityError {
  return new DeskterityError('ACTION_NOT_SUPPORTED', message, {
    suggestion: 'Act on a parent or child of it instead.',
    delivered: false,
  });
}

function toDesktopWindow(app: SimulatedApp, window: SimulatedWindow, index: number): DesktopWindow {
  return {
    id: window.id,
    title: window.title,
    appId: app.id,
    appName: app.name,
    pid: app.pid,
    bounds: window.bounds,
    focused: window.focused ?? false,
    minimized: window.minimized ?? false,
    maximized: window.maximized ?? false,
    modal: window.modal ?? false,
    ...(window.isTreeOnly === true ? { isTreeOnly: true } : {}),
    ...(window.isOpening === true ? { isOpening: true } : {}),
    ...(window.otherId === undefined ? {} : { otherId: window.otherId }),
    ...(window.transientFor === undefined ? {} : { transientFor: window.transientFor }),
    stacking: index,
    accessible: window.root !== undefined,
    ...(window.root
      ? { root: { app: app.id, path: window.root.id } }
      : { reason: window.reason ?? 'It shows no accessibility tree.' }),
  };
}

function clamp(value: string, range: SimulatedNode['range']): string {
  return range ? String(Math.min(range.maximum, Math.max(range.minimum, Number(value)))) : value;
}

/** Typed text has no formatting of its own. */
function formatOfInserted({ runs }: SimulatedNode, at: number, text: string): Pick<SimulatedNode, 'runs'> {
  if (!Array.isArray(runs)) return {};
  return { runs: [...runs.slice(0, at), ...Array.from(text, () => ''), ...runs.slice(at)] };
}
