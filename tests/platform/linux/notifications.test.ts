import { expect, it } from 'vitest';
import { BodyReader } from '../../../src/platform/linux/dbus/index.ts';
import { toNotification } from '../../../src/platform/linux/desktop/notifications.ts';
import { encodeBody } from '../../../src/platform/linux/dbus/marshalling/encode.ts';

const CALL = { interface: 'org.freedesktop.Notifications', member: 'Notify' };
const SIGNATURE = 'susssasa{sv}i';

function call(signature: string, body: Buffer, more: Partial<typeof CALL> = {}) {
  return { ...CALL, signature, reader: () => new BodyReader(body, true), ...more };
}

it('reads who notifies of what', () => {
  const body = encodeBody(SIGNATURE, ['mail', 0, 'icon', 'New', 'From Ada', [], new Map(), 1000]);
  expect(toNotification(call(SIGNATURE, body))).toEqual({ app: 'mail', title: 'New', text: 'From Ada' });
  expect(toNotification(call(SIGNATURE, body, { member: 'CloseNotification' }))).toBeUndefined();
});

it.each([
  ['another signature', 'u', encodeBody('u', [1])],
  [
    'a body that is cut off',
    SIGNATURE,
    encodeBody(SIGNATURE, ['mail', 0, '', 'x', 'y', [], new Map(), 0]).subarray(0, 9),
  ],
  ['no body', SIGNATURE, Buffer.alloc(0)],
])('ignores %s', (_, signature, body) => {
  expect(toNotification(call(signature, body))).toBeUndefined();
});
