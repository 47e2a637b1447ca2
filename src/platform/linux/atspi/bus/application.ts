import type { CallOptions } from '../../../../ports/call-options.ts';
import { BusConnection, within } from '../../dbus/index.ts';
import { applicationFailure, isRefusal } from './call-failures.ts';
import type { AccessibilityBus } from './accessibility-bus.ts';
import { ROOT_PATH } from '../tree/names.ts';
import { peerTemplates, readingTemplates, type ReadingTemplates } from '../tree/templates.ts';
import { toolkitTraits, type ToolkitTraits } from '../tree/toolkit.ts';

/** Used action connections kept open per application; no dialog stays open for that many actions. */
const MAX_KEPT_OPEN = 64;
/** Long enough for a busy application to accept, short enough to fall back to the bus daemon within one snapshot. */
const PEER_CONNECT_MS = 500;
/** For an action and its reply. The connections that are kept open have their buffers, too. */
const ACTION_BUFFER_BYTES = 4096;
/** When to try again for a private connection that an application was too busy to accept. */
const PEER_RETRY_MS = 5000;

/** A connection to one application, with the calls prepared for it. */
export interface Channel {
  readonly connection: BusConnection;
  readonly templates: ReadingTemplates;
  /** Bus name to address, or `undefined` on the application's own bus. */
  readonly destination: string | undefined;
}

/** What an application reports about itself; empty if it has not reported it yet. */
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
  /** `undefined` until queried, `none` if the application has no private bus. */
  private peerAddress: string | undefined;
  private peer: Channel | undefined;
  private opening: Promise<void> | undefined;
  private noPeerUntil = 0;
  /** Connections that actions used, oldest first; see {@link withActionChannel}. */
  private readonly keptOpen = new Set<Channel>();
  private isClosed = false;

  constructor(accessibilityBus: AccessibilityBus, bus: string, pid: number, facts: ApplicationFacts) {
    this.bus = bus;
    this.pid = pid;
    this.facts = facts;
    this.knownTraits = toolkitTraits(facts.toolkitName, facts.name);
    this.daemonChannel = {
      connection: accessibilityBus.connection,
      templates: readingTemplates(bus),
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

  /** Updates what it reports about itself; empty facts do not replace known ones. */
  learn(reported: ApplicationFacts): void {
    const { name, toolkitName, toolkitVersion } = this.facts;
    this.facts = {
      name: reported.name || name,
      toolkitName: reported.toolkitName || toolkitName,
      toolkitVersion: reported.toolkitVersion || toolkitVersion,
    };
    this.knownTraits = toolkitTraits(this.facts.toolkitName, this.facts.name);
  }

  /**
   * The channel for reading: the application's private bus if it has one, because that is twice as fast.
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
   * Runs `act` on a separate channel. A GTK 3 handler that opens a dialog in a nested main loop blocks the connection of
   * its action until the dialog closes, so actions never use the connection we read from. Nor may that connection be
   * closed meanwhile: whatever arrives on a blocked connection, its end included, waits until a key is pressed; then
   * atk-bridge dispatches it inside the dispatch of our action, and the application hangs permanently. So the latest
   * connections stay open, unused.
   */
  async withActionChannel<T>(options: CallOptions, act: (channel: Channel) => Promise<T>): Promise<T> {
    const peer =
      this.traits.peerToPeer && !this.isClosed
        ? await this.connectPeer(options, ACTION_BUFFER_BYTES)
        : undefined;
    if (!peer) return act(this.daemonChannel);
    try {
      return await act(peer);
    } finally {
      this.keepOpen(peer);
    }
  }

  private keepOpen(used: Channel): void {
    this.keptOpen.add(used);
    used.connection.onClose(() => this.keptOpen.delete(used));
    const [oldest] = this.keptOpen;
    if (this.keptOpen.size > MAX_KEPT_OPEN || this.isClosed) oldest?.connection.close();
  }

  close(): void {
    this.isClosed = true;
    for (const { connection } of this.keptOpen) connection.close();
    this.peer?.connection.close();
    this.peer = undefined;
  }

  private get mayHavePeer(): boolean {
    return this.traits.peerToPeer && !this.isClosed && performance.now() >= this.noPeerUntil;
  }

  /** Shared by all readers, so it follows no single caller's deadline or cancellation. */
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

  private async connectPeer(options: CallOptions, bufferBytes?: number): Promise<Channel | undefined> {
    this.peerAddress ??= await this.readPeerAddress(options);
    if (!this.peerAddress?.startsWith('unix:')) return undefined;
    const deadlineMs = Math.min(PEER_CONNECT_MS, options.deadlineMs);
    try {
      const settings = { deadlineMs, signal: options.signal, hello: false, bufferBytes };
      const connection = await BusConnection.connect(this.peerAddress, settings);
      return { connection, templates: peerTemplates(), destination: undefined };
    } catch {
      // The bus daemon still reaches an application whose private socket is gone or not accepting.
      return undefined;
    }
  }

  /** `undefined` if it did not reply; it may reply the next time. */
  private async readPeerAddress(options: CallOptions): Promise<string | undefined> {
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

/** Reads with the application's channel; `what` names the work if a call fails. @throws DeskterityError */
export async function readWith<T>(
  { application, options }: { readonly application: Application; readonly options: CallOptions },
  what: string,
  read: (channel: Channel) => Promise<T>,
): Promise<T> {
  try {
    return await read(await application.readingChannel(options));
  } catch (error) {
    throw applicationFailure(error, what);
  }
}
