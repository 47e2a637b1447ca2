import { randomBytes } from 'node:crypto';
import type { Environment } from '../../../../../model/sessions/caller.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import { BusConnection, Variant, watchName, type BusValue } from '../../../dbus/index.ts';
import { sessionBusOf } from '../session-bus.ts';

export const PORTAL_NAME = 'org.freedesktop.portal.Desktop';
const PORTAL = { destination: PORTAL_NAME, path: '/org/freedesktop/portal/desktop' } as const;
const REQUEST = 'org.freedesktop.portal.Request';

/** What the person, or a permission that they gave before, answered. */
export interface PortalAnswer {
  readonly outcome: 'granted' | 'denied' | 'failed';
  readonly results: ReadonlyMap<BusValue, BusValue>;
}

/** A connection to the desktop portal. Requests that have no answer yet end with it. Source: the XDG Desktop Portal specification, "Request". */
export class PortalRequests {
  readonly #bus: BusConnection;
  /** The process behind the name: nobody else may answer. */
  readonly #owner: string;
  readonly #waiting = new Map<string, (answer: PortalAnswer) => void>();

  private constructor(bus: BusConnection, owner: string) {
    this.#bus = bus;
    this.#owner = owner;
    bus.onSignal(({ sender, path, interface: of, member, body: [code, results] }) => {
      if (sender !== owner || of !== REQUEST || member !== 'Response') return;
      const answered = this.#waiting.get(path);
      this.#waiting.delete(path);
      const outcome = code === 0 ? 'granted' : code === 1 ? 'denied' : 'failed';
      answered?.({ outcome, results: results instanceof Map ? results : new Map() });
    });
    bus.onClose(() => this.#end());
  }

  /** Starts the portal if it does not run. @throws BusError if there is none with this interface */
  static async connect(
    environment: Environment,
    wanted: string,
    options: CallOptions,
  ): Promise<PortalRequests> {
    const bus = await BusConnection.connect(sessionBusOf(environment), options);
    try {
      await bus.getProperty(PORTAL_NAME, PORTAL.path, wanted, 'version', options);
      let requests: PortalRequests | undefined;
      const owned = (owner: string | undefined): void => {
        if (requests !== undefined) bus.close();
        else if (owner !== undefined) requests = new PortalRequests(bus, owner);
      };
      await watchName(bus, PORTAL_NAME, owned, options);
      await bus.addMatch({ type: 'signal', interface: REQUEST, member: 'Response' }, options);
      if (requests === undefined) throw new Error('the portal has ended');
      return requests;
    } catch (error) {
      bus.close();
      throw error;
    }
  }

  get isClosed(): boolean {
    return this.#bus.closed;
  }

  /**
   * Asks, and resolves once that is answered, however long the person takes; `failed` if the portal ends before.
   * @param options for the portal to take the request
   * @throws BusError
   */
  async ask(
    { of, member, facts }: { of: string; member: string; facts: ReadonlyMap<string, Variant> },
    options: CallOptions,
  ): Promise<PortalAnswer> {
    const token = `deskterity${randomBytes(8).toString('hex')}`;
    const sender = (this.#bus.uniqueName ?? '').slice(1).replaceAll('.', '_');
    const path = `${PORTAL.path}/request/${sender}/${token}`;
    // It may be answered before the call returns.
    const answer = new Promise<PortalAnswer>((resolve) => this.#waiting.set(path, resolve));
    const asked = new Map([...facts, ['handle_token', new Variant('s', token)] as const]);
    const call = { ...PORTAL, destination: this.#owner, interface: of, member };
    try {
      await this.#bus.call({ ...call, signature: 'sa{sv}', args: ['', asked] }, options);
    } catch (error) {
      this.#waiting.delete(path);
      throw error;
    }
    if (this.isClosed) this.#end();
    return await answer;
  }

  close(): void {
    this.#bus.close();
  }

  #end(): void {
    for (const answered of this.#waiting.values()) answered({ outcome: 'failed', results: new Map() });
    this.#waiting.clear();
  }
}

/** Whether a portal runs, or would be started; starts nothing. */
export async function hasPortal(bus: BusConnection, options: CallOptions): Promise<boolean> {
  const of = {
    destination: 'org.freedesktop.DBus',
    path: '/org/freedesktop/DBus',
    interface: 'org.freedesktop.DBus',
  };
  const [names, startable] = await Promise.all(
    ['ListNames', 'ListActivatableNames'].map(async (member) => {
      const [found] = await bus.call({ ...of, member, signature: '', args: [] }, options);
      return Array.isArray(found) ? found.includes(PORTAL_NAME) : false;
    }),
  );
  return names === true || startable === true;
}
