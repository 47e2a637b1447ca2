import { AccessibilityBus } from '../../src/platform/linux/atspi/bus/accessibility-bus.ts';
import { ROOT_PATH } from '../../src/platform/linux/atspi/tree/names.ts';
import { readingTemplates } from '../../src/platform/linux/atspi/tree/templates.ts';
import type { SentCall } from './floor.ts';
import type { OpenSubject, Stage } from './stage.ts';

const CALLS = { deadlineMs: 10_000 } as const;

/** The same kind of connection as ours: the application's own socket if we read over it. */
export async function replayAddress(
  stage: Stage,
  open: OpenSubject,
  calls: readonly SentCall[],
): Promise<{ address: string; viaBus: boolean }> {
  const viaBus = calls.some(({ prepared }) => prepared.destination !== undefined);
  if (viaBus) return { address: stage.desktop.accessibilityBusAddress, viaBus };
  const bus = await AccessibilityBus.connect(stage.desktop.environment['DBUS_SESSION_BUS_ADDRESS'], CALLS);
  try {
    const { busAddress } = readingTemplates(open.root.app);
    return { address: await bus.connection.invoke(busAddress, ROOT_PATH, CALLS), viaBus };
  } finally {
    bus.close();
  }
}
