import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { FixtureKind } from '../../../fixtures/driver.ts';
import type { ContractWorld, Lack } from '../../contract/contract-world.ts';
import { sendNotification } from '../dbus/support/send-notification.ts';
import { WaylandStage, type StageDisplay } from './stage.ts';

const State = z.object({ text: z.string().nullish(), value: z.unknown() });
const World = z.object({ pressed: z.number() });

/** A fixture on a private Wayland desktop, for the contract suite. */
export async function contractStage(
  kind: FixtureKind,
  display: StageDisplay,
  { lacks, missingWindowId }: { readonly lacks: readonly Lack[]; readonly missingWindowId: string },
): Promise<ContractWorld> {
  const stage = await WaylandStage.start(display);
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
    lacks: new Set<Lack>(lacks),
    missingWindowId,
    stop: () => stage.stop(),
  };
}
