import type { FetchLike } from '@modelcontextprotocol/client';

/** A network whose connections the test can cut and restore. */
export class FlakyNetwork {
  /** `Last-Event-ID` of each stream that was resumed. */
  readonly resumedAfter: string[] = [];
  /** Streams of changes that were opened without an event id to resume from. */
  freshStreams = 0;
  /** Requests that the client could not resume yet: it has seen neither the whole answer nor the first event, which has an id. */
  private readonly early = new Set<AbortController>();
  private isDown = false;
  private readonly open = new Set<AbortController>();

  readonly fetch: FetchLike = async (url, init = {}) => {
    if (this.isDown) throw new TypeError('the network is down');
    const lost = new AbortController();
    const signal = init.signal ? AbortSignal.any([init.signal, lost.signal]) : lost.signal;
    this.open.add(lost);
    this.early.add(lost);
    const response = await fetch(url, { ...init, signal });
    if (init.method === 'GET' && response.ok) {
      const after = new Headers(init.headers).get('last-event-id');
      if (after === null) this.freshStreams += 1;
      else this.resumedAfter.push(after);
    }
    const firstSeen = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, stream) => {
        stream.enqueue(chunk);
        this.early.delete(lost);
      },
      flush: () => void this.early.delete(lost),
    });
    if (response.body !== null) return new Response(response.body.pipeThrough(firstSeen), response);
    this.early.delete(lost);
    return response;
  };

  /** Whether the client can resume whatever is cut now. */
  get canResume(): boolean {
    return this.early.size === 0;
  }

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
    this.early.clear();
  }
}
