import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../ports/desktop.ts';
import type { Environment } from '../../../../model/sessions/caller.ts';
import type {
  Display,
  DisplayConnection,
  DisplayControls,
  DisplayKind,
  ProbeParts,
  ProbeSurface,
} from '../display.ts';
import { X11Clipboard } from './clipboard/clipboard.ts';
import { SelectionClient, type ClipboardName } from './clipboard/selection-client.ts';
import { X11Connection } from './connection.ts';
import { InputConnections } from './input/input-connection.ts';
import { X11Input } from './input/x11-input.ts';
import { X11StopSwitch } from './input/x11-stop-switch.ts';
import { X11ProbeSurface } from './probe/probe-surface.ts';
import { ServerClock } from './server-clock.ts';
import { X11Wire, type ConnectOptions } from './wire.ts';

/** Display N listens on port 6000 + N. */
const LARGEST_DISPLAY = 65_535 - 6000;

export const X11: DisplayKind = {
  name: 'x11',
  isNamedBy: (environment) => Boolean(environment['DISPLAY']),
  open: (environment) => new X11Display(environment),
};

class X11Display implements Display {
  readonly capabilities = { windows: true, capture: true, clipboard: true, input: true };
  readonly clipboard: X11Clipboard;
  readonly controls: X11Controls;
  readonly #environment: Environment;
  readonly #clock = new ServerClock();

  constructor(environment: Environment) {
    this.#environment = environment;
    this.clipboard = this.#openClipboard();
    this.controls = new X11Controls(async (options) => X11Wire.connect(...this.#place(options)), this.#clock);
  }

  async connect(options: CallOptions): Promise<DisplayConnection> {
    return new X11Connection(await X11Wire.connect(...this.#place(options)), this.#clock);
  }

  async openProbe(parts: ProbeParts, options: CallOptions): Promise<ProbeSurface> {
    const clipboard = this.#openClipboard('_DESKTERITY_PROBE_CLIPBOARD');
    return X11ProbeSurface.open(...this.#place(options), { ...parts, clipboard });
  }

  #openClipboard(selection?: ClipboardName): X11Clipboard {
    return new X11Clipboard(async (options) => SelectionClient.open(...this.#place(options), selection));
  }

  /** @throws DeskterityError DISPLAY_UNAVAILABLE */
  #place(options: CallOptions): [display: string, options: ConnectOptions] {
    return [displayOf(this.#environment), { ...options, xauthority: this.#environment['XAUTHORITY'] }];
  }
}

/** Keyboard, pointer and the stop switch, on a separate connection, which opens on first use. */
export class X11Controls implements DisplayControls {
  readonly input: X11Input;
  readonly stopSwitch: X11StopSwitch;
  readonly #connections: InputConnections;

  constructor(connect: (options: CallOptions) => Promise<X11Wire>, clock = new ServerClock()) {
    this.#connections = new InputConnections(connect, (connection) => this.stopSwitch.attach(connection));
    this.input = new X11Input(this.#connections, clock);
    this.stopSwitch = new X11StopSwitch(this.#connections, this.input);
  }

  /** Releases all keys and buttons and ends the lease. */
  async close(): Promise<void> {
    await this.input.release();
    await this.#connections.close();
  }
}

/** @throws DeskterityError DISPLAY_UNAVAILABLE */
function displayOf(environment: Environment): string {
  const display = environment['DISPLAY'];
  if (!display) {
    throw new DeskterityError('DISPLAY_UNAVAILABLE', 'DISPLAY is not set.', {
      suggestion: 'Run inside a desktop session, or start a private desktop: npm run desktop -- COMMAND.',
    });
  }
  // For a larger number the X11 library would compute an invalid port and crash the process.
  if (Number(/:(\d+)(?:\.\d+)?$/.exec(display)?.[1]) > LARGEST_DISPLAY) {
    throw new DeskterityError('DISPLAY_UNAVAILABLE', `There is no display ${display.slice(0, 80)}.`, {
      suggestion: 'Set DISPLAY to a running display, or start a private desktop: npm run desktop -- COMMAND.',
    });
  }
  return display;
}
