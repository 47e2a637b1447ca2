import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { FIXTURE_KINDS, startFixture } from '../../../fixtures/driver.ts';
import { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { sendNotification } from '../dbus/support/send-notification.ts';
import type { ContractWorld } from '../../contract/contract-world.ts';
import { desktopContract } from '../../contract/desktop-contract.ts';

const State = z.object({ text: z.string().nullish(), value: z.unknown() });
const World = z.object({ pressed: z.number() });

for (const kind of FIXTURE_KINDS) {
  desktopContract(kind, async (): Promise<ContractWorld> => {
    const place = await PrivateDesktop.start({ deadlineMs: 20_000 });
    const fixture = await startFixture(kind, { environment: place.environment, deadlineMs: 20_000 });
    const desktop = new LinuxDesktop(place.environment);
    await untilReadable(desktop, fixture.pid);
    const get = async (widget: string): Promise<z.output<typeof State>> =>
      State.parse(await fixture.control('get', { widget }));
    return {
      desktop,
      pid: fixture.pid,
      title: fixture.title,
      sleep: async (ms) => {
        await sleep(ms);
      },
      pressCount: async () => World.parse(await fixture.control('state')).pressed,
      nameText: async () => (await get('name')).text ?? '',
      volume: async () => Number((await get('volume')).value),
      rename: async (widget, label) => {
        await fixture.control('rename', { widget, label });
      },
      remove: async (widget) => {
        await fixture.control('remove', { widget });
      },
      showDialog: async (isOpen) => {
        await fixture.control(isOpen ? 'open_dialog' : 'close_dialog');
      },
      freeze: async (ms) => {
        await fixture.control('freeze_ms', { ms });
        // It answers first, and freezes then.
        await sleep(50);
      },
      notify: (summary) => sendNotification(place.environment['DBUS_SESSION_BUS_ADDRESS'], summary),
      stop: async () => {
        await desktop.close();
        await fixture.stop();
        await place.stop();
      },
    };
  });
}

/** Toolkits register on the accessibility bus a moment after their window is shown. */
async function untilReadable(desktop: LinuxDesktop, pid: number): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const windows = await desktop.listWindows({ deadlineMs: 2000, pid });
    if (windows.some((window) => window.accessible)) return;
    await sleep(100);
  }
  throw new Error(`process ${pid} never became readable`);
}
