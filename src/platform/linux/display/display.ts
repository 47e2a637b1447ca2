import type { Bounds } from '../../../model/tree/bounds.ts';
import type { DeskterityError } from '../../../model/effects/errors.ts';
import type { ClipboardPort } from '../../../ports/clipboard.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import type { CapturedImage, CaptureTarget } from '../../../ports/desktop/capture.ts';
import type { DesktopCapabilities, DesktopStatus, PermissionReport } from '../../../ports/desktop/desktop.ts';
import type { WindowRequest } from '../../../ports/desktop/windows.ts';
import type { InputPort, Point, StopSwitchPort } from '../../../ports/input.ts';
import type { PictureWatch } from '../../../ports/picture-watch.ts';
import type { ProbeEvent, ProbeWindow } from '../../../ports/probe-window.ts';
import type { Environment } from '../../../model/sessions/caller.ts';

export type Checks = PermissionReport['checks'];

/**
 * What a Linux desktop needs from its display server, besides the accessibility bus. Each kind of server has a folder
 * beside this file and a line in `select-display.ts`. It omits what it does not support, as shown in `capabilities`.
 */
export interface DisplayKind {
  /** Its name in results. */
  readonly name: string;
  /** Whether an environment names a display of this kind. */
  isNamedBy(environment: Environment): boolean;
  /** Does not connect yet. */
  open(environment: Environment): Display;
}

/** The display that an environment names. Each part connects when it is first needed. */
export interface Display {
  readonly capabilities: Pick<DesktopCapabilities, 'windows' | 'capture' | 'clipboard' | 'input'>;
  /** @throws DeskterityError DISPLAY_UNAVAILABLE, TIMEOUT, CANCELLED */
  connect(options: CallOptions): Promise<DisplayConnection>;
  /** Absent without the capability, like the two below. */
  readonly clipboard?: DisplayClipboard | undefined;
  readonly controls?: DisplayControls | undefined;
  /** Absent where pictures are not taken by the desktop portal. */
  readonly portal?: DisplayPortal | undefined;
  /** Shows our probe window. */
  openProbe?(parts: ProbeParts, options: CallOptions): Promise<ProbeSurface>;
}

export interface DisplayClipboard extends ClipboardPort {
  close(): Promise<void>;
}

/** Pictures by the desktop portal, which may ask the person. */
export interface DisplayPortal {
  /** Starts none. */
  isRunning(options: CallOptions): Promise<boolean>;
  take(target: CaptureTarget, connection: DisplayConnection, options: CallOptions): Promise<CapturedImage>;
  close(): void;
}

/** Keyboard, pointer and the stop switch. */
export interface DisplayControls {
  readonly input: InputPort;
  /** Absent if the display cannot have a keyboard and a pointer besides the user's. */
  readonly ownSeat?: OwnSeat | undefined;
  readonly stopSwitch: StopSwitchPort;
  /** Releases all keys and buttons and ends the lease. */
  close(): Promise<void>;
}

/** A keyboard and a pointer of our own beside the user's; see `DesktopPort.ownSeat`. */
export interface OwnSeat {
  readonly input: InputPort;
  /** Ids of the window that has the focus of our keyboard, and of those around it. */
  receivers(options: CallOptions): Promise<ReadonlySet<string>>;
  /**
   * Directs our keyboard to a window.
   * @throws DeskterityError WINDOW_NOT_FOUND; NOT_ACTIONABLE if it is not shown
   */
  focus(id: string, options: CallOptions): Promise<{ readonly via: string }>;
  /** Does something that may make an application activate a window, without the user's focus moving. */
  keepingFocus<T>(work: () => Promise<T>, options: CallOptions): Promise<T>;
}

/** A connection to a display. After a loss every call rejects; the connection is replaced, never repaired. */
export interface DisplayConnection {
  /** As people name it, such as `:0`. */
  readonly name: string;
  facts(options: CallOptions): Promise<Pick<DesktopStatus, 'screen' | 'windowManager'>>;
  /** Whether the display has what we need. */
  check(options: CallOptions): Promise<Checks>;
  readonly windows?: DisplayWindows | undefined;
  /** Why it takes no pictures, if there is more to say than that. */
  readonly whyNoCapture?: DeskterityError | undefined;
  /** Captures a target; a window with its open popups. */
  capture?(target: CaptureTarget, options: CallOptions): Promise<CapturedImage>;
  /** See `DesktopPort.watchPicture`. */
  watchPicture?(listener: () => void, options: CallOptions): Promise<PictureWatch>;
  /** Calls `listener` once when the connection is lost, immediately if it already is; never because of {@link close}. */
  onLoss(listener: (reason: DeskterityError) => void): void;
  close(): void;
}

/** The id of a window that only the accessibility tree knows. */
export function treeWindowId(bus: string, path: string): string {
  return `${TREE_WINDOW}${bus}${path}`;
}

export const TREE_WINDOW = 'atspi:';

/** Windows by public ids, which only the display interprets. */
export interface DisplayWindows {
  /** False if programs do not know where their windows are, so that what they report as places on the screen is not. Default true. */
  readonly clientsKnowPlaces?: boolean | undefined;
  /** All application windows, lowest first. */
  list(options: CallOptions): Promise<readonly DisplayWindow[]>;
  /** Menus, combo-box lists and tooltips that are on screen now, lowest first. */
  popups(options: CallOptions): Promise<readonly DisplayPopup[]>;
  /** The current place of a window; `undefined` if there is no window with this id. */
  place(id: string, options: CallOptions): Promise<DisplayPlace | undefined>;
  /** What a click at a point on the screen would reach. */
  contentAt(point: Point, options: CallOptions): Promise<DisplayPointContent>;
  /** @throws DeskterityError WINDOW_NOT_FOUND, ACTION_NOT_SUPPORTED */
  control(id: string, request: WindowRequest, options: CallOptions): Promise<{ readonly via: string }>;
  /** See `DesktopPort.userTimeMs`. */
  userTimeMs(id: string, options: CallOptions): Promise<number | undefined>;
  /** Reports when windows open, close or become active, until the returned function is called. */
  watch(listener: (event: DisplayWindowEvent) => void, options: CallOptions): Promise<() => void>;
  /** Whether a program was started on another display, so that its windows do not belong to this one. */
  isElsewhere(pid: number): boolean;
}

/** Widths of a border around a window, in device pixels. */
export interface Extents {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Where a window is. */
export interface DisplayPlace {
  /** Client area on the screen, in device pixels, including a {@link shadow} drawn by the toolkit. */
  readonly bounds: Bounds;
  readonly shadow?: Extents | undefined;
}

export interface DisplayWindow extends DisplayPlace {
  readonly id: string;
  readonly title: string;
  readonly pid: number | undefined;
  /** The process at the other end of its connection, as the kernel tells the display, whatever the window says. */
  readonly clientPid?: number | undefined;
  /** The application's own name. */
  readonly className: string | undefined;
  /** Another one. */
  readonly instanceName?: string | undefined;
  /** False for desktop icons and panels. */
  readonly isUserWindow: boolean;
  readonly active: boolean;
  /** Whether it, or a window inside it, receives keys. */
  readonly hasInput: boolean;
  readonly minimized: boolean;
  /** Nothing of it is on the screen: it is minimized, on a workspace that is not shown, or behind a tab; absent if unknown. */
  readonly isHidden?: boolean | undefined;
  readonly maximized: boolean;
  readonly fullscreen: boolean;
  readonly modal: boolean;
  readonly transientFor: string | undefined;
  /** Position in the stack, 0 lowest; absent if the display has no order. */
  readonly stacking: number | undefined;
}

/** A window that its client placed without the window manager: a menu, a combo-box list, a tooltip. */
export interface DisplayPopup {
  readonly id: string;
  readonly pid: number | undefined;
  /** As that of a window. */
  readonly clientPid?: number | undefined;
  readonly isTooltip: boolean;
  readonly isMenu: boolean;
  /** The list of a combo box, or one that completes what is typed. */
  readonly isList: boolean;
  readonly transientFor: string | undefined;
  readonly bounds: Bounds;
}

export interface DisplayPointContent {
  /** The window there, if it is a user window. */
  readonly windowId?: string | undefined;
  readonly pid?: number | undefined;
  /** The processes at the other ends of the connections of all windows there, also of those that are none of the user's. */
  readonly clientPids?: readonly number[] | undefined;
  /** Present for a popup. */
  readonly popup?: { readonly bounds: Bounds; readonly isTooltip: boolean } | undefined;
}

export interface DisplayWindowEvent {
  readonly kind: 'window-opened' | 'window-closed' | 'window-changed' | 'active-changed';
  /** `undefined` when no window is active. */
  readonly id: string | undefined;
}

export interface ProbeParts {
  readonly title: string;
  /** Size of its content, in pixels. */
  readonly size: { readonly width: number; readonly height: number };
  readonly onEvent: (event: ProbeEvent) => void;
}

/** The probe's window on the display, with its own clipboard. */
export interface ProbeSurface extends Pick<
  ProbeWindow,
  'windowId' | 'colour' | 'remedies' | 'bounds' | 'hasKeyboard' | 'cover'
> {
  readonly clipboard: ClipboardPort;
  /** Calls `listener` when the window is gone because its connection to the display ended. */
  onLoss(listener: () => void): void;
  close(): Promise<void>;
}
