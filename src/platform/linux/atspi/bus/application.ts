import { mentionCommand, mentionParameter } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../ports/desktop.ts';
import { BusConnection, BusError, within } from '../../dbus/index.ts';
import type { AccessibilityBus } from './accessibility-bus.ts';
import { ROOT_PATH } from '../tree/names.ts';
import { ReadingTemplates } from '../tree/templates.ts';
import { toolkitTraits } from '../tree/toolkit.ts';
import type { ToolkitTraits } from '../tree/toolkit.ts';

/** Sockets that one application keeps for us; dialogs are not left open for so many acts. */
const MOST_SILENT = 64;
/** Long enough for a busy application to accept a socket, short enough to fall back to the daemon within a snapshot. */
const PEER_CONNECT_MS = 500;
/** An application that was too busy for a private connection is asked for one again after so long. */
const PEER_RETRY_MS = 5000;

/** A connection to talk to one application on, with the calls prepared for it. */
export interface Channel {
  readonly connection: BusConnection;
  readonly templates: ReadingTemplates;
  /** Bus name to address, or `undefined` on the application's own bus. */
  readonly destination: string | undefined;
}

/** What an application says of itself; empty where it has not said anything yet. */
export interface ApplicationFacts {
  readonly name: string;
  readonly toolkitName: string;
  readonly toolkitVersion: string;
}

/** One process on the accessibility bus. */
export class Application {
  readonly bus: string;
  readonly pid: number;
  readonly daemonChannel: Channel;
  private facts: ApplicationFacts;
  private knownTraits: ToolkitTraits;
  /** `undefined` until asked, `none` where the application has no bus of its own. */
  private peerAddress: string | undefined;
  private peer: Channel | undefined;
  private opening: Promise<void> | undefined;
  private noPeerUntil = 0;
  /** Connections of actions, oldest first; see {@link withActionChannel}. */
  private readonly silent = new Set<Channel>();
  private isClosed = false;

  constructor(accessibilityBus: AccessibilityBus, bus: string, pid: number, facts: ApplicationFacts) {
    this.bus = bus;
    this.pid = pid;
    this.facts = facts;
    this.knownTraits = toolkitTraits(facts.toolkitName, facts.name);
    this.daemonChannel = {
      connection: accessibilityBus.connection,
      templates: new ReadingTemplates(bus),
      destination: bus,
    };
  }

  get name(): string {
    return this.facts.name;
  }

  get toolkitName(): string {
    return this.facts.toolkitName;
  }

  get toolkitVersion(): string {
    return this.facts.toolkitVersion;
  }

  get traits(): ToolkitTraits {
    return this.knownTraits;
  }

  /** Takes what it says of itself now; what it leaves empty stays as it was. */
  learn(said: Partial<ApplicationFacts>): void {
    const { name, toolkitName, toolkitVersion } = this.facts;
    this.facts = {
      name: said.name || name,
      toolkitName: said.toolkitName || toolkitName,
      toolkitVersion: said.toolkitVersion || toolkitVersion,
    };
    this.knownTraits = toolkitTraits(this.facts.toolkitName, this.facts.name);
  }

  /**
   * The channel everything is read on: the application's own bus where it has one, since that is twice as fast.
   * @throws DeskterityError CANCELLED
   */
  async readingChannel(options: CallOptions): Promise<Channel> {
    if (!this.peer && this.mayHavePeer) {
      this.opening ??= this.openPeer().finally(() => {
        this.opening = undefined;
      });
      await within(this.opening, options).catch((error: unknown) => {
        if (options.signal?.aborted) throw applicationFailure(error, 'Connecting to the application');
      });
    }
    return this.peer ?? this.daemonChannel;
  }

  /**
   * Runs `act` on a channel of its own. A GTK 3 handler that opens a dialog in a nested main loop wedges the connection its action came on
   * until the dialog closes, so actions never travel on the connection we read from. Nor is it closed meanwhile: what arrives on a wedged
   * connection, its end included, waits until a key is pressed, and then atk-bridge dispatches it inside the dispatch of our action: the
   * application hangs for ever. So the last ones stay open and silent.
   */
  async withActionChannel<T>(options: CallOptions, act: (channel: Channel) => Promise<T>): Promise<T> {
    const peer = this.traits.peerToPeer && !this.isClosed ? await this.connectPeer(options) : undefined;
    if (!peer) return act(this.daemonChannel);
    try {
      return await act(peer);
    } finally {
      this.keepSilent(peer);
    }
  }

  private keepSilent(used: Channel): void {
    this.silent.add(used);
    used.connection.onClose(() => this.silent.delete(used));
    const [oldest] = this.silent;
    if (this.silent.size > MOST_SILENT || this.isClosed) oldest?.connection.close();
  }

  close(): void {
    this.isClosed = true;
    for (const { connection } of this.silent) connection.close();
    this.peer?.connection.close();
    this.peer = undefined;
  }

  private get mayHavePeer(): boolean {
    return this.traits.peerToPeer && !this.isClosed && performance.now() >= this.noPeerUntil;
  }

  /** For everybody who reads: nobody's deadline or cancellation decides for the others. */
  private async openPeer(): Promise<void> {
    const peer = await this.connectPeer({ deadlineMs: PEER_CONNECT_MS });
    if (!peer) {
      this.noPeerUntil = performance.now() + PEER_RETRY_MS;
      return;
    }
    if (this.isClosed) {
      peer.connection.close();
      return;
    }
    this.peer = peer;
    peer.connection.onClose(() => {
      if (this.peer !== peer) return;
      this.peer = undefined;
      this.peerAddress = undefined;
    });
  }

  private async connectPeer(options: CallOptions): Promise<Channel | undefined> {
    this.peerAddress ??= await this.askPeerAddress(options);
    if (!this.peerAddress?.startsWith('unix:')) return undefined;
    const deadlineMs = Math.min(PEER_CONNECT_MS, options.deadlineMs);
    try {
      const connection = await BusConnection.connect(this.peerAddress, {
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

  /** `undefined` where it gave no answer, which says nothing about the next time. */
  private async askPeerAddress(options: CallOptions): Promise<string | undefined> {
    const { connection, templates } = this.daemonChannel;
    try {
      const address = await connection.invoke(templates.busAddress, ROOT_PATH, {
        deadlineMs: Math.min(PEER_CONNECT_MS, options.deadlineMs),
        signal: options.signal,
      });
      return address || 'none';
    } catch (error) {
      return isRefusal(error) ? 'none' : undefined;
    }
  }
}

/** An answer of the application itself, as opposed to silence, death or our own giving up. */
export function isRefusal(error: unknown): error is BusError {
  return (
    error instanceof BusError && !error.errorName.startsWith('local.') && !UNANSWERED.test(error.errorName)
  );
}

const UNANSWERED =
  /\.(NoReply|Timeout|Timedout|Disconnected|ServiceUnknown|NameHasNoOwner|LimitsExceeded|NoServer)$/i;

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
      suggestion: `Wait until the application is idle and retry, or raise ${mentionParameter('timeout_ms')}.`,
      platformDetail: detail,
      retryable: true,
      delivered,
      cause: error,
    });
  }
  if (GONE.has(name)) {
    return new DeskterityError('STALE_REF', `${what}: the element no longer exists.`, {
      suggestion: `Run ${mentionCommand('snapshot')} or ${mentionCommand('find')} again and use the new reference.`,
      platformDetail: detail,
      delivered,
      cause: error,
    });
  }
  return new DeskterityError('ACTION_FAILED', `${what}: the application refused.`, {
    suggestion: `Look at the element with ${mentionCommand('get', { property: 'attributes', ref: 'REF' })}; it may not support this.`,
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
