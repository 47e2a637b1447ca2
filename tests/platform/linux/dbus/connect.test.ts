import { setTimeout as sleep } from 'node:timers/promises';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { collectGarbage } from '../../../collected.ts';
import { type FakePeerOptions, GUID } from './support/fake-peer.ts';
import { echo, PATIENT } from './support/echo.ts';
import { failure, Fixture } from './support/fixture.ts';
import { buildReply } from './support/message.ts';

const fixture = new Fixture();
const start = fixture.peer.bind(fixture);
const connect = fixture.connect.bind(fixture);

afterEach(async () => await fixture.end());

const uid = Buffer.from(String(process.getuid?.())).toString('hex');

describe('connecting', () => {
  it('authenticates with the user id', async () => {
    const peer = await start();
    const connection = await connect(peer.address);
    expect(connection.guid).toBe(GUID);
    expect(connection.uniqueName).toBeUndefined();
    await connection.call({ path: '/', interface: 'a.b', member: 'C', noReplyExpected: true }, PATIENT);
    await expect.poll(() => peer.messages.length).toBe(1);
    expect(peer.lines).toEqual([`AUTH EXTERNAL ${uid}`, 'BEGIN']);
  });

  it('lets the server ask the kernel if the user id is refused', async () => {
    const answers: Readonly<Record<string, string>> = {
      [`AUTH EXTERNAL ${uid}`]: 'REJECTED EXTERNAL\r\n',
      'AUTH EXTERNAL': 'DATA\r\n',
      DATA: `OK ${GUID}\r\n`,
    };
    const peer = await start({ authenticate: (line) => answers[line] });
    expect((await connect(peer.address)).guid).toBe(GUID);
  });

  it('accepts a reply that arrives byte by byte', async () => {
    const trickle = (line: string, socket: Socket): undefined => {
      if (!line.startsWith('AUTH')) return;
      const bytes = [...Buffer.from(`OK ${GUID}\r\n`)];
      const timer = setInterval(() => {
        const byte = bytes.shift();
        if (byte === undefined) clearInterval(timer);
        else socket.write(Buffer.from([byte]));
      }, 1);
    };
    const peer = await start({ authenticate: trickle });
    expect((await connect(peer.address)).guid).toBe(GUID);
  });

  it('sends and receives long messages also with small buffers', async () => {
    const peer = await start({ onMessage: echo });
    const connection = await connect(peer.address, { bufferBytes: 256 });
    for (const length of [100, 256, 1_000_000, 100]) {
      const bytes = Buffer.alloc(length, 5);
      const call = { path: '/a', interface: 'test.Echo', member: 'Echo', signature: 'ay', args: [bytes] };
      const [answer] = await connection.call(call, PATIENT);
      expect(bytes.equals(answer instanceof Uint8Array ? answer : Buffer.alloc(0))).toBe(true);
    }
  });

  it('with small buffers takes little memory', async () => {
    const peer = await start();
    // Buffers of earlier tests may be freed late; then the figure falls.
    const kept = async (): Promise<number> => {
      let least = Number.POSITIVE_INFINITY;
      for (let collections = 0; collections < 5; collections++) {
        await sleep(20);
        collectGarbage();
        least = Math.min(least, process.memoryUsage().arrayBuffers);
      }
      return least;
    };
    const bytesOf = async (options: { readonly bufferBytes?: number }): Promise<number> => {
      const before = await kept();
      for (let count = 0; count < 20; count++) await connect(peer.address, options);
      return (await kept()) - before;
    };
    const [usual, small] = [await bytesOf({}), await bytesOf({ bufferBytes: 4096 })];
    expect(usual - small).toBeGreaterThan(20 * 150_000);
  });

  it('sends Hello to a bus and learns its name', async () => {
    const peer = await start({
      onMessage: ({ serial }, socket) =>
        socket.write(buildReply(serial, { signature: 's', values: [':1.9'] })),
    });
    const connection = await connect(peer.address, { hello: true });
    expect(connection.uniqueName).toBe(':1.9');
    expect(peer.messages[0]?.fields).toMatchObject({ member: 'Hello', path: '/org/freedesktop/DBus' });
  });

  it('tries addresses in order', async () => {
    const peer = await start();
    await connect(`tcp:host=localhost;unix:path=${peer.folder}/none;${peer.address}`);
    expect(peer.sockets.size).toBe(1);
  });

  it('connects to an abstract socket', async () => {
    const name = `deskterity-test-${process.pid}-${Date.now()}`;
    await start({}, `\0${name}`);
    expect((await connect(`unix:abstract=${name}`)).guid).toBe(GUID);
  });

  it('compares the guid of the address', async () => {
    const peer = await start();
    await connect(`${peer.address},guid=${GUID.toUpperCase()}`);
    expect(await failure(connect(`${peer.address},guid=${'f'.repeat(32)}`))).toBe('local.Auth');
  });
});

describe('a failed connection', () => {
  it.each(['tcp:host=localhost,port=1', 'unix:tmpdir=/tmp', 'nonsense'])(
    'reports the unusable address %s',
    async (address) => {
      expect(await failure(connect(address))).toBe('org.freedesktop.DBus.Error.BadAddress');
    },
  );

  it('reports a missing server', async () => {
    expect(await failure(connect('unix:path=/nowhere/at/all'))).toBe('local.Disconnected');
  });

  it.each<[string, string]>([
    ['refuses twice', 'REJECTED EXTERNAL\r\n'],
    ['uses another protocol', 'HTTP/1.1 400 Bad Request\r\n'],
    ['sends no guid', 'OK\r\n'],
    ['sends an invalid guid', 'OK zzzz\r\n'],
    ['sends an extra line', `OK ${GUID}\r\nOK\r\n`],
    ['requests data too early', 'DATA\r\n'],
    ['never ends its line', 'x'.repeat(20_000)],
    ['sends zeros', '\0'.repeat(20_000)],
  ])('reports a server that %s', async (_, answer) => {
    const peer = await start({ authenticate: () => answer });
    expect(await failure(connect(peer.address))).toBe('local.Auth');
  });

  it('reports a server that disconnects', async () => {
    const peer = await start({ authenticate: (_, socket) => void socket.destroy() });
    expect(await failure(connect(peer.address))).toBe('local.Disconnected');
  });
});

describe('the deadline of connecting', () => {
  it.each<[string, FakePeerOptions, boolean]>([
    ['no reply to AUTH', { authenticate: () => undefined }, false],
    ['half a reply to AUTH', { authenticate: () => 'OK 0123' }, false],
    ['no reply to Hello', {}, true],
  ])('ends a connection with %s', async (_, options, hello) => {
    const peer = await start(options);
    const startedAt = performance.now();
    expect(await failure(connect(peer.address, { deadlineMs: 100, hello }))).toBe('local.Timeout');
    expect(performance.now() - startedAt).toBeLessThan(2000);
    await expect.poll(() => peer.sockets.size).toBe(0);
  });

  it('can be cut short by an AbortSignal', async () => {
    const peer = await start({ authenticate: () => undefined });
    const abort = new AbortController();
    const work = connect(peer.address, { signal: abort.signal });
    setTimeout(() => abort.abort(), 30);
    expect(await failure(work)).toBe('local.Cancelled');
    expect(await failure(connect(peer.address, { signal: abort.signal }))).toBe('local.Cancelled');
  });
});
