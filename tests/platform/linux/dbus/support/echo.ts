import type { Socket } from 'node:net';
import { CallTemplate } from '../../../../../src/platform/linux/dbus/index.ts';
import type { Received } from './fake-peer.ts';
import { buildReply } from './message.ts';

/** Replies to every call with its own arguments. */
export function echo(message: Received, socket: Socket): void {
  socket.write(buildReply(message.serial, { signature: message.fields.signature, values: message.body }));
}

/** A method that takes and returns a number. */
export const NUMBER = new CallTemplate({
  interface: 'test.Echo',
  member: 'Number',
  signature: 'u',
  args: [7],
  accepts: ['u'],
  decode: (reader) => reader.readUint32(),
});

/** Call settings with a deadline that no passing test reaches. */
export const PATIENT = { deadlineMs: 10_000 };
