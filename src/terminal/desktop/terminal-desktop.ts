import { mentionCommand } from '../../model/text/mention.ts';
import type { TerminalScreen } from '../../model/terminals/terminal-screen.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { NodeHandle, TreeNode } from '../../model/tree/node.ts';
import { terminalAddress } from '../../model/terminals/terminal-address.ts';
import { boundedSize } from '../../model/terminals/terminal-bounds.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { ClipboardPort } from '../../ports/clipboard.ts';
import type {
  ActOutcome,
  CallOptions,
  CapturedImage,
  DesktopApp,
  DesktopCapabilities,
  DesktopEvent,
  DesktopPort,
  DesktopStatus,
  DesktopWindow,
  LaunchedApp,
  NodeDetails,
  PermissionReport,
  PointContent,
  SemanticAct,
  TreeRequest,
  TreeResult,
  WatchScope,
  WindowRequest,
} from '../../ports/desktop.ts';
import type { Point } from '../../ports/input.ts';
import type { ProbeWindow } from '../../ports/probe-window.ts';
import type { ScreenPort, WidgetSkill } from '../../ports/screen.ts';
import { mouseBytes } from '../screen/mouse-bytes.ts';
import { CELL, cellAt, parsePath, screenBounds, screenTree, TERMINAL_PATH } from './screen-tree.ts';
import { TerminalInput } from '../sessions/held/terminal-input.ts';
import { TerminalStopSwitch } from './terminal-stop-switch.ts';
import { judgeSent, reportedChanges } from './screen-rules.ts';
import { detailsOf, elementsAt, gone, isClickable, limited, lineageOf } from './terminal-tree.ts';
import type { TerminalView } from '../../ports/terminals.ts';
import { ScreenWatch } from '../sessions/held/screen-watch.ts';
import { typedBytes } from '../screen/text-bytes.ts';

/** Programs draw at once, also those at the other end of a line; what they have to think about takes them longer than anybody could know. */
const ACTIVATION_DELAY_MS = 100;
const MOST_SCROLLBACK_LINES = 10_000;

/**
 * One terminal as a desktop with one window, which always has the keyboard: so the verbs for windows work on it. Places and sizes are in the
 * units of {@link CELL}.
 */
export class TerminalDesktop implements DesktopPort {
  readonly capabilities: DesktopCapabilities = {
    tree: true,
    events: true,
    capture: false,
    windows: true,
    clipboard: false,
    input: true,
  };
  readonly screen: ScreenPort;
  readonly clipboard: ClipboardPort = NO_CLIPBOARD;
  readonly input: TerminalInput;
  readonly stopSwitch: TerminalStopSwitch;
  private readonly view: TerminalView;
  private readonly app: string;
  private readonly watching: ScreenWatch;

  constructor(view: TerminalView, clock: ClockPort) {
    this.view = view;
    this.app = terminalAddress(view.id);
    this.screen = { id: view.id, judge: judgeSent, report: reportedChanges, refuse: refuseSkill };
    this.input = new TerminalInput(view, clock);
    this.stopSwitch = new TerminalStopSwitch(this.input);
    this.watching = new ScreenWatch(view, clock, async (options) => (await this.read(options, 0)).root);
  }

  async desktopId(): Promise<string> {
    return this.app;
  }

  async status(options: CallOptions): Promise<DesktopStatus> {
    const { screen } = await this.read(options, 0);
    const { width, height } = screenBounds(screen.size);
    return {
      desktopId: this.app,
      display: this.app,
      session: 'terminal',
      isPrivate: true,
      screen: { width, height },
    };
  }

  async permissions(): Promise<PermissionReport> {
    return {
      granted: true,
      checks: [{ name: 'terminal', ok: true, detail: 'A terminal of ours needs no permission.' }],
    };
  }

  async machineChecks(): Promise<PermissionReport['checks']> {
    return [];
  }

  async openProbe(): Promise<ProbeWindow> {
    throw unsupported('A terminal has no windows to try things on.');
  }

  async listApps(): Promise<DesktopApp[]> {
    const { name, pid } = this.view;
    return this.view.isAlive() ? [{ id: this.app, name, pid, accessible: true, responsive: true }] : [];
  }

  async listWindows({
    pid,
    ...options
  }: CallOptions & { readonly pid?: number | undefined }): Promise<DesktopWindow[]> {
    if (pid !== undefined && pid !== this.view.pid) return [];
    const { root } = await this.read(options, 0);
    return [
      {
        id: this.app,
        title: root.name,
        appId: this.app,
        appName: this.view.name,
        pid: this.view.pid,
        bounds: root.bounds,
        focused: true,
        hasInput: true,
        minimized: false,
        stacking: 0,
        accessible: true,
        root: { app: this.app, path: TERMINAL_PATH },
      },
    ];
  }

  async launch(): Promise<LaunchedApp> {
    throw unsupported('A terminal starts programs by commands that are typed in it.');
  }

  async closeApp(): Promise<{ via: string }> {
    throw unsupported('A terminal is not closed like an application.');
  }

  isProcessAlive(pid: number): boolean {
    return pid === this.view.pid && this.view.isAlive();
  }

  async controlWindow(
    windowId: string,
    request: WindowRequest,
    options: CallOptions,
  ): Promise<{ via: string }> {
    if (windowId !== this.app)
      throw new DeskterityError('WINDOW_NOT_FOUND', 'There is no such window in this terminal.', {
        suggestion: `Run ${mentionCommand('list-windows')}.`,
      });
    if (request.kind === 'focus') return { via: 'terminal:already' };
    if (request.kind !== 'resize')
      throw unsupported(`A terminal without a display cannot be asked to ${request.kind}.`);
    const { columns, rows } = boundedSize({
      columns: Math.round(request.width / CELL.width),
      rows: Math.round(request.height / CELL.height),
    });
    await this.view.resize({ columns, rows }, options);
    return { via: `terminal:resize(${columns}x${rows})` };
  }

  async userTimeMs(): Promise<undefined> {
    return undefined;
  }

  async readTree(request: TreeRequest): Promise<TreeResult> {
    const { root } = await this.read(
      request,
      request.wholeTree ? MOST_SCROLLBACK_LINES : (request.scrolledOut ?? 0),
    );
    const lineage = lineageOf(root, request.root);
    const node = lineage?.at(-1);
    if (node === undefined) throw gone();
    return limited(node, request);
  }

  async describe(node: NodeHandle, options: CallOptions): Promise<NodeDetails> {
    const { lineage, screen } = await this.locate(node, options);
    return detailsOf(lineage, screen);
  }

  async press(node: NodeHandle, options: CallOptions): Promise<ActOutcome> {
    const { lineage, screen } = await this.locate(node, options);
    const target = lineage.at(-1);
    if (target?.bounds === undefined || !isClickable(target))
      throw unsupported('Only rows that are on the screen of a terminal can be clicked.');
    const { x, y, width, height } = target.bounds;
    const cell = cellAt({ x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) }, screen.size);
    if (cell === undefined) throw gone();
    const bytes = (['down', 'up'] as const).map((kind) =>
      mouseBytes({ kind, button: 'left' }, cell, screen.modes),
    );
    await this.view.write(Buffer.concat(bytes), options);
    return { delivered: true, via: `terminal:click(${cell.column + 1},${cell.row + 1})` };
  }

  async setValue(): Promise<ActOutcome> {
    throw unsupported('What stands in a terminal is what its program writes; it cannot be set.');
  }

  async perform(node: NodeHandle, act: SemanticAct, options: CallOptions): Promise<ActOutcome> {
    const target = (await this.locate(node, options)).lineage.at(-1);
    if (act === 'focus' && (target?.role === 'terminal' || target?.states.includes('focused') === true))
      return { accepted: true, delivered: false, via: 'terminal:already' };
    throw unsupported(`There is no way to ${act} a part of a terminal but by the keys of its program.`);
  }

  async choose(): Promise<ActOutcome> {
    throw unsupported('There is no way to choose in a terminal but by the keys of its program.');
  }

  async insertText(node: NodeHandle, text: string, options: CallOptions): Promise<ActOutcome> {
    const target = (await this.locate(node, options)).lineage.at(-1);
    if (target?.role !== 'terminal' && target?.states.includes('focused') !== true)
      throw unsupported('Text goes to where the cursor of the terminal is.');
    await this.view.write(typedBytes(text), options);
    return { delivered: true, via: `terminal:${Array.from(text).length} characters` };
  }

  async scrollIntoView(): Promise<ActOutcome> {
    throw unsupported('What is above the screen of a terminal cannot be brought back to it.');
  }

  async contentAt(point: Point, options: CallOptions): Promise<PointContent> {
    const { root } = await this.read(options, 0);
    const lineage = elementsAt(root, point);
    if (lineage.length === 0) return { isPopup: false, lineage };
    return { windowId: this.app, pid: this.view.pid, isPopup: false, lineage };
  }

  async activationDelayMs(): Promise<number> {
    return ACTIVATION_DELAY_MS;
  }

  watch(listener: (event: DesktopEvent) => void, options: CallOptions & WatchScope): Promise<() => void> {
    const { appId, windowsOnly = false } = options;
    return this.watching.listen((event) => {
      if (appId !== undefined && appId !== event.node.app) return;
      if (!windowsOnly || event.kind.startsWith('window-') || event.kind === 'desktop-lost') listener(event);
    }, options);
  }

  async capture(): Promise<CapturedImage> {
    throw unsupported('A terminal without a display has no pixels; its text is all there is.');
  }

  async close(): Promise<void> {
    this.watching.close();
  }

  private async read(
    options: CallOptions,
    scrollbackLines: number,
  ): Promise<{ readonly root: TreeNode; readonly screen: TerminalScreen }> {
    const { deadlineMs, signal } = options;
    const { screen, scrollback } = await this.view.read({ deadlineMs, signal, scrollbackLines });
    return { root: screenTree({ app: this.app, name: this.view.name, screen, scrollback }), screen };
  }

  /** Lines above the screen are read where one of them is meant. */
  private async locate(
    handle: NodeHandle,
    options: CallOptions,
  ): Promise<{ readonly lineage: readonly TreeNode[]; readonly screen: TerminalScreen }> {
    if (handle.app !== this.app) throw gone();
    const shown = await this.read(options, 0);
    const lineage = lineageOf(shown.root, handle);
    if (lineage !== undefined) return { lineage, screen: shown.screen };
    if (parsePath(handle.path)?.kind !== 'line') throw gone();
    const whole = await this.read(options, MOST_SCROLLBACK_LINES);
    const above = lineageOf(whole.root, handle);
    if (above === undefined) throw gone();
    return { lineage: above, screen: whole.screen };
  }
}

function refuseSkill(skill: WidgetSkill): never {
  if (skill === 'hover')
    throw unsupported(
      'A terminal has no pointer that could rest on something.',
      'Click it where its program follows the mouse, or press the keys that the program shows.',
    );
  throw unsupported(
    'A terminal takes text where its cursor is, and replaces none.',
    `Empty the line by its program, such as with ${mentionCommand('press', { keys: 'ctrl+u' })} in a shell, and type then.`,
  );
}

const NO_CLIPBOARD: ClipboardPort = {
  isOwned: false,
  formats: refuse,
  read: refuse,
  write: refuse,
  clear: refuse,
  watch: refuse,
};

async function refuse(): Promise<never> {
  throw unsupported('A terminal has no clipboard.');
}

function unsupported(
  message: string,
  suggestion = 'Type, or press the keys that the program shows.',
): DeskterityError {
  return new DeskterityError('ACTION_NOT_SUPPORTED', message, { suggestion, delivered: false });
}
