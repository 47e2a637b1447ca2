import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { DeskterityError } from '../../../../src/model/effects/errors.ts';
import { FakeConnection, initialize, JSON_HEADERS, raw, useHttpLab, type RawAnswer } from './support.ts';

const lab = useHttpLab();

function post(body: object | string, session?: string, url = lab().url): Promise<RawAnswer> {
  const headers = { ...JSON_HEADERS, ...(session === undefined ? {} : { 'mcp-session-id': session }) };
  return raw(url, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
}

async function begin(): Promise<string> {
  const { headers } = await post(initialize());
  const id = headers['mcp-session-id'];
  if (typeof id !== 'string') throw new Error('no session id');
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, id);
  return id;
}

function call(id: number, name: string): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } };
}

test('each session has its own id and connection', async () => {
  await lab().start();
  const ids = [await begin(), await begin()];
  expect(new Set(ids).size).toBe(2);
  expect(lab().connections).toHaveLength(2);
  expect(lab().serving.clients).toBe(2);
});

test.each(['POST', 'GET', 'DELETE'])('%s with an unknown session id is 404', async (method) => {
  await lab().start();
  await begin();
  const headers = {
    ...JSON_HEADERS,
    accept: 'text/event-stream, application/json',
    'mcp-session-id': 'unknown',
  };
  const body = method === 'POST' ? JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) : '';
  const answer = await raw(lab().url, { method, headers, body });
  expect(answer.status).toBe(404);
  expect(answer.text).toContain('Send initialize');
});

test('a session does not exist on another path', async () => {
  await lab().start();
  const id = await begin();
  expect((await post({ jsonrpc: '2.0', id: 1, method: 'ping' }, id, `${lab().url}/core`)).status).toBe(404);
  expect((await post({ jsonrpc: '2.0', id: 1, method: 'ping' }, id)).status).toBe(200);
});

test.each(['GET', 'DELETE'])('%s without a session id is 400', async (method) => {
  await lab().start();
  expect((await raw(lab().url, { method, headers: { accept: 'text/event-stream' } })).status).toBe(400);
});

test('an unknown protocol version in the header is 400', async () => {
  await lab().start();
  const headers = { ...JSON_HEADERS, 'mcp-session-id': await begin(), 'mcp-protocol-version': '1999-01-01' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  expect((await raw(lab().url, { method: 'POST', headers, body })).status).toBe(400);
});

test('DELETE ends a session with its calls, watches and connection', async () => {
  await lab().start();
  const { client, transport } = await lab().client('legacy');
  await client.subscribeResource({ uri: 'deskterity://apps' });
  const held = client.callTool({ name: 'hold' }).catch(() => undefined);
  const { connection } = lab();
  await vi.waitFor(() => expect(connection.held).toBe(1));
  await transport.terminateSession();
  await vi.waitFor(() => expect(connection).toMatchObject({ cancelled: 1, closings: 1 }));
  expect(connection.watches.size).toBe(0);
  expect(lab().serving.clients).toBe(0);
  await client.close();
  await held;
});

describe('an idle session', () => {
  test('ends', async () => {
    await lab().start({ limits: { idleMs: 50 } });
    const id = await begin();
    await vi.waitFor(() => expect(lab().connection.closings).toBe(1));
    expect((await post({ jsonrpc: '2.0', id: 1, method: 'ping' }, id)).status).toBe(404);
  });

  test('lasts while it has an open stream or request', async () => {
    await lab().start({ limits: { idleMs: 2000 } });
    const streaming = await lab().client('legacy');
    const { client } = await lab().client('legacy', { fetch: withoutStreams });
    for (let turn = 0; turn < 8; turn += 1) {
      // Each pause is shorter than the limit, all of them are longer.
      await sleep(400);
      await client.ping();
    }
    expect(lab().connections.map(({ closings }) => closings)).toEqual([0, 0]);
    await streaming.client.ping();
  });

  test('has its calls cancelled, unless it has an open stream', async () => {
    await lab().start({ limits: { abandonedMs: 50 } });
    const vanishing = await begin();
    const staying = await lab().client('legacy');
    const leave = new AbortController();
    const gone = fetch(lab().url, {
      method: 'POST',
      headers: { ...JSON_HEADERS, 'mcp-session-id': vanishing },
      body: JSON.stringify(call(2, 'hold')),
      signal: leave.signal,
    }).then((response) => response.text());
    const held = staying.client.callTool({ name: 'hold' });
    const [first, second] = lab().connections;
    await vi.waitFor(() => expect([first?.held, second?.held]).toEqual([1, 1]));
    leave.abort();
    await expect(gone).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(first?.cancelled).toBe(1));
    second?.release();
    expect((await held).content).toEqual([{ type: 'text', text: 'held' }]);
    expect(second?.cancelled).toBe(0);
    // The number is free again.
    first?.release();
    const again = post(call(2, 'echo'), vanishing);
    expect((await again).status).toBe(200);
  });
});

test('the number of sessions is limited, and none in use is ended for another', async () => {
  await lab().start({ limits: { sessions: 2 } });
  const calling = await begin();
  const held = post(call(2, 'hold'), calling);
  const { transport } = await lab().client('legacy');
  const [first, second] = lab().connections;
  await vi.waitFor(() => expect([first?.held, lab().serving.clients]).toEqual([1, 2]));
  const refused = await post(initialize());
  expect(refused.status).toBe(503);
  expect(refused.headers['retry-after']).toBe('60');
  expect(refused.text).toContain('limit of 2 sessions is reached');
  expect([first?.closings, second?.closings]).toEqual([0, 0]);
  await transport.terminateSession();
  await begin();
  first?.release();
  expect((await held).text).toContain('held');
});

test('the session that has been idle longest is ended for another', async () => {
  await lab().start({ limits: { sessions: 2 } });
  const [one, two] = [await begin(), await begin()];
  const ping = (session: string) => post({ jsonrpc: '2.0', id: 1, method: 'ping' }, session);
  // What came first was used last.
  expect((await ping(one)).status).toBe(200);
  const three = await begin();
  expect(await Promise.all([one, two, three].map(async (id) => (await ping(id)).status))).toEqual([
    200, 404, 200,
  ]);
  expect(lab().connections.map(({ closings }) => closings)).toEqual([0, 1, 0]);
  expect(lab().serving.clients).toBe(2);
  for (let count = 0; count < 200; count += 1) expect((await post(initialize())).status).toBe(200);
  expect(lab().serving.clients).toBe(2);
});

test('an id that is pending or repeated in a batch is refused without affecting the first request', async () => {
  await lab().start();
  const id = await begin();
  const first = post(call(2, 'hold'), id);
  await vi.waitFor(() => expect(lab().connection.held).toBe(1));
  const second = await post(call(2, 'echo'), id);
  expect(second.status).toBe(400);
  expect(second.text).toContain('is pending');
  expect((await post(JSON.stringify([call(3, 'echo'), call(3, 'echo')]), id)).status).toBe(400);
  lab().connection.release();
  expect((await first).text).toContain('held');
});

test('too many pending requests are refused', async () => {
  await lab().start({ limits: { pendingRequests: 2 } });
  const id = await begin();
  const held = [post(call(2, 'hold'), id), post(call(3, 'hold'), id)];
  await vi.waitFor(() => expect(lab().connection.held).toBe(2));
  expect((await post(call(4, 'hold'), id)).status).toBe(429);
  lab().connection.release();
  await Promise.all(held);
  expect((await post(call(4, 'echo'), id)).status).toBe(200);
});

test('a cancelled request is not answered, and its stream ends', async () => {
  await lab().start();
  const id = await begin();
  const held = post(call(2, 'hold'), id);
  await vi.waitFor(() => expect(lab().connection.held).toBe(1));
  const params = { requestId: 2 };
  expect((await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, id)).status).toBe(202);
  expect((await held).text).not.toContain('"id":2');
  expect(lab().connection.cancelled).toBe(1);
});

test('requests of a batch are answered on one stream, except a cancelled one', async () => {
  await lab().start();
  const { headers } = await post(initialize(1, '2025-03-26'));
  const id = String(headers['mcp-session-id']);
  const batch = post(JSON.stringify([call(2, 'hold'), call(3, 'hold'), call(4, 'echo')]), id);
  await vi.waitFor(() => expect(lab().connection.held).toBe(2));
  await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }, id);
  await vi.waitFor(() => expect(lab().connection.cancelled).toBe(1));
  lab().connection.release();
  const { text } = await batch;
  expect(text).toMatch(/"id":3/);
  expect(text).toMatch(/"id":4/);
  expect(text.match(/"result"/g)).toHaveLength(2);
});

test('a list of messages is served only where 2025-03-26 was agreed, and never with initialize', async () => {
  await lab().start();
  const list = JSON.stringify([call(2, 'echo'), { jsonrpc: '2.0', method: 'notifications/initialized' }]);
  const later = await post(list, await begin());
  expect(later.status).toBe(400);
  expect(later.text).toContain('protocol version 2025-03-26');
  const alone = await post(`[${initialize(1, '2025-03-26')}]`);
  expect(alone.status).toBe(400);
  expect(alone.text).toContain('initialize must not be in a list');
  const { headers } = await post(initialize(1, '2025-03-26'));
  const id = String(headers['mcp-session-id']);
  expect((await post(list, id)).text).toMatch(/"id":2/);
  expect((await post(`[${initialize(9, '2025-03-26')}]`, id)).status).toBe(400);
  const many = JSON.stringify(Array.from({ length: 101 }, (_, index) => call(100 + index, 'echo')));
  expect((await post(many, id)).text).toContain('Send at most 100');
});

test('a missing resource has the code of the revision', async () => {
  await lab().start();
  const read = { jsonrpc: '2.0', id: 2, method: 'resources/subscribe', params: { uri: 'junk:x' } };
  expect((await post(read, await begin())).text).toMatch(/"code":-32002[^]*"uri":"junk:x"/);
});

describe('a connection that cannot be opened', () => {
  test.each([
    [
      'is answered with the reason',
      new DeskterityError('DISPLAY_UNAVAILABLE', 'There is no display.', { suggestion: 'Start one.' }),
      /There is no display\. Start one\./,
    ],
    ['keeps an unknown reason to itself', new Error('secret path'), /See the log of the server/],
  ])('%s', async (_, failure, text) => {
    let isBroken = true;
    const { serving, connections } = await open(async () => {
      if (isBroken) throw failure;
      const connection = new FakeConnection(undefined);
      connections.push(connection);
      return connection;
    });
    const answer = await post(initialize('seven'), undefined, serving.url);
    expect(answer.text).toMatch(text);
    expect(answer.text).toContain('"id":"seven"');
    expect(answer.text).not.toContain('secret path');
    // One that would speak either tells its user the reason too.
    await expect(lab().client('either')).rejects.toThrow(text);
    expect(serving.clients).toBe(0);
    isBroken = false;
    const { client } = await lab().client('modern');
    expect((await client.listTools()).tools).toHaveLength(3);
    expect((await post(initialize(), undefined, serving.url)).status).toBe(200);
  });

  test('in time is refused, and closed if it opens later', async () => {
    const late = new FakeConnection(undefined);
    let arrive = (): void => undefined;
    const { serving } = await open(
      () =>
        new Promise((resolve) => {
          arrive = () => resolve(late);
        }),
      { openMs: 30 },
    );
    const answer = await post(initialize(), undefined, serving.url);
    expect(answer.text).toContain('did not open in time');
    arrive();
    await vi.waitFor(() => expect(late.closings).toBe(1));
    expect(serving.clients).toBe(0);
  });
});

test('a client that disconnects before it receives its session id leaves no session', async () => {
  const late = new FakeConnection(undefined);
  let arrive = (): void => undefined;
  const isAsked = vi.fn<() => void>();
  const { serving } = await open(() => {
    isAsked();
    return new Promise((resolve) => {
      arrive = () => resolve(late);
    });
  });
  const leave = new AbortController();
  const asked = fetch(serving.url, {
    method: 'POST',
    headers: JSON_HEADERS,
    body: initialize(),
    signal: leave.signal,
  });
  await vi.waitFor(() => expect(isAsked).toHaveBeenCalled());
  leave.abort();
  await expect(asked).rejects.toThrow('aborted');
  // By then the server has heard that the first client has gone.
  for (let turn = 0; turn < 2; turn += 1) expect((await raw(serving.url)).status).toBe(400);
  arrive();
  await vi.waitFor(() => expect(late.closings).toBe(1));
  expect(serving.clients).toBe(0);
});

test('closing the server ends every session, once', async () => {
  const serving = await lab().start();
  await lab().client('legacy');
  await lab().client('modern');
  await begin();
  await Promise.all([serving.close(), serving.close()]);
  expect(lab().connections.map(({ closings }) => closings)).toEqual([1, 1, 1]);
  await expect(fetch(serving.url)).rejects.toThrow('fetch failed');
});

async function open(
  opener: () => Promise<FakeConnection>,
  limits: { openMs?: number } = {},
): Promise<{ serving: Awaited<ReturnType<ReturnType<typeof lab>['start']>>; connections: FakeConnection[] }> {
  const serving = await lab().start({ open: opener, limits });
  return { serving, connections: lab().connections };
}

/** A client that does without the stream of a GET request. */
async function withoutStreams(url: string | URL, init?: RequestInit): Promise<Response> {
  return init?.method === 'GET' ? new Response(null, { status: 405 }) : fetch(url, init);
}
