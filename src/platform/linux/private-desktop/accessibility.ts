import { z } from 'zod';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { BusConnection, BusError, Variant } from '../dbus/index.ts';

const BUS_SERVICE = 'org.a11y.Bus';
const BUS_PATH = '/org/a11y/bus';
const STATUS = 'org.a11y.Status';

export interface AccessibilityRequest {
  readonly busAddress: string;
  /** What services that the bus starts need to find the display. */
  readonly variables: Readonly<Record<string, string>>;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/**
 * Starts the accessibility bus of a session bus, turns accessibility on and returns the bus's address. The session bus started before the
 * display was known; this also sets the display for the services it activates.
 * @throws DeskterityError BUS_UNAVAILABLE
 */
export async function startAccessibility(request: AccessibilityRequest): Promise<string> {
  const settings = { deadlineMs: request.deadlineMs, signal: request.signal };
  try {
    const bus = await BusConnection.connect(request.busAddress, settings);
    try {
      await bus.call(
        {
          destination: 'org.freedesktop.DBus',
          path: '/org/freedesktop/DBus',
          interface: 'org.freedesktop.DBus',
          member: 'UpdateActivationEnvironment',
          signature: 'a{ss}',
          args: [new Map(Object.entries(request.variables))],
        },
        settings,
      );
      const answer = await bus.call(
        { destination: BUS_SERVICE, path: BUS_PATH, interface: BUS_SERVICE, member: 'GetAddress' },
        settings,
      );
      await Promise.all(
        ['IsEnabled', 'ScreenReaderEnabled'].map((name) =>
          bus.setProperty(BUS_SERVICE, BUS_PATH, STATUS, name, new Variant('b', true), settings),
        ),
      );
      return z.tuple([z.string().min(1)]).parse(answer)[0];
    } finally {
      bus.close();
    }
  } catch (error) {
    throw unavailable(error);
  }
}

function unavailable(error: unknown): DeskterityError {
  const detail = error instanceof BusError ? `${error.errorName}: ${error.message}` : String(error);
  return new DeskterityError('BUS_UNAVAILABLE', 'The private desktop has no accessibility bus.', {
    suggestion: 'Check that at-spi2-core is installed and that its at-spi-bus-launcher runs.',
    platformDetail: detail,
    retryable: true,
    cause: error,
  });
}
