import { expect, test } from 'vitest';
import { SessionEvents } from '../../../../src/surfaces/mcp/http/session-events.ts';
import { SessionTransport } from '../../../../src/surfaces/mcp/http/session-transport.ts';
import { initialize, JSON_HEADERS } from './support.ts';

const URL = 'http://localhost/mcp';
const headers = { ...JSON_HEADERS, 'mcp-session-id': 'one', 'mcp-protocol-version': '2025-11-25' };

test('messages sent at any time during a resume arrive once, in order', async () => {
  const events = new SessionEvents({ keptMessages: 1000, keptBytes: 1_000_000 });
  const transport = new SessionTransport({
    sessionIdGenerator: () => 'one',
    eventStore: events,
    keepAliveMs: 0,
  });
  await transport.start();
  await transport.receive(new Request(URL, { method: 'POST', headers }), JSON.parse(initialize()));
  const { currentId } = events;
  let count = 0;
  const say = (): Promise<void> => {
    count += 1;
    return transport.send({ jsonrpc: '2.0', method: 'notifications/message', params: { count } });
  };
  await say();
  await say();
  const resuming = transport.receive(
    new Request(URL, { headers: { ...headers, 'last-event-id': currentId } }),
    undefined,
  );
  const saying: Promise<void>[] = [];
  for (let step = 0; step < 60; step += 1) {
    saying.push(say());
    await Promise.resolve();
  }
  const { body } = await resuming;
  await Promise.all(saying);
  await transport.close();
  const text = await new Response(body).text();
  const heard = [...text.matchAll(/"count":(\d+)/g)].map(([, number]) => Number(number));
  expect(heard).toEqual(Array.from({ length: count }, (_, index) => index + 1));
});
