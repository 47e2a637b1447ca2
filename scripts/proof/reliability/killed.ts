import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { startFixture, type FixtureKind } from '../../../fixtures/driver.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { builtProgram } from '../../../tests/e2e/support/build.ts';
import { World } from '../../../tests/e2e/support/kill-world.ts';
import { InputDisplay } from '../../../tests/linux/x11/input-display.ts';
import { repeat, type ProofOptions, type ProofRow } from '../row.ts';
import { WidgetState } from './bench.ts';
import type { Random } from './random.ts';

const START_MS = 40_000;
/** Time limit for releasing keys and buttons. */
const RELEASED_MS = 3000;
const Daemon = z.object({ daemon: z.object({ pid: z.int() }) });

/** Whether a row of one toolkit is of these. */
export function isOfKills(row: string, kind: FixtureKind): boolean {
  return row.startsWith(`${kind}: `) && row.includes(' killed while ');
}

/** Callers and daemons killed while keys and buttons are down: nothing stays held, and nothing continues. */
export async function killedWhileHolding(
  kind: FixtureKind,
  { say, repeats, random }: ProofOptions & { readonly random: Random },
): Promise<ProofRow[]> {
  const { folder, entry } = await builtProgram();
  const place = await PrivateDesktop.start({ deadlineMs: START_MS });
  const { environment } = place;
  const fixture = await startFixture(kind, { environment, deadlineMs: START_MS });
  const world = new World(entry, environment);
  const display = await InputDisplay.open(place.display, environment['XAUTHORITY']);
  const field = `app:${fixture.pid} >> label:"Name"`;
  const slider = `app:${fixture.pid} >> label:"Volume"`;
  const text = async (): Promise<string> =>
    WidgetState.parse(await fixture.control('get', { widget: 'name' })).text ?? '';
  const untilReleased = async (): Promise<void> => {
    const end = performance.now() + RELEASED_MS;
    for (;;) {
      const held = await display.held();
      if (held.length === 0) return;
      if (performance.now() > end) throw new Error(`still held: ${held.join(', ')}`);
      await sleep(20);
    }
  };
  const killCaller = async (args: readonly string[], isUnderWay: () => Promise<boolean>): Promise<void> => {
    const call = world.call(args);
    const end = performance.now() + START_MS;
    while (!(await isUnderWay())) {
      if (performance.now() > end || call.process.exitCode !== null)
        throw new Error(`never started: ${(await call.reply).toString().slice(0, 300)}`);
      await sleep(10);
    }
    await sleep(random() * 300);
    call.process.kill('SIGKILL');
    await call.reply;
    await untilReleased();
  };
  try {
    await world.desk('snapshot', '--app', String(fixture.pid));
    const count = repeats ?? 20;
    return [
      await repeat(
        `${kind}: caller killed while it types: the typing ends, no key stays down`,
        count,
        say,
        async () => {
          await fixture.control('set', { widget: 'name', property: 'text', value: '' });
          const args = ['type', field, 'abcdefghij'.repeat(20), '--delay', '25'];
          await killCaller(args, async () => (await text()).length > 0);
          await sleep(150);
          const so = await text();
          await sleep(400);
          if ((await text()) !== so) throw new Error('it is still typing');
          if (so.length >= 200) throw new Error('everything had been typed');
        },
      ),
      await repeat(`${kind}: caller killed while it drags: the button is released`, count, say, async () => {
        const args = ['drag', '--from-ref', slider, '--to-xy', '900,600', '--duration', '4000'];
        await killCaller(args, async () => (await display.held()).length > 0);
      }),
      await repeat(
        `${kind}: daemon killed while a key is held: the next call releases it`,
        count,
        say,
        async () => {
          const held = await world.desk('key-down', 'Shift', '--app', String(fixture.pid));
          if (held.exitCode !== 0 || (await display.held()).length === 0)
            throw new Error(held.toString().slice(0, 300));
          const { daemon } = Daemon.parse((await world.desk('status')).json);
          process.kill(daemon.pid, 'SIGKILL');
          await sleep(random() * 200);
          const next = await world.desk('hover', field);
          await untilReleased();
          if (next.exitCode !== 0) throw new Error(next.toString().slice(0, 300));
        },
      ),
    ];
  } finally {
    display.close();
    await world.desk('daemon', 'stop').catch(() => undefined);
    world.end();
    await fixture.stop();
    await place.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
