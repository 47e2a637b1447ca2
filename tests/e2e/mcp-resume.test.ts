import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Receipt } from '../../src/model/effects/effect.ts';
import { usePlace } from './harness.ts';
import { Waited } from './support/answers.ts';
import { FlakyNetwork } from './support/flaky-network.ts';
import { Bench } from './support/fixtures.ts';
import { useClients, type McpDesk } from './support/mcp-client.ts';
import { answeredCalls, otherActiveCalls } from './support/mcp-daemon.ts';
import { serveOverHttp, type HttpServer } from './support/mcp-http-server.ts';
import { until } from '../until.ts';

const place = usePlace();
const connect = useClients(place);
const Found = z.looseObject({ matches: z.array(z.looseObject({ ref: z.string() })).length(1) });

let server: HttpServer;
let app: Bench;
beforeAll(async () => {
  app = new Bench(place(), await place().fixture('gtk3'));
  server = await serveOverHttp(place());
});
afterAll(() => server.stop());

/** A client of the legacy protocol, with a network that the test controls. */
async function connectFlaky(): Promise<{ desk: McpDesk; network: FlakyNetwork }> {
  const network = new FlakyNetwork();
  const desk = await connect({ era: 'legacy', way: 'HTTP', url: server.url, fetch: network.fetch });
  await until(async () => network.freshStreams === 1, 'the stream of changes to open');
  return { desk, network };
}

async function pressRef(desk: McpDesk): Promise<string> {
  const query = { query: 'Press', app: app.app, role: 'button', exact: true };
  const [press] = (await desk.data(Found, 'desktop_find', query)).matches;
  return press?.ref ?? '';
}

describe('a legacy client over HTTP that loses its connection', () => {
  it('gets the receipt of an interrupted act later, and the act is carried out once', async () => {
    const { desk, network } = await connectFlaky();
    const press = await pressRef(desk);
    const session = await desk.session();
    const { events } = await app.recording(async () => {
      process.kill(app.fixture.pid, 'SIGSTOP');
      const click = desk.data(Receipt.loose(), 'desktop_click', { ref: press, timeout_ms: 30_000 });
      void click.catch(() => undefined);
      try {
        await until(async () => (await otherActiveCalls(place())) === 1, 'the call to be under way');
        await until(() => network.canResume, 'each stream to have an id to resume from');
        network.goDown();
      } finally {
        process.kill(app.fixture.pid, 'SIGCONT');
      }
      await until(async () => (await otherActiveCalls(place())) === 0, 'the call to end');
      network.comeBack();
      expect(await click).toMatchObject({ effect: 'confirmed', delivered: true });
    });
    expect(events.filter(({ event }) => event === 'clicked')).toHaveLength(1);
    expect((await answeredCalls(place(), session)).filter((call) => call.startsWith('click'))).toEqual([
      'click ok',
    ]);
    expect(network.resumedAfter.length).toBeGreaterThan(0);
  });

  it('gets the answer even after two interruptions of a call without any message in between', async () => {
    const { desk, network } = await connectFlaky();
    const waiting = desk.data(Waited, 'desktop_wait', {
      window: 'Confirm',
      app: app.app,
      timeout_ms: 40_000,
    });
    // If the test fails before it asks for the answer, the failure is that of the test alone.
    void waiting.catch(() => undefined);
    await until(async () => (await otherActiveCalls(place())) === 1, 'the call to be under way');
    for (const times of [1, 2]) {
      await until(() => network.canResume, 'each stream to have an id to resume from');
      network.cut();
      // The stream of the call and the stream of changes.
      await until(() => network.resumedAfter.length === 2 * times, 'both streams to be back');
    }
    await app.fixture.control('open_dialog');
    expect((await waiting).window).toMatchObject({ pid: app.fixture.pid });
    await app.fixture.control('close_dialog', { response: 'cancel' });
    expect(network.freshStreams).toBe(1);
  });

  it('is notified later, once, about changes meanwhile', async () => {
    const { desk, network } = await connectFlaky();
    const witness = await connect({ era: 'legacy', way: 'HTTP', url: server.url });
    const uri = `deskterity://app/${app.app}/tree`;
    await Promise.all([desk.watch(uri), witness.watch(uri)]);
    for (const [index, label] of ['while away', 'while here', 'while away again'].entries()) {
      const isAway = label !== 'while here';
      if (isAway) network.goDown();
      await app.fixture.control('rename', { widget: 'counter', label });
      await until(async () => witness.updatesOf(uri) === index + 1, 'somebody else to be told');
      expect(desk.updatesOf(uri)).toBeLessThanOrEqual(isAway ? index : index + 1);
      network.comeBack();
      await until(async () => desk.updatesOf(uri) === index + 1, 'it to be told too');
      expect(await desk.read(uri)).toContain(`"${label}"`);
    }
    expect(network.resumedAfter.length).toBeGreaterThanOrEqual(2);
    expect([desk.updated, witness.updated]).toEqual([Array(3).fill(uri), Array(3).fill(uri)]);
  });

  it('still knows its references when it reconnects with its session', async () => {
    const { desk, network } = await connectFlaky();
    const press = await pressRef(desk);
    network.cut();
    const { answer } = await desk.data(z.looseObject({ answer: z.boolean() }), 'desktop_is', {
      state: 'enabled',
      ref: press,
    });
    expect(answer).toBe(true);
  });
});

it('ends the call and stream of a modern client over HTTP that loses its connection, which can subscribe again', async () => {
  const network = new FlakyNetwork();
  const desk = await connect({ era: 'modern', way: 'HTTP', url: server.url, fetch: network.fetch });
  const session = await desk.session();
  const uri = `deskterity://app/${app.app}/tree`;
  const stream = await desk.client.listen({ resourceSubscriptions: [uri] });
  const lost = desk.call('desktop_wait', { ms: 60_000 }).catch((error: unknown) => error);
  await until(async () => (await otherActiveCalls(place())) === 1, 'the call to be under way');
  network.cut();
  expect(await lost).toBeInstanceOf(Error);
  expect(await stream.closed).toBe('remote');
  await until(async () => (await otherActiveCalls(place())) === 0, 'the call to end');
  expect(await answeredCalls(place(), session)).toContain('wait CANCELLED');
  await desk.watch(uri);
  await app.fixture.control('rename', { widget: 'counter', label: 'listening anew' });
  await until(async () => desk.updatesOf(uri) === 1, 'the change to be told of');
});
