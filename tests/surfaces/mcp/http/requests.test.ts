import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { initialize, JSON_HEADERS, raw, useHttpLab } from './support.ts';

const lab = useHttpLab();

const JsonRpcError = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]),
  error: z.object({ code: z.int(), message: z.string().min(1) }),
});

function errorOf(text: string): z.output<typeof JsonRpcError>['error'] {
  return JsonRpcError.parse(JSON.parse(text)).error;
}

async function stillServes(): Promise<void> {
  const { client } = await lab().client('modern');
  expect((await client.callTool({ name: 'echo', arguments: { text: 'ok' } })).isError).toBeUndefined();
}

describe('paths and methods', () => {
  test.each([
    '/',
    '/health',
    '/mcpx',
    '/mcp/%E0%A4%A',
    '//evil/mcp',
    '/sse',
    '/messages?sessionId=1',
    '/../mcp/x/y',
  ])('%s is not found', async (target) => {
    await lab().start();
    const socket = await dial();
    socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    const answer = await everything(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(errorOf(answer.split('\r\n\r\n')[1] ?? '').message).toContain('/mcp');
  });

  test('an unknown toolset is reported with the existing ones', async () => {
    await lab().start();
    const answer = await raw(`${lab().url}/core,nope`, {
      method: 'POST',
      headers: JSON_HEADERS,
      body: initialize(),
    });
    expect(answer.status).toBe(404);
    expect(errorOf(answer.text).message).toMatch(/"nope".*core, inspect, all/);
    expect(lab().connections).toEqual([]);
  });

  test.each(['PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE'])('%s is not allowed', async (method) => {
    await lab().start();
    const answer = await raw(lab().url, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('POST, GET, DELETE');
  });

  test.each(['legacy', 'modern'] as const)('the toolsets of a path apply to a %s client', async (era) => {
    await lab().start();
    await lab().client(era, { url: `${lab().url}/inspect,core,core` });
    expect(lab().connection.toolsets).toEqual(['core', 'inspect']);
    await lab().client(era);
    expect(lab().connections[1]?.toolsets).toBeUndefined();
  });
});

describe('bodies', () => {
  test.each([
    ['none', undefined],
    ['a form', 'application/x-www-form-urlencoded'],
    ['text, which a page may send', 'text/plain'],
    ['something like JSON', 'application/jsonp'],
  ])('of the type %s are refused', async (_, type) => {
    await lab().start();
    const { 'content-type': _type, ...rest } = JSON_HEADERS;
    const headers = type === undefined ? rest : { ...rest, 'content-type': type };
    expect((await raw(lab().url, { method: 'POST', headers, body: initialize() })).status).toBe(415);
  });

  test('that are compressed are refused', async () => {
    await lab().start();
    const headers = { ...JSON_HEADERS, 'content-encoding': 'gzip' };
    expect((await raw(lab().url, { method: 'POST', headers, body: 'x' })).status).toBe(415);
  });

  test.each([
    ['nothing', ''],
    ['half a message', initialize().slice(0, -1)],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('of %s are a parse error', async (_, body) => {
    await lab().start();
    const answer = await raw(lab().url, { method: 'POST', headers: JSON_HEADERS, body });
    expect(answer.status).toBe(400);
    expect(errorOf(answer.text).code).toBe(-32_700);
  });

  test.each([
    ['null', 'null'],
    ['a number', '7'],
    ['an empty batch', '[]'],
    ['no message', '{"hello":1}'],
    ['the old version', '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
    ['deep nesting', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    [
      'deep parameters',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
    ],
    ['initialize without parameters', '{"jsonrpc":"2.0","id":1,"method":"initialize"}'],
    ['initialize twice', `[${initialize(1)},${initialize(2)}]`],
    ['a request before initialize', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
  ])('of %s are answered with an error, and the server keeps serving', async (_, body) => {
    await lab().start();
    const answer = await raw(lab().url, { method: 'POST', headers: JSON_HEADERS, body });
    expect(answer.status).toBe(400);
    errorOf(answer.text);
    expect(lab().serving.clients).toBe(0);
    await stillServes();
  });

  test.each([
    ['declared', { 'content-length': String(5 * 1024 * 1024) }],
    ['found out while reading', { 'transfer-encoding': 'chunked' }],
  ])('of more than 4 MiB, %s, are refused', async (_, more) => {
    await lab().start();
    const body = Buffer.alloc(5 * 1024 * 1024, 0x20);
    const answer = await raw(lab().url, { method: 'POST', headers: { ...JSON_HEADERS, ...more }, body });
    expect(answer.status).toBe(413);
    expect(answer.headers.connection).toBe('close');
    expect(errorOf(answer.text).message).toContain('4194304');
    await stillServes();
  });

  test('that never end are cut off', async () => {
    await lab().start({ limits: { bodyBytes: 1000 } });
    const socket = await dial();
    socket.write(head('Transfer-Encoding: chunked'));
    const chunk = `fff\r\n${' '.repeat(0xfff)}\r\n`;
    const flood = setInterval(() => socket.write(chunk), 1);
    expect(await everything(socket)).toMatch(/^HTTP\/1\.1 413 /);
    clearInterval(flood);
  });
});

describe('slow clients', () => {
  test.each([
    ['the head', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: '],
    ['the body', `${head('Content-Length: 1000')}{`],
  ])('that delay %s are disconnected while others are served', async (_, start) => {
    await lab().start({ limits: { requestMs: 300 } });
    const socket = await dial();
    socket.write(start);
    await stillServes();
    const answer = await everything(socket);
    expect(answer).toMatch(/^(HTTP\/1\.1 408 |$)/);
    await stillServes();
  });
});

function head(length: string): string {
  return `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;
}

function dial(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(lab().url).port), '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });
}

function everything(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (piece: Buffer) => {
      text += piece.toString();
    });
    socket.on('close', () => resolve(text));
  });
}
