import { Client } from '@modelcontextprotocol/client';
import { expect, it, vi } from 'vitest';
import { serveLines } from '../../src/mcp/serve-lines.ts';
import { FakeConnection } from './support/fake-connection.ts';
import { LineClientTransport, streamPair } from './support/line-client.ts';

it('a stream of changes begins when every later change will be told, and other requests do not wait for it', async () => {
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
