import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { builtProgram } from '../../tests/e2e/support/build.ts';
import { ROOT } from '../../tests/program-copy.ts';
import { seededRandom, type ProofOptions, type ProofRow } from './row.ts';
import type { Actor } from './twins/act/actor.ts';
import { believer } from './twins/act/believers.ts';
import { deskActor } from './twins/act/desk.ts';
import { APPLICATIONS, heldOut, known, type Application } from './twins/applications.ts';
import { buildMark } from './build-mark.ts';
import { mergeRows, rowOf, TwinRow } from './twins/report.ts';
import { ApplicationRun } from './twins/run/application-run.ts';
import { checkLies } from './twins/self-check.ts';

const SEED = 20_261_123;
const MINUTES = 10;
const ACTS = 110;
const CALIBRATION_ACTS = 12;
/** Applications that are worked at the same time: most of an act is waiting. */
const LANES = 3;
/** Not a Debian application, but the one in which everything that must be found was planted. */
const LIES = 'planted-lies';

/**
 * One application twice, in two private worlds: worked through our program in one and by a plain mouse in the other, and compared after each
 * act. `only` names applications (`known` and `held-out` stand for their lists); `resume` continues what an earlier run of the same
 * build left; of another build's it keeps only the calibration.
 */
export async function prove(options: ProofOptions): Promise<ProofRow[]> {
  const { say, repeats, minutes = MINUTES, only, seed = SEED, resume = false, commit = 'unknown' } = options;
  const recorded = new Set(Recorded.parse(options.recorded ?? []).map(({ row }) => row));
  const end = performance.now() + minutes * 60_000;
  const applications = chosen(only);
  const { folder, entry } = await builtProgram();
  say(`seed ${seed}; ${entry}`);
  try {
    const desk = deskActor(folder);
    const mark = buildMark(join(folder, 'dist'));
    const instrument = buildMark(
      ...['act', 'look', 'run', 'side'].map((part) => join(ROOT, 'scripts/proof/twins', part)),
    );
    const rows: ProofRow[] = [];
    const work = async (application: Application): Promise<void> => {
      const isSelfCheck = application.name === LIES;
      const build = isSelfCheck ? believer.name : mark;
      const run = runOf(application, isSelfCheck ? believer : desk, {
        say,
        end,
        seed,
        acts: repeats ?? ACTS,
        build,
      });
      if (!resume) run.clear();
      try {
        await run.run();
      } catch (error) {
        say(`${application.name} was not run: ${error instanceof Error ? error.message : String(error)}`);
      }
      const row = rowOf(application, run.recorded, {
        commit,
        build,
        instrument,
        isHeldOut: heldOut().includes(application),
      });
      // The time was up before the first act, or it did not start: what is known of it stays.
      if (row.repeats === 0 && application.tree && (recorded.has(row.row) || performance.now() >= end))
        return;
      rows.push(isSelfCheck ? selfChecked(row, run) : row);
    };
    const left = [...applications];
    const lane = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined && performance.now() < end; next = left.shift())
        await work(next);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The Debian packages that a run needs. */
export function packages(only?: readonly string[]): readonly string[] {
  const needed = chosen(only).flatMap(({ package: name, more = [] }) =>
    name === undefined ? more : [name, ...more],
  );
  return [...new Set(needed)];
}

/** Rows of other runs stay; see {@link mergeRows}. */
export function merge(earlier: unknown, later: unknown, isResumed: boolean): ProofRow[] {
  const Rows = z.array(TwinRow.loose());
  return mergeRows(Rows.parse(earlier), Rows.parse(later), isResumed);
}

function runOf(
  application: Application,
  actor: Actor,
  {
    say,
    end,
    seed,
    acts,
    build,
  }: { say: ProofOptions['say']; end: number; seed: number; acts: number; build: string },
): ApplicationRun {
  return new ApplicationRun({
    application,
    actor,
    build,
    folder: join(ROOT, '.cache/twins'),
    instrument: join(ROOT, 'scripts/proof/twins'),
    random: () => seededRandom(seed),
    acts,
    calibrationActs: Math.min(acts, CALIBRATION_ACTS),
    end,
    say,
  });
}

function chosen(only: readonly string[] | undefined): readonly Application[] {
  if (only === undefined) return known();
  return only.flatMap((name) => {
    if (name === 'known') return known();
    if (name === 'held-out') return heldOut();
    const found = APPLICATIONS.filter((application) => application.name === name);
    if (found.length === 0)
      throw new Error(`"${name}" is not in scripts/proof/twins/applications.json. It has: ${names()}.`);
    return found;
  });
}

function names(): string {
  return APPLICATIONS.map(({ name }) => name).join(', ');
}

/** The row of the instrument itself: each lie found, and nobody accused who does not lie. */
function selfChecked(row: TwinRow, run: ApplicationRun): TwinRow {
  const { lies, found, honest, accused } = checkLies(
    run.recorded.acts.filter(({ phase }) => phase === 'acts'),
  );
  return {
    ...row,
    repeats: lies.length + honest.length,
    passes: found.length + honest.length - accused.length,
    counts: { lies: lies.length, found: found.length, honest: honest.length, accused: accused.length },
    holds: found.length === lies.length && lies.length === LIES_PLANTED && accused.length === 0,
  };
}

const LIES_PLANTED = 11;
const Recorded = z.array(z.looseObject({ row: z.string() }));
