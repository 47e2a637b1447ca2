import { Client } from '@modelcontextprotocol/client';
import { expect, test, vi } from 'vitest';
import { serveLines } from '../../../src/surfaces/mcp/connections/serve-lines.ts';
import { useHttpLab } from './http/support.ts';
import { FakeConnection } from './support/fake-connection.ts';
import { LineClientTransport, streamPair } from './support/line-client.ts';

const lab = useHttpLab();
const CHANGED = 'notifications/prompts/list_changed';
const MODES = { legacy: 'legacy', modern: { pin: '2026-07-28' } } as const;

/** A client of a pipe. */
async function piped(era: 'legacy' | 'modern') {
  const connection = new FakeConnection();
  const [near, far] = streamPair();
  const served = serveLines({ stream: far, version: '1', open: async () => connection });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: MODES[era] } });
  await client.connect(new LineClientTransport(near));
  return {
    client,
    connection,
    end: async () => {
      await client.close();
      await served;
    },
  };
}

/** How often a client was told. */
function heardBy(client: Client): () => number {
  let heard = 0;
  client.setNotificationHandler(CHANGED, () => {
    heard += 1;
  });
  return () => heard;
}

test('a client of the legacy era that has the list of prompts is told when it changes', async () => {
  const { client, connection, end } = await piped('legacy');
  expect(client.getServerCapabilities()?.prompts).toEqual({ listChanged: true });
  const heard = heardBy(client);
  expect(connection.promptWatchers.size).toBe(0);
  await client.listPrompts();
  for (const tell of connection.promptWatchers) tell();
  await vi.waitFor(() => expect(heard()).toBe(1));
  await end();
  expect(connection.promptWatchers.size).toBe(0);
});

test('a client of the modern era is told if it has subscribed to that, and no other', async () => {
  const { client, connection, end } = await piped('modern');
  const heard = heardBy(client);
  const other = await client.listen({ toolsListChanged: true });
  expect(connection.promptWatchers.size).toBe(0);
  const listening = await client.listen({ promptsListChanged: true });
  for (const tell of connection.promptWatchers) tell();
  await vi.waitFor(() => expect(heard()).toBe(1));
  await listening.close();
  await vi.waitFor(() => expect(connection.promptWatchers.size).toBe(0));
  await other.close();
  await end();
});

test('so is one over HTTP', async () => {
  await lab().start();
  const { client } = await lab().client('modern');
  expect(client.getServerCapabilities()?.prompts).toEqual({ listChanged: true });
  const heard = heardBy(client);
  await client.listen({ promptsListChanged: true });
  const { promptWatchers } = lab().connection;
  expect(promptWatchers.size).toBe(1);
  for (const tell of promptWatchers) tell();
  await vi.waitFor(() => expect(heard()).toBe(1));
});
