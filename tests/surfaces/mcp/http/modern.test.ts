import { describe, expect, test, vi } from 'vitest';
import { FakeConnection, JSON_HEADERS, raw, useHttpLab } from './support.ts';

const lab = useHttpLab();

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

function modern(
  method: string,
  params: object = {},
  name?: string,
): { headers: Record<string, string>; body: string } {
  return {
    headers: {
      ...JSON_HEADERS,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }),
  };
}

function listen(uris: readonly string[]): { headers: Record<string, string>; body: string } {
  return modern('subscriptions/listen', {
    notifications: { resourceSubscriptions: uris, resourcesListChanged: true },
  });
}

async function leaveAfter(
  request: { headers: Record<string, string>; body: string },
  moment: () => void,
): Promise<void> {
  const leave = new AbortController();
  const asked = fetch(lab().url, { method: 'POST', ...request, signal: leave.signal }).then((answer) =>
    answer.text(),
  );
  await vi.waitFor(moment);
  leave.abort();
  await expect(asked).rejects.toThrow('aborted');
}

test('requests on one path share a connection, those on another path do not', async () => {
  await lab().start();
  const [one, two] = [await lab().client('modern'), await lab().client('modern')];
  await Promise.all([one.client.listTools(), two.client.listTools()]);
  expect(lab().opened).toEqual(['principal']);
  await lab().client('modern', { url: `${lab().url}/inspect` });
  expect(lab().connections.map(({ toolsets }) => toolsets)).toEqual([undefined, ['inspect']]);
});

test('many concurrent first requests open only one connection', async () => {
  await lab().start();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => raw(lab().url, { method: 'POST', ...modern('tools/list') })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(lab().connections).toHaveLength(1);
});

test('the number of open paths is limited: one in use stays, one that is not makes room', async () => {
  await lab().start({ limits: { principals: 1 } });
  const { client } = await lab().client('modern');
  const held = client.callTool({ name: 'hold' });
  await vi.waitFor(() => expect(lab().connection.held).toBe(1));
  const core = () => raw(`${lab().url}/core`, { method: 'POST', ...modern('tools/list') });
  expect((await core()).status).toBe(503);
  expect(lab().connection.closings).toBe(0);
  lab().connection.release();
  await held;
  expect((await core()).status).toBe(200);
  expect(lab().connections.map(({ closings }) => closings)).toEqual([1, 0]);
});

test('a client that disconnects cancels its call, with and without a stream', async () => {
  await lab().start();
  const params = { name: 'hold', arguments: {} };
  await leaveAfter(modern('tools/call', params, 'hold'), () => expect(lab().connections[0]?.held).toBe(1));
  await vi.waitFor(() => expect(lab().connection.cancelled).toBe(1));
  const { headers, body } = modern('tools/call', params, 'hold');
  const withProgress = body.replace('"_meta":{', '"_meta":{"progressToken":1,');
  await leaveAfter({ headers, body: withProgress }, () => expect(lab().connection.held).toBe(2));
  await vi.waitFor(() => expect(lab().connection.cancelled).toBe(2));
  await vi.waitFor(() => expect(lab().serving.clients).toBe(0));
});

describe('a subscription', () => {
  test('reports what was requested and watches exactly as long as it is open', async () => {
    await lab().start();
    const { client } = await lab().client('modern');
    const heard: string[] = [];
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void heard.push(params.uri),
    );
    client.setNotificationHandler('notifications/resources/list_changed', () => void heard.push('list'));
    const first = await client.listen({ resourceSubscriptions: ['a://1', 'a://2'] });
    const { connection, serving } = lab();
    const second = await client.listen({ resourceSubscriptions: ['a://2'], resourcesListChanged: true });
    expect([...connection.watches.keys()].toSorted()).toEqual(['', 'a://1', 'a://2']);
    expect(connection.watches.get('a://2')?.size).toBe(1);
    expect(serving.clients).toBe(2);
    connection.change('a://1');
    connection.change('');
    await vi.waitFor(() => expect(heard.toSorted()).toEqual(['a://1', 'list']));
    await first.close();
    await vi.waitFor(() => expect([...connection.watches.keys()].toSorted()).toEqual(['', 'a://2']));
    await second.close();
    await vi.waitFor(() => expect(connection.watches.size).toBe(0));
    expect(serving.clients).toBe(0);
  });

  test('starts when every later change will be reported', async () => {
    await lab().start();
    const { client } = await lab().client('modern');
    await client.listTools();
    let begin: () => void = () => undefined;
    lab().connection.watchable = new Promise((resolve) => {
      begin = resolve;
    });
    const order: string[] = [];
    const stream = client.listen({ resourceSubscriptions: ['a://1'] }).then(() => order.push('listens'));
    await client.listTools({}, { cacheMode: 'bypass' });
    order.push('can begin');
    begin();
    await stream;
    expect(order).toEqual(['can begin', 'listens']);
    expect(lab().connection.watches.get('a://1')?.size).toBe(1);
  });

  test('ends its watches when the client disconnects', async () => {
    await lab().start();
    await leaveAfter(listen(['a://1']), () => expect(lab().connections[0]?.watches.size).toBe(2));
    await vi.waitFor(() => expect(lab().connection.watches.size).toBe(0));
    expect(lab().serving.clients).toBe(0);
  });

  test('that is refused watches nothing', async () => {
    await lab().start({ limits: { listenResources: 2, listenStreams: 1 } });
    const tooMany = await raw(lab().url, { method: 'POST', ...listen(['a://1', 'a://2', 'a://3']) });
    expect(tooMany.status).toBe(400);
    expect(tooMany.text).toContain('at most 2 resources');
    expect(lab().connections).toEqual([]);
    const { client } = await lab().client('modern');
    const only = await client.listen({ resourceSubscriptions: ['a://1'] });
    const refused = await raw(lab().url, { method: 'POST', ...listen(['a://2']) });
    expect(refused.text).toContain('limit of 1 subscriptions');
    expect(lab().connection.watchings).toBe(1);
    await only.close();
  });

  test('acknowledges and reports the same changes', async () => {
    await lab().start();
    const leave = new AbortController();
    const answer = await fetch(lab().url, {
      method: 'POST',
      ...listen(['junk', 'a://1']),
      signal: leave.signal,
    });
    const body = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = (await body?.read())?.value ?? '';
    expect(first).toContain('{"resourcesListChanged":true,"resourceSubscriptions":["a://1"]}');
    expect([...lab().connection.watches.keys()].toSorted()).toEqual(['', 'a://1']);
    lab().connection.change('a://1');
    expect((await body?.read())?.value).toContain('"uri":"a://1"');
    leave.abort();
    await vi.waitFor(() => expect(lab().connection.watches.size).toBe(0));
  });

  test('without any possible watch is refused and frees its place', async () => {
    await lab().start({ limits: { listenStreams: 1 } });
    const { client } = await lab().client('modern');
    for (let turn = 0; turn < 3; turn += 1)
      await expect(client.listen({ resourceSubscriptions: ['junk', 'junk2'] })).rejects.toMatchObject({
        code: -32602,
        data: { uri: 'junk' },
      });
    await client.listen({ resourceSubscriptions: ['a://1'] });
  });

  test('ends properly when the server closes', async () => {
    const serving = await lab().start();
    const stream = raw(lab().url, { method: 'POST', ...listen(['a://1']) });
    await vi.waitFor(() => expect(lab().connections[0]?.watches.size).toBe(2));
    await serving.close();
    expect((await stream).text).toContain('"resultType":"complete"');
    expect(lab().connection).toMatchObject({ closings: 1, watches: new Map() });
  });
});

test('an idle connection is closed and reopened on demand', async () => {
  await lab().start({ limits: { idleMs: 50 } });
  const { client } = await lab().client('modern');
  const stream = await client.listen({ resourcesListChanged: true });
  // On a busy machine the one that negotiated may have been idle for too long before this one.
  const used = lab().connections.at(-1);
  const opened = lab().connections.length;
  // Longer than what nobody uses is kept: a stream is a use.
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(used?.closings).toBe(0);
  await stream.close();
  await vi.waitFor(() => expect(used?.closings).toBe(1));
  await client.listTools();
  expect(lab().connections).toHaveLength(opened + 1);
});

describe('headers', () => {
  test.each([
    ['an unknown version', { 'mcp-protocol-version': '2099-01-01' }],
    ['no version', { 'mcp-protocol-version': undefined }],
    ['another method', { 'mcp-method': 'tools/call' }],
    ['no method', { 'mcp-method': undefined }],
  ])('with %s than the body are refused', async (_, wrong) => {
    await lab().start();
    const { headers, body } = modern('tools/list');
    const entries = Object.entries({ ...headers, ...wrong }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const answer = await raw(lab().url, { method: 'POST', headers: Object.fromEntries(entries), body });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('"error"');
  });
});

test('a server without open connections closes', async () => {
  const late = new FakeConnection(undefined);
  let arrive = (): void => undefined;
  const serving = await lab().start({
    open: () =>
      new Promise((resolve) => {
        arrive = () => resolve(late);
      }),
  });
  const asked = raw(lab().url, { method: 'POST', ...modern('tools/list') }).catch(() => undefined);
  await vi.waitFor(() => expect(serving.clients).toBe(1));
  const closing = serving.close();
  arrive();
  await closing;
  await asked;
  expect(late.closings).toBe(1);
});

test('a session that does not end does not block the server’s end', async () => {
  const stuck = new FakeConnection(undefined);
  stuck.close = () => new Promise(() => undefined);
  const serving = await lab().start({ open: async () => stuck, limits: { closeMs: 50 } });
  await raw(serving.url, { method: 'POST', ...modern('tools/list') });
  await serving.close();
  await expect(fetch(serving.url)).rejects.toThrow('fetch failed');
});
