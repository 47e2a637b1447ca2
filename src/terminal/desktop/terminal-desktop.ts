import { mentionCommand } from '../../model/text/mention.ts';
import type { TerminalScreen } from '../../model/terminals/terminal-screen.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { NodeHandle, TreeNode } from '../../model/tree/node.ts';
import { terminalAddress } from '../../model/terminals/terminal-address.ts';
import { takeTurnBy, TurnQueue } from '../../model/turn-queue.ts';
import { boundedSize } from '../../model/terminals/terminal-bounds.ts';
import type { ClockPort } from '../../ports/clock.ts';
import type { ClipboardPort } from '../../ports/clipboard.ts';
import type { ActOutcome, SemanticAct, TextEditing, Turn } from '../../ports/desktop/acts.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type {
  DesktopCapabilities,
  DesktopPort,
  DesktopStatus,
  PermissionReport,
} from '../../ports/desktop/desktop.ts';
import type { NodeDetails, PointContent, TreeRequest, TreeResult } from '../../ports/desktop/elements.ts';
import type { DesktopEvent, WatchScope } from '../../ports/desktop/events.ts';
import type { DesktopApp, DesktopWindow, WindowRequest } from '../../ports/desktop/windows.ts';
import type { Point } from '../../ports/input.ts';
import type { ScreenPort, WidgetSkill } from '../../ports/screen.ts';
import { mouseBytes } from '../screen/mouse-bytes.ts';
import { CELL, cellAt, isLinePath, screenBounds, screenTree, TERMINAL_PATH } from './screen-tree.ts';
import { TerminalInput, TerminalStopSwitch } from './terminal-input.ts';
import { judgeSent, reportedChanges } from './screen-rules.ts';
import { detailsOf, elementsAt, gone, isClickable, limited, lineageOf } from './terminal-tree.ts';
import type { TerminalView } from '../../ports/terminals.ts';
import { ScreenWatch } from './screen-watch.ts';
import { typedBytes } from '../screen/key-bytes.ts';

/** Programs redraw at once, also over a network; longer work takes an unpredictable time. */
const ACTIVATION_DELAY_MS = 100;
const MAX_SCROLLBACK_LINES = 10_000;
const NO_CLIPBOARD = refusing('A terminal has no clipboard.');

/**
 * One terminal as a desktop with one window that always has the keyboard focus, so that desktop commands work on it. Coordinates and sizes are in
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
  readonly clipboard: ClipboardPort = {
    isOwned: false,
    ownerPid: async () => undefined,
    formats: NO_CLIPBOARD,
    read: NO_CLIPBOARD,
    write: NO_CLIPBOARD,
    clear: NO_CLIPBOARD,
    watch: NO_CLIPBOARD,
  };
  readonly input: TerminalInput;
  readonly stopSwitch: TerminalStopSwitch;
  readonly openProbe = refusing('A terminal has no probe windows.');
  readonly launch = refusing('Programs in a terminal are started with commands.');
  readonly resolveLaunch = this.launch;
  readonly closeApp = refusing('A terminal cannot be closed like an application.');
  readonly setValue = refusing('Text in a terminal is written by its program and cannot be set.');
  readonly choose = refusing('A selection in a terminal can be made only with the keys of its program.');
  readonly scrollIntoView = refusing(
    'Lines above the screen of a terminal cannot be scrolled back into view.',
  );
  readonly capture = refusing('A terminal without a display has text but no pixels.');
  readonly watchPicture = this.capture;
  readonly watchNotifications = refusing('A terminal has no notifications of its own.');
  private readonly view: TerminalView;
  private readonly app: string;
  private readonly watching: ScreenWatch;
  private readonly clock: ClockPort;
  private readonly turns = new TurnQueue<string>();

  constructor(view: TerminalView, clock: ClockPort) {
    this.view = view;
    this.clock = clock;
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
      checks: [{ name: 'terminal', ok: true, detail: 'Deskterity’s own terminals need no permission.' }],
    };
  }

  async machineChecks(): Promise<PermissionReport['checks']> {
    return [];
  }

  async listApps(): Promise<DesktopApp[]> {
    const { name, pid } = this.view;
    return this.view.isAlive() ? [{ id: this.app, name, pid, accessible: true, responsive: true }] : [];
  }

  async processOf(app: string): Promise<number | undefined> {
    return app === this.app ? this.view.pid : undefined;
  }

  async requireAllowed(): Promise<void> {}

  async listPopups(): Promise<[]> {
    return [];
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

  isProcessAlive(pid: number): boolean {
    return pid === this.view.pid && this.view.isAlive();
  }

  startedLately(): ReadonlySet<number> {
    return new Set();
  }

  async controlWindow(
    windowId: string,
    request: WindowRequest,
    options: CallOptions,
  ): Promise<{ via: string }> {
    if (windowId !== this.app)
      throw new DeskterityError('WINDOW_NOT_FOUND', 'This terminal has no such window.', {
        suggestion: `Run ${mentionCommand('list-windows')}.`,
      });
    if (request.kind === 'focus') return { via: 'terminal:already' };
    if (request.kind !== 'resize')
      throw unsupported(`A terminal without a display does not support ${request.kind}.`);
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
      request.wholeTree ? MAX_SCROLLBACK_LINES : (request.scrolledOut ?? 0),
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

  /** Each act decides by itself. */
  async requireAction(): Promise<void> {}

  async press(node: NodeHandle, options: CallOptions): Promise<ActOutcome> {
    const { lineage, screen } = await this.locate(node, options);
    const target = lineage.at(-1);
    if (target?.bounds === undefined || !isClickable(target))
      throw unsupported('Only rows on the screen of a terminal can be clicked.');
    const { x, y, width, height } = target.bounds;
    const cell = cellAt({ x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) }, screen.size);
    if (cell === undefined) throw gone();
    const bytes = (['down', 'up'] as const).map((kind) =>
      mouseBytes({ kind, button: 'left' }, cell, screen.modes),
    );
    await this.view.write(Buffer.concat(bytes), options);
    return { delivered: true, via: `terminal:click(${cell.column + 1},${cell.row + 1})` };
  }

  async perform(node: NodeHandle, act: SemanticAct, options: CallOptions): Promise<ActOutcome> {
    const target = (await this.locate(node, options)).lineage.at(-1);
    if (act === 'focus' && (target?.role === 'terminal' || target?.states.includes('focused') === true))
      return { accepted: true, delivered: false, via: 'terminal:already' };
    throw unsupported(
      `A part of a terminal does not support ${act}; only the keys of its program can do that.`,
    );
  }

  async insertText(node: NodeHandle, text: string, options: CallOptions): Promise<ActOutcome> {
    const target = (await this.locate(node, options)).lineage.at(-1);
    if (target?.role !== 'terminal' && target?.states.includes('focused') !== true)
      throw unsupported('Text can be typed only at the cursor of the terminal.');
    await this.view.write(typedBytes(text), options);
    return { delivered: true, via: `terminal:${Array.from(text).length} characters` };
  }

  async textEditing(): Promise<TextEditing> {
    return { changesParts: false, isFormatted: true };
  }

  async changeText(): Promise<ActOutcome> {
    throw unsupported('A part of the text on a terminal cannot be replaced.');
  }

  /** A terminal types at its cursor, which focusing does not move. */
  async caret(): Promise<undefined> {
    return undefined;
  }

  async placeCaret(): Promise<void> {}

  async contentAt(point: Point, options: CallOptions): Promise<PointContent> {
    const { root } = await this.read(options, 0);
    const lineage = elementsAt(root, point);
    if (lineage.length === 0) return { isPopup: false, lineage };
    return { windowId: this.app, pid: this.view.pid, isPopup: false, lineage };
  }

  async activationDelayMs(): Promise<number> {
    return ACTIVATION_DELAY_MS;
  }

  async menusAwaitOpening(): Promise<boolean> {
    return false;
  }

  takeTurn(_application: unknown, options: CallOptions): Promise<Turn> {
    return takeTurnBy(this.clock, { queue: this.turns, key: this.app }, options);
  }

  watch(listener: (event: DesktopEvent) => void, options: CallOptions & WatchScope): Promise<() => void> {
    const { appId, windowsOnly = false } = options;
    return this.watching.listen((event) => {
      if (appId !== undefined && appId !== event.node.app) return;
      if (!windowsOnly || event.kind.startsWith('window-') || event.kind === 'desktop-lost') listener(event);
    }, options);
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

  /** Reads lines above the screen only if the handle refers to one. */
  private async locate(
    handle: NodeHandle,
    options: CallOptions,
  ): Promise<{ readonly lineage: readonly TreeNode[]; readonly screen: TerminalScreen }> {
    if (handle.app !== this.app) throw gone();
    const shown = await this.read(options, 0);
    const lineage = lineageOf(shown.root, handle);
    if (lineage !== undefined) return { lineage, screen: shown.screen };
    if (!isLinePath(handle.path)) throw gone();
    const whole = await this.read(options, MAX_SCROLLBACK_LINES);
    const above = lineageOf(whole.root, handle);
    if (above === undefined) throw gone();
    return { lineage: above, screen: whole.screen };
  }
}

function refuseSkill(skill: WidgetSkill): never {
  if (skill === 'hover')
    throw unsupported(
      'A terminal has no pointer to hover with.',
      'Click if its program tracks the mouse, or press the keys that the program shows.',
    );
  throw unsupported(
    'A terminal inserts text at its cursor and cannot replace existing text.',
    `Clear the line first, such as with ${mentionCommand('press', { keys: 'ctrl+u' })} in a shell, and then type.`,
  );
}

/** A method that a terminal does not support. */
function refusing(message: string): () => Promise<never> {
  return async () => {
    throw unsupported(message);
  };
}

function unsupported(
  message: string,
  suggestion = 'Type text or press the keys that the program shows.',
): DeskterityError {
  return new DeskterityError('ACTION_NOT_SUPPORTED', message, { suggestion, delivered: false });
}
