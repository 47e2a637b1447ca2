import type { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { Environment } from '../../../../../model/sessions/caller.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import { displayUnavailable } from '../wire/wayland-errors.ts';
import { ExtensionWindows } from './extension/extension-windows.ts';
import { onExtensionReady, ShellExtension } from './extension/shell-extension.ts';
import { MutterWindows } from './windows/mutter-windows.ts';
import { ShellAccess } from './windows/shell-access.ts';
import type { ShellWindows } from './windows/shell-windows.ts';

/** To look whether an extension that says that it is there serves us. */
const LOOK_MS = 5000;

/**
 * The windows of GNOME Shell by the best way that is open: our extension, or what the shell's accessibility tree tells. When the other way opens or this one
 * closes, it is lost, and opened anew.
 */
export class OpenShellWindows {
  readonly access: ShellAccess;
  readonly windows: ShellWindows;
  /** With the windows of which pictures are taken; absent without the extension. */
  readonly byExtension:
    | { readonly extension: ShellExtension; readonly windows: ExtensionWindows }
    | undefined;
  readonly #listeners = new Set<(reason: DeskterityError) => void>();
  #loss: DeskterityError | undefined;
  #isClosed = false;

  private constructor(access: ShellAccess, extension: ShellExtension | undefined, display: string) {
    this.access = access;
    if (extension === undefined) this.windows = new MutterWindows(access, display);
    else {
      const windows = new ExtensionWindows(extension, access, display);
      this.windows = windows;
      this.byExtension = { extension, windows };
    }
    const lose = (reason: DeskterityError): void => this.#lose(reason);
    access.onLoss(lose);
    extension?.onLoss(lose);
  }

  /** @throws DeskterityError */
  static async open(
    environment: Environment,
    display: string,
    options: CallOptions,
  ): Promise<OpenShellWindows> {
    const access = await ShellAccess.open(environment, options);
    try {
      const look = (call: CallOptions) => ShellExtension.open(environment, display, call);
      const extension = await look(options);
      const opened = new OpenShellWindows(access, extension, display);
      if (extension === undefined)
        await onExtensionReady(
          access.bus.session,
          () => void opened.#lookAgain(look, display).catch(() => undefined),
          options,
        );
      return opened;
    } catch (error) {
      access.close();
      throw error;
    }
  }

  get isLost(): boolean {
    return this.#loss !== undefined || this.#isClosed;
  }

  onLoss(listener: (reason: DeskterityError) => void): () => void {
    if (this.#loss) listener(this.#loss);
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
    this.byExtension?.extension.close();
    this.access.close();
  }

  /** Anyone may say that the extension is there; it counts if it serves us. */
  async #lookAgain(
    look: (options: CallOptions) => Promise<ShellExtension | undefined>,
    display: string,
  ): Promise<void> {
    if (this.isLost) return;
    const found = await look({ deadlineMs: LOOK_MS });
    found?.close();
    if (found !== undefined)
      this.#lose(displayUnavailable(display, 'our extension in GNOME Shell was turned on', true));
  }

  #lose(reason: DeskterityError): void {
    if (this.isLost) return;
    this.#loss = reason;
    for (const listener of this.#listeners) listener(reason);
    this.#listeners.clear();
  }
}
