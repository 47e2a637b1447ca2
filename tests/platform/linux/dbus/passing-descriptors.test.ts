import { closeSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { DescriptorSockets } from '../../../../src/platform/linux/dbus/dial.ts';
import { Variant } from '../../../../src/platform/linux/dbus/index.ts';
import { Descriptors } from '../../../../src/platform/linux/display/wayland/wire/descriptors.ts';
import { GUID } from './support/fake-peer.ts';
import { PATIENT } from './support/echo.ts';
import { failure, Fixture } from './support/fixture.ts';
import { buildReply } from './support/message.ts';

const fixture = new Fixture();
const isSupported = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
afterEach(async () => await fixture.end());

const CALL = { path: '/', interface: 'a.b', member: 'C', signature: 'sh', args: ['to', 0] } as const;

const agrees = (line: string): string | undefined =>
  line.startsWith('AUTH') ? `OK ${GUID}\r\n` : line === 'NEGOTIATE_UNIX_FD' ? 'AGREE_UNIX_FD\r\n' : undefined;

/** Notes what is sent with descriptors. */
async function noting(): Promise<{ sockets: DescriptorSockets; sent: (readonly number[])[] }> {
  const descriptors = await Descriptors.load();
  const sent: (readonly number[])[] = [];
  const sockets = {
    connect: (path: string) => descriptors.connect(path),
    send: (socket: number, bytes: Buffer, passed: readonly number[]) => {
      sent.push(passed);
      return descriptors.send(socket, bytes, passed);
    },
  };
  return { sockets, sent };
}

describe.skipIf(!isSupported)('passing descriptors over D-Bus (on Linux, x86-64 or ARM64)', () => {
  it('is agreed on first, and goes with the call that names how many there are', async () => {
    const peer = await fixture.peer({
      authenticate: agrees,
      onMessage: ({ serial }, socket) =>
        socket.write(buildReply(serial, { signature: 'v', values: [new Variant('s', 'taken')] })),
    });
    const { sockets, sent } = await noting();
    const connection = await fixture.connect(peer.address, { sockets });
    const { read, write } = (await Descriptors.load()).pipe();
    const reply = await connection.callWith([write], CALL, PATIENT);
    closeSync(read);
    closeSync(write);
    expect(reply).toEqual([new Variant('s', 'taken')]);
    expect(peer.lines).toEqual([expect.stringMatching(/^AUTH/), 'NEGOTIATE_UNIX_FD', 'BEGIN']);
    expect(sent).toEqual([[write]]);
    expect(peer.messages.map(({ body }) => body)).toEqual([['to', 0]]);
    // Later calls are like any other.
    await connection.call({ ...CALL, signature: 's', args: ['x'] }, PATIENT);
    expect(sent).toHaveLength(1);
  });

  it('fails if the server does not agree', async () => {
    const peer = await fixture.peer({
      authenticate: (line) => (line === 'NEGOTIATE_UNIX_FD' ? 'ERROR\r\n' : agrees(line)),
    });
    const { sockets } = await noting();
    expect(await failure(fixture.connect(peer.address, { sockets }))).toBe('local.Auth');
  });

  it('is not possible on a connection that was made without', async () => {
    const peer = await fixture.peer();
    const connection = await fixture.connect(peer.address);
    expect(await failure(connection.callWith([1], CALL, PATIENT))).toBe(
      'org.freedesktop.DBus.Error.NotSupported',
    );
    expect(peer.messages).toEqual([]);
  });

  it('ends the connection if the server takes them only in part', async () => {
    const peer = await fixture.peer({ authenticate: agrees });
    const { sockets } = await noting();
    const connection = await fixture.connect(peer.address, {
      sockets: { ...sockets, send: () => undefined },
    });
    expect(await failure(connection.callWith([], CALL, PATIENT))).toBe('local.Disconnected');
    expect(connection.closed).toBe(true);
  });

  it('reaches no server where nothing listens', async () => {
    const { sockets } = await noting();
    expect(await failure(fixture.connect('unix:path=/nonexistent/bus', { sockets }))).toBe(
      'local.Disconnected',
    );
  });
});
