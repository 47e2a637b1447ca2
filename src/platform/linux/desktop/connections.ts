import { DeskterityError } from '../../../model/effects/errors.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import { AccessibilityBus, busFailure } from '../atspi/bus/accessibility-bus.ts';
import { Turns } from '../atspi/bus/turns.ts';
import { ApplicationDirectory } from '../atspi/bus/application-directory.ts';
import { Mirrors } from '../atspi/mirror/mirrors.ts';
import { UnlistedMenus } from '../atspi/tree/unlisted-menus.ts';
import { within } from '../dbus/index.ts';
import type { Environment } from '../../../model/sessions/caller.ts';
import { OpenPopups } from './open-popups.ts';
import { UnlistedEditors } from './unlisted-editors.ts';
import { StrandedProcesses } from './stranded-processes.ts';
import { WindowDirectory } from './window-directory.ts';
import type { Display, DisplayConnection } from '../display/display.ts';
import { NO_WINDOWS } from '../display/missing-parts.ts';

/** The connections to one desktop. They last until the display or the bus ends, and are then replaced, never repaired. */
export class Connections {
  readonly bus: AccessibilityBus;
  readonly display: DisplayConnection;
  readonly applications: ApplicationDirectory;
  readonly windows: WindowDirectory;
  readonly popups: OpenPopups;
  readonly editors: UnlistedEditors;
  readonly turns: Turns;
  readonly mirrors: Mirrors;
  private reason: DeskterityError | undefined;

  constructor(
    bus: AccessibilityBus,
    display: DisplayConnection,
    {
      stranded,
      onLoss,
    }: { readonly stranded: StrandedProcesses; readonly onLoss: (lost: Connections) => void },
  ) {
    this.bus = bus;
    this.display = display;
    this.mirrors = new Mirrors(bus);
    this.applications = new ApplicationDirectory(bus, (name) => this.mirrors.forget(name));
    this.windows = new WindowDirectory(display.windows ?? NO_WINDOWS, this.applications, stranded);
    const menus = new UnlistedMenus(bus.connection);
    this.popups = new OpenPopups(this.windows.display, this.windows.places, menus);
    this.editors = new UnlistedEditors(bus.connection);
    this.turns = new Turns(bus.session);
    const lose = (reason: DeskterityError): void => {
      if (this.reason !== undefined) return;
      this.reason = reason;
      stranded.add(this.applications.joined());
      onLoss(this);
      this.close();
    };
    display.onLoss(lose);
    bus.onLoss(lose);
  }

  /** Why they were lost; `undefined` while they are up. */
  get loss(): DeskterityError | undefined {
    return this.reason;
  }

  /** The error to report for a call that failed with `error`: the loss of the desktop, if it was lost. */
  explain(error: unknown): unknown {
    const { loss } = this;
    if (loss === undefined) return error;
    const delivered = error instanceof DeskterityError ? error.delivered : undefined;
    return loss.with({ retryable: true, delivered, cause: error });
  }

  close(): void {
    this.applications.close();
    this.bus.close();
    this.display.close();
  }
}

export interface ConnectionListener {
  /** Called with each new set, before any caller receives it. */
  opened(connections: Connections): void;
  /** The display or the bus ended. */
  lost(): void;
}

/** Connects to a desktop on first use, and again after a loss. */
export class ConnectionManager {
  private readonly place: { readonly display: Display; readonly environment: Environment };
  private readonly listener: ConnectionListener;
  private live: Connections | undefined;
  private attempt: Promise<Connections> | undefined;
  private readonly stranded = new StrandedProcesses();
  private abandon = new AbortController();

  constructor(place: ConnectionManager['place'], listener: ConnectionListener) {
    this.place = place;
    this.listener = listener;
  }

  /**
   * All callers share one attempt; a caller that cancels does not end it for the others.
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
      // The attempt had the shorter deadline of another caller.
      const isTheirs = isJoining && error instanceof DeskterityError && error.retryable;
      if (isTheirs && left > 1 && !options.signal?.aborted)
        return this.get({ deadlineMs: left, signal: options.signal });
      throw busFailure('The desktop could not be reached.', error);
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
    const { environment } = this.place;
    const display = await this.place.display.connect(options);
    try {
      const bus = await AccessibilityBus.connect(environment['DBUS_SESSION_BUS_ADDRESS'], options);
      const connections = new Connections(bus, display, {
        stranded: this.stranded,
        onLoss: (lost) => {
          if (this.live !== lost) return;
          this.live = undefined;
          this.listener.lost();
        },
      });
      if (connections.loss) throw connections.loss;
      this.live = connections;
      this.listener.opened(connections);
      return connections;
    } catch (error) {
      display.close();
      throw error;
    }
  }
}
