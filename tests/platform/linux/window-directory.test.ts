import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Application } from '../../../src/platform/linux/atspi/bus/application.ts';
import type { AccessibilityBus } from '../../../src/platform/linux/atspi/bus/accessibility-bus.ts';
import { ROOT_PATH } from '../../../src/platform/linux/atspi/tree/names.ts';
import { StrandedProcesses } from '../../../src/platform/linux/desktop/stranded-processes.ts';
import { WindowDirectory } from '../../../src/platform/linux/desktop/window-directory.ts';
import type { CallOptions } from '../../../src/ports/call-options.ts';

const DEADLINE_MS = 500;

/** Its answer to the first question comes just in time, and none to the others. */
const starting = {
  invoke: async (_call: unknown, path: string, { deadlineMs }: CallOptions) => {
    await sleep(deadlineMs * 0.9);
    return path === ROOT_PATH ? [{ bus: '', path: '/window' }] : undefined;
  },
  batch: ({ deadlineMs }: CallOptions) => ({
    request: () => undefined,
    settled: sleep(deadlineMs, { timedOut: true, cancelled: false }),
  }),
};

it('an application that stops answering costs its share of the deadline, and is listed as not responding', async () => {
  const bus: Partial<AccessibilityBus> = {};
  Object.assign(bus, { connection: starting });
  const facts = { name: 'starting', toolkitName: 'Qt', toolkitVersion: '5' };
  // @ts-expect-error: it uses only the connection of the bus
  const application = new Application(bus, ':1.1', process.pid, facts);
  const directory = new WindowDirectory(
    // @ts-expect-error: it only lists
    { list: async () => [], isElsewhere: () => false },
    { list: async () => [{ application, responsive: true }] },
    new StrandedProcesses(),
  );
  const begun = performance.now();
  const apps = await directory.listApps({ deadlineMs: DEADLINE_MS });
  expect(performance.now() - begun).toBeLessThan(DEADLINE_MS * 0.9);
  expect(apps).toMatchObject([{ name: 'starting', accessible: false, responsive: false }]);
});
