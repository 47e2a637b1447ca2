import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { LinuxDesktop } from '../../src/platform/linux/desktop/linux-desktop.ts';
import { PrivateDesktop } from '../../src/platform/linux/private-desktop/private-desktop.ts';
import { mergeByName, type ProofOptions, type ProofRow } from './row.ts';
import { NotInstalled, seatCells, type Cell } from './seat/cells.ts';
import type { SeatAct, SeatActs } from './seat/fixture-acts.ts';
import { menuGrab } from './seat/menu-grab.ts';
import { Tally } from './seat/tally.ts';
import { UserAtWork } from './seat/user-at-work.ts';
import { startManager } from './seat/window-managers.ts';

const ROUNDS = 10;
const START_MS = 30_000;
/** For what an act opens to open, and the focus to be given back. */
const OPENS_MS = 150;
const GRABS = 'what menus take of the user';
/** Whether the cell could be judged at all; of 0 repeats if what it needs is not there. */
const MEASURED = 'measured';

/**
 * Works applications with a keyboard and a pointer of our own, while a user types, drags and opens menus in a window beside them: each act has to arrive, by the
 * application's own record, and the user's keys have to arrive at theirs, with their focus, pointer and modifiers where they left them. `only` names toolkits,
 * window managers, or both as `MANAGER: TOOLKIT`. Rows of what the product refuses are measured, too: the table that it refuses by is made of them.
 */
export async function prove({
  say,
  repeats = ROUNDS,
  only,
  commit,
  resume = false,
  recorded = [],
}: ProofOptions): Promise<ProofRow[]> {
  const rows: ProofRow[] = [];
  const known = new Set(recorded.map((row) => JSON.stringify(row).match(/"row":"([^"]*)"/)?.[1]));
  for (const cell of seatCells()) {
    const name = `${cell.manager.name}: ${cell.toolkit}`;
    if (only?.every((wanted) => ![cell.manager.name, cell.toolkit, name].includes(wanted)) ?? false) continue;
    if (resume && known.has(`${name}: the user's work`)) continue;
    const measured = `${name}: ${MEASURED}`;
    try {
      rows.push(...(await ofCell(cell, repeats, say)), {
        row: measured,
        repeats: 1,
        passes: 1,
        counts: {},
      });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      say(`${name}: not measured: ${why}`);
      const repeats = error instanceof NotInstalled ? 0 : 1;
      rows.push({ row: measured, repeats, passes: 0, counts: {}, failures: [why] });
    }
  }
  return rows.map((row) => ({ ...row, at: commit }));
}

/** The Debian packages that a run needs. */
export function packages(): readonly string[] {
  return [
    'openbox',
    'xfwm4',
    'mutter',
    'kwin-x11',
    'i3-wm',
    'tk',
    'chromium',
    'firefox-esr',
    'libreoffice-calc',
    'libreoffice-gtk3',
    'x11-xkb-utils',
  ];
}

/** Rows of toolkits that did not run stay. */
export function merge(earlier: unknown, later: readonly ProofRow[]): ProofRow[] {
  return mergeByName(earlier, later);
}

async function ofCell(
  { manager, toolkit, run }: Cell,
  rounds: number,
  say: ProofOptions['say'],
): Promise<ProofRow[]> {
  const name = `${manager.name}: ${toolkit}`;
  const place = await PrivateDesktop.start({ deadlineMs: START_MS });
  const folder = await mkdtemp(join(tmpdir(), 'seat-'));
  // What is refused otherwise is what is to be measured.
  const desktop = new LinuxDesktop(place.environment, undefined, { seatRule: () => undefined });
  const rows: ProofRow[] = [];
  let user: UserAtWork | undefined;
  let endManager = (): void => undefined;
  try {
    endManager = await startManager(manager, { desktop, folder, env: place.environment });
    const beginUser = async (program?: string): Promise<UserAtWork> =>
      (user ??= await UserAtWork.begin(desktop, place.environment, program));
    const work = async ({ acts, text, menu }: SeatActs): Promise<void> => {
      const working = await beginUser();
      await working.work();
      const strays = await strayDigits(text);
      // One after the other: what one leaves behind, such as an open menu, is not to fail others.
      for (const act of acts) {
        const tally = new Tally(`${name}: ${act.use}`);
        for (let round = 0; round < rounds && !tally.isDecided; round++)
          await attempt(act, round, { user: working, strays, tally });
        rows.push(tally.done(say));
      }
      rows.push(await workRow(name, working, say));
      await working.rest();
      if (menu !== undefined) rows.push(await menuGrab(`${name}: ${GRABS}`, menu, place.environment, say));
    };
    await run({ desktop, place, folder, beginUser, work });
    return rows;
  } finally {
    await user?.close();
    await desktop.close();
    endManager();
    await place.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Judges {
  readonly user: UserAtWork;
  readonly strays: () => Promise<number>;
  readonly tally: Tally;
}

async function attempt(act: SeatAct, round: number, { user, strays, tally }: Judges): Promise<void> {
  await act.before?.();
  const effect = await effectOf(() => act.run(round));
  const hasArrived = !effect.includes(' ') && (await act.arrived(round));
  await sleep(OPENS_MS);
  await act.after?.();
  const disturbance = await user.disturbance();
  tally.note({ hasArrived, effect, ...disturbance, strays: disturbance.strays + (await strays()) });
}

/** Counts what of the user has reached the application since it was last asked: only they type digits. */
async function strayDigits(text: () => Promise<string>): Promise<() => Promise<number>> {
  const digits = async (): Promise<number> => (await text()).replaceAll(/\D/g, '').length;
  let known = await digits();
  return async () => {
    const now = await digits();
    const more = Math.max(0, now - known);
    known = now;
    return more;
  };
}

async function effectOf(run: () => Promise<string>): Promise<string> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DeskterityError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

/** That everything the user did is as they did it; keys that were lost during an act are counted there. */
async function workRow(name: string, user: UserAtWork, say: ProofOptions['say']): Promise<ProofRow> {
  const isExact = await user.isExact();
  const counts = user.done;
  const holds =
    isExact &&
    counts['pointer moved by others'] === 0 &&
    counts.drags === counts['drags that their window saw'] &&
    counts.menus === counts['menus that opened'];
  const row = `${name}: the user's work`;
  say(`${row}: ${holds ? 'as they did it' : 'not as they did it'}; ${JSON.stringify(counts)}`);
  return { row, repeats: 1, passes: holds ? 1 : 0, counts };
}
