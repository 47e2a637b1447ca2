import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { Descriptors } from '../../../../../src/platform/linux/display/wayland/wire/descriptors.ts';
import { readSocketFacts } from '../../../../../src/platform/linux/display/wayland/wire/unix-socket-facts.ts';
import { UnreadEvents } from '../../../../../src/platform/linux/display/wayland/wire/unread-events.ts';

it('the kernel tells how much a process has not read of what its display sent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'unread-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const server = createServer().listen(join(folder, 'wayland-7'));
  await once(server, 'listening');
  const connected = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const client = connect(join(folder, 'wayland-7'));
  client.pause();
  const display = await connected;
  onTestFinished(() => {
    client.destroy();
    display.destroy();
    server.close();
  });
  const descriptors = await Descriptors.load();
  const unread = new UnreadEvents(descriptors, 'wayland-7');
  expect(unread.of(process.pid)).toBe(0);
  await new Promise((sent) => display.write(Buffer.alloc(5000), sent));
  expect(unread.of(process.pid)).toBe(5000);
  client.resume();
  await expect.poll(() => unread.of(process.pid)).toBe(0);
  expect(new UnreadEvents(descriptors, 'wayland-8').of(process.pid)).toBeUndefined();
  expect(unread.of(2 ** 22 + 1)).toBeUndefined();
});

it('there is nothing to tell of a socket that does not exist', async () => {
  expect((await Descriptors.load()).unixSocket(1)).toBeUndefined();
});

it('an answer of any bytes is read', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      expect(() => readSocketFacts(Buffer.from(bytes))).not.toThrow();
    }),
  );
});
