import type { Bounds } from '../model/tree/bounds.ts';
import type { NodeHandle, TreeNode } from '../model/tree/node.ts';
import type { CallOptions } from './call-options.ts';
import type { ClipboardPort } from './clipboard.ts';
import type { InputPort, Point, StopSwitchPort } from './input.ts';
import type { PictureWatch } from './picture-watch.ts';
import type { ProbeWindow } from './probe-window.ts';
import type { ScreenPort } from './screen.ts';

export type { CallOptions } from './call-options.ts';

export interface DesktopApp {
  /** Same value as {@link NodeHandle.app} for its elements; empty if the application has no accessibility tree. */
  readonly id: string;
  readonly name: string;
  readonly pid: number;
  readonly toolkit?: string | undefined;
  readonly toolkitVersion?: string | undefined;
  readonly accessible: boolean;
  /** Why there is no tree (or only a part), and what to do about it. */
  readonly reason?: string | undefined;
  /** False if it did not answer within the deadline. */
  readonly responsive: boolean;
}

export interface DesktopWindow {
  /** Opaque: only the platform creates and interprets it. */
  readonly id: string;
  /**
   * Its id while only display or accessibility knows it: a window enters the accessibility tree before the display shows it, and may leave it
   * later. Never shown, but accepted.
   */
  readonly otherId?: string | undefined;
  /** Only the accessibility tree knows it: the display can neither capture nor locate it. */
  readonly isTreeOnly?: boolean | undefined;
  /** A dialog that is just opening, so that it is not known yet whether it is modal. */
  readonly isOpening?: boolean | undefined;
  /** Identifies the process permanently: pids, like window ids, are reused. */
  readonly process?: string | undefined;
  readonly title: string;
  readonly appId: string;
  readonly appName: string;
  readonly pid: number;
  /** Client area without the window manager's frame. */
  readonly bounds?: Bounds | undefined;
  readonly focused: boolean;
  /** Whether the display server sends keys to it or to a part of it; absent if unknown. */
  readonly hasInput?: boolean | undefined;
  readonly minimized: boolean;
  /** In both directions. */
  readonly maximized?: boolean | undefined;
  readonly fullscreen?: boolean | undefined;
  /** Blocks other windows of its application until it is closed: its parent, or all. */
  readonly modal?: boolean | undefined;
  /** The {@link id} of its parent window, which need not be listed. */
  readonly transientFor?: string | undefined;
  /** Position in the stack, 0 lowest; absent if the platform has no stacking order. */
  readonly stacking?: number | undefined;
  readonly accessible: boolean;
  readonly reason?: string | undefined;
  /** Of a window without a tree: false if its toolkit has none, so that waiting for one is pointless; absent if unknown. */
  readonly mayGetTree?: boolean | undefined;
  /** False if there is no tree because the application does not answer. */
  readonly responsive?: boolean | undefined;
  /** Root of the window's tree; absent if `accessible` is false. */
  readonly root?: NodeHandle | undefined;
}

export interface TreeRequest extends CallOptions {
  readonly root: NodeHandle;
  /** Also read elements that are not on screen: closed menus, scrolled-out rows, other tabs. */
  readonly wholeTree: boolean;
  /** Levels below the root to read; absent for all. */
  readonly maxDepth?: number | undefined;
  /** Stop after this many elements and mark the result incomplete. */
  readonly maxNodes: number;
  /** Also read action names of every element. */
  readonly includeActions: boolean;
  /** How many scrolled-out lines of a text screen to read; ignored elsewhere. */
  readonly scrolledOut?: number | undefined;
  /** Also read the application's identifiers of elements. */
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

/** Everything the platform reports about one element; used by `get`, `is` and evidence. */
export interface NodeDetails extends Omit<TreeNode, 'children'> {
  /** Full text content if the element has text. */
  readonly text?: string | undefined;
  /** Of a protected field: how many characters it shows, each of them masked. Never part of an answer. */
  readonly maskedLength?: number | undefined;
  readonly range?:
    | { readonly minimum: number; readonly maximum: number; readonly step: number; readonly current: number }
    | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  readonly relations: readonly { readonly type: string; readonly targets: readonly NodeHandle[] }[];
  /** The platform interfaces the element implements, such as `Action`, `Text`. */
  readonly interfaces: readonly string[];
  readonly parent?: NodeHandle | undefined;
  readonly indexInParent?: number | undefined;
  /** Its handle is a position, not an object: it always names the same cell of the sheet. */
  readonly isNamedByPlace?: boolean;
  /** A click in its middle does more than focus it. */
  readonly stepsWhenClicked?: boolean | undefined;
  /** It may be of a kind that never reports whether it is checked. */
  readonly mayBeSilent?: boolean | undefined;
  /** An item of a menu that closes whenever one of its items is used. */
  readonly closesWhenUsed?: boolean | undefined;
  /** Its toolkit creates a new object for it on each request. */
  readonly remade?: boolean | undefined;
}

export interface ActOutcome {
  /** The application's reply; absent for keyboard and pointer, which have none. Never proof that anything happened. */
  readonly accepted?: boolean | undefined;
  /** Whether the request may have reached the application. */
  readonly delivered: boolean;
  /** How it was done, for the receipt, such as `keyboard:Control+s`. */
  readonly via: string;
  /** When it was sent, by our clock, if checks came first: earlier changes have another cause. */
  readonly sentAtMs?: number;
  /** When the pointer set out for it: pointing at a menu opens it while another one is open. */
  readonly aimedAtMs?: number;
  /** When the key or button went down, by the clock of {@link DesktopPort.userTimeMs}: what an application did before processing it has another cause. */
  readonly pressedAtMs?: number | undefined;
  /** It was written without the keyboard focus: an application that takes text on Enter, when the focus leaves, or only from the keyboard, has not taken it yet. */
  readonly isUncommitted?: boolean | undefined;
  /** Ids of windows that were open while a button was still held down: they have another cause. */
  readonly openBefore?: ReadonlySet<string> | undefined;
  /** The application answers other requests, but not this one yet: its handler waits for something, such as the answer to a modal dialog. */
  readonly isPending?: boolean | undefined;
}

/** The exclusive right to act in one application. */
export interface Turn {
  /** Whether another act had to end first: what was read before may be out of date. */
  readonly waited: boolean;
  /** Lets the next act begin; later calls do nothing. */
  end(): void;
}

/** A call that acts through accessibility. */
export interface ActCall extends CallOptions {
  /** The user must notice nothing: what takes their next click and key, such as opening a menu, is refused. */
  readonly inBackground?: boolean | undefined;
}

/** Where typed text goes, in the toolkit's own units. */
export interface Caret {
  readonly offset: number;
  /** The first and the last place of what typed text would replace. */
  readonly selection?: readonly [start: number, end: number] | undefined;
}

/** Acts named by their meaning; the adapter maps them to native actions. */
export type SemanticAct = 'toggle' | 'expand' | 'collapse' | 'focus';

/** What a person does to an element by hand, and an accessibility action may do instead. */
export type HandAct = 'click' | Exclude<SemanticAct, 'focus'>;

export type DesktopEventKind =
  | 'state-changed'
  | 'name-changed'
  | 'value-changed'
  | 'text-changed'
  | 'children-changed'
  | 'selection-changed'
  | 'focus-changed'
  /** The caret of a text moved, or what is marked in it changed. */
  | 'caret-moved'
  | 'window-opened'
  | 'window-closed'
  | 'window-changed'
  /** Only for watchers of the clipboard. */
  | 'clipboard-changed'
  /** The last event: the display or its bus ended, or the port was closed. */
  | 'desktop-lost';

export interface DesktopEvent {
  readonly kind: DesktopEventKind;
  /** `app` is empty if only the display knows the window; both are empty if the desktop was lost. */
  readonly node: NodeHandle;
  /** State name, or what was added or removed; the platform's word. */
  readonly detail: string;
  readonly atMs: number;
}

export type CaptureTarget =
  /** All of it, or one monitor; numbered from 0 in the display server's order. */
  | { readonly kind: 'screen'; readonly monitor?: number | undefined }
  | {
      readonly kind: 'window';
      readonly windowId: string;
      /** Only what the screen shows of it now, without its popups: nothing is changed to see what is covered. */
      readonly asShown?: boolean | undefined;
    }
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
  /** Parts of a window, on the screen, that something else covers, of which the image shows nothing; only if it was taken as shown. */
  readonly covered?: readonly Bounds[] | undefined;
}

export interface LaunchRequest extends CallOptions {
  /** Program name, desktop-file id (`org.kde.kcalc`), display name (`KCalc`) or path. */
  readonly app: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /**
   * Variables of the caller, used for the program and its lookup instead of the desktop's; display and buses stay those of the desktop.
   * Ignored on a private desktop, which has a complete environment.
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface LaunchedApp {
  readonly pid: number;
  /** Whether a process is the started one or a descendant: `soffice` is a script whose windows belong to its grandchild. */
  owns(pid: number): boolean;
  /** Whether a process runs the same program: a running instance may open what a second start hands over to it. */
  isRunningAs(pid: number): boolean;
  /** The program and arguments that were run. */
  readonly command: readonly string[];
  /** What was added so that the application can be read, such as `--force-renderer-accessibility`. */
  readonly adjustments: readonly string[];
  /** Resolves with exit code or signal name when the process ends. */
  readonly exited: Promise<string>;
}

/** A request to a window. Positions and sizes are those of {@link DesktopWindow.bounds}, in screen pixels. */
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
    /** What to do if `ok` is false. */
    readonly fix?: string | undefined;
  }[];
}

export interface DesktopStatus {
  /** Stable id of this desktop (display and bus generation): refs of another id are stale. */
  readonly desktopId: string;
  readonly display: string;
  /** The kind of session, in the platform's words. */
  readonly session: string;
  /** Whether we started the desktop. */
  readonly isPrivate: boolean;
  readonly windowManager?: string | undefined;
  readonly screen: { readonly width: number; readonly height: number };
}

/** Which events to watch; all by default. */
export interface WatchScope {
  /** Only those of one application, without windows that only the display knows. */
  readonly appId?: string | undefined;
  /** Only windows and applications that open, close or become active: few, whereas elements may change all the time. */
  readonly windowsOnly?: boolean | undefined;
}

/** What an adapter supports; a command that needs a missing capability fails with ACTION_NOT_SUPPORTED. */
export interface DesktopCapabilities {
  readonly tree: boolean;
  readonly events: boolean;
  readonly capture: boolean;
  readonly windows: boolean;
  readonly clipboard: boolean;
  readonly input: boolean;
}

/** What a click at one point of the screen would reach. */
export interface PointContent {
  /** The {@link DesktopWindow.id} of the window there; absent for popups, and if no listed window is there. */
  readonly windowId?: string | undefined;
  /** The process whose window or popup is there. */
  readonly pid?: number | undefined;
  /** A menu, list or tooltip that was placed without the window manager. */
  readonly isPopup: boolean;
  /** Only if asked for: a menu that this application has open elsewhere takes the next click. */
  readonly isBehindMenu?: boolean;
  /** The element there according to its application, innermost first, with its ancestors; empty if unknown. */
  readonly lineage: readonly NodeHandle[];
}

/**
 * One desktop: a display with its windows and the accessibility trees behind them. Implemented once per platform and by the simulator;
 * `tests/contract` runs against each. Failures are DeskterityErrors: BUS_UNAVAILABLE, DISPLAY_UNAVAILABLE, APP_UNRESPONSIVE, STALE_REF …
 */
export interface DesktopPort {
  readonly capabilities: DesktopCapabilities;
  /** How acts are judged if the desktop is a text screen; absent if it has widgets. */
  readonly screen?: ScreenPort | undefined;
  /** The id of {@link DesktopStatus}, without a round trip once connected. @throws DeskterityError DISPLAY_UNAVAILABLE, BUS_UNAVAILABLE */
  desktopId(options: CallOptions): Promise<string>;
  status(options: CallOptions): Promise<DesktopStatus>;
  permissions(options: CallOptions & { readonly request: boolean }): Promise<PermissionReport>;
  /** Installed software and settings of this machine that affect desktops; needs no desktop. Never rejects. */
  machineChecks(): Promise<PermissionReport['checks']>;
  /**
   * Shows a window of our own for trials, without focusing it.
   * @throws DeskterityError DISPLAY_UNAVAILABLE, BUS_UNAVAILABLE, TIMEOUT, CANCELLED; then nothing remains of it
   */
  openProbe(options: CallOptions): Promise<ProbeWindow>;

  listApps(options: CallOptions): Promise<DesktopApp[]>;
  listWindows(options: CallOptions & { readonly pid?: number | undefined }): Promise<DesktopWindow[]>;
  launch(request: LaunchRequest): Promise<LaunchedApp>;
  /** Requests that the application's windows close, or kills the process with `force`. Resolves once the request is sent. */
  closeApp(
    pid: number,
    options: CallOptions & { readonly force: boolean },
  ): Promise<{ readonly via: string }>;
  isProcessAlive(pid: number): boolean;
  /**
   * Requests that a window be moved, minimized and so on. Resolves once the request is sent, which proves nothing: window managers and
   * applications may ignore it.
   *
   * @throws DeskterityError WINDOW_NOT_FOUND; ACTION_NOT_SUPPORTED if the request is known to have no effect
   */
  controlWindow(
    windowId: string,
    request: WindowRequest,
    options: CallOptions,
  ): Promise<{ readonly via: string }>;

  /**
   * The time of the last input that an application had processed when it opened a window, or in that window since; by the clock of
   * {@link ActOutcome.pressedAtMs}. Absent if the application does not report it, or the window no longer exists.
   */
  userTimeMs(windowId: string, options: CallOptions): Promise<number | undefined>;

  readTree(request: TreeRequest): Promise<TreeResult>;
  /** @throws DeskterityError STALE_REF if the object no longer exists. */
  describe(node: NodeHandle, options: CallOptions): Promise<NodeDetails>;

  /**
   * Checks, before an act is prepared, that an accessibility action does what a person would do by hand.
   * @throws DeskterityError ACTION_NOT_SUPPORTED if none was shown to do that for this toolkit and role
   */
  requireAction(node: NodeHandle, act: HandAct, options: ActCall): Promise<void>;
  /**
   * Runs the action that does what a person's click in the middle of the element does.
   * @throws DeskterityError ACTION_NOT_SUPPORTED, before anything is sent, if no action was shown to do that for this toolkit and role
   */
  press(node: NodeHandle, options: ActCall): Promise<ActOutcome>;
  setValue(node: NodeHandle, value: string, options: CallOptions): Promise<ActOutcome>;
  /** @throws DeskterityError ACTION_NOT_SUPPORTED, before anything is sent, if no way is known that works on this element. */
  perform(node: NodeHandle, act: SemanticAct, options: ActCall): Promise<ActOutcome>;
  /**
   * Chooses one option of a list, combo box, tab list or menu through accessibility. `option` is one of the elements in `container`; it replaces
   * what is chosen, unless it `adds` to that.
   * @throws DeskterityError ACTION_NOT_SUPPORTED, before anything is sent, if no way is known that works with this toolkit
   */
  choose(
    container: NodeHandle,
    option: NodeHandle,
    options: CallOptions & { readonly adds?: boolean | undefined },
  ): Promise<ActOutcome>;
  /**
   * Inserts text at the caret, replacing the selection, as if it were typed, without the keyboard.
   * @throws DeskterityError ACTION_NOT_SUPPORTED if the element does not support that
   */
  insertText(node: NodeHandle, text: string, options: CallOptions): Promise<ActOutcome>;
  /** The caret of a text; `undefined` if it has none, or its toolkit does not report it reliably. */
  caret(node: NodeHandle, options: CallOptions): Promise<Caret | undefined>;
  /** Restores a caret that focusing has moved. */
  placeCaret(node: NodeHandle, caret: Caret, options: CallOptions): Promise<void>;
  /** Brings the element into view through accessibility. @throws DeskterityError ACTION_NOT_SUPPORTED, before anything is sent */
  scrollIntoView(node: NodeHandle, options: CallOptions): Promise<ActOutcome>;
  /** What is at a point of the screen; `app` is the application to query for its element there. */
  contentAt(
    point: Point,
    options: CallOptions & { readonly app?: string | undefined; readonly menus?: boolean },
  ): Promise<PointContent>;
  /** How long this toolkit takes until an accepted action is visible (Qt 100 ms, GTK 4 250 ms). */
  activationDelayMs(node: NodeHandle, options: CallOptions): Promise<number>;

  /**
   * Waits until no other act is under way in an application, in any session or process, and makes other acts wait until the turn ends: a change
   * that two acts may have caused proves neither.
   *
   * @param application by its {@link DesktopWindow.appId}, or by its process if it has no tree
   * @throws DeskterityError CONFLICT if the other act is still under way when time runs out
   */
  takeTurn(
    application: { readonly app: string; readonly pid?: number | undefined },
    options: CallOptions,
  ): Promise<Turn>;

  /** Calls `listener` for each event until the returned function is called. Resolves once the subscription is active. */
  watch(listener: (event: DesktopEvent) => void, options: CallOptions & WatchScope): Promise<() => void>;

  capture(target: CaptureTarget, options: CallOptions): Promise<CapturedImage>;
  /**
   * Calls `listener` when something is painted on the screen, once until {@link PictureWatch.takeAreas} is called.
   * @throws DeskterityError ACTION_NOT_SUPPORTED if the display does not report it
   */
  watchPicture(listener: () => void, options: CallOptions): Promise<PictureWatch>;
  readonly clipboard: ClipboardPort;
  readonly input: InputPort;
  readonly stopSwitch: StopSwitchPort;
  close(): Promise<void>;
}
