import { mentionCommand, mentionParameter } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import { quote } from '../../../../model/text/untrusted-text.ts';
import type { CallOptions } from '../../../../ports/call-options.ts';
import type { DesktopApp } from '../../../../ports/desktop/windows.ts';
import { BusError } from '../../dbus/index.ts';
import { cancelled } from '../../failures.ts';
import { busFailure, type AccessibilityBus } from './accessibility-bus.ts';
import { BusPeer } from './bus-peer.ts';
import type { Application } from './application.ts';

/** Share of the deadline for a required application to reply; the rest is needed to report that it did not. */
const REPLY_SHARE = 0.6;
/** No desktop runs more applications; references with dead bus names must not fill the memory. */
const MAX_PEERS = 64;
/** The bus itself replies, and no caller waits for it. */
const LIVENESS_CHECK_MS = 5000;

export interface KnownApplication {
  readonly application: Application;
  readonly responsive: boolean;
}

/** The applications on the accessibility bus by bus name. Names are never reused, so only new ones are queried. */
export class ApplicationDirectory {
  private readonly peers = new Map<string, BusPeer>();
  private readonly bus: AccessibilityBus;
  private readonly onForgotten: (bus: string) => void;

  /** @param onForgotten receives the bus name of an application that has left */
  constructor(bus: AccessibilityBus, onForgotten: (bus: string) => void = () => undefined) {
    this.bus = bus;
    this.onForgotten = onForgotten;
  }

  /**
   * `onKnown` is called immediately for known applications that have been responsive, so that further calls can share the
   * round trip.
   * @throws DeskterityError BUS_UNAVAILABLE, TIMEOUT, CANCELLED
   */
  async list(
    options: CallOptions,
    onKnown: (application: Application) => void = () => undefined,
  ): Promise<KnownApplication[]> {
    const roots = await this.bus.applications(options);
    const present = new Set(roots.map((root) => root.bus));
    for (const bus of this.peers.keys()) if (!present.has(bus)) void this.forgetDead(bus);
    const listed = await Promise.all([...present].map((bus) => this.query(bus, options, onKnown)));
    throwIfCancelled(options);
    return listed.filter((entry) => entry !== undefined);
  }

  /** @throws DeskterityError STALE_REF when the process has left the bus, APP_UNRESPONSIVE when it does not reply, CANCELLED */
  async require(bus: string, options: CallOptions): Promise<Application> {
    const peer = this.peer(bus);
    if (peer.isKnownResponsive && peer.application) return peer.application;
    const application = await peer.identify(options);
    throwIfCancelled(options);
    if (!application) {
      this.forget(bus);
      throw applicationEnded();
    }
    if (!(await peer.responds(options, options.deadlineMs * REPLY_SHARE))) {
      throwIfCancelled(options);
      throw applicationSilent(application.name);
    }
    return application;
  }

  /** The process that owns a bus name, as the kernel told the bus; `undefined` if none does. */
  async processOf(bus: string, options: CallOptions): Promise<number | undefined> {
    const known = this.peers.get(bus)?.application?.pid;
    if (known !== undefined) return known;
    const pid = await this.bus.processId(bus, options).catch((error: unknown) => {
      if (error instanceof BusError && !error.errorName.startsWith('local.')) return 0;
      throw busFailure('The accessibility bus did not say whose element this is.', error);
    });
    return pid === 0 ? undefined : pid;
  }

  /** The processes that are known to have joined the bus. */
  joined(): readonly number[] {
    return [...this.peers.values()].flatMap(({ application }) =>
      application === undefined ? [] : [application.pid],
    );
  }

  close(): void {
    for (const bus of this.peers.keys()) this.forget(bus);
  }

  /** `undefined` for a name without a process: it left after the list was made. */
  private async query(
    bus: string,
    options: CallOptions,
    onKnown: (application: Application) => void,
  ): Promise<KnownApplication | undefined> {
    const peer = this.peer(bus);
    const responds = peer.responds(options);
    if (peer.isKnownResponsive && peer.application) onKnown(peer.application);
    const responsive = await responds;
    const application = await peer.identify(options);
    return application && { application, responsive };
  }

  private peer(bus: string): BusPeer {
    const known = this.peers.get(bus);
    if (known) return known;
    if (this.peers.size >= MAX_PEERS) this.forgetUnidentified();
    const made = new BusPeer(this.bus, bus);
    this.peers.set(bus, made);
    return made;
  }

  private forgetUnidentified(): void {
    for (const [bus, peer] of this.peers) {
      if (!peer.application) this.forget(bus);
    }
  }

  /** A process embedded in another is on the bus without being registered, and another call may be reading it. */
  private async forgetDead(bus: string): Promise<void> {
    const peer = this.peers.get(bus);
    const isDead = await this.bus.processId(bus, { deadlineMs: LIVENESS_CHECK_MS }).then(
      (pid) => pid === 0,
      (error: unknown) => isUnowned(error),
    );
    if (isDead && this.peers.get(bus) === peer) this.forget(bus);
  }

  private forget(bus: string): void {
    this.peers.get(bus)?.close();
    this.peers.delete(bus);
    this.onForgotten(bus);
  }
}

function isUnowned(error: unknown): boolean {
  return error instanceof BusError && error.errorName === 'org.freedesktop.DBus.Error.NameHasNoOwner';
}

function throwIfCancelled({ signal }: CallOptions): void {
  if (signal?.aborted) throw cancelled('Querying the applications was cancelled.', { delivered: false });
}

function applicationEnded(): DeskterityError {
  return new DeskterityError('STALE_REF', 'The application of this element has exited.', {
    suggestion: `Start it again with ${mentionCommand('launch')}, then take a new snapshot.`,
    delivered: false,
  });
}

function applicationSilent(name: string): DeskterityError {
  return new DeskterityError('APP_UNRESPONSIVE', `${quote(name)} does not respond.`, {
    suggestion: `Wait until it is idle and retry, raise ${mentionParameter('timeout_ms')}, or look at it with ${mentionCommand('screenshot')}.`,
    retryable: true,
    delivered: false,
  });
}

const UNRESPONSIVE =
  'It does not respond: it is busy or frozen. Wait and retry, or look at a screenshot of it.';

export function toDesktopApp({ application, responsive }: KnownApplication): DesktopApp {
  return {
    id: application.bus,
    name: application.name,
    pid: application.pid,
    ...(application.toolkitName
      ? { toolkit: application.traits.title, toolkitVersion: application.toolkitVersion }
      : {}),
    accessible: responsive,
    ...(responsive ? {} : { reason: UNRESPONSIVE }),
    responsive,
  };
}
