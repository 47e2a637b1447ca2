import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { builtProgram } from '../../tests/e2e/support/build.ts';
import { privateWorld } from './private-world.ts';
import { seededRandom, type ProofOptions, type ProofRow } from './row.ts';
import { installGauge } from './soak/gauge.ts';
import { soak } from './soak/soak.ts';

const SEED = 20_261_128;
const MINUTES = 30;
/** Measurements at equal distances; each waits until nothing moves. */
const SAMPLES = 15;

/** Four sessions with applications that come and go: what grows in the daemon and around it. One minute is the form for CI. */
export async function prove({
  say,
  minutes = MINUTES,
  seed = SEED,
  commit,
}: ProofOptions): Promise<ProofRow[]> {
  const { folder, entry } = await builtProgram();
  installGauge(entry);
  const world = privateWorld(entry);
  try {
    const rows = await soak(world, {
      say,
      durationMs: minutes * 60_000,
      everyMs: (minutes * 60_000) / SAMPLES,
      random: seededRandom(seed),
      gaugeFolder: dirname(entry),
    });
    return rows.map((row) => ({ ...row, at: commit }));
  } finally {
    world.end();
    await rm(folder, { recursive: true, force: true });
  }
}
