import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { serveLines } from '../../../src/surfaces/mcp/connections/serve-lines.ts';
import { FakeConnection } from './support/fake-connection.ts';
import { LineClientTransport, streamPair } from './support/line-client.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

function serve(connection = new FakeConnection()) {
  const [near, far] = streamPair();
  const gone = serveLines({ stream: far, version: '1.2.3', open: async () => connection });
  endings.push(async () => {
    near.destroy();
    far.destroy();
    await gone;
  });
  return { near, far, connection, gone };
}

async function connect(mode: 'legacy' | 'modern', connection = new FakeConnection()) {
  const served = serve(connection);
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: mode === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
  );
  await client.connect(new LineClientTransport(served.near));
  endings.unshift(() => client.close());
  return { ...served, client };
}

describe.each(['legacy', 'modern'] as const)('a client of the %s era', (era) => {
  it('receives server info, capabilities and instructions', async () => {
    const { client } = await connect(era);
    expect(client.getServerVersion()).toMatchObject({
      name: 'deskterity',
      title: 'Deskterity',
      version: '1.2.3',
      icons: [{ mimeType: 'image/svg+xml' }],
    });
    expect(client.getInstructions()).toBe('Look, then act.');
    expect(client.getServerCapabilities()).toMatchObject({
      resources: { subscribe: true, listChanged: true },
      completions: {},
      experimental: { 'deskterity/desktop': { platform: 'test' } },
    });
  });

  it('calls tools', async () => {
    const { client } = await connect(era);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo', 'hang']);
    expect(await client.callTool({ name: 'echo', arguments: { a: 1 } })).toMatchObject({
      structuredContent: { a: 1 },
    });
    await expect(client.callTool({ name: 'ecko' })).rejects.toThrow('Did you mean "echo"?');
  });

  it('gets prompts with checked arguments', async () => {
    const { client } = await connect(era);
    expect(await client.getPrompt({ name: 'greet', arguments: { who: 'you' } })).toMatchObject({
      messages: [{ content: { text: 'Greet you.' } }],
    });
    await expect(client.getPrompt({ name: 'greet', arguments: {} })).rejects.toThrow(
      'needs the argument "who"',
    );
    await expect(client.getPrompt({ name: 'greet', arguments: { who: 'x', hov: 'y' } })).rejects.toThrow(
      'Did you mean "how"?',
    );
  });

  it('reads resources, page by page', async () => {
    const connection = new FakeConnection();
    connection.resourceCount = 250;
    const { client } = await connect(era, connection);
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const page: Awaited<ReturnType<typeof client.listResources>> = await client.listResources(
        cursor === undefined ? {} : { cursor },
        { cacheMode: 'bypass' },
      );
      sizes.push(page.resources.length);
      cursor = page.nextCursor;
    } while (cursor !== undefined && sizes.length < 9);
    // The client of the modern era puts the pages together itself.
    expect(sizes.reduce((sum, size) => sum + size)).toBe(250);
    expect((await client.readResource({ uri: 'test://thing/1' })).contents).toEqual([
      { uri: 'test://thing/1', text: 'a thing' },
    ]);
    await expect(client.readResource({ uri: 'test://nothing' })).rejects.toThrow('test://nothing');
  });

  it('completes arguments', async () => {
    const { client } = await connect(era);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'who', value: 'a' },
      context: { arguments: { how: 'loud' } },
    });
    expect(completion).toEqual({ values: ['alice', 'anna', 'loud'], total: 3, hasMore: false });
  });

  it('receives progress and cancels', async () => {
    const connection = new FakeConnection();
    const { client } = await connect(era, connection);
    const signals: AbortSignal[] = [];
    connection.onHang = (signal) => signals.push(signal);
    const cancel = new AbortController();
    const steps: unknown[] = [];
    const call = client.callTool(
      { name: 'hang' },
      {
        signal: cancel.signal,
        onprogress: (step) => {
          steps.push(step);
          cancel.abort();
        },
      },
    );
    await expect(call).rejects.toThrow(/abort/i);
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
    expect(steps).toMatchObject([{ progress: 1, message: 'hanging' }]);
  });

  it('cancels its calls by disconnecting', async () => {
    const connection = new FakeConnection();
    const { client, near, gone } = await connect(era, connection);
    await client.listResources();
    const hanging = new Promise<AbortSignal>((resolve) => {
      connection.onHang = resolve;
    });
    client.callTool({ name: 'hang' }).catch(() => undefined);
    const signal = await hanging;
    near.destroy();
    await gone;
    expect(signal.aborted).toBe(true);
    expect(connection.closings).toBe(1);
    expect(connection.watched.size).toBe(0);
  });
});

describe('changes', () => {
  it('that cannot be watched do not break a list, and are watched with the next one', async () => {
    const { client, connection } = await connect('legacy');
    connection.watchable = Promise.reject(new Error('none are left'));
    expect((await client.listResources()).resources).toHaveLength(1);
    await expect(connection.watchable).rejects.toThrow('none are left');
    connection.watchable = Promise.resolve();
    await client.listResources();
    await expect.poll(() => connection.watched.has('list')).toBe(true);
  });

  it('reach a legacy client that subscribed, until it unsubscribes', async () => {
    const connection = new FakeConnection();
    const { client } = await connect('legacy', connection);
    const updates: unknown[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updates.push(params.uri);
    });
    await client.subscribeResource({ uri: 'test://thing/0' });
    connection.watched.get('test://thing/0')?.();
    await vi.waitFor(() => expect(updates).toEqual(['test://thing/0']));
    await client.unsubscribeResource({ uri: 'test://thing/0' });
    expect(connection.watched.has('test://thing/0')).toBe(false);
  });

  it('of the list reach a legacy client that has requested it', async () => {
    const connection = new FakeConnection();
    const { client } = await connect('legacy', connection);
    expect(connection.watched.has('list')).toBe(false);
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler('notifications/resources/list_changed', () => resolve());
    });
    await client.listResources();
    await vi.waitFor(() => expect(connection.watched.has('list')).toBe(true));
    connection.watched.get('list')?.();
    await changed;
  });

  it('reach a modern client while it is subscribed', async () => {
    const connection = new FakeConnection();
    const { client } = await connect('modern', connection);
    const updates: unknown[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updates.push(params.uri);
    });
    const first = await client.listen({ resourceSubscriptions: ['test://thing/0', 'test://thing/1'] });
    const second = await client.listen({
      resourceSubscriptions: ['test://thing/1'],
      resourcesListChanged: true,
    });
    expect([...connection.watched.keys()].toSorted()).toEqual(['list', 'test://thing/0', 'test://thing/1']);
    connection.watched.get('test://thing/0')?.();
    await vi.waitFor(() => expect(updates).toEqual(['test://thing/0']));
    await first.close();
    await vi.waitFor(() =>
      expect([...connection.watched.keys()].toSorted()).toEqual(['list', 'test://thing/1']),
    );
    await second.close();
    await vi.waitFor(() => expect(connection.watched.size).toBe(0));
  });
});

describe('invalid bytes', () => {
  /** A number among the lines waits for so many answers. */
  async function talk(lines: readonly (string | Buffer | number)[], wanted: number) {
    const { near } = serve();
    const seen: unknown[] = [];
    let held = '';
    near.setEncoding('utf8').on('data', (text: string) => {
      const parts = (held + text).split('\n');
      held = parts.pop() ?? '';
      seen.push(...parts.map((part): unknown => JSON.parse(part)));
    });
    const heard = (count: number) =>
      vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(count), { timeout: 5000 });
    for (const line of lines) {
      if (typeof line === 'number') await heard(line);
      else near.write(line);
    }
    await heard(wanted);
    return seen;
  }
  const initialize = `${JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  })}\n`;
  const ping = (id: number | string) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;

  it('are answered with an error, and later messages are served', async () => {
    const seen = await talk(
      [
        initialize,
        'junk\n',
        '[1,2\n',
        '{"jsonrpc":"1.0","id":7}\n',
        Buffer.from([0xff, 0xfe, 10]),
        '\n',
        ping(2),
      ],
      6,
    );
    expect(seen).toMatchObject([
      { error: { code: -32_700 } },
      { error: { code: -32_700 } },
      { id: 7, error: { code: -32_600 } },
      { error: { code: -32_700 } },
      { id: 1, result: { protocolVersion: '2025-06-18' } },
      { id: 2, result: {} },
    ]);
  });

  it('may be split anywhere', async () => {
    const [a, b] = [initialize.slice(0, 20), initialize.slice(20)];
    expect(await talk([a, b.slice(0, -1), '\n'], 1)).toMatchObject([{ id: 1 }]);
  });

  it('may be far too long', async () => {
    const seen = await talk(
      [...Array.from({ length: 17 }, () => Buffer.alloc(1024 * 1024, 120)), '\n', initialize],
      2,
    );
    expect(seen).toMatchObject([
      { id: null, error: { message: expect.stringContaining('longer than') } },
      { id: 1 },
    ]);
  });

  it('the id of a pending request is refused and the first request continues', async () => {
    const call = (id: number, name: string) =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { id } } })}\n`;
    const seen = await talk([initialize, call(5, 'hang'), call(5, 'echo'), call(6, 'echo')], 3);
    expect(seen).toContainEqual(
      expect.objectContaining({
        id: null,
        error: expect.objectContaining({ message: 'A request with the id 5 is pending.' }),
      }),
    );
    expect(seen).toContainEqual(expect.objectContaining({ id: 6, result: expect.anything() }));
    expect(seen).not.toContainEqual(expect.objectContaining({ id: 5 }));
  });

  it('a missing resource has the code of the revision', async () => {
    const read = { jsonrpc: '2.0', id: 2, method: 'resources/read', params: { uri: 'junk:x' } };
    const seen = await talk([initialize, `${JSON.stringify(read)}\n`], 2);
    expect(seen).toContainEqual(
      expect.objectContaining({
        id: 2,
        error: expect.objectContaining({ code: -32_002, data: { uri: 'junk:x' } }),
      }),
    );
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const modern = await talk([`${JSON.stringify({ ...read, params: { ...read.params, _meta } })}\n`], 1);
    expect(modern).toMatchObject([{ id: 2, error: { code: -32_602, data: { uri: 'junk:x' } } }]);
  });

  describe('in lists', () => {
    const old = initialize.replace('2025-06-18', '2025-03-26');
    const call = (id: number, name: string) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: { id } },
    });
    const list = (...messages: readonly unknown[]) => `${JSON.stringify(messages)}\n`;
    const done = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } };

    it('are answered in one list where 2025-03-26 was agreed', async () => {
      const begun = await talk([old, 1, list(done), list(call(2, 'echo'), done, call(4, 'echo'), 7)], 2);
      expect(begun).toHaveLength(2);
      expect(begun[0]).toMatchObject({ id: 1, result: { protocolVersion: '2025-03-26' } });
      const [, answers] = begun;
      expect(answers).toHaveLength(3);
      expect(answers).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32_600 }) }),
          expect.objectContaining({ id: 2, result: expect.anything() }),
          expect.objectContaining({ id: 4, result: expect.anything() }),
        ]),
      );
    });

    it('do not wait for a request that was cancelled', async () => {
      const seen = await talk([old, 1, list(call(3, 'hang'), call(4, 'echo')), list(cancel), ping(5)], 3);
      expect(seen).toContainEqual([expect.objectContaining({ id: 4 })]);
      expect(seen).toContainEqual(expect.objectContaining({ id: 5 }));
    });

    it('are refused elsewhere, with initialize, and if there are too many', async () => {
      const many = Array.from({ length: 101 }, (_, index) => call(index + 10, 'echo'));
      const refused = (reason: RegExp) =>
        expect.objectContaining({
          id: null,
          error: { code: -32_600, message: expect.stringMatching(reason) },
        });
      expect(await talk([initialize, list(call(2, 'echo')), ping(3)], 3)).toContainEqual(
        refused(/2025-03-26/),
      );
      expect(await talk([list(JSON.parse(old))], 1)).toEqual([refused(/^initialize must not/)]);
      const seen = await talk([old, 1, list(), list(...many), list(call(2, 'echo'), call(2, 'echo'))], 4);
      expect(seen).toContainEqual(refused(/no messages/));
      expect(seen).toContainEqual(refused(/at most 100/));
      expect(seen).toContainEqual(
        expect.arrayContaining([refused(/id 2 is pending/), expect.objectContaining({ id: 2 })]),
      );
    });
  });

  it('an unknown protocol version is answered with a supported one', async () => {
    const seen = await talk([initialize.replace('2025-06-18', '1999-01-01')], 1);
    expect(seen).toMatchObject([{ id: 1, result: { protocolVersion: expect.stringMatching(/^202[45]/) } }]);
  });

  it('pending answers are sent after the end of the input', async () => {
    const { near, gone, connection } = serve();
    const chunks: string[] = [];
    near.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
    near.end(
      `${initialize}${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'echo' } })}\n`,
    );
    await gone;
    if (!near.readableEnded) await once(near, 'end');
    expect(
      chunks
        .join('')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual([1, 2]);
    expect(connection.closings).toBe(1);
  });

  it('the end of the input ends a subscription at once', async () => {
    const { client, near, gone, connection } = await connect('modern');
    await client.listen({ resourcesListChanged: true });
    // Nothing that waits for a time may be needed.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    endings.push(async () => vi.useRealTimers());
    near.end();
    await gone;
    expect(connection.watched.size).toBe(0);
  });
});

describe('the end of a command that was left running in a terminal', () => {
  const FINISHED = {
    terminal: 'term-k3f7x2',
    tag: 'build',
    project_path: '/p',
    command: 'make',
    exit_code: 2,
  };

  async function listening(era: 'legacy' | 'modern') {
    const watchers = new Set<(told: typeof FINISHED) => void>();
    const connection = Object.assign(new FakeConnection(), {
      watchCommandEnds: (onEnd: (told: typeof FINISHED) => void) => {
        watchers.add(onEnd);
        return () => void watchers.delete(onEnd);
      },
    });
    const { client, near } = await connect(era, connection);
    const heard: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params));
    return { client, near, watchers, heard };
  }

  it('is a log message for a legacy client while it is connected', async () => {
    const { near, watchers, heard, client } = await listening('legacy');
    for (const tell of watchers) tell(FINISHED);
    await expect
      .poll(() => heard)
      .toEqual([{ level: 'notice', logger: 'deskterity.terminals', data: FINISHED }]);
    await client.setLoggingLevel('error');
    for (const tell of watchers) tell(FINISHED);
    await client.listTools();
    expect(heard).toHaveLength(1);
    near.destroy();
    await expect.poll(() => watchers.size).toBe(0);
  });

  it('is not a separate message for a modern client, whose messages belong to requests', async () => {
    const { watchers, client } = await listening('modern');
    await client.listTools();
    expect(watchers.size).toBe(0);
  });
});
