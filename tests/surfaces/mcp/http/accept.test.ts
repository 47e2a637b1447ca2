import { describe, expect, test, vi } from 'vitest';
import { acceptsStream, answerForm } from '../../../../src/surfaces/mcp/http/accept.ts';
import { messagesIn } from '../../../../src/surfaces/mcp/http/shape-answer.ts';
import { initialize, raw, useHttpLab, type RawAnswer } from './support.ts';

const lab = useHttpLab();
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

test.each([
  [undefined, 'json'],
  ['', 'json'],
  ['application/json', 'json'],
  ['text/event-stream', 'stream'],
  ['application/json, text/event-stream', 'either'],
  ['text/event-stream,application/json', 'either'],
  ['APPLICATION/JSON , Text/Event-Stream', 'either'],
  ['application/json, text/event-stream;q=0.9', 'json'],
  ['application/json;q=0.1, text/event-stream;q=0.2', 'stream'],
  ['application/json;q=0, text/event-stream', 'stream'],
  ['application/json, text/event-stream;q=0', 'json'],
  ['application/json;charset=utf-8;q=1', 'json'],
  ['*/*', 'json'],
  ['*/*;q=0.1', 'json'],
  ['application/*', 'json'],
  ['text/*', 'stream'],
  ['*/*, text/event-stream', 'either'],
  ['*/*, application/json;q=0', 'stream'],
  ['text/html', undefined],
  ['text/html, */*;q=0', undefined],
  ['application/jsonp', undefined],
  ['application/json;q=2', undefined],
  ['application/json;q=-1', undefined],
  ['application/json;q=x', undefined],
  [';;,;q=1,', undefined],
])('Accept %j means %j', (accept, form) => {
  expect(answerForm(accept)).toBe(form);
});

test.each([
  [undefined, true],
  ['text/event-stream', true],
  ['*/*', true],
  ['application/json', false],
  ['text/event-stream;q=0', false],
])('a stream is acceptable for %j: %j', (accept, isAcceptable) => {
  expect(acceptsStream(accept)).toBe(isAcceptable);
});

interface Era {
  readonly headers: Readonly<Record<string, string>>;
  readonly meta: object;
}

async function eraOf(name: 'legacy' | 'modern'): Promise<Era> {
  if (name === 'modern') return { headers: { 'mcp-protocol-version': '2026-07-28' }, meta: { _meta: META } };
  const accept = 'application/json, text/event-stream';
  const { headers } = await raw(lab().url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: initialize(),
  });
  return { headers: { 'mcp-session-id': String(headers['mcp-session-id']) }, meta: {} };
}

function call(
  { headers, meta }: Era,
  accept: string | undefined,
  tool: string,
  args: object = {},
): Promise<RawAnswer> {
  return raw(lab().url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'mcp-method': 'tools/call',
      'mcp-name': tool,
      ...headers,
      ...(accept === undefined ? {} : { accept }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 5,
      method: 'tools/call',
      params: { name: tool, arguments: args, ...meta },
    }),
  });
}

describe.each(['legacy', 'modern'] as const)('a call of the %s era', (name) => {
  test.each([undefined, 'application/json', '*/*', 'application/json, text/event-stream;q=0.5'])(
    'with Accept %j is answered by one JSON document, whatever it reports meanwhile',
    async (accept) => {
      await lab().start();
      const answer = await call(await eraOf(name), accept, 'talk', { steps: 3 });
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
      expect(JSON.parse(answer.text)).toMatchObject({
        id: 5,
        result: { content: [{ type: 'text', text: 'said' }] },
      });
    },
  );

  test('with an Accept for streams only is answered by one', async () => {
    await lab().start();
    const answer = await call(await eraOf(name), 'text/event-stream', 'echo', { text: 'line\nline' });
    expect(answer.headers['content-type']).toBe('text/event-stream');
    expect(messagesIn(answer.text)).toEqual([
      expect.objectContaining({
        id: 5,
        result: expect.objectContaining({ content: [{ type: 'text', text: 'line\nline' }] }),
      }),
    ]);
  });

  test('with an Accept for neither is refused before it has an effect', async () => {
    await lab().start();
    const era = await eraOf(name);
    const answer = await call(era, 'text/html', 'hold');
    expect(answer.status).toBe(406);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { message: expect.stringContaining('Accept') } });
    expect(
      lab()
        .connections.map(({ held }) => held)
        .filter((held) => held > 0),
    ).toEqual([]);
  });

  test('whose client leaves before its JSON document is cancelled', async () => {
    await lab().start({ limits: { abandonedMs: 50 } });
    const { headers, meta } = await eraOf(name);
    const leave = new AbortController();
    const gone = fetch(lab().url, {
      method: 'POST',
      signal: leave.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'mcp-method': 'tools/call',
        'mcp-name': 'hold',
        ...headers,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 5,
        method: 'tools/call',
        params: { name: 'hold', arguments: {}, ...meta },
      }),
    }).catch(() => undefined);
    await vi.waitFor(() => expect(lab().connection.held).toBe(1));
    leave.abort();
    await gone;
    await vi.waitFor(() => expect(lab().connection.cancelled).toBe(1));
  });
});

test('initialize with an Accept for JSON begins a session', async () => {
  await lab().start();
  const answer = await raw(lab().url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: initialize(1, '2025-03-26'),
  });
  expect(JSON.parse(answer.text)).toMatchObject({ id: 1, result: { protocolVersion: '2025-03-26' } });
  expect(answer.headers['mcp-session-id']).toMatch(/^[0-9a-f-]{36}$/);
  const ping = await raw(lab().url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'mcp-session-id': String(answer.headers['mcp-session-id']),
    },
    body: JSON.stringify([
      { jsonrpc: '2.0', id: 2, method: 'ping' },
      { jsonrpc: '2.0', id: 3, method: 'ping' },
    ]),
  });
  expect(JSON.parse(ping.text)).toEqual([
    { jsonrpc: '2.0', id: 2, result: {} },
    { jsonrpc: '2.0', id: 3, result: {} },
  ]);
});

test('a stream cannot be opened by a client that accepts none', async () => {
  await lab().start();
  const { headers } = await eraOf('legacy');
  expect((await raw(lab().url, { headers: { ...headers, accept: 'application/json' } })).status).toBe(406);
});

test('a call that is cancelled is said to be, in its JSON document', async () => {
  await lab().start();
  const era = await eraOf('legacy');
  const held = call(era, 'application/json', 'hold');
  await vi.waitFor(() => expect(lab().connection.held).toBe(1));
  await raw(lab().url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...era.headers },
    body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } }),
  });
  expect(JSON.parse((await held).text)).toMatchObject({
    id: 5,
    error: { message: expect.stringContaining('cancelled') },
  });
});

test('a subscription is only answered by a stream', async () => {
  await lab().start();
  const { headers, meta } = await eraOf('modern');
  const answer = await raw(lab().url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'mcp-method': 'subscriptions/listen',
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 5,
      method: 'subscriptions/listen',
      params: { notifications: { resourcesListChanged: true }, ...meta },
    }),
  });
  expect(answer.status).toBe(406);
});
