import type { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { Environment } from '../../../../../model/sessions/caller.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { DesktopStatus } from '../../../../../ports/desktop/desktop.ts';
import type { Checks, DisplayConnection } from '../../display.ts';
import { layoutOf, Outputs } from '../outputs.ts';
import type { WaylandWire } from '../wire/wayland-wire.ts';
import { inputCheck, noScreenshots, screenshotCheck, windowCheck } from './mutter-checks.ts';
import { compositorOf } from './shell-facts.ts';
import { MutterWindows } from './windows/mutter-windows.ts';
import { ShellAccess } from './windows/shell-access.ts';

/** One display of Mutter. */
export class MutterConnection implements DisplayConnection {
  readonly windows: MutterWindows;
  readonly whyNoCapture = noScreenshots();
  readonly #wire: WaylandWire;
  readonly #access: ShellAccess;
  readonly #outputs: Outputs;
  readonly #environment: Environment;

  private constructor(wire: WaylandWire, access: ShellAccess, environment: Environment) {
    this.#wire = wire;
    this.#environment = environment;
    this.#access = access;
    this.windows = new MutterWindows(access, wire.display);
    this.#outputs = new Outputs(wire);
  }

  /** @throws DeskterityError */
  static async open(
    wire: WaylandWire,
    environment: Environment,
    options: CallOptions,
  ): Promise<MutterConnection> {
    return new MutterConnection(wire, await ShellAccess.open(environment, options), environment);
  }

  get name(): string {
    return this.#wire.display;
  }

  async facts(options: CallOptions): Promise<Pick<DesktopStatus, 'screen' | 'windowManager'>> {
    const [outputs, windowManager] = await Promise.all([
      this.#wire.within(this.#outputs.list(), 'reading the screens', options),
      compositorOf(this.#access.bus.session, options),
    ]);
    const { width, height } = layoutOf(outputs);
    return { screen: { width, height }, windowManager };
  }

  async check(options: CallOptions): Promise<Checks> {
    const [compositor, isReadable, input] = await Promise.all([
      compositorOf(this.#access.bus.session, options),
      this.#access.shell.isReadable(options),
      inputCheck(this.#environment, this.name, options),
    ]);
    return [
      { name: 'display', ok: true, detail: `Wayland display ${this.name}, whose compositor is Mutter.` },
      windowCheck(compositor, isReadable),
      input,
      screenshotCheck(),
    ];
  }

  onLoss(listener: (reason: DeskterityError) => void): void {
    let isTold = false;
    const once = (reason: DeskterityError): void => {
      if (isTold) return;
      isTold = true;
      listener(reason);
    };
    this.#wire.onLoss(once);
    this.#access.onLoss(once);
  }

  close(): void {
    this.#access.close();
    this.#wire.close();
  }
}
