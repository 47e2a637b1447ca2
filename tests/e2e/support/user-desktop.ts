import { setTimeout as sleep } from 'node:timers/promises';
import { startFixture } from '../../../fixtures/driver.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { requirePress, type UserDesktop } from './kill-round.ts';
import { World } from './kill-world.ts';

const START_MS = 40_000;

/** A desktop that plays the role of the user's, with an application that can be read. */
export async function startUserDesktop(
  program: string,
): Promise<UserDesktop & { readonly stop: () => Promise<void> }> {
  const desktop = await PrivateDesktop.start({ deadlineMs: START_MS });
  const { environment } = desktop;
  const fixture = await startFixture('gtk3', { environment, deadlineMs: START_MS });
  const world = new World(program, environment);
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        requirePress(await world.desk('snapshot', '--app', String(fixture.pid)));
        break;
      } catch (error) {
        if (attempt === 50) throw error;
        await sleep(200);
      }
    }
    await world.desk('daemon', 'stop');
  } finally {
    world.end();
  }
  return {
    environment,
    fixture,
    program,
    stop: async () => {
      await fixture.stop();
      await desktop.stop();
    },
  };
}
