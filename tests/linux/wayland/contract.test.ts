import { describe } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { FIXTURE_KINDS } from '../../../fixtures/driver.ts';
import { sendNotification } from '../dbus/support/send-notification.ts';
import type { ContractWorld, Lack } from '../../contract/contract-world.ts';
import { desktopContract } from '../../contract/desktop-contract.ts';
import { WaylandStage, worksOnWayland } from './stage.ts';

const State = z.object({ text: z.string().nullish(), value: z.unknown() });
const World = z.object({ pressed: z.number() });

const LACKS: readonly Lack[] = ['probe', 'maximize', 'parents', 'times'];

for (const kind of FIXTURE_KINDS) {
  describe.skipIf(!worksOnWayland(kind))(`where ${kind} has a plug-in for Wayland`, () => {
    desktopContract(`${kind} under sway`, async (): Promise<ContractWorld> => {
      const stage = await WaylandStage.start();
      const fixture = await stage.fixture(kind);
      const get = async (widget: string): Promise<z.output<typeof State>> =>
        State.parse(await fixture.control('get', { widget }));
      return {
        desktop: stage.desktop,
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
        notify: (summary) => sendNotification(stage.environment['DBUS_SESSION_BUS_ADDRESS'], summary),
        // Qt tells only an X server which of its dialogs are modal.
        lacks: new Set<Lack>([...LACKS, ...(kind === 'qt5' || kind === 'qt6' ? ['modality' as const] : [])]),
        missingWindowId: 'sway:999999',
        stop: () => stage.stop(),
      };
    });
  });
}
