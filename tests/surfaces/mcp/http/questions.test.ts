import { randomBytes } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { painter } from '../questions/support.ts';
import { FakeConnection, JSON_HEADERS, raw, useHttpLab } from './support.ts';

const lab = useHttpLab();
const runs: unknown[] = [];

/** A server whose tool asks for a colour. */
async function start(url?: string) {
  runs.length = 0;
  const open = async () => Object.assign(new FakeConnection(undefined), { tools: [painter({ runs })] });
  return lab().start({ open, ...(url === undefined ? {} : { port: Number(new URL(url).port) }) });
}

const GREEN = { action: 'accept', content: { colour: 'g' } } as const;
const CAPABILITIES = { elicitation: { form: {} } };

const Asked = z.object({ result: z.object({ requestState: z.string() }) });

/** One modern request, by hand. */
async function paint(url: string, params: object = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
  };
  const { text } = await raw(url, {
    method: 'POST',
    headers: {
      ...JSON_HEADERS,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'paint',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'paint', arguments: {}, ...params, _meta },
    }),
  });
  const body: unknown = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  return body;
}

test.each(['legacy', 'modern'] as const)('a client of the %s era is asked', async (era) => {
  await start();
  const { client } = await lab().client(era, { client: { capabilities: CAPABILITIES } });
  client.setRequestHandler('elicitation/create', async () => GREEN);
  await client.callTool({ name: 'paint', arguments: {} });
  expect(runs).toEqual([[GREEN]]);
});

describe('a request state', () => {
  test('is accepted once, on its path', async () => {
    await start();
    const { requestState } = Asked.parse(await paint(lab().url)).result;
    const answered = { requestState, inputResponses: { colour: GREEN } };
    const unknown = { error: { code: -32_602, data: { reason: 'request_state_unknown' } } };
    expect(await paint(`${lab().url}/inspect`, answered)).toMatchObject(unknown);
    const both = await Promise.all([paint(lab().url, answered), paint(lab().url, answered)]);
    expect(both.filter((answer) => JSON.stringify(answer).includes('request_state_used'))).toHaveLength(1);
    expect(runs).toEqual([[GREEN]]);
  });

  test('ends with the server', async () => {
    const first = await start();
    const { requestState } = Asked.parse(await paint(first.url)).result;
    const { url } = first;
    await first.close();
    const second = await start(url);
    const answered = { requestState, inputResponses: { colour: GREEN } };
    expect(await paint(second.url, answered)).toMatchObject({
      error: { data: { reason: 'request_state_unknown' } },
    });
    expect(runs).toEqual([]);
  });

  test('of random bytes is refused', async () => {
    await start();
    const forged = Array.from({ length: 20 }, (_, length) => randomBytes(length * 7).toString('base64url'));
    for (const requestState of [...forged, ...forged.map((text) => `${text}.${text}`)])
      expect(await paint(lab().url, { requestState, inputResponses: { colour: GREEN } })).toMatchObject({
        error: { code: -32_602 },
      });
    expect(runs).toEqual([]);
  });
});

test('another session cannot answer', async () => {
  await start();
  const options = { client: { capabilities: CAPABILITIES } };
  const [ann, bob] = [await lab().client('legacy', options), await lab().client('legacy', options)];
  let answer: (() => void) | undefined;
  ann.client.setRequestHandler(
    'elicitation/create',
    () =>
      new Promise((resolve) => {
        answer = () => resolve({ action: 'decline' });
      }),
  );
  const call = ann.client.callTool({ name: 'paint', arguments: {} });
  await vi.waitFor(() => expect(answer).toBeDefined());
  for (let id = 0; id < 5; id += 1) {
    const { status } = await raw(lab().url, {
      method: 'POST',
      headers: {
        ...JSON_HEADERS,
        'mcp-session-id': bob.transport.sessionId ?? '',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, result: GREEN }),
    });
    expect(status).toBe(202);
  }
  answer?.();
  await call;
  expect(runs).toEqual([[{ action: 'decline' }]]);
});
