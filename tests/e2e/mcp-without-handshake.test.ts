import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { usePlace } from './harness.ts';
import { Bench } from './support/fixtures.ts';

const place = usePlace();
let app: Bench;
beforeAll(async () => {
  app = new Bench(place(), await place().fixture('gtk3', 'Without a handshake'));
});

const Message = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The program with nothing of a client library in between. */
class Raw {
  readonly child: ChildProcessWithoutNullStreams;
  private readonly lines: AsyncIterator<string>;
  private last = 0;

  constructor() {
    this.child = spawn(process.execPath, [place().entry, 'mcp', '--structured', 'always'], {
      env: { ...place().desktop.environment },
      cwd: place().folder,
    });
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  /** Sends a request, and reads lines up to its answer. */
  async ask(
    method: string,
    params: object = {},
    meta: object | undefined = META,
  ): Promise<z.output<typeof Message>> {
    this.last += 1;
    const all = meta === undefined ? params : { ...params, _meta: meta };
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: this.last, method, params: all })}\n`);
    for (;;) {
      const { value, done } = await this.lines.next();
      if (done === true) throw new Error('it has ended');
      const message = Message.parse(JSON.parse(z.string().parse(value)));
      if (message.id === this.last) return message;
    }
  }
}

const clients: Raw[] = [];
afterEach(() => {
  for (const { child } of clients.splice(0)) child.stdin.end();
});

function start(): Raw {
  const raw = new Raw();
  clients.push(raw);
  return raw;
}

it('a first message of 2026-07-28 that is a call is answered, and acts', async () => {
  const raw = start();
  const { name } = app.widget('press');
  const ref = `window:"${app.fixture.title}" >> role:button[name="${name}"]`;
  const { result, events } = await app.recording(() =>
    raw.ask('tools/call', { name: 'desktop_click', arguments: { ref } }),
  );
  expect(result.result).toMatchObject({
    resultType: 'complete',
    structuredContent: { effect: 'confirmed', delivered: true },
  });
  expect(events.filter(({ event }) => event === 'clicked')).toHaveLength(1);
  const listed = await raw.ask('tools/list');
  expect(JSON.stringify(listed.result)).toContain('"desktop_snapshot"');
});

it('each request is judged by its own revision', async () => {
  const raw = start();
  expect(await raw.ask('server/discover')).toMatchObject({
    result: { supportedVersions: expect.arrayContaining(['2026-07-28']) },
  });
  const unknown = { ...META, 'io.modelcontextprotocol/protocolVersion': '2999-01-01' };
  expect(await raw.ask('tools/list', {}, unknown)).toMatchObject({
    error: { code: -32_022, data: { supported: expect.arrayContaining(['2026-07-28']) } },
  });
  // What only clients of 2025 know is not there.
  expect(await raw.ask('initialize', {})).toMatchObject({ error: { code: expect.any(Number) } });
  expect(await raw.ask('ping')).toMatchObject({ error: { code: -32_601 } });
  expect(await raw.ask('tools/list')).toMatchObject({ result: { resultType: 'complete' } });
});
