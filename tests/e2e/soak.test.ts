import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { privateWorld } from '../../scripts/proof/private-world.ts';
import { seededRandom } from '../../scripts/proof/row.ts';
import { installGauge } from '../../scripts/proof/soak/gauge.ts';
import { soak } from '../../scripts/proof/soak/soak.ts';
import { builtProgram } from './support/build.ts';

const SEED = 20_261_128;
const MINUTE_MS = 60_000;
const MEASUREMENTS = 6;

it(
  'leaks nothing while applications come and go in four sessions for a minute',
  { timeout: 5 * MINUTE_MS },
  async () => {
    const { folder, entry } = await builtProgram();
    installGauge(entry);
    const world = privateWorld(entry);
    try {
      const rows = await soak(world, {
        say: () => undefined,
        durationMs: MINUTE_MS,
        everyMs: MINUTE_MS / MEASUREMENTS,
        random: seededRandom(SEED),
        gaugeFolder: dirname(entry),
      });
      expect(rows.filter(({ passes, repeats }) => passes !== repeats)).toEqual([]);
    } finally {
      world.end();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
