import { byPerson, mentionCommand } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../ports/call-options.ts';
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
import { isHeldRecorded } from './input/held-input.ts';
import { InputConnection, InputConnections, type StartGuard } from './input/input-connection.ts';
import { releaseOrphans } from './input/orphans.ts';
import { guardFile, startGuard, type ReleaseGuard } from './input/release-guard.ts';
import { removeStaleSeats } from './input/seat/stale-seats.ts';
import { X11OwnSeat } from './input/seat/x11-own-seat.ts';
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
    const connect = async (options: CallOptions) => X11Wire.connect(...this.#place(options));
    this.controls = new X11Controls(connect, { clock: this.#clock, startGuard: () => this.#startGuard() });
  }

  async connect(options: CallOptions): Promise<DisplayConnection> {
    const wire = await X11Wire.connect(...this.#place(options));
    // Whatever the call, a killed process must not leave the user's keys down.
    if (await isHeldRecorded(wire)) await this.controls.releaseOrphans(options).catch(() => undefined);
    // Nobody waits for that: a program may still use one.
    removeStaleSeats(wire).catch(() => undefined);
    return new X11Connection(wire, this.#clock);
  }

  async openProbe(parts: ProbeParts, options: CallOptions): Promise<ProbeSurface> {
    const clipboard = this.#openClipboard('_DESKTERITY_PROBE_CLIPBOARD');
    return X11ProbeSurface.open(...this.#place(options), { ...parts, clipboard });
  }

  #startGuard(): ReleaseGuard | undefined {
    const file = guardFile();
    if (file === undefined) return undefined;
    const { XAUTHORITY: xauthority } = this.#environment;
    return startGuard({ file, display: displayOf(this.#environment), xauthority });
  }

  #openClipboard(selection?: ClipboardName): X11Clipboard {
    return new X11Clipboard(async (options) => SelectionClient.open(...this.#place(options), selection));
  }

  /** @throws DeskterityError DISPLAY_UNAVAILABLE */
  #place(options: CallOptions): [display: string, options: ConnectOptions] {
    return [displayOf(this.#environment), { ...options, xauthority: this.#environment['XAUTHORITY'] }];
  }
}

export interface ControlsOptions {
  readonly clock?: ServerClock | undefined;
  /** Starts a process that releases what this one holds if it is killed. */
  readonly startGuard?: StartGuard | undefined;
}

/** Keyboard, pointer and the stop switch, on separate connections, which open on first use. */
export class X11Controls implements DisplayControls {
  readonly input: X11Input;
  readonly ownSeat: X11OwnSeat;
  readonly stopSwitch: X11StopSwitch;
  readonly #connections: InputConnections;

  constructor(connect: (options: CallOptions) => Promise<X11Wire>, options: ControlsOptions = {}) {
    const { clock = new ServerClock(), startGuard: guard } = options;
    this.#connections = new InputConnections(connect, {
      open: (wire) => InputConnection.open(wire, guard),
      onOpened: async (connection) => {
        await this.stopSwitch.attach(connection);
        await releaseOrphans(connection);
      },
    });
    this.input = new X11Input(this.#connections, clock);
    const ofSeat = new InputConnections(connect, {
      open: async (wire, call) => InputConnection.openSeat(wire, await this.#connections.get(call), guard),
    });
    this.ownSeat = new X11OwnSeat(ofSeat, clock);
    this.stopSwitch = new X11StopSwitch(this.#connections, [this.input, this.ownSeat.input]);
  }

  /** See {@link releaseOrphans}. */
  async releaseOrphans(options: CallOptions): Promise<void> {
    const connection = await this.#connections.get(options);
    await connection.wire.within(releaseOrphans(connection), 'releasing held keys', options);
  }

  /** Releases all keys and buttons and ends the lease. */
  async close(): Promise<void> {
    await Promise.all([this.input.release(), this.ownSeat.close()]);
    await this.#connections.close();
  }
}

/** @throws DeskterityError DISPLAY_UNAVAILABLE */
function displayOf(environment: Environment): string {
  const display = environment['DISPLAY'];
  if (!display) {
    throw new DeskterityError('DISPLAY_UNAVAILABLE', 'DISPLAY is not set.', {
      suggestion: `${byPerson('Run this inside a desktop session')}, or start a private desktop: ${mentionCommand('session new', { name: 'NAME', private: true })}.`,
    });
  }
  // For a larger number the X11 library would compute an invalid port and crash the process.
  if (Number(/:(\d+)(?:\.\d+)?$/.exec(display)?.[1]) > LARGEST_DISPLAY) {
    throw new DeskterityError('DISPLAY_UNAVAILABLE', `There is no display ${display.slice(0, 80)}.`, {
      suggestion: `${byPerson('Set DISPLAY to a running display')}, or start a private desktop: ${mentionCommand('session new', { name: 'NAME', private: true })}.`,
    });
  }
  return display;
}
