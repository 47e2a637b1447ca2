import type { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { Environment } from '../../../../../model/sessions/caller.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { CapturedImage, CaptureTarget } from '../../../../../ports/desktop/capture.ts';
import type { DesktopStatus } from '../../../../../ports/desktop/desktop.ts';
import type { Checks, DisplayConnection } from '../../display.ts';
import { Outputs, screenOf } from '../outputs.ts';
import type { WaylandWire } from '../wire/wayland-wire.ts';
import { KwinCapture } from './kwin-capture.ts';
import { inputCheck, screenshotCheck, windowCheck } from './kwin-checks.ts';
import { KwinWindows } from './kwin-windows.ts';
import { Screenshots } from './screenshots.ts';
import { ScriptHost } from './script-host.ts';

/** One display of KWin. */
export class KwinConnection implements DisplayConnection {
  readonly windows: KwinWindows;
  readonly #wire: WaylandWire;
  readonly #script: ScriptHost;
  readonly #outputs: Outputs;
  readonly #screenshots: Screenshots;
  readonly #capture: KwinCapture;

  private constructor(wire: WaylandWire, script: ScriptHost, environment: Environment) {
    this.#wire = wire;
    this.#script = script;
    this.windows = new KwinWindows(script, wire.display);
    this.#outputs = new Outputs(wire);
    this.#screenshots = new Screenshots(environment);
    this.#capture = new KwinCapture(this.#screenshots, this.#outputs, this.windows);
  }

  /** @throws DeskterityError */
  static async open(
    wire: WaylandWire,
    environment: Environment,
    options: CallOptions,
  ): Promise<KwinConnection> {
    return new KwinConnection(wire, await ScriptHost.start(environment, wire.display, options), environment);
  }

  get name(): string {
    return this.#wire.display;
  }

  async facts(options: CallOptions): Promise<Pick<DesktopStatus, 'screen' | 'windowManager'>> {
    const [outputs, windowManager] = await Promise.all([
      this.#wire.within(this.#outputs.list(), 'reading the screens', options),
      this.#script.compositor(options),
    ]);
    return { screen: screenOf(outputs), windowManager };
  }

  async check(options: CallOptions): Promise<Checks> {
    // Only a picture tells whether KWin admits us.
    const bounds = { x: 0, y: 0, width: 1, height: 1 };
    const [compositor, problem] = await Promise.all([
      this.#script.compositor(options),
      this.#screenshots.take({ kind: 'area', bounds }, options).then(
        () => undefined,
        (error: unknown) => error,
      ),
    ]);
    return [
      { name: 'display', ok: true, detail: `Wayland display ${this.name}, whose compositor is KWin.` },
      windowCheck(compositor),
      inputCheck(this.#wire),
      screenshotCheck(problem),
    ];
  }

  capture(target: CaptureTarget, options: CallOptions): Promise<CapturedImage> {
    return this.#wire.within(this.#capture.take(target, options), `capturing the ${target.kind}`, options);
  }

  onLoss(listener: (reason: DeskterityError) => void): void {
    let isTold = false;
    const once = (reason: DeskterityError): void => {
      if (isTold) return;
      isTold = true;
      listener(reason);
    };
    this.#wire.onLoss(once);
    this.#script.onLoss(once);
  }

  close(): void {
    this.#script.close();
    this.#screenshots.close();
    this.#wire.close();
  }
}
