import { FIXTURE_KINDS, type FixtureKind } from '../../fixtures/driver.ts';
import { Stage } from '../../tests/linux/long-lived/stage.ts';
import { runMutations } from './mirror/fixture-run.ts';
import { mergeByName, seededRandom, type ProofOptions, type ProofRow } from './row.ts';

const SEED = 20_261_124;
/** Of each toolkit and way of reading: 5,000 in all that are accepted, as about two thirds are. */
const MUTATIONS = 950;
const KEPT_FAILURES = 5;

/** Compares what the mirror tells with a fresh walk, after each of thousands of random changes. `only` names toolkits of our fixtures. */
export async function prove({ say, repeats = MUTATIONS, only, commit }: ProofOptions): Promise<ProofRow[]> {
  say(`seed ${SEED}`);
  const rows: ProofRow[] = [];
  for (const kind of FIXTURE_KINDS.filter((each) => only?.includes(each) ?? true))
    for (const wholeTree of [false, true])
      rows.push({ ...(await rowOf(kind, wholeTree, { say, repeats })), at: commit });
  return rows;
}

/** Rows of toolkits that did not run stay. */
export function merge(earlier: unknown, later: readonly ProofRow[]): ProofRow[] {
  return mergeByName(earlier, later);
}

async function rowOf(
  kind: FixtureKind,
  wholeTree: boolean,
  { say, repeats }: { readonly say: ProofOptions['say']; readonly repeats: number },
): Promise<ProofRow> {
  const row = `${kind}: ${wholeTree ? 'the whole tree' : 'what is on screen'} after each change`;
  const stage = await Stage.open();
  try {
    const fixture = await stage.start(kind);
    const options = { count: repeats, random: seededRandom(SEED), wholeTree };
    const { applied, equal, calls, failures } = await runMutations(stage, fixture, options);
    say(
      `${row}: ${equal} of ${applied}; ${calls.mirrored} messages a reading, by a fresh walk ${calls.fresh}`,
    );
    return {
      row,
      repeats: applied,
      passes: equal,
      counts: { 'messages with the mirror': calls.mirrored, 'messages of a fresh walk': calls.fresh },
      ...(failures.length === 0 ? {} : { failures: failures.slice(0, KEPT_FAILURES) }),
    };
  } finally {
    await stage.close();
  }
}
