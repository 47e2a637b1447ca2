import type { Bounds } from '../../../model/tree/bounds.ts';
import type { DeskterityError } from '../../../model/effects/errors.ts';
import type { ClipboardPort } from '../../../ports/clipboard.ts';
import type {
  CallOptions,
  CapturedImage,
  CaptureTarget,
  DesktopCapabilities,
  DesktopStatus,
  PermissionReport,
  WindowRequest,
} from '../../../ports/desktop.ts';
import type { InputPort, Point, StopSwitchPort } from '../../../ports/input.ts';
import type { ProbeEvent, ProbeWindow } from '../../../ports/probe-window.ts';
import type { Environment } from '../machine/desktop-environment.ts';

export type Checks = PermissionReport['checks'];

/**
 * What a desktop on Linux asks of its display server; all that is accessible is asked of the accessibility bus instead. A kind of server has a
 * folder beside this file, and a line in `select-display.ts`. What it cannot do it leaves out, and `capabilities` says so.
 */
export interface DisplayKind {
  /** Its name in answers. */
  readonly name: string;
  /** Whether an environment leads to a display of this kind. */
  isNamedBy(environment: Environment): boolean;
  /** Connects to nothing yet. */
  open(environment: Environment): Display;
}

/** The display that an environment names. Each part connects when it is first needed. */
export interface Display {
  readonly capabilities: Pick<DesktopCapabilities, 'windows' | 'capture' | 'clipboard' | 'input'>;
  /** @throws DeskterityError DISPLAY_UNAVAILABLE, TIMEOUT, CANCELLED */
  connect(options: CallOptions): Promise<DisplayConnection>;
  /** Absent without the capability, as the two below. */
  readonly clipboard?: DisplayClipboard | undefined;
  readonly controls?: DisplayControls | undefined;
  /** Shows a window of our own. */
  openProbe?(parts: ProbeParts, options: CallOptions): Promise<ProbeSurface>;
}

export interface DisplayClipboard extends ClipboardPort {
  close(): Promise<void>;
}

/** Keyboard and pointer, and the switch that stops them. */
export interface DisplayControls {
  readonly input: InputPort;
  readonly stopSwitch: StopSwitchPort;
  /** Releases everything and gives back. */
  close(): Promise<void>;
}

/** A display while it is connected. It is never repaired but replaced: after a loss every call rejects. */
export interface DisplayConnection {
  /** As people name it, such as `:0`. */
  readonly name: string;
  facts(options: CallOptions): Promise<Pick<DesktopStatus, 'screen' | 'windowManager'>>;
  /** What working this desktop needs of the display, and whether it is there. */
  check(options: CallOptions): Promise<Checks>;
  readonly windows?: DisplayWindows | undefined;
  /** A window with the popups that it has open. */
  capture?(target: CaptureTarget, options: CallOptions): Promise<CapturedImage>;
  /** Calls `listener` once when the connection is lost, at once when it already is; never because of {@link close}. */
  onLoss(listener: (reason: DeskterityError) => void): void;
  close(): void;
}

/** Windows by the ids that answers show, which only the display reads. */
export interface DisplayWindows {
  /** All application windows, lowest first. */
  list(options: CallOptions): Promise<readonly DisplayWindow[]>;
  /** Menus, combo-box lists and tooltips that are on screen now, lowest first. */
  popups(options: CallOptions): Promise<readonly DisplayPopup[]>;
  /** Where a window is now; `undefined` when there is none of this id. */
  place(id: string, options: CallOptions): Promise<DisplayPlace | undefined>;
  /** What a click at a place of the screen would reach. */
  contentAt(point: Point, options: CallOptions): Promise<DisplayPointContent>;
  /** @throws DeskterityError WINDOW_NOT_FOUND, ACTION_NOT_SUPPORTED */
  control(id: string, request: WindowRequest, options: CallOptions): Promise<{ readonly via: string }>;
  /** See `DesktopPort.userTimeMs`. */
  userTimeMs(id: string, options: CallOptions): Promise<number | undefined>;
  /** Tells when windows open, close or become active, until the returned function is called. */
  watch(listener: (event: DisplayWindowEvent) => void, options: CallOptions): Promise<() => void>;
  /** Whether a program was started on another display: its windows are none of this one's. */
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
  /** Client area on the screen, in device pixels, with the {@link shadow} that a toolkit draws itself. */
  readonly bounds: Bounds;
  readonly shadow?: Extents | undefined;
}

export interface DisplayWindow extends DisplayPlace {
  readonly id: string;
  readonly title: string;
  readonly pid: number | undefined;
  /** What the application calls itself. */
  readonly className: string | undefined;
  /** False for desktop icons and panels. */
  readonly isForPeople: boolean;
  readonly active: boolean;
  /** Whether keys go to it or to a window inside it. */
  readonly hasInput: boolean;
  readonly minimized: boolean;
  readonly maximized: boolean;
  readonly fullscreen: boolean;
  readonly modal: boolean;
  readonly transientFor: string | undefined;
  /** Position in the stack, 0 lowest; absent where the display has no order. */
  readonly stacking: number | undefined;
}

/** A window that its client placed without the window manager: a menu, a combo-box list, a tooltip. */
export interface DisplayPopup {
  readonly id: string;
  readonly pid: number | undefined;
  readonly isTooltip: boolean;
  readonly transientFor: string | undefined;
  readonly bounds: Bounds;
}

export interface DisplayPointContent {
  /** The window there, if it is for people. */
  readonly windowId?: string | undefined;
  readonly pid?: number | undefined;
  /** Present for a popup. */
  readonly popup?: { readonly bounds: Bounds } | undefined;
}

export interface DisplayWindowEvent {
  readonly kind: 'window-opened' | 'window-closed' | 'window-changed' | 'active-changed';
  /** `undefined` when no window is active any more. */
  readonly id: string | undefined;
}

export interface ProbeParts {
  readonly title: string;
  /** Of its content, in pixels. */
  readonly size: { readonly width: number; readonly height: number };
  readonly onEvent: (event: ProbeEvent) => void;
}

/** What the display shows of the probe, and what is its own of the display. */
export interface ProbeSurface extends Pick<
  ProbeWindow,
  'windowId' | 'colour' | 'remedies' | 'bounds' | 'hasKeyboard' | 'cover'
> {
  readonly clipboard: ClipboardPort;
  /** Calls `listener` when the window is gone because the display ended, or somebody cut its connection. */
  onLoss(listener: () => void): void;
  close(): Promise<void>;
}
