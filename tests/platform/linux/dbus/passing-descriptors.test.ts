import { closeSync, fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { DescriptorSockets, ReceivingSockets } from '../../../../src/platform/linux/dbus/dial.ts';
import { Variant } from '../../../../src/platform/linux/dbus/index.ts';
import { Descriptors } from '../../../../src/platform/linux/display/wayland/wire/descriptors.ts';
import { GUID } from './support/fake-peer.ts';
import { PATIENT } from './support/echo.ts';
import { failure, Fixture } from './support/fixture.ts';
import { buildMessage, buildReply } from './support/message.ts';

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

/** Reads as the real ones do, but the descriptors that arrive are those of the test. */
async function arriving(
  arrived: number[],
): Promise<{ receiving: ReceivingSockets; isReading: () => boolean }> {
  const descriptors = await Descriptors.load();
  let isReading = false;
  const receiving: ReceivingSockets = {
    connect: (path) => descriptors.connect(path),
    send: (...message) => descriptors.send(...message),
    duplicate: (file) => descriptors.duplicate(file),
    read: (file, receiver) => {
      const socket = new Socket({ fd: file, readable: true, writable: false });
      isReading = true;
      socket.on('data', (bytes: Buffer) => receiver.received(bytes));
      socket.on('close', () => receiver.ended('closed'));
      return {
        takeDescriptor: () => arrived.shift(),
        close: () => {
          isReading = false;
          socket.removeAllListeners('data').removeAllListeners('close').destroy();
        },
      };
    },
  };
  return { receiving, isReading: () => isReading };
}

const isOpen = (file: number): boolean => {
  try {
    fstatSync(file);
    return true;
  } catch {
    return false;
  }
};

/** The header field for the number of descriptors. */
const WITH_ONE = [[9, 'u', 1]] as const;

describe.skipIf(!isSupported)('receiving descriptors over D-Bus (on Linux, x86-64 or ARM64)', () => {
  it('gives those of a reply to its caller', async () => {
    const peer = await fixture.peer({
      authenticate: agrees,
      onMessage: ({ serial }, socket) =>
        socket.write(buildReply(serial, { signature: 'h', values: [0], fields: WITH_ONE })),
    });
    const { read, write } = (await Descriptors.load()).pipe();
    const { receiving } = await arriving([read]);
    const connection = await fixture.connect(peer.address, { receiving });
    const reply = await connection.callForDescriptors(CALL, PATIENT);
    expect(reply).toEqual({ values: [0], descriptors: [read] });
    expect(isOpen(read)).toBe(true);
    closeSync(read);
    closeSync(write);
  });

  it('closes those of other messages, so that nobody can put one in the place of another', async () => {
    const { read: theirs, write: theirEnd } = (await Descriptors.load()).pipe();
    const { read: ours, write: ourEnd } = (await Descriptors.load()).pipe();
    const peer = await fixture.peer({
      authenticate: agrees,
      onMessage: ({ serial }, socket) => {
        const signal = buildMessage({
          type: 4,
          fields: [[1, 'o', '/'], [2, 's', 'a.b'], [3, 's', 'Forged'], ...WITH_ONE],
        });
        socket.write(
          Buffer.concat([signal, buildReply(serial, { signature: 'h', values: [0], fields: WITH_ONE })]),
        );
      },
    });
    const { receiving } = await arriving([theirs, ours]);
    const connection = await fixture.connect(peer.address, { receiving });
    const { descriptors } = await connection.callForDescriptors(CALL, PATIENT);
    expect(descriptors).toEqual([ours]);
    expect(isOpen(theirs)).toBe(false);
    for (const file of [ours, ourEnd, theirEnd]) closeSync(file);
  });

  it('ends the connection if a message lacks those that it names', async () => {
    const peer = await fixture.peer({
      authenticate: agrees,
      onMessage: ({ serial }, socket) =>
        socket.write(buildReply(serial, { signature: 'h', values: [0], fields: WITH_ONE })),
    });
    const { receiving } = await arriving([]);
    const connection = await fixture.connect(peer.address, { receiving });
    expect(await failure(connection.callForDescriptors(CALL, PATIENT))).toBe('local.Protocol');
    expect(connection.closed).toBe(true);
  });

  it('ends when they are not wanted any more; then Node reads', async () => {
    const peer = await fixture.peer({
      authenticate: agrees,
      onMessage: ({ serial }, socket) =>
        socket.write(buildReply(serial, { signature: 's', values: ['later'] })),
    });
    const { receiving, isReading } = await arriving([]);
    const connection = await fixture.connect(peer.address, { receiving });
    expect(isReading()).toBe(true);
    connection.receiveNoMore();
    expect(isReading()).toBe(false);
    expect(await connection.call({ ...CALL, signature: 's', args: ['x'] }, PATIENT)).toEqual(['later']);
    await peer.stop();
    await expect.poll(() => connection.closed).toBe(true);
  });
});

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
