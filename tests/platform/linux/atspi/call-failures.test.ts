import { expect, it } from 'vitest';
import {
  applicationFailure,
  fateOf,
  isLate,
  isRefusal,
} from '../../../../src/platform/linux/atspi/bus/call-failures.ts';
import { BusError } from '../../../../src/platform/linux/dbus/index.ts';

const DBUS = 'org.freedesktop.DBus.Error';

it.each([
  [`${DBUS}.UnknownMethod`, 'refused'],
  [`${DBUS}.Failed`, 'refused'],
  ['org.example.Own', 'refused'],
  // The bus found nobody to deliver it to.
  [`${DBUS}.ServiceUnknown`, 'undelivered'],
  [`${DBUS}.NameHasNoOwner`, 'undelivered'],
  [`${DBUS}.LimitsExceeded`, 'undelivered'],
  // The application may have acted before it exited or fell silent.
  [`${DBUS}.NoReply`, 'unknown'],
  [`${DBUS}.Timeout`, 'unknown'],
  [`${DBUS}.TimedOut`, 'unknown'],
  [`${DBUS}.Disconnected`, 'unknown'],
  ['local.Timeout', 'unknown'],
  ['local.Disconnected', 'unknown'],
] as const)('a call that failed with %s was %s', (name, fate) => {
  const error = new BusError(name, 'it failed');
  expect(fateOf(error)).toBe(fate);
  expect(isRefusal(error)).toBe(fate === 'refused');
});

it('no reply to what was delivered is never to be repeated unchanged', () => {
  for (const name of ['local.Timeout', `${DBUS}.NoReply`, `${DBUS}.TimedOut`]) {
    const error = new BusError(name, 'no reply');
    expect(applicationFailure(error, 'Pressing', true)).toMatchObject({
      code: 'APP_UNRESPONSIVE',
      delivered: true,
      retryable: false,
    });
    expect(applicationFailure(error, 'Reading')).toMatchObject({ delivered: false, retryable: true });
  }
});

it.each([
  ['local.Timeout', true],
  [`${DBUS}.NoReply`, true],
  [`${DBUS}.UnknownObject`, false],
  ['local.Disconnected', false],
  ['local.Decode', false],
])('a call that failed with %s was late: %s', (name, late) => {
  expect(isLate(new BusError(name, 'it failed'))).toBe(late);
});
