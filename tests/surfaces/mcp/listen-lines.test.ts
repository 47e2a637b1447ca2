import { Client } from '@modelcontextprotocol/client';
import { expect, it, vi } from 'vitest';
import { serveLines } from '../../../src/surfaces/mcp/connections/serve-lines.ts';
import { FakeConnection } from './support/fake-connection.ts';
import { LineClientTransport, streamPair } from './support/line-client.ts';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const META = {
  [VERSION]: '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A client that says exactly what the test says, in the modern era. */
function rawClient() {
  const connection = new FakeConnection();
  const [near, far] = streamPair();
  const served = serveLines({ stream: far, version: '1.2.3', open: async () => connection });
  const transport = new LineClientTransport(near);
  const heard: unknown[] = [];
  transport.onmessage = (message) => void heard.push(message);
  const ask = async (id: number, method: string, params: object = {}, meta: typeof META = META) => {
    await transport.send({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } });
    const answer = expect.objectContaining({ id });
    await vi.waitFor(() => expect(heard).toContainEqual(answer));
    return heard.find((message) => answer.asymmetricMatch(message));
  };
  const end = async () => {
    await transport.close();
    await served;
  };
  return { connection, transport, heard, ask, end };
}

it('a subscription starts when every later change will be reported, without delaying other requests', async () => {
  const connection = new FakeConnection();
  const [near, far] = streamPair();
  const served = serveLines({ stream: far, version: '1.2.3', open: async () => connection });
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new LineClientTransport(near));
  const updates: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updates.push(params.uri);
  });
  await client.listen({ resourceSubscriptions: ['test://thing/0'] });
  let begin: () => void = () => undefined;
  connection.watchable = new Promise((resolve) => {
    begin = resolve;
  });
  let isListening = false;
  const both = ['test://thing/0', 'test://thing/1'];
  const second = client.listen({ resourceSubscriptions: both }).then((stream) => {
    isListening = true;
    return stream;
  });
  await client.listTools({}, { cacheMode: 'bypass' });
  // The stream that is not open yet is not told.
  connection.watched.get('test://thing/0')?.();
  await vi.waitFor(() => expect(updates).toEqual(['test://thing/0']));
  await client.listTools({}, { cacheMode: 'bypass' });
  expect(isListening).toBe(false);
  begin();
  await second;
  connection.watched.get('test://thing/1')?.();
  await vi.waitFor(() => expect(updates).toEqual(both));
  await client.listTools({}, { cacheMode: 'bypass' });
  expect(updates).toEqual(both);
  await client.close();
  await served;
  expect(connection.watched.size).toBe(0);
});

it('a subscription acknowledges and reports the same changes', async () => {
  const { connection, transport, heard, ask, end } = rawClient();
  await transport.start();
  await ask(1, 'tools/list');
  const listen = (id: number, uris: readonly string[], more: object = {}) => {
    const notifications = { resourceSubscriptions: uris, ...more };
    return transport.send({
      jsonrpc: '2.0',
      id,
      method: 'subscriptions/listen',
      params: { notifications, _meta: META },
    });
  };
  await listen(2, ['test://thing/0', 'junk', 'test://thing/1'], { resourcesListChanged: true });
  const notifications = {
    resourceSubscriptions: ['test://thing/0', 'test://thing/1'],
    resourcesListChanged: true,
  };
  await vi.waitFor(() =>
    expect(heard).toContainEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications, _meta: { 'io.modelcontextprotocol/subscriptionId': 2 } },
    }),
  );
  expect([...connection.watched.keys()].toSorted()).toEqual(['list', 'test://thing/0', 'test://thing/1']);
  // Of nothing but names that are none.
  for (let turn = 0; turn < 2; turn += 1) {
    heard.length = 0;
    await listen(3, ['junk']);
    await vi.waitFor(() =>
      expect(heard).toMatchObject([{ id: 3, error: { code: -32602, data: { uri: 'junk' } } }]),
    );
  }
  heard.length = 0;
  connection.watched.get('test://thing/1')?.();
  await ask(4, 'tools/list');
  expect(heard.filter((message) => JSON.stringify(message).includes('resources/updated'))).toHaveLength(1);
  await end();
  expect(connection.watched.size).toBe(0);
});

it('a request with an unsupported version is refused, even after others', async () => {
  const { transport, ask, end } = rawClient();
  await transport.start();
  const discovered = await ask(1, 'server/discover');
  const refused = (requested: string) => ({
    error: { code: -32022, data: { requested, supported: ['2026-07-28'] } },
  });
  expect(discovered).toMatchObject({ result: { supportedVersions: ['2026-07-28'] } });
  expect(await ask(2, 'tools/list', {}, { ...META, [VERSION]: '2027-01-01' })).toMatchObject(
    refused('2027-01-01'),
  );
  expect(await ask(3, 'tools/list')).toMatchObject({ result: {} });
  const call = { name: 'echo', arguments: {} };
  expect(await ask(4, 'tools/call', call, { ...META, [VERSION]: '1' })).toMatchObject(refused('1'));
  // The number is free again.
  expect(await ask(5, 'tools/call', call)).toMatchObject({ result: {} });
  await end();
});
