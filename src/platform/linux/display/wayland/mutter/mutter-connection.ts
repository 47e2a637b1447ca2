import type { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { Environment } from '../../../../../model/sessions/caller.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { DesktopStatus } from '../../../../../ports/desktop/desktop.ts';
import type { Checks, DisplayConnection } from '../../display.ts';
import { Outputs, screenOf } from '../outputs.ts';
import type { WaylandWire } from '../wire/wayland-wire.ts';
import { extensionCheck } from './extension/extension-check.ts';
import { ExtensionCapture } from './extension/extension-capture.ts';
import { hasPortal } from '../portal/portal-requests.ts';
import { PortalCapture } from '../portal/portal-capture.ts';
import { ScreenshotPortal } from '../portal/screenshot-portal.ts';
import {
  inputCheck,
  noDirectScreenshots,
  noScreenshots,
  noWindowPictures,
  screenshotCheck,
  windowCheck,
} from './mutter-checks.ts';
import { OpenShellWindows } from './open-shell-windows.ts';
import { compositorOf } from './shell-facts.ts';
import type { ShellWindows } from './windows/shell-windows.ts';

/** One display of Mutter. */
export class MutterConnection implements DisplayConnection {
  readonly windows: ShellWindows;
  readonly whyNoCapture = noScreenshots();
  readonly capture: DisplayConnection['capture'];
  readonly #wire: WaylandWire;
  readonly #shell: OpenShellWindows;
  readonly #outputs: Outputs;
  readonly #environment: Environment;
  readonly #portal: ScreenshotPortal | undefined;

  private constructor(
    wire: WaylandWire,
    shell: OpenShellWindows,
    { environment, isPortalThere }: { readonly environment: Environment; readonly isPortalThere: boolean },
  ) {
    this.#wire = wire;
    this.#environment = environment;
    this.#shell = shell;
    this.windows = shell.windows;
    this.#outputs = new Outputs(wire);
    const { byExtension } = shell;
    if (byExtension !== undefined) {
      const capture = new ExtensionCapture(byExtension.extension, this.#outputs, byExtension.windows);
      this.capture = (target, options) =>
        wire.within(capture.take(target, options), `capturing the ${target.kind}`, options);
    } else if (isPortalThere) {
      this.#portal = new ScreenshotPortal(environment, noScreenshots);
      const capture = new PortalCapture(this.#portal, this.#outputs, noWindowPictures);
      // It has words of its own for what takes too long.
      this.capture = async (target, options) => {
        if (target.consent === 'direct') throw noDirectScreenshots();
        return capture.take(target, options);
      };
    }
  }

  /** @throws DeskterityError */
  static async open(
    wire: WaylandWire,
    environment: Environment,
    options: CallOptions,
  ): Promise<MutterConnection> {
    const shell = await OpenShellWindows.open(environment, wire.display, options);
    try {
      const isPortalThere = await hasPortal(shell.access.bus.session, options);
      return new MutterConnection(wire, shell, { environment, isPortalThere });
    } catch (error) {
      shell.close();
      throw error;
    }
  }

  get name(): string {
    return this.#wire.display;
  }

  async facts(options: CallOptions): Promise<Pick<DesktopStatus, 'screen' | 'windowManager'>> {
    const [outputs, windowManager] = await Promise.all([
      this.#wire.within(this.#outputs.list(), 'reading the screens', options),
      compositorOf(this.#shell.access.bus.session, options),
    ]);
    return { screen: screenOf(outputs), windowManager };
  }

  async check(options: CallOptions): Promise<Checks> {
    const { access, byExtension } = this.#shell;
    const isOpen = byExtension !== undefined;
    const bus = access.bus.session;
    const [compositor, isReadable, extension, input] = await Promise.all([
      compositorOf(bus, options),
      // The extension may have been turned off since: then this connection is lost.
      isOpen ? this.windows.list(options).then(() => true) : access.shell.isReadable(options),
      extensionCheck({ bus, environment: this.#environment, isOpen }, options),
      inputCheck(this.#environment, this.name, options),
    ]);
    return [
      { name: 'display', ok: true, detail: `Wayland display ${this.name}, whose compositor is Mutter.` },
      windowCheck(compositor, isOpen ? 'extension' : isReadable ? 'tree' : undefined),
      extension,
      input,
      screenshotCheck(isOpen ? 'extension' : this.#portal && 'portal'),
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
    this.#shell.onLoss(once);
  }

  close(): void {
    this.#portal?.close();
    this.#shell.close();
    this.#wire.close();
  }
}
