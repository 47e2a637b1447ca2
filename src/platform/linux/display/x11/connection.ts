import type { Bounds } from '../../../../model/tree/bounds.ts';
import type { DeskterityError } from '../../../../model/effects/errors.ts';
import type { CallOptions, CapturedImage, WindowRequest } from '../../../../ports/desktop.ts';
import type { Point } from '../../../../ports/input.ts';
import { Capture } from './capture/capture.ts';
import { contentAt, type X11PointContent } from './windows/point-content.ts';
import { windowManagerName } from './root-state.ts';
import { X11Wire, type ConnectOptions } from './wire.ts';
import { controlWindow } from './windows/window-requests.ts';
import { listPopups, listWindows, windowById, type X11Popup } from './windows/window-list.ts';
import { readUserTime, type WindowPlace, type X11Window } from './windows/window.ts';
import { watchWindows, type X11WindowEvent } from './windows/window-watch.ts';
import { readPlace, readScreen } from './windows/window.ts';
import { withDeadline } from './x11-errors.ts';

/**
 * One X display. Every method takes its own deadline or falls back to that of {@link X11Connection.connect}; after a loss of
 * the connection all calls reject with DISPLAY_UNAVAILABLE.
 */
export class X11Connection {
  readonly #wire: X11Wire;
  readonly #capture: Capture;
  readonly #defaultDeadlineMs: number;

  private constructor(wire: X11Wire, deadlineMs: number) {
    this.#wire = wire;
    this.#capture = new Capture(wire);
    this.#defaultDeadlineMs = deadlineMs;
  }

  /**
   * @param display as in the environment variable DISPLAY, such as `:0`
   * @throws DeskterityError DISPLAY_UNAVAILABLE
   */
  static async connect(display: string, options: ConnectOptions): Promise<X11Connection> {
    return new X11Connection(await X11Wire.connect(display, options), options.deadlineMs);
  }

  get display(): string {
    return this.#wire.display;
  }

  /** All application windows, lowest first. */
  listWindows(options?: Partial<CallOptions>): Promise<X11Window[]> {
    return this.#call('listing windows', options, () => listWindows(this.#wire));
  }

  /** Menus, combo-box lists and tooltips that are on screen now, lowest first. */
  listPopups(options?: Partial<CallOptions>): Promise<X11Popup[]> {
    return this.#call('listing popups', options, () => listPopups(this.#wire));
  }

  /** `undefined` if there is no such window. */
  windowById(id: number, options?: Partial<CallOptions>): Promise<X11Window | undefined> {
    return this.#call('reading a window', options, () => windowById(this.#wire, id));
  }

  /** The current place of a window; `undefined` if there is no window with this id. */
  windowPlace(id: number, options?: Partial<CallOptions>): Promise<WindowPlace | undefined> {
    return this.#call('reading the position of a window', options, () => readPlace(this.#wire, id));
  }

  /** What a click at a point on the screen would reach. */
  contentAt(point: Point, options?: Partial<CallOptions>): Promise<X11PointContent> {
    return this.#call('finding the window at a point', options, () => contentAt(this.#wire, point));
  }

  /** `undefined` if no window manager is running. */
  windowManagerName(options?: Partial<CallOptions>): Promise<string | undefined> {
    return this.#call('reading the window manager', options, () => windowManagerName(this.#wire));
  }

  /** The current size of the screen, in device pixels. */
  screenSize(options?: Partial<CallOptions>): Promise<{ readonly width: number; readonly height: number }> {
    return this.#call('reading the screen size', options, async () => {
      const { width, height } = await readScreen(this.#wire);
      return { width, height };
    });
  }

  /** See {@link controlWindow}. @throws DeskterityError WINDOW_NOT_FOUND, ACTION_NOT_SUPPORTED */
  controlWindow(
    id: number,
    request: WindowRequest,
    options?: Partial<CallOptions>,
  ): Promise<{ readonly via: string }> {
    return this.#call('controlling a window', options, () => controlWindow(this.#wire, id, request));
  }

  /** See {@link readUserTime}, in server time; also `undefined` if the window is gone. */
  userTime(id: number, options?: Partial<CallOptions>): Promise<number | undefined> {
    return this.#call('reading the user time of a window', options, () => readUserTime(this.#wire, id));
  }

  captureScreen(options?: Partial<CallOptions>): Promise<CapturedImage> {
    return this.#call('capturing the screen', options, () => this.#capture.screen());
  }

  /** Captures one monitor, numbered from 0. @throws DeskterityError INVALID_ARGUMENT if there is no such monitor */
  captureMonitor(index: number, options?: Partial<CallOptions>): Promise<CapturedImage> {
    return this.#call('capturing a monitor', options, () => this.#capture.monitor(index));
  }

  /** Captures the part of a region that is on the screen. @throws DeskterityError INVALID_ARGUMENT if there is none */
  captureRegion(area: Bounds, options?: Partial<CallOptions>): Promise<CapturedImage> {
    return this.#call('capturing a region', options, () => this.#capture.region(area));
  }

  /** Captures the part of a window's client area that is on the screen, covered or not. @throws DeskterityError WINDOW_NOT_FOUND, NOT_ACTIONABLE */
  captureWindow(id: number, options?: Partial<CallOptions>): Promise<CapturedImage> {
    return this.#call('capturing a window', options, () => this.#capture.window(id));
  }

  /** Reports when windows open, close or become active, until the returned function is called. */
  watchWindows(
    listener: (event: X11WindowEvent) => void,
    options?: Partial<CallOptions>,
  ): Promise<() => void> {
    return this.#call('watching windows', options, () => watchWindows(this.#wire, listener));
  }

  /** Calls `listener` once when the connection is lost, immediately if it already is; never because of {@link close}. */
  onLoss(listener: (reason: DeskterityError) => void): () => void {
    return this.#wire.onLoss(listener);
  }

  get isLost(): boolean {
    return this.#wire.isLost;
  }

  close(): void {
    this.#wire.close();
  }

  #call<T>(doing: string, options: Partial<CallOptions> | undefined, work: () => Promise<T>): Promise<T> {
    return withDeadline(work(), this.#wire.display, doing, {
      deadlineMs: options?.deadlineMs ?? this.#defaultDeadlineMs,
      signal: options?.signal,
    });
  }
}
