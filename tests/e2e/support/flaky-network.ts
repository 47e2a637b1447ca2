import type { FetchLike } from '@modelcontextprotocol/client';

/** A network whose connections the test can cut and restore. */
export class FlakyNetwork {
  /** `Last-Event-ID` of each stream that was resumed. */
  readonly resumedAfter: string[] = [];
  /** Streams of changes that were opened again without an event id to resume from. */
  freshStreams = 0;
  private isDown = false;
  private readonly open = new Set<AbortController>();

  readonly fetch: FetchLike = async (url, init = {}) => {
    if (this.isDown) throw new TypeError('the network is down');
    const lost = new AbortController();
    const signal = init.signal ? AbortSignal.any([init.signal, lost.signal]) : lost.signal;
    this.open.add(lost);
    const response = await fetch(url, { ...init, signal });
    if (init.method === 'GET' && response.ok) {
      const after = new Headers(init.headers).get('last-event-id');
      if (after === null) this.freshStreams += 1;
      else this.resumedAfter.push(after);
    }
    return response;
  };

  /** Cuts every connection and refuses new ones. */
  goDown(): void {
    this.isDown = true;
    this.cut();
  }

  comeBack(): void {
    this.isDown = false;
  }

  /** Cuts every connection. */
  cut(): void {
    for (const lost of this.open) lost.abort(new TypeError('the connection was lost'));
    this.open.clear();
  }
}
