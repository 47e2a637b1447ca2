import { afterAll, beforeAll, expect, it } from 'vitest';
import { FIXTURE_KINDS } from '../../../fixtures/driver.ts';
import { runMutations } from '../../../scripts/proof/mirror/fixture-run.ts';
import { seededRandom } from '../../../scripts/proof/row.ts';
import { Stage } from '../long-lived/stage.ts';

const SEED = 20_261_124;
/** About two thirds are accepted. */
const MUTATIONS = 60;
const LONG_MS = 120_000;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

it.each(FIXTURE_KINDS)(
  'what is known of %s is what a fresh walk finds, whatever the application changes',
  async (kind) => {
    const fixture = await stage.start(kind);
    const random = seededRandom(SEED);
    const run = await runMutations(stage, fixture, { count: MUTATIONS, random, wholeTree: false });
    expect(run.failures).toEqual([]);
    expect(run.applied).toBeGreaterThanOrEqual(30);
    expect(run.calls.mirrored).toBeLessThan(run.calls.fresh);
  },
  LONG_MS,
);
