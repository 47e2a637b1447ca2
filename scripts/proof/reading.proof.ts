import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { builtProgram } from '../../tests/e2e/support/build.ts';
import { ROOT } from '../../tests/program-copy.ts';
import { proveOnFixtures } from './fixture-reading.ts';
import { ApplicationRun } from './reading/application-run.ts';
import { mergeRows, rowOf } from './reading/report.ts';
import { seededRandom, type ProofOptions, type ProofRow } from './row.ts';
import { APPLICATIONS, heldOut, known, type Application } from './twins/applications.ts';

const SEED = 20_261_123;
const MINUTES = 10;
/** The rows that need none of the applications. */
const FIXTURES = 'fixtures';

/**
 * What reading promises: on our fixtures, whose own state is the oracle, and on the applications of the twins, where libatspi and the picture
 * are. `only` names applications, `known`, `held-out` or `fixtures`; all fixtures and known applications if absent.
 */
export async function prove(options: ProofOptions): Promise<ProofRow[]> {
  const { only = [FIXTURES, 'known'], minutes = MINUTES } = options;
  const rows = only.includes(FIXTURES) ? await proveOnFixtures(options) : [];
  const applications = chosen(only.filter((name) => name !== FIXTURES));
  if (applications.length === 0) return rows;
  return [...rows, ...(await proveOn(applications, options, performance.now() + minutes * 60_000))];
}

/** Rows of other runs stay; see {@link mergeRows}. */
export function merge(earlier: unknown, later: unknown, isResumed: boolean): ProofRow[] {
  return mergeRows(Rows.parse(earlier), Rows.parse(later), isResumed);
}

const Rows = z.array(z.looseObject({ row: z.string(), repeats: z.number(), passes: z.number() }));

async function proveOn(
  applications: readonly Application[],
  { say, resume = false, commit = 'unknown' }: ProofOptions,
  end: number,
): Promise<ProofRow[]> {
  const { folder } = await builtProgram();
  const rows: ProofRow[] = [];
  try {
    for (const application of applications) {
      if (performance.now() >= end) break;
      const run = new ApplicationRun({
        application,
        program: folder,
        folder: join(ROOT, '.cache/reading'),
        instrument: join(ROOT, 'scripts/proof/twins'),
        random: seededRandom(SEED),
        end,
        say,
      });
      if (!resume) run.clear();
      try {
        await run.run();
      } catch (error) {
        say(`${application.name} was not read: ${error instanceof Error ? error.message : String(error)}`);
      }
      rows.push(rowOf(application, run.recorded, commit, heldOut().includes(application)));
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function chosen(only: readonly string[]): readonly Application[] {
  return only.flatMap((name) => {
    if (name === 'known') return known();
    if (name === 'held-out') return heldOut();
    const found = APPLICATIONS.filter((application) => application.name === name);
    if (found.length === 0)
      throw new Error(
        `"${name}" is not in scripts/proof/twins/applications.json; "fixtures", "known" and "held-out" are lists.`,
      );
    return found;
  });
}
