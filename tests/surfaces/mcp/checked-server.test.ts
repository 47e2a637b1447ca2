import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serveLines } from '../../../src/surfaces/mcp/connections/serve-lines.ts';
import { initialize, JSON_HEADERS, raw, useHttpLab } from './http/support.ts';
import { FakeConnection } from './support/fake-connection.ts';
import { LineClientTransport, streamPair } from './support/line-client.ts';

const lab = useHttpLab();
const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

const MODERN = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

/** Requests of a wrong shape, and what is wrong with them. */
const WRONG: readonly (readonly [method: string, params: Record<string, unknown>, path: string])[] = [
  ['resources/read', { uri: 7 }, 'params.uri'],
  ['resources/read', {}, 'params.uri'],
  ['completion/complete', {}, 'params.ref'],
  ['completion/complete', { ref: { type: 'ref/x' }, argument: { name: 'a', value: 'b' } }, 'params.ref'],
  ['prompts/get', { name: 'greet', arguments: { who: 7 } }, 'params.arguments.who'],
  ['prompts/get', { name: 'greet', arguments: { ['\u202E'.repeat(9000)]: 7 } }, 'params.arguments.'],
  ['tools/list', { cursor: 7 }, 'params.cursor'],
  ['tools/call', { name: 7 }, 'params.name'],
];

const Refusal = z.object({
  id: z.literal(9),
  error: z.object({ code: z.literal(-32602), message: z.string() }),
});

function refusalIn(answer: unknown): string {
  return Refusal.parse(answer).error.message;
}

function sentence(method: string, path: string): RegExp {
  const start = `In ${method}, ${path}`.replaceAll('.', String.raw`\.`);
  return new RegExp(`^(?=.{1,400}$)(?!.*\\u202E)${start}.* is not valid(?:: [^\\n[{]+)?\\.$`);
}

/** The last message of a body, which may be a stream of events. */
function lastIn(text: string): unknown {
  const data = text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [line.slice(6)] : []));
  return JSON.parse(data.at(-1) ?? text);
}

async function overLines(...messages: readonly object[]): Promise<unknown> {
  const [near, far] = streamPair();
  const gone = serveLines({ stream: far, version: '1', open: async () => new FakeConnection() });
  endings.push(async () => {
    near.destroy();
    far.destroy();
    await gone;
  });
  const client = new LineClientTransport(near);
  const answer = new Promise<unknown>((resolve) => {
    client.onmessage = (message) => 'id' in message && message.id === 9 && resolve(message);
  });
  await client.start();
  for (const message of messages) near.write(`${JSON.stringify(message)}\n`);
  return answer;
}

describe('invalid parameters are reported as the client’s error in one sentence', () => {
  const request = (method: string, params: object) => ({ jsonrpc: '2.0', id: 9, method, params });

  it.each([...WRONG, ['logging/setLevel', { level: 'loud' }, 'params.level'] as const])(
    '%s with %j over lines, of the legacy era',
    async (method, params, path) => {
      const answer = await overLines(JSON.parse(initialize()), request(method, params));
      expect(refusalIn(answer)).toMatch(sentence(method, path));
    },
  );

  it.each(WRONG)('%s with %j over lines, of the modern era', async (method, params, path) => {
    expect(refusalIn(await overLines(request(method, { ...params, ...MODERN })))).toMatch(
      sentence(method, path),
    );
  });

  it('initialize over lines', async () => {
    const params = { protocolVersion: 7, capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    expect(refusalIn(await overLines(request('initialize', params)))).toMatch(
      sentence('initialize', 'params.protocolVersion'),
    );
  });

  it('initialize over HTTP', async () => {
    await lab().start();
    const params = { protocolVersion: 7, capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const body = JSON.stringify(request('initialize', params));
    const { text } = await raw(lab().url, { method: 'POST', headers: JSON_HEADERS, body });
    expect(lastIn(text)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('initialize') },
    });
  });

  it.each(WRONG.slice(0, 3))('%s with %j over HTTP, of the modern era', async (method, params, path) => {
    await lab().start();
    const name: Record<string, string> =
      method === 'resources/read' ? { 'Mcp-Name': typeof params['uri'] === 'number' ? '7' : '' } : {};
    const { text } = await raw(lab().url, {
      method: 'POST',
      headers: { ...JSON_HEADERS, 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, ...name },
      body: JSON.stringify(request(method, { ...params, ...MODERN })),
    });
    expect(refusalIn(lastIn(text))).toMatch(sentence(method, path));
  });

  it.each([...WRONG, ['logging/setLevel', { level: 'loud' }, 'params.level'] as const])(
    '%s with %j over HTTP, of the legacy era',
    async (method, params, path) => {
      await lab().start();
      const first = await raw(lab().url, { method: 'POST', headers: JSON_HEADERS, body: initialize() });
      const { text } = await raw(lab().url, {
        method: 'POST',
        headers: { ...JSON_HEADERS, 'Mcp-Session-Id': String(first.headers['mcp-session-id']) },
        body: JSON.stringify(request(method, params)),
      });
      expect(refusalIn(lastIn(text))).toMatch(sentence(method, path));
    },
  );
});

it('our own bug is not reported as the client’s error', async () => {
  const connection = new FakeConnection();
  connection.complete = () => Promise.reject(new Error('[1, 2]'));
  const [near, far] = streamPair();
  const gone = serveLines({ stream: far, version: '1', open: async () => connection });
  endings.push(async () => {
    near.destroy();
    far.destroy();
    await gone;
  });
  const client = new LineClientTransport(near);
  const answer = new Promise<unknown>((resolve) => {
    client.onmessage = resolve;
  });
  await client.start();
  const params = {
    ref: { type: 'ref/prompt', name: 'greet' },
    argument: { name: 'who', value: '' },
    ...MODERN,
  };
  near.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'completion/complete', params })}\n`);
  expect(await answer).toMatchObject({ error: { code: -32603 } });
});
