import { X11Connection } from '../../../src/platform/linux/display/x11/connection.ts';
import { ServerClock } from '../../../src/platform/linux/display/x11/server-clock.ts';
import { windowIdOf, windowOf } from '../../../src/platform/linux/display/x11/windows/window-id.ts';
import { X11Wire, type ConnectOptions } from '../../../src/platform/linux/display/x11/wire.ts';
import type { DisplayWindow, DisplayWindowEvent } from '../../../src/platform/linux/display/display.ts';
import type { Bounds } from '../../../src/model/tree/bounds.ts';
import type { CallOptions } from '../../../src/ports/call-options.ts';
import type { CapturedImage } from '../../../src/ports/desktop/capture.ts';
import type { WindowRequest } from '../../../src/ports/desktop/windows.ts';

/** A window with its X id, which other programs use too. */
export type TestWindow = Omit<DisplayWindow, 'id'> & { readonly id: number };
type Options = Partial<CallOptions>;

/** A connection to a display whose windows are named by X ids; calls have a default deadline. */
export class TestConnection {
  readonly x11: X11Connection;

  private constructor(x11: X11Connection) {
    this.x11 = x11;
  }

  static async connect(display: string, options: ConnectOptions): Promise<TestConnection> {
    return new TestConnection(new X11Connection(await X11Wire.connect(display, options), new ServerClock()));
  }

  async listWindows(options?: Options): Promise<TestWindow[]> {
    const windows = await this.x11.windows.list({ ...CALL, ...options });
    return windows.map((window) => ({ ...window, id: windowOf(window.id) }));
  }

  async find(id: number): Promise<TestWindow | undefined> {
    return (await this.listWindows()).find((window) => window.id === id);
  }

  controlWindow(id: number, request: WindowRequest): Promise<{ readonly via: string }> {
    return this.x11.windows.control(windowIdOf(id), request, CALL);
  }

  watchWindows(listener: (event: DisplayWindowEvent) => void): Promise<() => void> {
    return this.x11.windows.watch(listener, CALL);
  }

  captureScreen(options?: Options): Promise<CapturedImage> {
    return this.x11.capture({ kind: 'screen' }, { ...CALL, ...options });
  }

  captureMonitor(monitor: number): Promise<CapturedImage> {
    return this.x11.capture({ kind: 'screen', monitor }, CALL);
  }

  captureRegion(bounds: Bounds): Promise<CapturedImage> {
    return this.x11.capture({ kind: 'region', bounds }, CALL);
  }

  captureWindow(id: number, asShown = false): Promise<CapturedImage> {
    return this.x11.capture({ kind: 'window', windowId: windowIdOf(id), asShown }, CALL);
  }

  close(): void {
    this.x11.close();
  }
}

const CALL = { deadlineMs: 5000 };
