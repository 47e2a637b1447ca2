import { endIfLate } from '../waiting.ts';
import type { DeskterityError } from '../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../ports/call-options.ts';
import type { CapturedImage, CaptureTarget } from '../../../../ports/desktop/capture.ts';
import type { DesktopStatus } from '../../../../ports/desktop/desktop.ts';
import type { PictureWatch } from '../../../../ports/picture-watch.ts';
import type { Checks, DisplayConnection } from '../display.ts';
import { Capture } from './capture/capture.ts';
import { DamageWatch } from './capture/damage-watch.ts';
import { windowManagerName } from './root-state.ts';
import type { ServerClock } from './server-clock.ts';
import { X11Windows } from './windows/display-windows.ts';
import { readScreen } from './windows/window.ts';
import type { X11Wire } from './wire.ts';

/** One X display. After a loss of the connection all calls reject with DISPLAY_UNAVAILABLE. */
export class X11Connection implements DisplayConnection {
  readonly windows: X11Windows;
  readonly #wire: X11Wire;
  readonly #capture: Capture;

  constructor(wire: X11Wire, clock: ServerClock) {
    this.windows = new X11Windows(wire, clock);
    this.#wire = wire;
    this.#capture = new Capture(wire);
  }

  get name(): string {
    return this.#wire.display;
  }

  async facts(options: CallOptions): Promise<Pick<DesktopStatus, 'screen' | 'windowManager'>> {
    const facts = Promise.all([readScreen(this.#wire), windowManagerName(this.#wire)]);
    const [{ width, height }, windowManager] = await this.#wire.within(facts, 'reading the screen', options);
    return { screen: { width, height }, ...(windowManager === undefined ? {} : { windowManager }) };
  }

  async check(options: CallOptions): Promise<Checks> {
    const name = windowManagerName(this.#wire);
    const windowManager = await this.#wire.within(name, 'reading the window manager', options);
    return [
      { name: 'display', ok: true, detail: `X11 display ${this.name}.` },
      windowManager === undefined
        ? {
            name: 'window-manager',
            ok: false,
            detail: 'No EWMH window manager is running.',
            fix: 'Start one, such as openbox.',
          }
        : { name: 'window-manager', ok: true, detail: `${windowManager}.` },
    ];
  }

  capture(target: CaptureTarget, options: CallOptions): Promise<CapturedImage> {
    return this.#wire.within(this.#capture.take(target), `capturing the ${target.kind}`, options);
  }

  watchPicture(listener: () => void, options: CallOptions): Promise<PictureWatch> {
    return endIfLate<PictureWatch>(
      DamageWatch.begin(this.#wire, listener),
      (watching) => this.#wire.within(watching, 'watching the screen', options),
      (watch) => watch.end(),
    );
  }

  onLoss(listener: (reason: DeskterityError) => void): void {
    this.#wire.onLoss(listener);
  }

  close(): void {
    this.#wire.close();
  }
}
