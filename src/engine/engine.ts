import type { Seat } from '../model/effects/seat.ts';
import type { DoctorCheck } from '../model/effects/doctor.ts';
import type { HeldReceipt, Receipt, WindowReceipt } from '../model/effects/effect.ts';
import type { AppSummary, WindowSummary } from '../model/refs/target.ts';
import type { Connection } from '../model/sessions/connection.ts';
import type { Surface } from '../model/refs/surface.ts';
import type { OutputNode } from '../model/tree/node.ts';
import type {
  ClipboardContent,
  ClipboardFormats,
  ClipboardKind,
  ClipboardWrite,
} from '../ports/clipboard.ts';
import type { CallOptions } from '../ports/call-options.ts';
import type { DesktopCapabilities, DesktopStatus, PermissionReport } from '../ports/desktop/desktop.ts';
import type { DesktopEvent } from '../ports/desktop/events.ts';
import type { DesktopNotification } from '../ports/notifications.ts';
import type { StopState } from '../ports/input.ts';
import type * as Acting from './requests/acting.ts';
import type * as Desktop from './requests/desktop.ts';
import type * as Reading from './requests/reading.ts';

/**
 * What commands can do to one desktop in one session. Every method throws DeskterityError.
 * `deadlineMs` bounds the whole call, however many applications it touches.
 *
 * Folders of the engine in their order; each imports only those before it:
 * `requests` (types), `wait` and `journal` · `tree` (one reading of a window: its index, search, values) · `refs` (which element or window is meant) ·
 * `evidence` (what changed, and whose doing it was) · `reading` (snapshots, finding, changes since) · `acting` (how an act is carried out) ·
 * `input` (keyboard and pointer) · `element-acts` (each act by all its strategies) · `windows`, `waiting`, `doctor`, `undo` · `create-engine`.
 */
export interface Engine {
  listApps(request: CallOptions): Promise<readonly AppSummary[]>;
  listWindows(request: Desktop.ListWindowsRequest): Promise<readonly WindowSummary[]>;
  /** See {@link listSurfaces}. */
  surfaces(request: Reading.SurfacesRequest): Promise<Reading.SurfacesResult>;
  snapshot(request: Reading.SnapshotRequest): Promise<Reading.SnapshotResult>;
  /** What changed in a window since an earlier answer, read with the same options. */
  changes(request: Reading.ChangesRequest): Promise<Reading.ChangesResult>;
  find(request: Reading.FindRequest): Promise<Reading.FindResult>;
  describe(request: Reading.RefRequest): Promise<Reading.ElementInfo>;
  title(request: Reading.ScopedRequest): Promise<string>;
  treeStats(request: Reading.ScopedRequest): Promise<Reading.TreeStats>;
  focused(request: Reading.AppRequest): Promise<Reading.ElementInfo | undefined>;
  screenshot(request: Reading.ScreenshotRequest): Promise<Reading.ScreenshotResult>;
  launch(request: Desktop.LaunchAppRequest): Promise<Desktop.LaunchResult>;
  closeApp(request: Desktop.CloseAppRequest): Promise<Desktop.CloseResult>;
  /** Gives the process of an application a name of this session. */
  connect(request: Desktop.ConnectRequest): Promise<Desktop.Connected>;
  /** Forgets one of these names, or all. @throws DeskterityError APP_NOT_FOUND if there is no such name */
  disconnect(request: Desktop.DisconnectRequest): Promise<readonly Connection[]>;
  waitForElement(request: Desktop.WaitForElementRequest): Promise<OutputNode>;
  /** `ref` names an element or a window. */
  waitUntilGone(request: Reading.RefRequest): Promise<{ readonly because?: string | undefined }>;
  waitForText(request: Desktop.WaitForTextRequest): Promise<Desktop.TextFound>;
  waitForWindow(request: Desktop.WaitForWindowRequest): Promise<WindowSummary>;
  /** See {@link waitUntilActionable}. */
  waitUntilActionable(request: Reading.RefRequest): Promise<OutputNode>;
  /** Returns the first elements once exactly so many match. */
  waitForCount(request: Desktop.WaitForCountRequest): Promise<readonly OutputNode[]>;
  waitForNotification(request: Desktop.WaitForNotificationRequest): Promise<DesktopNotification>;
  /** See {@link waitUntilIdle}. */
  waitUntilIdle(request: Desktop.IdleRequest): Promise<Desktop.IdleResult>;
  waitForMenu(request: Reading.AppRequest): Promise<Surface>;
  /** Returns all checks once they pass. */
  expect(request: Desktop.ExpectRequest): Promise<Desktop.MetExpectation>;
  /** {@link expect} for several elements at the same moment. */
  expectAll(request: Desktop.ExpectAllRequest): Promise<Desktop.MetTogether>;
  /** Moves, minimizes … one window, the active one where none is named, and reports the effect. */
  controlWindow(request: Acting.ControlWindowRequest): Promise<WindowReceipt>;
  click(request: Acting.ModedRequest): Promise<Receipt>;
  gesture(request: Acting.GestureRequest): Promise<Receipt>;
  setValue(request: Acting.SetValueRequest): Promise<Receipt>;
  type(request: Acting.TypeRequest): Promise<Receipt>;
  act(request: Acting.SemanticActRequest): Promise<Receipt>;
  /** Chooses an option of a combo box, list, table, tree or tab list. */
  select(request: Acting.SelectRequest): Promise<Receipt>;
  press(request: Acting.PressRequest): Promise<Receipt>;
  /** Holds a key down, or releases it. */
  holdKey(request: Acting.HoldKeyRequest): Promise<HeldReceipt>;
  /** Pointer actions at screen coordinates, whatever is there. */
  readonly mouse: {
    move(request: Acting.MouseMoveRequest): Promise<Receipt>;
    click(request: Acting.MouseClickRequest): Promise<Receipt>;
    /** Presses a button where the pointer is, or releases it. */
    hold(request: Acting.MouseHoldRequest): Promise<HeldReceipt>;
    /** Turns the wheel where the pointer is. */
    wheel(request: Acting.MouseWheelRequest): Promise<Receipt>;
  };
  scroll(request: Acting.ScrollRequest): Promise<Receipt>;
  scrollTo(request: Acting.ModedRequest): Promise<Receipt>;
  drag(request: Acting.DragRequest): Promise<Receipt>;
  /** Releases the keys and buttons that this engine holds down. */
  releaseInput(): Promise<void>;
  /** Whether the display reports the user's own input, which acts with keyboard and pointer wait for. */
  reportsUserInput(request: CallOptions): Promise<boolean>;
  /** Whether acting on this desktop is stopped. */
  stopState(request: CallOptions): Promise<StopState>;
  /** Stops all acting on this desktop, by every client, until {@link resumeActing}. */
  stopActing(request: CallOptions): Promise<StopState>;
  resumeActing(request: CallOptions): Promise<StopState>;
  /** Calls `listener` when anyone stops acting, until the returned function is called. */
  onStop(listener: (state: StopState) => void): () => void;
  /** Resolves when acts are allowed, at once if they are. */
  waitUntilActing(request: CallOptions): Promise<void>;
  /** Activates a menu item, opening only menus that have no items while closed. */
  menu(request: Acting.MenuRequest): Promise<Receipt>;
  /** Brings back the state before an act, unless it was changed since. @throws DeskterityError CONFLICT */
  reverse(request: Acting.ReverseRequest): Promise<Acting.Reversed>;
  clipboardFormats(request: CallOptions): Promise<ClipboardFormats>;
  readClipboard(request: CallOptions & { readonly kind: ClipboardKind }): Promise<ClipboardContent>;
  writeClipboard(request: ClipboardWrite & Acting.Undoable): Promise<Acting.ClipboardReceipt>;
  clearClipboard(request: CallOptions & Acting.Undoable): Promise<Acting.ClipboardReceipt>;
  /** See {@link watchDesktop}: the deadline is for becoming live. */
  watch(request: Desktop.WatchRequest, listener: (event: DesktopEvent) => void): Promise<() => void>;
  /** What happened on the desktop; `undefined` if this process keeps no journal of it. */
  journal(request: Reading.JournalRequest): Promise<Reading.JournalResult | undefined>;
  /** This session carried out an act, by the program's clock: for the journal. */
  noteAct(command: string, fromMs: number, toMs: number): void;
  status(request: CallOptions): Promise<DesktopStatus & { readonly capabilities: DesktopCapabilities }>;
  permissions(request: CallOptions & { readonly request: boolean }): Promise<PermissionReport>;
  /**
   * The same engine without any effect on the desktop: a method ends with {@link Planned} where its first effect would be, or as the method would end
   * without one.
   */
  dryRun(): Engine;
  /**
   * The same engine, with a keyboard and a pointer of our own beside the user's. Where the desktop cannot have them, this engine itself, unless they are
   * required.
   * @throws DeskterityError ACTION_NOT_SUPPORTED
   */
  onOwnSeat(request: { readonly isRequired: boolean }): Engine;
  /** The seat whose keys or buttons this session holds down, and which, in words. */
  heldOn(): { readonly seat: Seat; readonly held: readonly string[] } | undefined;
  /** See {@link examine}. */
  doctor(request: Desktop.DoctorRequest): Promise<readonly DoctorCheck[]>;
}
