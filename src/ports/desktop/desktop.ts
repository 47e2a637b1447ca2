import type { HandUse } from '../../model/effects/seat.ts';
import type { NodeHandle } from '../../model/tree/node.ts';
import type {
  ActCall,
  ActOutcome,
  Caret,
  HandAct,
  SemanticAct,
  TextChange,
  TextEditing,
  Turn,
} from './acts.ts';
import type { CallOptions } from '../call-options.ts';
import type { CaptureTarget, CapturedImage } from './capture.ts';
import type { ClipboardPort } from '../clipboard.ts';
import type {
  DescribeOptions,
  NodeDetails,
  PointContent,
  PointOptions,
  TreeRequest,
  TreeResult,
} from './elements.ts';
import type { DesktopEvent, WatchScope } from './events.ts';
import type { InputPort, Point, StopSwitchPort } from '../input.ts';
import type { NotificationListener } from '../notifications.ts';
import type { PictureWatch } from '../picture-watch.ts';
import type { ProbeWindow } from '../probe-window.ts';
import type { Bounds } from '../../model/tree/bounds.ts';
import type { ScreenPort } from '../screen.ts';
import type {
  DesktopApp,
  DesktopPopup,
  DesktopWindow,
  LaunchRequest,
  LaunchedApp,
  WindowRequest,
} from './windows.ts';

export interface PermissionReport {
  readonly granted: boolean;
  readonly checks: readonly {
    readonly name: string;
    readonly ok: boolean;
    /** What it is about adds something, and is not needed: it does not count for `granted`. */
    readonly optional?: boolean | undefined;
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
  readonly screen: Screen;
}

/** The smallest box around all monitors. */
export interface Screen {
  readonly width: number;
  readonly height: number;
  /** In the order in which they are numbered; absent where one at 0,0 is all that is known. */
  readonly monitors?: readonly Monitor[] | undefined;
}

export interface Monitor extends Bounds {
  /** Pixels of its picture for each pixel of the screen. */
  readonly scale: number;
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

/**
 * One desktop: a display with its windows and the accessibility trees behind them. Implemented once per platform and by the simulator;
 * `tests/contract` runs against each. Failures are DeskterityErrors: BUS_UNAVAILABLE, DISPLAY_UNAVAILABLE, APP_UNRESPONSIVE, STALE_REF …
 */
export interface DesktopPort {
  readonly capabilities: DesktopCapabilities;
  /** How acts are judged if the desktop is a text screen; absent if it has widgets. */
  readonly screen?: ScreenPort | undefined;
  /**
   * The same desktop, worked with a keyboard and a pointer of our own beside the user's. `input` is theirs; windows are focused, and have input, by the
   * focus of our keyboard; and to focus one directs our keyboard to it, without changing what the user has in front. Absent where the display cannot have
   * them, and on such a desktop itself.
   */
  readonly ownSeat?: DesktopPort | undefined;
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
  /** The process behind a {@link NodeHandle.app}, as the kernel told what connects us; `undefined` if it has left. */
  processOf(app: string, options: CallOptions): Promise<number | undefined>;
  /**
   * Adapters allow everything; what is around them may not.
   * @throws DeskterityError POLICY_DENIED if the application of this process may be neither read nor changed
   */
  requireAllowed(pid: number, options: CallOptions): Promise<void>;
  listWindows(options: CallOptions & { readonly pid?: number | undefined }): Promise<DesktopWindow[]>;
  /** Lowest first; none where the display does not report them. */
  listPopups(options: CallOptions): Promise<readonly DesktopPopup[]>;
  /** What {@link launch} would run; starts nothing. @throws DeskterityError as it does before it starts anything */
  resolveLaunch(request: LaunchRequest): Promise<Pick<LaunchedApp, 'command'>>;
  launch(request: LaunchRequest): Promise<LaunchedApp>;
  /** Requests that the application's windows close, or kills the process with `force`. Resolves once the request is sent. */
  closeApp(
    pid: number,
    options: CallOptions & { readonly force: boolean },
  ): Promise<{ readonly via: string }>;
  isProcessAlive(pid: number): boolean;
  /**
   * Those of these processes that the process `starter` had started within the last `withinMs`, itself or by what it had started; also a running one
   * that another of the same program was started to hand over to.
   */
  startedLately(starter: number, processes: readonly number[], withinMs: number): ReadonlySet<number>;
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
  describe(node: NodeHandle, options: DescribeOptions): Promise<NodeDetails>;

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
    options: ActCall & { readonly adds?: boolean | undefined },
  ): Promise<ActOutcome>;
  /**
   * Inserts text at the caret, replacing the selection, as if it were typed, without the keyboard.
   * @throws DeskterityError ACTION_NOT_SUPPORTED if the element does not support that
   */
  insertText(node: NodeHandle, text: string, options: ActCall): Promise<ActOutcome>;
  /** What can be done to the text of an element besides writing it as a whole. */
  textEditing(node: NodeHandle, options: CallOptions): Promise<TextEditing>;
  /**
   * Replaces one part of a text; the rest, with its formatting, is not written.
   * @throws DeskterityError ACTION_NOT_SUPPORTED if that is not possible; CONFLICT if the element has another text; nothing was sent then
   */
  changeText(node: NodeHandle, change: TextChange, options: CallOptions): Promise<ActOutcome>;
  /** The caret of a text; `undefined` if it has none, or its toolkit does not report it reliably. */
  caret(node: NodeHandle, options: CallOptions): Promise<Caret | undefined>;
  /** Restores a caret that focusing has moved. */
  placeCaret(node: NodeHandle, caret: Caret, options: CallOptions): Promise<void>;
  /** Brings the element into view through accessibility. @throws DeskterityError ACTION_NOT_SUPPORTED, before anything is sent */
  scrollIntoView(node: NodeHandle, options: CallOptions): Promise<ActOutcome>;
  /** What is at a point of the screen. */
  contentAt(point: Point, options: PointOptions): Promise<PointContent>;
  /** How long this toolkit takes until an accepted action is visible (Qt 100 ms, GTK 4 250 ms). */
  activationDelayMs(node: NodeHandle, options: CallOptions): Promise<number>;
  /** Whether items of its menus may be reported as disabled until their menu opens. */
  menusAwaitOpening(node: NodeHandle, options: CallOptions): Promise<boolean>;

  /**
   * Waits until no other act is under way in an application, in any session or process, and makes other acts wait until the turn ends: a change
   * that two acts may have caused proves neither.
   *
   * @param application by its {@link DesktopWindow.appId}, or by its process if it has no tree; and what the act does with keyboard and pointer, if it
   * uses them
   * @throws DeskterityError CONFLICT if the other act is still under way when time runs out; ACTION_NOT_SUPPORTED if that application is not to be worked
   * so with a keyboard and a pointer of our own
   */
  takeTurn(
    application: {
      readonly app: string;
      readonly pid?: number | undefined;
      readonly byHand?: HandUse | undefined;
      /** Whether a window is the one that is acted on. */
      readonly isTarget?: ((window: DesktopWindow) => boolean) | undefined;
    },
    options: CallOptions,
  ): Promise<Turn>;

  /** Calls `listener` for each event until the returned function is called. Resolves once the subscription is active. */
  watch(listener: (event: DesktopEvent) => void, options: CallOptions & WatchScope): Promise<() => void>;

  /** What may be in pictures now: one that was taken under another answer is not shown. Absent if everything always may. */
  picturedFor?: (() => object | undefined) | undefined;
  /**
   * Calls `listener` for each notification that an application sends, until the returned function is called.
   * @throws DeskterityError BUS_UNAVAILABLE, ACTION_NOT_SUPPORTED if nobody can see them
   */
  watchNotifications(listener: NotificationListener, options: CallOptions): Promise<() => void>;

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
