import { Client, SSEClientTransport } from '@modelcontextprotocol/client';
import { expect, test, vi } from 'vitest';
import { JSON_HEADERS, raw, useHttpLab, type HttpLab } from './support.ts';

const lab = useHttpLab();

function at(path: string): string {
  return new URL(path, lab().url).href;
}

async function connectTo(of: HttpLab, token?: string): Promise<Client> {
  const client = new Client({ name: 'old', version: '1' });
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new SSEClientTransport(new URL('/sse', of.url), { requestInit }));
  of.afterwards(() => client.close());
  return client;
}

test('a client of 2024-11-05 calls, receives progress and changes, and cancels', async () => {
  await lab().start({ isSseServed: true });
  const client = await connectTo(lab());
  const { connection, serving } = lab();
  expect(lab().opened).toEqual(['session']);
  expect(serving.clients).toBe(1);
  const onprogress = vi.fn<() => void>();
  const held = client.callTool({ name: 'hold' }, { onprogress });
  await vi.waitFor(() => expect(onprogress).toHaveBeenCalledTimes(1));
  connection.release();
  expect((await held).content).toEqual([{ type: 'text', text: 'held' }]);
  const changed = new Promise<string>((resolve) => {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri));
  });
  await client.subscribeResource({ uri: 'a://1' });
  connection.change('a://1');
  expect(await changed).toBe('a://1');
  const cancel = new AbortController();
  const call = client.callTool({ name: 'hold' }, { signal: cancel.signal });
  await vi.waitFor(() => expect(connection.held).toBe(2));
  cancel.abort();
  await expect(call).rejects.toThrow('aborted');
  await vi.waitFor(() => expect(connection.cancelled).toBe(1));
});

test('a client that disconnects during a call leaves nothing behind', async () => {
  await lab().start({ isSseServed: true });
  const client = await connectTo(lab());
  const call = client.callTool({ name: 'hold' }).catch(() => undefined);
  await client.subscribeResource({ uri: 'a://1' });
  const { connection, serving } = lab();
  await vi.waitFor(() => expect(connection.held).toBe(1));
  await client.close();
  await call;
  await vi.waitFor(() => expect(connection).toMatchObject({ cancelled: 1, closings: 1, watches: new Map() }));
  expect(serving.clients).toBe(0);
});

test('Host, Origin and token are checked', async () => {
  await lab().start({ isSseServed: true, token: 'secret' });
  expect((await raw(at('/sse'))).status).toBe(401);
  expect((await raw(at('/messages?sessionId=1'), { method: 'POST' })).status).toBe(401);
  const headers = { authorization: 'Bearer secret' };
  expect((await raw(at('/sse'), { headers: { ...headers, host: 'attacker.example' } })).status).toBe(403);
  expect((await raw(at('/sse'), { headers: { ...headers, origin: 'http://attacker.example' } })).status).toBe(
    403,
  );
  expect(lab().connections).toEqual([]);
  const client = await connectTo(lab(), 'secret');
  expect((await client.listTools()).tools).toHaveLength(3);
});

test('an invalid message is refused and the session continues', async () => {
  await lab().start({ isSseServed: true });
  const client = await connectTo(lab());
  const post = async (path: string, body: string): Promise<number> =>
    (await raw(at(path), { method: 'POST', headers: JSON_HEADERS, body })).status;
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  expect(await post('/messages', ping)).toBe(404);
  expect(await post('/messages?sessionId=unknown', ping)).toBe(404);
  expect(await post('/messages?sessionId=unknown', '{')).toBe(400);
  expect((await raw(at('/messages'))).status).toBe(405);
  expect((await raw(at('/sse'), { method: 'POST' })).status).toBe(405);
  await client.ping();
});

test('the number of sessions is limited, and a failure to open is explained', async () => {
  await lab().start({ isSseServed: true, limits: { sessions: 1 } });
  const client = await connectTo(lab());
  expect((await raw(at('/sse'))).status).toBe(503);
  await client.close();
  await vi.waitFor(() => expect(lab().serving.clients).toBe(0));
  await connectTo(lab());
  const broken = await lab().start({ isSseServed: true, open: () => Promise.reject(new Error('broken')) });
  const answer = await raw(new URL('/sse', broken.url).href);
  expect(answer.status).toBe(503);
  expect(answer.text).toContain('could not be opened');
});

test('closing the server ends its sessions', async () => {
  const serving = await lab().start({ isSseServed: true });
  await connectTo(lab());
  await serving.close();
  expect(lab().connection.closings).toBe(1);
});
