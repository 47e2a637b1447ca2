import { afterEach, beforeEach, expect, it } from 'vitest';
import { failureOf, never, openStage, plainCall, soon, type Stage } from './support/stage.ts';
import { openStreamServer, type StreamServer } from './support/stream-server.ts';

let stage: Stage;
let server: StreamServer;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(async () => {
  await stage.close();
  await server.close();
});

it('uses a server of 2024 after it has refused a request as one of today', async () => {
  server = await openStreamServer();
  await stage.configure({ old: { url: server.url } });
  const [facts] = (await stage.port.list('old', never)).servers;
  expect(facts).toMatchObject({ state: 'ready', transport: 'http' });
  expect((await stage.port.call('old__echo', { text: 'a' }, plainCall)).output).toBe('{"text":"a"}');
  expect(server.asked[0]).toBe('POST /sse');
  expect(server.asked).toContain('GET /sse');
});

it('asks nothing else first of one whose entry says what it is', async () => {
  server = await openStreamServer();
  await stage.configure({ old: { type: 'sse', url: server.url } });
  expect((await stage.port.call('old__echo', { text: 'a' }, plainCall)).output).toBe('{"text":"a"}');
  expect(server.asked[0]).toBe('GET /sse');
  expect(server.asked).not.toContain('POST /sse');
});

it('is connected anew by the next call after its stream has ended', async () => {
  server = await openStreamServer();
  await stage.configure({ old: { type: 'sse', url: server.url } });
  const [old] = stage.servers.usable(stage.of, await stage.servers.find(stage.of));
  await old?.server.tools();
  const waiting = failureOf(stage.port.call('old__wait', {}, plainCall));
  await soon(() => expect(server.asked.filter((what) => what.startsWith('POST'))).toHaveLength(4));
  server.endStreams();
  expect(await waiting).toMatchObject({
    code: 'SERVER_UNAVAILABLE',
    message: 'The MCP server old is gone during old__wait: it closed the connection.',
  });
  expect((await stage.port.call('old__echo', { text: 'a' }, plainCall)).output).toBe('{"text":"a"}');
  // Not by itself meanwhile.
  expect(server.asked.filter((what) => what === 'GET /sse')).toHaveLength(2);
});

it('posts nothing to another place than the server names its own', async () => {
  const other = await openStreamServer();
  try {
    server = await openStreamServer({ endpoint: `${other.url.replace('/sse', '')}/messages?session=1` });
    await stage.configure({ old: { type: 'sse', url: server.url } });
    expect(await failureOf(stage.port.call('old__echo', { text: 'a' }, plainCall))).toMatchObject({
      code: 'SERVER_UNAVAILABLE',
      message: expect.stringContaining('Endpoint origin does not match connection origin'),
    });
    expect(other.asked).toEqual([]);
  } finally {
    await other.close();
  }
});

it('says what was answered first of an address where there is no server', async () => {
  server = await openStreamServer({ hasNothing: true });
  await stage.configure({ none: { url: server.url } });
  const [none] = (await stage.port.list('none', never)).servers;
  expect(none?.reason).toMatch(/^The MCP server none is not available: .*404/);
  expect(server.asked).toContain('GET /sse');
  expect(await stage.port.inspect(server.url, never).catch((error: unknown) => error)).toMatchObject({
    code: 'SERVER_UNAVAILABLE',
  });
});
