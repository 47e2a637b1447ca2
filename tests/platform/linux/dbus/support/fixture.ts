import { BusConnection, type BusError } from '../../../../../src/platform/linux/dbus/index.ts';
import { FakePeer, type FakePeerOptions } from './fake-peer.ts';
import { PATIENT } from './echo.ts';

/** Fake peers and connections to them, all closed by {@link end}. */
export class Fixture {
  readonly #cleanups: (() => void | Promise<void>)[] = [];

  /** A fake peer and a peer-to-peer connection to it. */
  async pair(
    onMessage: FakePeerOptions['onMessage'],
  ): Promise<{ peer: FakePeer; connection: BusConnection }> {
    const peer = await this.peer(onMessage === undefined ? {} : { onMessage });
    return { peer, connection: await this.connect(peer.address) };
  }

  async peer(options: FakePeerOptions = {}, listenOn?: string): Promise<FakePeer> {
    const peer = await FakePeer.start(options, listenOn);
    this.#cleanups.push(() => peer.stop());
    return peer;
  }

  async connect(address: string, options = {}): Promise<BusConnection> {
    const connection = await BusConnection.connect(address, { ...PATIENT, hello: false, ...options });
    this.#cleanups.push(() => connection.close());
    return connection;
  }

  async end(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0).reverse()) await cleanup();
  }
}

/** The name of the error that a promise rejects with. */
export async function failure(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'no error',
    (error: BusError) => error.errorName,
  );
}
