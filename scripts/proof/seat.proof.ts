import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFixture, type FixtureKind } from '../../fixtures/driver.ts';
import { ALL_KINDS } from '../../fixtures/widgets.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { LinuxDesktop } from '../../src/platform/linux/desktop/linux-desktop.ts';
import { PrivateDesktop } from '../../src/platform/linux/private-desktop/private-desktop.ts';
import { createClock } from '../../src/platform/node/clock.ts';
import type { DesktopWindow } from '../../src/ports/desktop/windows.ts';
import type { InputLease } from '../../src/ports/input.ts';
import { mergeByName, type ProofOptions, type ProofRow } from './row.ts';
import { menuGrab } from './seat/menu-grab.ts';
import { fixtureActs, type SeatAct, type SeatActs } from './seat/fixture-acts.ts';
import { SAME_APPLICATION } from './seat/same-application.ts';
import { Tally } from './seat/tally.ts';
import { titledActs } from './seat/titled-acts.ts';
import { TITLED, type TitledProgram } from './seat/titled-programs.ts';
import { LISTS_READY, listActs, TWO_LISTS } from './seat/two-lists.ts';
import { UserAtWork } from './seat/user-at-work.ts';
import { startManager, WINDOW_MANAGERS, type WindowManager } from './seat/window-managers.ts';
import { memoryStore } from './stage.ts';

const ROUNDS = 10;
const CALL = { deadlineMs: 10_000 };
const START_MS = 30_000;
/** For what an act opens to open, and the focus to be given back. */
const OPENS_MS = 150;
const FIXTURE_TOOLKITS: Readonly<Record<FixtureKind, string>> = {
  gtk3: 'gtk3',
  gtk4: 'gtk4',
  qt5: 'qt5',
  qt6: 'qt6',
  swing: 'java',
};

const GRABS = 'what menus take of the user';

/** One toolkit under one window manager. */
interface Cell {
  readonly manager: WindowManager;
  readonly toolkit: string;
  readonly run: (stage: CellStage) => Promise<void>;
}

interface CellStage {
  readonly desktop: LinuxDesktop;
  readonly place: PrivateDesktop;
  readonly folder: string;
  /** Starts the window of the user, or a program that has it. {@link work} starts it otherwise. */
  readonly beginUser: (program?: string) => Promise<UserAtWork>;
  /** Begins to work beside the user, once the application is there. */
  readonly work: (acts: SeatActs) => Promise<void>;
}

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
  for (const cell of cells()) {
    const name = `${cell.manager.name}: ${cell.toolkit}`;
    if (only?.every((wanted) => ![cell.manager.name, cell.toolkit, name].includes(wanted)) ?? false) continue;
    if (resume && known.has(`${name}: the user's work`)) continue;
    try {
      rows.push(...(await ofCell(cell, repeats, say)));
    } catch (error) {
      say(`${name}: not measured: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return rows.map((row) => ({ ...row, at: commit }));
}

/** The Debian packages that a run needs. */
export function packages(): readonly string[] {
  return ['openbox', 'xfwm4', 'mutter', 'kwin-x11', 'i3-wm', 'tk', 'chromium', 'firefox-esr'];
}

/** Rows of toolkits that did not run stay. */
export function merge(earlier: unknown, later: readonly ProofRow[]): ProofRow[] {
  return mergeByName(earlier, later);
}

function cells(): readonly Cell[] {
  return WINDOW_MANAGERS.flatMap((manager) => [
    ...ALL_KINDS.map((kind) => ({
      manager,
      toolkit: FIXTURE_TOOLKITS[kind],
      run: (stage: CellStage) => ofFixture(kind, stage),
    })),
    ...TITLED.map((program) => ({
      manager,
      toolkit: program.toolkit,
      run: (stage: CellStage) => ofProgram(program, stage),
    })),
    ...TWO_LISTS.map(({ toolkit, program }) => ({
      manager,
      toolkit: `${toolkit} (two lists)`,
      run: (stage: CellStage) => ofLists(program, stage),
    })),
    ...SAME_APPLICATION.map(({ toolkit, program }) => ({
      manager,
      toolkit: `${toolkit} (same application)`,
      run: (stage: CellStage) => ofSameApplication(program, stage),
    })),
  ]);
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

async function ofFixture(kind: FixtureKind, { desktop, place, work }: CellStage): Promise<void> {
  const fixture = await startFixture(kind, { environment: place.environment, deadlineMs: START_MS });
  try {
    const engine = await createEngine({ desktop, session: memoryStore(), clock: createClock() });
    for (let look = 0; look < 100; look++) {
      const windows = await desktop.listWindows({ deadlineMs: 2000, pid: fixture.pid });
      if (windows.some((window) => window.accessible)) break;
      await sleep(50);
    }
    await work(fixtureActs(fixture, engine.onOwnSeat({ isRequired: true })));
  } finally {
    await fixture.stop();
  }
}

/** Clicks and types by places on the screen. */
async function ofProgram(program: TitledProgram, { desktop, place, folder, work }: CellStage): Promise<void> {
  const [command = '', ...args] = program.command(folder);
  const child = spawn(command, args, {
    env: { ...place.environment, HOME: folder },
    stdio: 'ignore',
    detached: true,
  });
  try {
    await withTitled(program, desktop, work);
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }
}

/** The user works in one window of it, the agent in the other. */
async function ofSameApplication(program: string, { desktop, beginUser, work }: CellStage): Promise<void> {
  await beginUser(program);
  await withTitled({ ready: /^(?:ready|clicks \d)/ }, desktop, work);
}

async function withTitled(
  program: Pick<TitledProgram, 'ready' | 'hasNoPopups'>,
  desktop: LinuxDesktop,
  work: (acts: SeatActs) => Promise<void>,
): Promise<void> {
  const window = await titled(desktop, program.ready);
  const lease = await takeOwn(desktop);
  await work(titledActs(program, desktop, lease, window));
  await lease.endLease();
}

async function takeOwn({ ownSeat }: LinuxDesktop): Promise<InputLease> {
  if (ownSeat === undefined) throw new Error('the display has no seat of its own');
  return ownSeat.input.take('agent', CALL);
}

/** Drags rows from one list to another. */
async function ofLists(program: string, { desktop, place, work }: CellStage): Promise<void> {
  const child = spawn('/usr/bin/python3', ['-c', program], { env: place.environment, stdio: 'ignore' });
  try {
    const window = await titled(desktop, LISTS_READY);
    const lease = await takeOwn(desktop);
    await work(listActs(desktop, lease, window));
    await lease.endLease();
  } finally {
    child.kill('SIGKILL');
  }
}

async function titled(desktop: LinuxDesktop, ready: RegExp): Promise<DesktopWindow> {
  const end = performance.now() + START_MS;
  for (;;) {
    const found = (await desktop.listWindows(CALL)).find(
      ({ title, id }) => ready.test(title) && id.startsWith('x11:'),
    );
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`no window ${ready}`);
    await sleep(100);
  }
}
