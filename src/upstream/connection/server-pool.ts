import type { ClockPort } from '../../ports/clock.ts';
import type { UpstreamServer } from './upstream-server.ts';

const MOST_SERVERS = 64;
/** A server that nobody has used for this long is ended. */
const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;

interface Pooled<Server> {
  readonly server: Server;
  usedAt: number;
}

/** The servers of all callers; the same server with the same settings runs once. */
export class ServerPool<Server extends Pick<UpstreamServer, 'close'>> {
  private readonly clock: ClockPort;
  private readonly pooled = new Map<string, Pooled<Server>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(clock: ClockPort) {
    this.clock = clock;
  }

  get(key: string, create: () => Server): Server {
    const known = this.pooled.get(key) ?? { server: create(), usedAt: 0 };
    known.usedAt = this.clock.now();
    // The least recently used one is the first.
    this.pooled.delete(key);
    this.pooled.set(key, known);
    if (this.pooled.size > MOST_SERVERS) this.end([...this.pooled.keys()].slice(0, 1));
    this.timer ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
    return known.server;
  }

  /** Ends all servers. Never rejects. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    const servers = [...this.pooled.values()];
    this.pooled.clear();
    await Promise.all(servers.map(({ server }) => server.close()));
  }

  private sweep(): void {
    const before = this.clock.now() - IDLE_MS;
    this.end([...this.pooled].filter(([, { usedAt }]) => usedAt < before).map(([key]) => key));
  }

  private end(keys: readonly string[]): void {
    for (const key of keys) {
      void this.pooled.get(key)?.server.close();
      this.pooled.delete(key);
    }
  }
}
