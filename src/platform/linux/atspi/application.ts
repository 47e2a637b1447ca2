import { DeskterityError } from '../../../model/errors.ts';
import type { CallOptions } from '../../../ports/desktop.ts';
import { BusConnection, BusError } from '../dbus/index.ts';
import type { AccessibilityBus } from './accessibility-bus.ts';
import { ROOT_PATH } from './names.ts';
import { ReadingTemplates } from './templates.ts';
import { toolkitTraits } from './toolkit.ts';
import type { ToolkitTraits } from './toolkit.ts';

/** Long enough for a busy application to accept a socket, short enough to fall back to the daemon within a snapshot. */
const PEER_CONNECT_MS = 500;

/** A connection to talk to one application on, with the calls prepared for it. */
export interface Channel {
  readonly connection: BusConnection;
  readonly templates: ReadingTemplates;
  /** Bus name to address, or `undefined` on the application's own bus. */
  readonly destination: string | undefined;
}

/** One process on the accessibility bus. */
export class Application {
  readonly bus: string;
  readonly pid: number;
  readonly name: string;
  readonly toolkitName: string;
  readonly toolkitVersion: string;
  readonly traits: ToolkitTraits;
  private readonly accessibilityBus: AccessibilityBus;
  private peerAddress: Promise<string | undefined> | undefined;
  private reading: Promise<Channel> | undefined;

  constructor(
    accessibilityBus: AccessibilityBus,
    facts: { bus: string; pid: number; name: string; toolkitName: string; toolkitVersion: string },
  ) {
    this.accessibilityBus = accessibilityBus;
    this.bus = facts.bus;
    this.pid = facts.pid;
    this.name = facts.name;
    this.toolkitName = facts.toolkitName;
    this.toolkitVersion = facts.toolkitVersion;
    this.traits = toolkitTraits(facts.toolkitName, facts.name);
  }

  get daemonChannel(): Channel {
    return {
      connection: this.accessibilityBus.connection,
      templates: this.accessibilityBus.templates(this.bus),
      destination: this.bus,
    };
  }

  /** The channel everything is read on: the application's own bus where it has one, since that is twice as fast. */
  readingChannel(options: CallOptions): Promise<Channel> {
    this.reading ??= this.openReadingChannel(options);
    return this.reading;
  }

  /**
   * Runs `act` on a channel of its own. A GTK 3 handler that opens a dialog in a nested main loop wedges the connection its action came on
   * until the dialog closes, so actions never travel on the connection we read from.
   */
  async withActionChannel<T>(options: CallOptions, act: (channel: Channel) => Promise<T>): Promise<T> {
    const peer = await this.connectPeer(options);
    if (!peer) return act(this.daemonChannel);
    try {
      return await act(peer);
    } finally {
      peer.connection.close();
    }
  }

  async close(): Promise<void> {
    const channel = await this.reading?.catch(() => undefined);
    if (channel && channel.destination === undefined) channel.connection.close();
  }

  private async openReadingChannel(options: CallOptions): Promise<Channel> {
    const peer = await this.connectPeer(options);
    if (!peer) return this.daemonChannel;
    peer.connection.onClose(() => {
      this.reading = undefined;
      this.peerAddress = undefined;
    });
    return peer;
  }

  private async connectPeer(options: CallOptions): Promise<Channel | undefined> {
    if (!this.traits.peerToPeer) return undefined;
    this.peerAddress ??= this.askPeerAddress(options);
    const address = await this.peerAddress;
    if (address === undefined) return undefined;
    const deadlineMs = Math.min(PEER_CONNECT_MS, options.deadlineMs);
    try {
      const connection = await BusConnection.connect(address, {
        deadlineMs,
        signal: options.signal,
        hello: false,
      });
      return { connection, templates: new ReadingTemplates(undefined), destination: undefined };
    } catch {
      // The daemon still reaches an application whose private socket is gone or not accepting.
      return undefined;
    }
  }

  private async askPeerAddress(options: CallOptions): Promise<string | undefined> {
    const { connection, templates } = this.daemonChannel;
    try {
      const address = await connection.invoke(templates.busAddress, ROOT_PATH, {
        deadlineMs: Math.min(PEER_CONNECT_MS, options.deadlineMs),
        ...(options.signal ? { signal: options.signal } : {}),
      });
      return address.startsWith('unix:') ? address : undefined;
    } catch (error) {
      if (error instanceof BusError && error.errorName === 'local.Timeout') this.peerAddress = undefined;
      return undefined;
    }
  }
}

/** What a failed call to an application means for the caller. */
export function applicationFailure(error: unknown, what: string, delivered = false): DeskterityError {
  if (error instanceof DeskterityError) return error;
  const detail = error instanceof BusError ? `${error.errorName}: ${error.message}` : String(error);
  const name = error instanceof BusError ? error.errorName : '';
  if (name === 'local.Cancelled') {
    return new DeskterityError('CANCELLED', `${what} was cancelled.`, {
      suggestion: 'Repeat the command when you want it.',
      platformDetail: detail,
      delivered,
      cause: error,
    });
  }
  if (
    name === 'local.Timeout' ||
    name === 'org.freedesktop.DBus.Error.NoReply' ||
    name === 'org.freedesktop.DBus.Error.Timeout'
  ) {
    return new DeskterityError('APP_UNRESPONSIVE', `${what}: the application did not answer in time.`, {
      suggestion: 'Wait until the application is idle and retry, or raise --timeout.',
      platformDetail: detail,
      retryable: true,
      delivered,
      cause: error,
    });
  }
  if (GONE.has(name)) {
    return new DeskterityError('STALE_REF', `${what}: the element no longer exists.`, {
      suggestion: 'Run "desk snapshot" or "desk find" again and use the new reference.',
      platformDetail: detail,
      delivered,
      cause: error,
    });
  }
  return new DeskterityError('ACTION_FAILED', `${what}: the application refused.`, {
    suggestion: 'Look at the element with "desk get attributes REF"; it may not support this.',
    platformDetail: detail,
    delivered,
    cause: error,
  });
}

/** Answers for an object or a process that is gone. Qt also says UnknownObject for an interface it lacks: callers probe GetRole first. */
const GONE: ReadonlySet<string> = new Set([
  'org.freedesktop.DBus.Error.UnknownObject',
  'org.freedesktop.DBus.Error.UnknownMethod',
  'org.freedesktop.DBus.Error.UnknownInterface',
  'org.freedesktop.DBus.Error.ServiceUnknown',
  'org.freedesktop.DBus.Error.NameHasNoOwner',
  'org.freedesktop.DBus.Error.Disconnected',
  'local.Disconnected',
]);
