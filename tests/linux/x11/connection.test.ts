import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { DeskterityError } from '../../../src/model/effects/errors.ts';
import { byPerson, mentionCommand } from '../../../src/model/text/mention.ts';
import { TestConnection } from './x-connection.ts';
import { TestServer, sleep } from './x-server.ts';
import { until } from '../../until.ts';

const servers: TestServer[] = [];

async function start(options: Parameters<typeof TestServer.start>[0]): Promise<TestServer> {
  const server = await TestServer.start(options);
  servers.push(server);
  return server;
}

afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});

/** An Xauthority file with one cookie. */
function authority(folder: string, name: string, cookie: Buffer): string {
  const field = (bytes: Buffer): Buffer => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const entry = [hostname(), '', 'MIT-MAGIC-COOKIE-1'].map((text) => field(Buffer.from(text)));
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat([Buffer.of(1, 0), ...entry, field(cookie)]));
  return path;
}

describe('X11Connection', () => {
  it('leaves nothing behind after failed attempts, with an unused socket or none', async () => {
    const server = await start({ manager: false });
    const { display } = server;
    server.process.kill('SIGKILL');
    await until(() => server.process.signalCode !== null, 'its end');
    const before = readdirSync('/proc/self/fd').length;
    for (let attempt = 0; attempt < 20; attempt++)
      for (const gone of [display, ':4711'])
        await expect(TestConnection.connect(gone, { deadlineMs: 2000 })).rejects.toMatchObject({
          code: 'DISPLAY_UNAVAILABLE',
        });
    expect(readdirSync('/proc/self/fd').length).toBeLessThan(before + 10);
  });

  it.each([':4711', 'nonsense', '', 'no-such-host.invalid:0'])(
    'reports that the display "%s" is not available and suggests what to do',
    async (display) => {
      await expect(TestConnection.connect(display, { deadlineMs: 5000 })).rejects.toMatchObject({
        code: 'DISPLAY_UNAVAILABLE',
        suggestion: `${byPerson('Set DISPLAY to a running display')}, or start a private desktop: ${mentionCommand('session new', { name: 'NAME', private: true })}.`,
      });
    },
  );

  it('gives up at the deadline if the server does not reply', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => {
      silent.listen(6000 + 777, '127.0.0.1', resolve);
    });
    const before = performance.now();
    await expect(TestConnection.connect('127.0.0.1:777', { deadlineMs: 300 })).rejects.toMatchObject({
      code: 'DISPLAY_UNAVAILABLE',
    });
    expect(performance.now() - before).toBeLessThan(3000);
    silent.close();
  });

  it('reports a server that exits, and rejects pending and later calls', async () => {
    const server = await start({ manager: false });
    const connection = await TestConnection.connect(server.display, { deadlineMs: 5000 });
    const losses: DeskterityError[] = [];
    connection.x11.onLoss((reason) => losses.push(reason));
    server.process.kill('SIGSTOP');
    const asked = Array.from({ length: 5 }, () => connection.listWindows().catch((error: unknown) => error));
    server.process.kill('SIGKILL');
    for (const error of await Promise.all(asked))
      expect(error).toMatchObject({ code: 'DISPLAY_UNAVAILABLE' });
    await expect(connection.captureScreen()).rejects.toMatchObject({ code: 'DISPLAY_UNAVAILABLE' });
    expect(losses).toHaveLength(1);
    connection.close();
  });

  it('keeps its deadline while the server hangs, and continues when it is back', async () => {
    const server = await start({ manager: false });
    const connection = await TestConnection.connect(server.display, { deadlineMs: 5000 });
    server.process.kill('SIGSTOP');
    await expect(connection.listWindows({ deadlineMs: 200 })).rejects.toMatchObject({
      code: 'TIMEOUT',
      retryable: true,
    });
    const controller = new AbortController();
    const cancelled = connection.captureScreen({ signal: controller.signal });
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
    server.process.kill('SIGCONT');
    expect(await connection.listWindows()).toEqual([]);
    expect((await connection.captureScreen()).width).toBe(1280);
    connection.close();
  });

  it('closes silently, rejects calls afterwards and leaves no descriptors behind', async () => {
    const server = await start({ manager: false });
    const descriptors = (): number => readdirSync('/proc/self/fd').length;
    const once = async (): Promise<void> => {
      const connection = await TestConnection.connect(server.display, { deadlineMs: 5000 });
      const losses: DeskterityError[] = [];
      connection.x11.onLoss((reason) => losses.push(reason));
      await connection.captureScreen();
      connection.close();
      await expect(connection.listWindows()).rejects.toMatchObject({ code: 'DISPLAY_UNAVAILABLE' });
      expect(losses).toEqual([]);
    };
    await once();
    // Its descriptors close a moment later, and the number open before it is unknown.
    await sleep(100);
    const before = descriptors();
    for (let round = 0; round < 5; round += 1) await once();
    await until(() => descriptors() <= before, 'descriptors to close');
  });

  it('sends the cookie of the given Xauthority file only', async () => {
    const folder = (await start({ manager: false })).folder;
    const right = authority(folder, 'right', Buffer.alloc(16, 7));
    const wrong = authority(folder, 'wrong', Buffer.alloc(16, 8));
    const server = await start({ manager: false, authority: right });
    const connect = (xauthority: string): Promise<TestConnection> =>
      TestConnection.connect(server.display, { deadlineMs: 5000, xauthority });
    (await connect(right)).close();
    await expect(connect(wrong)).rejects.toMatchObject({ code: 'DISPLAY_UNAVAILABLE' });
    await expect(connect(join(folder, 'missing'))).rejects.toMatchObject({ code: 'DISPLAY_UNAVAILABLE' });
    const broken = join(folder, 'broken');
    writeFileSync(broken, Buffer.from([1, 0, 0, 200, 1]));
    await expect(connect(broken)).rejects.toMatchObject({ code: 'DISPLAY_UNAVAILABLE' });
  });
});
