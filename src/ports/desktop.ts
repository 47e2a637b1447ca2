import type { Bounds } from '../model/tree/bounds.ts';
import type { NodeHandle, TreeNode } from '../model/tree/node.ts';
import type { CallOptions } from './call-options.ts';
import type { ClipboardPort } from './clipboard.ts';
import type { InputPort, Point, StopSwitchPort } from './input.ts';
import type { ProbeWindow } from './probe-window.ts';
import type { ScreenPort } from './screen.ts';

export type { CallOptions } from './call-options.ts';

export interface DesktopApp {
  /** Same value as {@link NodeHandle.app} for its elements; empty when the application has no accessibility tree. */
  readonly id: string;
  readonly name: string;
  readonly pid: number;
  readonly toolkit?: string | undefined;
  readonly toolkitVersion?: string | undefined;
  readonly accessible: boolean;
  /** Why there is no tree (or only a part), and what to do about it. */
  readonly reason?: string | undefined;
  /** False when it did not answer within the deadline. */
  readonly responsive: boolean;
}

export interface DesktopWindow {
  /** The platform's own; nobody else reads or makes one. */
  readonly id: string;
  /**
   * The id it goes by while only one side knows it: a window enters the accessibility tree before the display shows it, and may leave it after.
   * Never shown, but accepted.
   */
  readonly otherId?: string | undefined;
  /** Only the accessibility tree knows it: the display can neither picture it nor say where it is. */
  readonly isTreeOnly?: boolean | undefined;
  /** Names the process and its generation: numbers of processes, like those of windows, are given again. */
  readonly process?: string | undefined;
  readonly title: string;
  readonly appId: string;
  readonly appName: string;
  readonly pid: number;
  /** Client area without the window manager's frame. */
  readonly bounds?: Bounds | undefined;
  readonly focused: boolean;
  /** Whether keys go to it or to a part of it, as the display server says; absent where nobody can tell. */
  readonly hasInput?: boolean | undefined;
  readonly minimized: boolean;
  /** In both directions. */
  readonly maximized?: boolean | undefined;
  readonly fullscreen?: boolean | undefined;
  /** Keeps users from other windows of its application until it is closed: from that which it is for, or from all. */
  readonly modal?: boolean | undefined;
  /** The {@link id} of the window that it is for, which may be none of those listed. */
  readonly transientFor?: string | undefined;
  /** Position in the stack, 0 lowest; absent where the platform has no stacking order. */
  readonly stacking?: number | undefined;
  readonly accessible: boolean;
  readonly reason?: string | undefined;
  /** False when there is no tree because the application does not answer. */
  readonly responsive?: boolean | undefined;
  /** Root of the window's tree; absent when `accessible` is false. */
  readonly root?: NodeHandle | undefined;
}

export interface TreeRequest extends CallOptions {
  readonly root: NodeHandle;
  /** Read also what is not on screen: closed menus, scrolled-out rows, other tabs. */
  readonly wholeTree: boolean;
  /** Levels below the root to read; absent for all. */
  readonly maxDepth?: number | undefined;
  /** Stop after this many elements and mark the result incomplete. */
  readonly maxNodes: number;
  /** Also read action names of every element. */
  readonly includeActions: boolean;
  /** Lines to read that have scrolled out of a screen of text; of no meaning elsewhere. */
  readonly scrolledOut?: number | undefined;
  /** Also read what the application calls each element, where it calls it something. */
  readonly includeIdentifiers?: boolean | undefined;
}

export interface TreeResult {
  readonly root: TreeNode;
  readonly complete: boolean;
  /** One sentence for each reason why `complete` is false. */
  readonly incompleteReasons: readonly string[];
  readonly nodeCount: number;
  /** Messages sent to the application to read it. */
  readonly callCount: number;
}

/** Everything the platform says about one element; used by `get`, `is` and evidence. */
export interface NodeDetails extends Omit<TreeNode, 'children'> {
  /** Full text content where the element has text. */
  readonly text?: string | undefined;
  readonly range?:
    | { readonly minimum: number; readonly maximum: number; readonly step: number; readonly current: number }
    | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  readonly relations: readonly { readonly type: string; readonly targets: readonly NodeHandle[] }[];
  /** The platform interfaces the element implements, such as `Action`, `Text`. */
  readonly interfaces: readonly string[];
  readonly parent?: NodeHandle | undefined;
  readonly indexInParent?: number | undefined;
  /** Its handle is its place and not an object, and names a cell of a sheet as long as there is that sheet. */
  readonly isNamedByPlace?: boolean;
  /** A click in its middle does more than give it the focus. */
  readonly stepsWhenClicked?: boolean | undefined;
  /** Its toolkit makes another object for it each time that it is asked for. */
  readonly remade?: boolean | undefined;
}

export interface ActOutcome {
  /** What the application answered; absent where nobody answers, as for keyboard and pointer. Never trusted as proof that anything happened. */
  readonly accepted?: boolean | undefined;
  /** Whether the request may have reached the application. */
  readonly delivered: boolean;
  /** The path taken, for the receipt, such as `keyboard:Control+s`. */
  readonly via: string;
  /** When it was sent, by our clock, where much is looked at before: what happened until then was not its doing. */
  readonly sentAtMs?: number;
  /** When input went down, by the clock of {@link DesktopPort.userTimeMs}: what an application did before it took that in was not its doing. */
  readonly pressedAtMs?: number | undefined;
  /** Ids of windows that were open while the input was not complete yet, as a button was held down: they are not its doing. */
  readonly openBefore?: ReadonlySet<string> | undefined;
}

/** What can be asked of an element by its meaning; the adapter knows which of its actions that is. */
export type SemanticAct = 'toggle' | 'expand' | 'collapse' | 'focus';

export type DesktopEventKind =
  | 'state-changed'
  | 'name-changed'
  | 'value-changed'
  | 'text-changed'
  | 'children-changed'
  | 'selection-changed'
  | 'focus-changed'
  | 'window-opened'
  | 'window-closed'
  | 'window-changed'
  /** Told to who watches the clipboard. */
  | 'clipboard-changed'
  /** Nothing more will be heard: the display or its bus ended, or the port was closed. */
  | 'desktop-lost';

export interface DesktopEvent {
  readonly kind: DesktopEventKind;
  /** With an empty `app` where only the display knows the window; both are empty when the desktop was lost. */
  readonly node: NodeHandle;
  /** State name, or what was added or removed; the platform's word. */
  readonly detail: string;
  readonly atMs: number;
}

export type CaptureTarget =
  /** All of it, or what one monitor shows; they are numbered from 0 as the display server does. */
  | { readonly kind: 'screen'; readonly monitor?: number | undefined }
  | { readonly kind: 'window'; readonly windowId: string }
  | { readonly kind: 'region'; readonly bounds: Bounds };

/** Raw pixels, four bytes each in the order blue, green, red, unused; rows are not padded. */
export interface CapturedImage {
  readonly width: number;
  readonly height: number;
  readonly bgrx: Uint8Array;
  /** Screen position of the image's first pixel. */
  readonly origin: { readonly x: number; readonly y: number };
  /** Image pixels per screen pixel. */
  readonly scale: number;
}

export interface LaunchRequest extends CallOptions {
  /** Program name, desktop-file id (`org.kde.kcalc`), display name (`KCalc`) or path. */
  readonly app: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /**
   * Variables of the caller, for the program and for finding it, instead of the desktop's own; display and buses stay those of the desktop.
   * Of no effect on a private desktop, whose environment is whole.
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface LaunchedApp {
  readonly pid: number;
  /** Whether a process is the started one or came from it: `soffice` is a script whose windows belong to its grandchild. */
  owns(pid: number): boolean;
  /** The program and arguments that were run. */
  readonly command: readonly string[];
  /** What was added so that the application can be read, such as `--force-renderer-accessibility`. */
  readonly adjustments: readonly string[];
  /** Resolves with exit code or signal name when the process ends. */
  readonly exited: Promise<string>;
}

/** What can be asked of a window. Positions and sizes are those of {@link DesktopWindow.bounds}, in screen pixels. */
export type WindowRequest =
  | { readonly kind: 'focus' | 'minimize' | 'maximize' | 'restore' }
  | { readonly kind: 'close' }
  | { readonly kind: 'move'; readonly x: number; readonly y: number }
  | { readonly kind: 'resize'; readonly width: number; readonly height: number };

export interface PermissionReport {
  readonly granted: boolean;
  readonly checks: readonly {
    readonly name: string;
    readonly ok: boolean;
    readonly detail: string;
    /** What to do when `ok` is false. */
    readonly fix?: string | undefined;
  }[];
}

export interface DesktopStatus {
  /** Stable id of this desktop (display and bus generation): refs of another id are stale. */
  readonly desktopId: string;
  readonly display: string;
  /** What shows it, in the platform's word. */
  readonly session: string;
  /** True when the desktop was started by us. */
  readonly isPrivate: boolean;
  readonly windowManager?: string | undefined;
  readonly screen: { readonly width: number; readonly height: number };
}

/** Which events are wanted; every one where nothing is said. */
export interface WatchScope {
  /** Those of one application; windows that only the display knows are not among them. */
  readonly appId?: string | undefined;
  /** Those about windows and applications that come, go or become active: few, where elements may change all the time. */
  readonly windowsOnly?: boolean | undefined;
}

/** What an adapter can do here; a command that needs a missing one answers ACTION_NOT_SUPPORTED. */
export interface DesktopCapabilities {
  readonly tree: boolean;
  readonly events: boolean;
  readonly capture: boolean;
  readonly windows: boolean;
  readonly clipboard: boolean;
  readonly input: boolean;
}

/** What a click at one place of the screen would reach. */
export interface PointContent {
  /** The window there as {@link DesktopWindow.id} names it; absent for popups, and where no listed window is. */
  readonly windowId?: string | undefined;
  /** The process whose window or popup is there. */
  readonly pid?: number | undefined;
  /** A menu, list or tooltip that was placed without the window manager. */
  readonly isPopup: boolean;
  /** The element there as its application says, innermost first, with what it is in; empty where that cannot be told. */
  readonly lineage: readonly NodeHandle[];
}

/**
 * One desktop: a display with its windows and the accessibility trees behind them. Implemented once per platform and by the simulator;
 * `tests/contract` runs against each. Failures are DeskterityErrors: BUS_UNAVAILABLE, DISPLAY_UNAVAILABLE, APP_UNRESPONSIVE, STALE_REF …
 */
export interface DesktopPort {
  readonly capabilities: DesktopCapabilities;
  /** How acts are judged where the desktop is one screen of text; absent where it is made of widgets. */
  readonly screen?: ScreenPort | undefined;
  /** The id of {@link DesktopStatus}, without a round trip once connected. @throws DeskterityError DISPLAY_UNAVAILABLE, BUS_UNAVAILABLE */
  desktopId(options: CallOptions): Promise<string>;
  status(options: CallOptions): Promise<DesktopStatus>;
  permissions(options: CallOptions & { readonly request: boolean }): Promise<PermissionReport>;
  /** What this machine has installed and set that bears on desktops; known without one. Never rejects. */
  machineChecks(): Promise<PermissionReport['checks']>;
  /**
   * Shows a window of our own to try things on, without giving it the focus.
   * @throws DeskterityError DISPLAY_UNAVAILABLE, BUS_UNAVAILABLE, TIMEOUT, CANCELLED; then nothing is left of it
   */
  openProbe(options: CallOptions): Promise<ProbeWindow>;

  listApps(options: CallOptions): Promise<DesktopApp[]>;
  listWindows(options: CallOptions & { readonly pid?: number | undefined }): Promise<DesktopWindow[]>;
  launch(request: LaunchRequest): Promise<LaunchedApp>;
  /** Asks the application's windows to close, or kills the process with `force`. Resolves when the request is sent. */
  closeApp(
    pid: number,
    options: CallOptions & { readonly force: boolean },
  ): Promise<{ readonly via: string }>;
  isProcessAlive(pid: number): boolean;
  /**
   * Asks that a window be moved, minimized and so on. Resolves when the request is sent, which proves nothing: window managers and
   * applications may do otherwise.
   *
   * @throws DeskterityError WINDOW_NOT_FOUND; ACTION_NOT_SUPPORTED when it is known beforehand that the request is of no use
   */
  controlWindow(
    windowId: string,
    request: WindowRequest,
    options: CallOptions,
  ): Promise<{ readonly via: string }>;

  /**
   * The last input that an application had taken in when it opened a window, or that it has taken in there since; by the clock of
   * {@link ActOutcome.pressedAtMs}. Absent where applications do not say, or the window is gone.
   */
  userTimeMs(windowId: string, options: CallOptions): Promise<number | undefined>;

  readTree(request: TreeRequest): Promise<TreeResult>;
  /** @throws DeskterityError STALE_REF when the object is gone. */
  describe(node: NodeHandle, options: CallOptions): Promise<NodeDetails>;

  /** Runs the element's default action (press, click, toggle, activate). */
  press(node: NodeHandle, options: CallOptions): Promise<ActOutcome>;
  setValue(node: NodeHandle, value: string, options: CallOptions): Promise<ActOutcome>;
  /** @throws DeskterityError ACTION_NOT_SUPPORTED, before anything is sent, where no way is known that this element obeys. */
  perform(node: NodeHandle, act: SemanticAct, options: CallOptions): Promise<ActOutcome>;
  /**
   * Chooses one option of a list, combo box, tab list or menu through accessibility. `option` is one of the elements in `container`.
   * @throws DeskterityError ACTION_NOT_SUPPORTED, before anything is sent, where no way is known that this toolkit obeys
   */
  choose(container: NodeHandle, option: NodeHandle, options: CallOptions): Promise<ActOutcome>;
  /**
   * Inserts text at the caret, in place of what is selected, as if it were typed, without the keyboard.
   * @throws DeskterityError ACTION_NOT_SUPPORTED where the element takes none that way
   */
  insertText(node: NodeHandle, text: string, options: CallOptions): Promise<ActOutcome>;
  /** Brings the element into view through accessibility. @throws DeskterityError ACTION_NOT_SUPPORTED, before anything is sent */
  scrollIntoView(node: NodeHandle, options: CallOptions): Promise<ActOutcome>;
  /** What lies at a place of the screen; `app` is the application that is asked which of its elements that is. */
  contentAt(
    point: Point,
    options: CallOptions & { readonly app?: string | undefined },
  ): Promise<PointContent>;
  /** How long this toolkit takes to carry out an accepted action before it can be seen (Qt 100 ms, GTK 4 250 ms). */
  activationDelayMs(node: NodeHandle, options: CallOptions): Promise<number>;

  /** Calls `listener` for each event until the returned function is called. Resolves when the subscription is live. */
  watch(listener: (event: DesktopEvent) => void, options: CallOptions & WatchScope): Promise<() => void>;

  capture(target: CaptureTarget, options: CallOptions): Promise<CapturedImage>;
  readonly clipboard: ClipboardPort;
  readonly input: InputPort;
  readonly stopSwitch: StopSwitchPort;
  close(): Promise<void>;
}
