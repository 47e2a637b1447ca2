import { DeskterityError } from '../../../model/effects/errors.ts';
import type { CallOptions } from '../../../ports/desktop.ts';
import { AccessibilityBus, busFailure } from '../atspi/bus/accessibility-bus.ts';
import { ApplicationDirectory } from '../atspi/bus/application-directory.ts';
import { UnlistedMenus } from '../atspi/tree/unlisted-menus.ts';
import { within } from '../dbus/index.ts';
import type { Environment } from '../machine/desktop-environment.ts';
import { OpenPopups } from './open-popups.ts';
import { WindowDirectory } from './window-directory.ts';
import { X11Clipboard } from '../display/x11/clipboard/clipboard.ts';
import { X11Connection } from '../display/x11/connection.ts';
import { Controls } from '../display/x11/input/controls.ts';
import { SelectionClient } from '../display/x11/clipboard/selection-client.ts';
import { X11Wire } from '../display/x11/wire.ts';

/** Display N listens on port 6000 + N. */
const LARGEST_DISPLAY = 65_535 - 6000;

/** Everything that is connected to one desktop. It lives until display or bus end; after that it is never repaired but replaced. */
export class Connections {
  readonly bus: AccessibilityBus;
  readonly x11: X11Connection;
  readonly applications: ApplicationDirectory;
  readonly windows: WindowDirectory;
  readonly popups: OpenPopups;
  private reason: DeskterityError | undefined;

  constructor(bus: AccessibilityBus, x11: X11Connection, onLoss: (lost: Connections) => void) {
    this.bus = bus;
    this.x11 = x11;
    this.applications = new ApplicationDirectory(bus);
    this.windows = new WindowDirectory(x11, this.applications);
    this.popups = new OpenPopups(x11, this.windows.places, new UnlistedMenus(bus.connection));
    const lose = (reason: DeskterityError): void => {
      if (this.reason !== undefined) return;
      this.reason = reason;
      onLoss(this);
      this.close();
    };
    x11.onLoss(lose);
    bus.onLoss(lose);
  }

  /** Why they are no longer there; `undefined` while they are. */
  get loss(): DeskterityError | undefined {
    return this.reason;
  }

  close(): void {
    this.applications.close();
    this.bus.close();
    this.x11.close();
  }
}

export interface ConnectionListener {
  /** Called with each new set, before anybody else gets it. */
  opened(connections: Connections): void;
  /** Display or bus ended by themselves. */
  lost(): void;
}

/** The connections of a desktop: made when they are first needed, and made anew when they were lost. */
export class ConnectionKeeper {
  private readonly environment: Environment;
  private readonly listener: ConnectionListener;
  private live: Connections | undefined;
  private attempt: Promise<Connections> | undefined;
  private abandon = new AbortController();

  constructor(environment: Environment, listener: ConnectionListener) {
    this.environment = environment;
    this.listener = listener;
  }

  /**
   * One attempt runs at a time, whoever asks; who cancels does not end it for the others.
   * @throws DeskterityError DISPLAY_UNAVAILABLE, BUS_UNAVAILABLE, TIMEOUT, CANCELLED
   */
  async get(options: CallOptions): Promise<Connections> {
    if (this.live) return this.live;
    const isJoining = this.attempt !== undefined;
    const end = performance.now() + options.deadlineMs;
    this.attempt ??= this.open({ deadlineMs: options.deadlineMs, signal: this.abandon.signal }).finally(
      () => {
        this.attempt = undefined;
      },
    );
    try {
      return await within(this.attempt, options);
    } catch (error) {
      const left = end - performance.now();
      // The attempt had the deadline of somebody less patient.
      const isTheirs = isJoining && error instanceof DeskterityError && error.retryable;
      if (isTheirs && left > 1 && !options.signal?.aborted)
        return this.get({ deadlineMs: left, signal: options.signal });
      throw busFailure('The desktop was not reached.', error);
    }
  }

  async close(): Promise<void> {
    this.abandon.abort();
    this.abandon = new AbortController();
    const attempted = await this.attempt?.catch(() => undefined);
    attempted?.close();
    this.live?.close();
    this.live = undefined;
  }

  private async open(options: CallOptions): Promise<Connections> {
    const display = displayOf(this.environment);
    const xauthority = this.environment['XAUTHORITY'];
    const x11 = await X11Connection.connect(display, { ...options, xauthority });
    try {
      const bus = await AccessibilityBus.connect(this.environment['DBUS_SESSION_BUS_ADDRESS'], options);
      const connections = new Connections(bus, x11, (lost) => {
        if (this.live !== lost) return;
        this.live = undefined;
        this.listener.lost();
      });
      if (connections.loss) throw connections.loss;
      this.live = connections;
      this.listener.opened(connections);
      return connections;
    } catch (error) {
      x11.close();
      throw error;
    }
  }
}

/** The clipboard of a desktop, or another selection; it needs the display only, and connects when it is used. */
export function openClipboard(environment: Environment, selection?: string): X11Clipboard {
  return new X11Clipboard(async (options) =>
    SelectionClient.open(
      displayOf(environment),
      { ...options, xauthority: environment['XAUTHORITY'] },
      selection,
    ),
  );
}

/** Keyboard and pointer of a desktop; they too need the display only. */
export function openControls(environment: Environment): Controls {
  return new Controls(async (options) =>
    X11Wire.connect(displayOf(environment), { ...options, xauthority: environment['XAUTHORITY'] }),
  );
}

/** @throws DeskterityError DISPLAY_UNAVAILABLE */
export function displayOf(environment: Environment): string {
  const display = environment['DISPLAY'];
  if (!display) {
    throw new DeskterityError('DISPLAY_UNAVAILABLE', 'There is no display: DISPLAY is not set.', {
      suggestion: 'Start a private desktop: npm run desktop -- COMMAND.',
    });
  }
  // The X11 library would turn a larger number into a port that there is not, and end the process.
  if (Number(/:(\d+)(?:\.\d+)?$/.exec(display)?.[1]) > LARGEST_DISPLAY) {
    throw new DeskterityError('DISPLAY_UNAVAILABLE', `There is no display ${display.slice(0, 80)}.`, {
      suggestion: 'Set DISPLAY to one that runs, or start a private desktop: npm run desktop -- COMMAND.',
    });
  }
  return display;
}
