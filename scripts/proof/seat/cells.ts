import { execFile, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startFixture, type FixtureKind } from '../../../fixtures/driver.ts';
import { ALL_KINDS } from '../../../fixtures/widgets.ts';
import { createEngine } from '../../../src/engine/create-engine.ts';
import type { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import type { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { createClock } from '../../../src/platform/node/clock.ts';
import type { DesktopWindow } from '../../../src/ports/desktop/windows.ts';
import type { InputLease } from '../../../src/ports/input.ts';
import { memoryStore } from '../stage.ts';
import { calcActs, CALC_READY } from './calc-acts.ts';
import { calcCommand } from './calc-record.ts';
import { COMPOSED, composedActs, DEAD_KEYS, TYPED_READY, type ComposedField } from './composed-text.ts';
import { fixtureActs, type SeatActs } from './fixture-acts.ts';
import { SAME_APPLICATION } from './same-application.ts';
import { titledActs } from './titled-acts.ts';
import { TITLED, type TitledProgram } from './titled-programs.ts';
import { crossingActs, GOAL_READY, SOURCE_READY, TWO_PROGRAMS, type TwoPrograms } from './two-programs.ts';
import { LISTS_READY, listActs, TWO_LISTS } from './two-lists.ts';
import type { UserAtWork } from './user-at-work.ts';
import { WINDOW_MANAGERS, type WindowManager } from './window-managers.ts';

const execute = promisify(execFile);
const CALL = { deadlineMs: 10_000 };
/** Offices and browsers take long on a busy machine. */
const START_MS = 60_000;
const FIXTURE_TOOLKITS: Readonly<Record<FixtureKind, string>> = {
  gtk3: 'gtk3',
  gtk4: 'gtk4',
  qt5: 'qt5',
  qt6: 'qt6',
  swing: 'java',
};
/** What no act is written for: where it is installed, its row fails. */
const ABSENT = ['wine', 'ibus-daemon', 'fcitx5'];

/** A program of a cell is not installed. */
export class NotInstalled extends Error {
  override readonly name = 'NotInstalled';
}

/** One toolkit under one window manager. */
export interface Cell {
  readonly manager: WindowManager;
  readonly toolkit: string;
  readonly run: (stage: CellStage) => Promise<void>;
}

export interface CellStage {
  readonly desktop: LinuxDesktop;
  readonly place: PrivateDesktop;
  readonly folder: string;
  /** Starts the window of the user, or a program that has it. {@link work} starts it otherwise. */
  readonly beginUser: (program?: string) => Promise<UserAtWork>;
  /** Begins to work beside the user, once the application is there. */
  readonly work: (acts: SeatActs) => Promise<void>;
}

export function seatCells(): readonly Cell[] {
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
    ...TWO_PROGRAMS.map((programs) => ({
      manager,
      toolkit: `${programs.toolkit} (two programs)`,
      run: (stage: CellStage) => ofTwoPrograms(programs, stage),
    })),
    ...COMPOSED.map((field) => ({
      manager,
      toolkit: `${field.toolkit} (input method)`,
      run: (stage: CellStage) => ofComposed(field, stage),
    })),
    { manager, toolkit: 'libreoffice', run: ofCalc },
    ...ABSENT.map((program) => ({ manager, toolkit: program, run: async () => requireAbsent(program) })),
    ...SAME_APPLICATION.map(({ toolkit, program }) => ({
      manager,
      toolkit: `${toolkit} (same application)`,
      run: (stage: CellStage) => ofSameApplication(program, stage),
    })),
  ]);
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
  const end = startGroup(program.command(folder), { ...place.environment, HOME: folder });
  try {
    await withTitled(program, desktop, work);
  } finally {
    end();
  }
}

async function ofCalc(stage: CellStage): Promise<void> {
  const { desktop, place, folder, work } = stage;
  requireProgram('soffice');
  const env = { ...place.environment, HOME: folder };
  const end = startGroup(await calcCommand(folder, env), env);
  try {
    const window = await titled(desktop, CALC_READY);
    const lease = await takeOwn(desktop);
    await work(calcActs(desktop, lease, window));
    await lease.endLease();
  } finally {
    end();
  }
}

/** Types in a program with an input method, in a layout with dead keys. */
async function ofComposed(field: ComposedField, { desktop, place, work }: CellStage): Promise<void> {
  const env = { ...place.environment, ...field.environment };
  await execute('setxkbmap', DEAD_KEYS, { env });
  const end = startPython(field.program, env);
  try {
    const window = await titled(desktop, TYPED_READY);
    const lease = await takeOwn(desktop);
    await work(composedActs(desktop, lease, window));
    await lease.endLease();
  } finally {
    end();
  }
}

/** Drags from one program to another. */
async function ofTwoPrograms(programs: TwoPrograms, { desktop, place, work }: CellStage): Promise<void> {
  const ends = [programs.source, programs.goal].map((program) => startPython(program, place.environment));
  try {
    const source = await titled(desktop, SOURCE_READY);
    const goal = await titled(desktop, GOAL_READY);
    const lease = await takeOwn(desktop);
    await work(crossingActs(desktop, lease, { source, goal }));
    await lease.endLease();
  } finally {
    for (const end of ends) end();
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
  const end = startPython(program, place.environment);
  try {
    const window = await titled(desktop, LISTS_READY);
    const lease = await takeOwn(desktop);
    await work(listActs(desktop, lease, window));
    await lease.endLease();
  } finally {
    end();
  }
}

async function titled(desktop: LinuxDesktop, ready: RegExp): Promise<DesktopWindow> {
  const end = performance.now() + START_MS;
  for (;;) {
    const windows = await desktop.listWindows(CALL);
    const found = windows.find(({ title, id }) => ready.test(title) && id.startsWith('x11:'));
    if (found !== undefined) return found;
    if (performance.now() > end) {
      const titles = windows.map(({ title }) => JSON.stringify(title)).join(', ');
      throw new Error(`no window ${String(ready)}, but ${titles}`);
    }
    await sleep(100);
  }
}

function requireProgram(name: string): void {
  if (!isInstalled(name)) throw new NotInstalled(`${name} is not installed`);
}

function requireAbsent(name: string): void {
  requireProgram(name);
  throw new Error(`no acts are written for ${name}`);
}

function isInstalled(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Resolves with what ends the program and all that it started. */
function startGroup(command: readonly string[], env: NodeJS.ProcessEnv): () => void {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env, stdio: 'ignore', detached: true });
  return () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
}

function startPython(program: string, env: NodeJS.ProcessEnv): () => void {
  const child = spawn('/usr/bin/python3', ['-c', program], { env, stdio: 'ignore' });
  return () => void child.kill('SIGKILL');
}
