import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { builtProgram } from '../../tests/e2e/support/build.ts';
import {
  CrashedCalls,
  reportsBusy,
  manyClientsAtOnce,
  otherBuild,
  replacesIdle,
} from '../../tests/e2e/support/daemon-crashes.ts';
import { playRound, roundNumber, VICTIMS, type UserDesktop } from '../../tests/e2e/support/kill-round.ts';
import { startUserDesktop } from '../../tests/e2e/support/user-desktop.ts';
import { sessions } from './living-sessions.ts';
import { mergeByName, repeat, seededRandom, type ProofOptions, type ProofRow } from './row.ts';

const SEED = 20_261_122;
const KILL_ROUNDS = 300;
const CROWDS = 5;
const CROWD = 100;
const SKEWS = 15;
const CRASHES = 200;
/** Attempts until a kill hits a call; the moments are random. */
const MISSES = 20;
/** Desktops used in parallel, because most of a round is waiting. */
const LANES = 6;

/** What the processes promise when they are killed, counted with real SIGKILLs at seeded random moments. `only` names parts: kills, sessions. */
export async function prove({
  say,
  repeats,
  only = ['kills', 'sessions'],
  commit,
}: ProofOptions): Promise<ProofRow[]> {
  say(`seed ${SEED}`);
  const rows = [
    ...(only.includes('kills') ? await killed(say, repeats) : []),
    ...(only.includes('sessions') ? await sessions(repeats, say) : []),
  ];
  return rows.map((row) => ({ ...row, at: commit }));
}

/** Rows of parts that did not run stay, each with the revision that it proved. */
export function merge(earlier: unknown, later: readonly ProofRow[]): ProofRow[] {
  return mergeByName(earlier, later);
}

async function killed(say: ProofOptions['say'], repeats: number | undefined): Promise<ProofRow[]> {
  const { folder, entry } = await builtProgram();
  const lanes = await Promise.all(Array.from({ length: LANES }, () => startUserDesktop(entry)));
  const [first] = lanes;
  if (first === undefined) throw new Error('no desktop');
  const newer = await otherBuild(entry, join(folder, 'other'));
  try {
    return [
      ...(await kills(lanes, repeats ?? KILL_ROUNDS, say)),
      ...(await crashes(lanes, repeats ?? CRASHES, say)),
      await repeat(
        `${CROWD} clients at once: one daemon, all answered`,
        Math.min(repeats ?? CROWDS, CROWDS),
        say,
        () => manyClientsAtOnce(first, CROWD),
      ),
      await repeat('an idle daemon of another build is replaced', repeats ?? SKEWS, say, () =>
        replacesIdle(first, newer),
      ),
      await repeat('a busy daemon of another build is reported and left alone', repeats ?? SKEWS, say, () =>
        reportsBusy(first, newer),
      ),
    ];
  } finally {
    await Promise.all(lanes.map((lane) => lane.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

async function kills(
  lanes: readonly UserDesktop[],
  count: number,
  say: ProofOptions['say'],
): Promise<ProofRow[]> {
  const random = seededRandom(SEED);
  const all = Array.from({ length: count }, (_, index) => roundNumber(index, random));
  const rows: ProofRow[] = [];
  for (const victim of VICTIMS) {
    const rounds = all.filter((round) => round.victim === victim);
    const who = victim === 'both' ? 'client and daemon' : `the ${victim}`;
    rows.push(
      await inLanes(
        `${who} killed at any moment: nothing is left behind, the next call works`,
        lanes,
        rounds.length,
        say,
        async (index, user) => {
          const round = rounds[index];
          if (round === undefined) throw new Error('no round');
          await playRound(user, round);
        },
      ),
    );
  }
  return rows;
}

async function crashes(
  lanes: readonly UserDesktop[],
  count: number,
  say: ProofOptions['say'],
): Promise<ProofRow[]> {
  const calls = new Map(
    lanes.map((user, index) => [user, new CrashedCalls(user, seededRandom(SEED + 1 + index))]),
  );
  const untilHit = (what: 'read' | 'click') => async (_: number, user: UserDesktop) => {
    const worker = calls.get(user);
    for (let tries = 0; tries < MISSES; tries += 1) if (await worker?.[what]()) return;
    throw new Error('every call ended before the daemon was killed');
  };
  try {
    return [
      await inLanes(
        'the daemon killed during a read: the answer is correct',
        lanes,
        count,
        say,
        untilHit('read'),
      ),
      await inLanes(
        'the daemon killed during a click: pressed at most once, no false success',
        lanes,
        count,
        say,
        untilHit('click'),
      ),
    ];
  } finally {
    for (const worker of calls.values()) await worker.end();
  }
}

/** Like {@link repeat}, on several desktops in parallel. */
async function inLanes<Lane>(
  row: string,
  lanes: readonly Lane[],
  repeats: number,
  say: (text: string) => void,
  attempt: (index: number, lane: Lane) => Promise<void>,
): Promise<ProofRow> {
  let next = 0;
  const parts = await Promise.all(
    lanes.map((lane, number) => {
      const share = Math.floor((repeats + lanes.length - 1 - number) / lanes.length);
      return repeat(`${row} [${number + 1}]`, share, say, () => attempt(next++, lane));
    }),
  );
  const failures = parts.flatMap((part) => part.failures ?? []);
  return {
    row,
    repeats,
    passes: parts.reduce((sum, { passes }) => sum + passes, 0),
    ...(failures.length === 0 ? {} : { failures }),
  };
}
