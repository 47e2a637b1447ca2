import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { initialize, JSON_HEADERS, raw, useHttpLab } from './support.ts';

const lab = useHttpLab();

const Message = z.looseObject({ method: z.string().optional(), id: z.int().optional() });

interface Event {
  readonly id: string | undefined;
  readonly message: z.output<typeof Message> | undefined;
}

/** One stream, read until it is dropped. */
class EventReader {
  readonly events: Event[] = [];
  readonly status: number;
  readonly ended: Promise<void>;
  private readonly leave: AbortController;

  constructor(response: Response, leave: AbortController) {
    this.status = response.status;
    this.leave = leave;
    this.ended = this.read(response).catch(() => undefined);
  }

  static async open(url: string, init: RequestInit): Promise<EventReader> {
    const leave = new AbortController();
    return new EventReader(await fetch(url, { ...init, signal: leave.signal }), leave);
  }

  get lastId(): string {
    const id = this.events.findLast((event) => event.id !== undefined)?.id;
    if (id === undefined) throw new Error('no event had an id');
    return id;
  }

  get messages(): readonly unknown[] {
    return this.events.flatMap(({ message }) => message ?? []);
  }

  async drop(): Promise<void> {
    this.leave.abort();
    await this.ended;
  }

  private async read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const piece of response.body ?? []) {
      const blocks = (rest + decoder.decode(piece, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) this.take(block);
    }
  }

  private take(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.split(': ', 1)[0], line.replace(/^\w+: ?/, '')]),
    );
    if (!fields.has('data')) return;
    const data = fields.get('data');
    this.events.push({ id: fields.get('id'), message: data ? Message.parse(JSON.parse(data)) : undefined });
  }
}

class Session {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }

  static async begin(version = '2025-11-25'): Promise<Session> {
    const { headers } = await raw(lab().url, {
      method: 'POST',
      headers: JSON_HEADERS,
      body: initialize(1, version),
    });
    return new Session(String(headers['mcp-session-id']));
  }

  post(body: object): Promise<EventReader> {
    return EventReader.open(lab().url, {
      method: 'POST',
      headers: this.headers(),
      body: JSON.stringify(body),
    });
  }

  get(lastEventId?: string, version = '2025-11-25'): Promise<EventReader> {
    const headers = this.headers(version);
    return EventReader.open(lab().url, {
      headers: lastEventId === undefined ? headers : { ...headers, 'last-event-id': lastEventId },
    });
  }

  /** Asks for changes of a resource; gives what makes one. */
  async subscribe(uri: string): Promise<() => void> {
    const subscribed = await this.post({
      jsonrpc: '2.0',
      id: 2,
      method: 'resources/subscribe',
      params: { uri },
    });
    await subscribed.ended;
    return () => lab().connection.change(uri);
  }

  private headers(version = '2025-11-25'): Record<string, string> {
    return { ...JSON_HEADERS, 'mcp-session-id': this.id, 'mcp-protocol-version': version };
  }
}

const HOLD = {
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'hold', arguments: {}, _meta: { progressToken: 1 } },
};

describe('the stream of a GET request', () => {
  test('that is dropped and resumed repeatedly delivers each change once, in order', async () => {
    await lab().start();
    const session = await Session.begin();
    const uris = Array.from({ length: 30 }, (_, index) => `deskterity://app/${index}/tree`);
    const changes: (() => void)[] = [];
    for (const uri of uris) changes.push(await session.subscribe(uri));
    const heard: unknown[] = [];
    let stream = await session.get();
    await vi.waitFor(() => expect(stream.events).toHaveLength(1));
    for (let index = 0; index < 30; index += 3) {
      // Heard, then lost on the way, then said while nobody listens, then while the stream is resumed.
      changes[index]?.();
      await vi.waitFor(() => expect(stream.messages).toHaveLength(1));
      const { lastId } = stream;
      heard.push(...stream.messages);
      await stream.drop();
      changes[index + 1]?.();
      const resuming = session.get(lastId);
      await nextTurn();
      changes[index + 2]?.();
      stream = await resuming;
      await vi.waitFor(() => expect(stream.messages).toHaveLength(2));
      const next = stream.lastId;
      heard.push(...stream.messages);
      await stream.drop();
      stream = await session.get(next);
    }
    expect(heard).toEqual(
      uris.map((uri) => ({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } })),
    );
    await stream.drop();
  });

  test('can be resumed before its first message', async () => {
    await lab().start();
    const session = await Session.begin();
    const change = await session.subscribe('deskterity://apps');
    const stream = await session.get();
    await vi.waitFor(() => expect(stream.events).toHaveLength(1));
    await stream.drop();
    change();
    const resumed = await session.get(stream.lastId);
    await vi.waitFor(() => expect(resumed.messages).toHaveLength(1));
    await resumed.drop();
  });

  test('is not resumed with what was said before the policy changed', async () => {
    await lab().start();
    const session = await Session.begin();
    const change = await session.subscribe('deskterity://apps');
    const stream = await session.get();
    await vi.waitFor(() => expect(stream.events).toHaveLength(1));
    await stream.drop();
    change();
    for (const tell of lab().connection.policyWatchers) tell();
    const refused = await session.get(stream.lastId);
    expect(refused.status).toBe(400);
    await refused.drop();
    const anew = await session.get();
    change();
    await vi.waitFor(() => expect(anew.messages).toHaveLength(1));
    await anew.drop();
  });

  test('starts without an event that older clients would treat as a message', async () => {
    await lab().start();
    const session = await Session.begin('2025-06-18');
    const change = await session.subscribe('deskterity://apps');
    const stream = await session.get(undefined, '2025-06-18');
    change();
    await vi.waitFor(() => expect(stream.events).toHaveLength(1));
    expect(stream.messages).toHaveLength(1);
    await stream.drop();
  });

  test('can be resumed while the server still considers the lost one open', async () => {
    await lab().start();
    const session = await Session.begin();
    const change = await session.subscribe('deskterity://apps');
    const lost = await session.get();
    await vi.waitFor(() => expect(lost.events).toHaveLength(1));
    const resumed = await session.get(lost.lastId);
    expect(resumed.status).toBe(200);
    await lost.ended;
    change();
    await vi.waitFor(() => expect(resumed.messages).toHaveLength(1));
    expect(lost.messages).toEqual([]);
    await resumed.drop();
  });

  test('can be open only once', async () => {
    await lab().start();
    const session = await Session.begin();
    const first = await session.get();
    expect((await session.get()).status).toBe(409);
    await first.drop();
  });

  test.each(['garbage', '_GET_stream_99999', '0', 'x'.repeat(5000)])(
    'cannot be resumed after %s',
    async (id) => {
      await lab().start();
      const session = await Session.begin();
      expect((await session.get(id)).status).toBe(400);
      const stream = await session.get();
      expect(stream.status).toBe(200);
      await stream.drop();
    },
  );

  test('of another session cannot be resumed', async () => {
    await lab().start();
    const [one, other] = [await Session.begin(), await Session.begin()];
    const call = await one.post(HOLD);
    await vi.waitFor(() => expect(call.messages).toHaveLength(1));
    expect((await other.get(call.lastId)).status).toBe(400);
    await call.drop();
  });
});

describe('the stream of a call', () => {
  test('that is dropped continues and delivers its answer when resumed', async () => {
    await lab().start();
    const session = await Session.begin();
    const call = await session.post(HOLD);
    await vi.waitFor(() => expect(call.messages).toHaveLength(1));
    await call.drop();
    const resumed = await session.get(call.lastId);
    lab().connection.release();
    await resumed.ended;
    expect(resumed.messages).toEqual([
      expect.objectContaining({ id: 7, result: expect.anything() as unknown }),
    ]);
    expect(lab().connection.cancelled).toBe(0);
  });

  test('delivers an answer that came meanwhile, and ends', async () => {
    await lab().start();
    const session = await Session.begin();
    const call = await session.post(HOLD);
    await vi.waitFor(() => expect(call.events).toHaveLength(2));
    const [first] = call.events;
    await call.drop();
    lab().connection.release();
    const resumed = await session.get(first?.id);
    await resumed.ended;
    expect(resumed.messages).toHaveLength(2);
  });

  test('that is cancelled ends, even when resumed', async () => {
    await lab().start();
    const session = await Session.begin();
    const call = await session.post(HOLD);
    await vi.waitFor(() => expect(call.messages).toHaveLength(1));
    await session.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } });
    await call.ended;
    const resumed = await session.get(call.lastId);
    await resumed.ended;
    expect(lab().connection.cancelled).toBe(1);
  });
});

test('the official client resumes a broken stream', async () => {
  await lab().start();
  let breakStream = (): void => undefined;
  const { client } = await lab().client('legacy', {
    reconnectionOptions: {
      initialReconnectionDelay: 1,
      maxReconnectionDelay: 1,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 5,
    },
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (init?.method !== 'GET' || response.body === null) return response;
      const broken = new TransformStream<Uint8Array, Uint8Array>({
        start: (controller) => {
          breakStream = () => controller.error(new Error('broken'));
        },
      });
      response.body.pipeTo(broken.writable).catch(() => undefined);
      return new Response(broken.readable, response);
    },
  });
  const heard: string[] = [];
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void heard.push(params.uri),
  );
  await client.subscribeResource({ uri: 'a://1' });
  await client.subscribeResource({ uri: 'a://2' });
  const { connection } = lab();
  connection.change('a://1');
  await vi.waitFor(() => expect(heard).toEqual(['a://1']));
  breakStream();
  connection.change('a://2');
  connection.change('a://1');
  await vi.waitFor(() => expect(heard).toEqual(['a://1', 'a://2', 'a://1']), 5000);
});
