import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { encodeMessage } from '../../../../../src/platform/linux/display/wayland/wire/message.ts';
import { WaylandWire } from '../../../../../src/platform/linux/display/wayland/wire/wayland-wire.ts';

const CALL = { deadlineMs: 2000 };
const REGISTRY_ID = 2;
const CALLBACK_ID = 3;

const folder = mkdtempSync(path.join(tmpdir(), 'wl-'));
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A compositor that answers every client with some bytes. */
async function compositor(answer: (socket: Socket) => void): Promise<Record<string, string>> {
  const socketPath = path.join(mkdtempSync(path.join(tmpdir(), 'wl-')), 'wayland-9');
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return { WAYLAND_DISPLAY: socketPath };
}

function event(object: number, opcode: number, signature: string, ...values: (string | number)[]): Buffer {
  return encodeMessage({ object, opcode }, signature, values).bytes;
}

const DONE = event(CALLBACK_ID, 0, 'u', 1);

describe.each(['bytes', 'descriptors'] as const)('a hostile compositor (%s)', (receiving) => {
  it.each<[string, Buffer]>([
    ['a size that no message has', Buffer.from([1, 0, 0, 0, 0, 0, 3, 0])],
    ['a string longer than its message', Buffer.from('02000000000014000100000000ffffff00000000', 'hex')],
    ['an event that does not exist', event(1, 9, 'u', 1)],
    [
      'endless globals',
      Buffer.concat(Array.from({ length: 1100 }, (_, index) => event(REGISTRY_ID, 0, 'usu', index, 'a', 1))),
    ],
  ])('that sends %s is lost, and says why', async (_, bytes) => {
    const environment = await compositor((socket) => socket.write(bytes));
    await expect(WaylandWire.connect(environment, CALL, receiving)).rejects.toMatchObject({
      code: 'DISPLAY_UNAVAILABLE',
      platformDetail: expect.stringContaining('broke the protocol'),
    });
  });

  it('that never answers costs the deadline', async () => {
    const environment = await compositor(() => undefined);
    await expect(WaylandWire.connect(environment, { deadlineMs: 100 }, receiving)).rejects.toMatchObject({
      code: 'TIMEOUT',
    });
  });

  it('that goes away ends what waits for it', async () => {
    const environment = await compositor((socket) => {
      socket.write(DONE);
      socket.once('data', () => socket.destroy());
    });
    const wire = await WaylandWire.connect(environment, CALL, receiving);
    await expect(wire.roundtrip('waiting', CALL)).rejects.toMatchObject({ code: 'DISPLAY_UNAVAILABLE' });
    expect(wire.isLost).toBe(true);
  });

  it('may speak of objects that are gone', async () => {
    const environment = await compositor((socket) =>
      socket.write(Buffer.concat([event(77, 3, 'u', 1), DONE])),
    );
    const wire = await WaylandWire.connect(environment, CALL, receiving);
    expect(wire.isLost).toBe(false);
    wire.close();
  });
});
