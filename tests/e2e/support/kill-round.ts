import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Fixture } from '../../../fixtures/driver.ts';
import { Found, Snapshot, flatten } from './answers.ts';
import { kill, World, type Call } from './kill-world.ts';
import type { Reply } from './reply.ts';

/** The user's desktop with an application on it. */
export interface UserDesktop {
  readonly environment: Readonly<Record<string, string>>;
  readonly fixture: Fixture;
  /** The built command line. */
  readonly program: string;
}

/** Time within which everything must have ended. */
const CLEAN_LIMIT_MS = 10_000;
const LATEST_KILL_MS = 1500;
const DAEMON_APPEARS_LIMIT_MS = 5000;
const FAST_POLL_MS = 2;

export const VICTIMS = ['client', 'daemon', 'both'] as const;
export type Victim = (typeof VICTIMS)[number];

interface Scenario {
  readonly about: string;
  /** How long the call usually takes; most kills hit it during that time. */
  readonly usualMs: number;
  /** There was no earlier call, so no daemon is running. */
  readonly isFirst?: boolean;
  readonly needsSession?: boolean;
  readonly args: (facts: { readonly app: string; readonly ref: string }) => readonly string[];
  /** Errors that are correct answers if the daemon was killed before or during its work. */
  readonly honest: readonly ('DAEMON_UNAVAILABLE' | 'SESSION_NOT_FOUND')[];
}

export const SCENARIOS: readonly Scenario[] = [
  {
    about: 'the first call',
    usualMs: 600,
    isFirst: true,
    args: ({ app }) => ['snapshot', '--app', app],
    honest: [],
  },
  { about: 'snapshot', usualMs: 250, args: ({ app }) => ['snapshot', '--app', app], honest: [] },
  { about: 'click', usualMs: 500, args: ({ ref }) => ['click', ref], honest: ['DAEMON_UNAVAILABLE'] },
  {
    about: 'launch --wait',
    usualMs: 1000,
    args: () => ['launch', 'galculator', '--wait'],
    honest: ['DAEMON_UNAVAILABLE'],
  },
  {
    about: 'session new --private',
    usualMs: 700,
    args: () => ['session', 'new', 'secluded', '--private'],
    honest: ['DAEMON_UNAVAILABLE'],
  },
  {
    about: 'launch --wait on a private desktop',
    usualMs: 1000,
    needsSession: true,
    args: () => ['launch', 'galculator', '--wait', '--session', 'secluded'],
    honest: ['DAEMON_UNAVAILABLE', 'SESSION_NOT_FOUND'],
  },
  {
    about: 'session kill',
    usualMs: 700,
    needsSession: true,
    args: () => ['session', 'kill', 'secluded'],
    honest: ['DAEMON_UNAVAILABLE', 'SESSION_NOT_FOUND'],
  },
];

export interface KillRound {
  readonly scenario: Scenario;
  readonly victim: Victim;
  /** Milliseconds after the call or, for a first call, after the daemon appeared. */
  readonly delayMs: number;
}

/** The round of this index: each scenario with each victim in turn, at a random moment. */
export function roundNumber(index: number, random: () => number): KillRound {
  const scenario = SCENARIOS[index % SCENARIOS.length];
  const victim = VICTIMS[Math.floor(index / SCENARIOS.length) % VICTIMS.length];
  if (scenario === undefined || victim === undefined) throw new Error('no such round');
  const range = random() < 0.8 ? scenario.usualMs : LATEST_KILL_MS;
  return { scenario, victim, delayMs: Math.round(random() * range) };
}

/** @throws Error describing what was wrong afterwards */
export async function playRound(user: UserDesktop, round: KillRound): Promise<void> {
  const world = new World(user.program, user.environment);
  try {
    await playIn(world, user, round);
  } catch (error) {
    const { scenario, victim, delayMs } = round;
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${victim} killed ${delayMs} ms into ${scenario.about}: ${message}`, { cause: error });
  } finally {
    world.end();
  }
}

async function playIn(world: World, user: UserDesktop, round: KillRound): Promise<void> {
  const { scenario, victim } = round;
  const app = String(user.fixture.pid);
  const ref = scenario.isFirst === true ? '' : await pressRef(world, app);
  if (scenario.needsSession === true)
    expectCode(await world.desk('session', 'new', 'secluded', '--private'), 0);
  const pressesBefore = await presses(user.fixture);

  const call = world.call(scenario.args({ app, ref }));
  await strike(world, call, round);
  const reply = await call.reply;

  // The desktops of a killed daemon must end by themselves; those of a running one end with it.
  // A session that was started again after the kill has a running daemon.
  const isKept = scenario.about.startsWith('session new') && reply.exitCode === 0;
  if (victim !== 'client' && !isKept) expectNothing(await world.untilClean('daemon', CLEAN_LIMIT_MS));
  if (victim === 'daemon') judgeSurvivor(reply, scenario);
  if (scenario.needsSession === true && world.applications().length > 0)
    throw new Error('a program for the private desktop appeared on the user’s desktop');
  const pressed = (await presses(user.fixture)) - pressesBefore;
  if (pressed > (scenario.about === 'click' ? 1 : 0)) throw new Error(`pressed ${pressed} times`);
  if (victim === 'daemon' && scenario.about === 'click' && reply.exitCode === 0 && pressed !== 1)
    if (reply.receipt.effect === 'confirmed') throw new Error(`a false success: ${reply.toString()}`);

  await worksAsBefore(world, app, ref);
  expectCode(await world.desk('daemon', 'stop'), 0);
  expectNothing(await world.untilClean('nothing', CLEAN_LIMIT_MS));
}

/** Sends SIGKILL at the moment of the round. */
async function strike(world: World, call: Call, { scenario, victim, delayMs }: KillRound): Promise<void> {
  const isOver = () => call.process.exitCode !== null;
  const daemon = () => world.recordedDaemon() ?? world.startedBy(call.pid);
  if (scenario.isFirst === true && victim !== 'client') {
    const end = performance.now() + DAEMON_APPEARS_LIMIT_MS;
    while (daemon() === undefined && !isOver() && performance.now() < end) await sleep(FAST_POLL_MS);
  }
  await sleep(delayMs);
  const pids = [victim === 'daemon' ? undefined : call.pid, victim === 'client' ? undefined : daemon()];
  // Either may exit first.
  if (delayMs % 2 === 1) pids.reverse();
  for (const pid of pids) if (pid !== undefined) kill(pid);
  // Remembers displays whose locks and sockets must be removed.
  world.members();
}

/** The next call answers, and existing references name the same elements or are reported as stale. */
async function worksAsBefore(world: World, app: string, ref: string): Promise<void> {
  expectCode(await world.desk('session', 'list'), 0);
  if (ref !== '') {
    const reply = await world.desk('get', 'text', ref);
    if (reply.exitCode === 0) {
      const name = z.looseObject({ value: z.unknown() }).parse(reply.json).value;
      if (name !== 'Press') throw new Error(`the reference names another element: ${reply.toString()}`);
    } else reply.error('STALE_REF');
  }
  requirePress(await world.desk('snapshot', '--app', app));
}

function judgeSurvivor(reply: Reply, { about, honest }: Scenario): void {
  if (reply.exitCode === 0) {
    if (about === 'snapshot' || about === 'the first call') requirePress(reply);
    return;
  }
  for (const code of honest) {
    try {
      const { delivered } = reply.error(code);
      if (code === 'DAEMON_UNAVAILABLE' && delivered !== true)
        throw new Error(`does not report that it may have been delivered: ${reply.toString()}`);
      return;
    } catch (error) {
      if (code === honest.at(-1)) throw error;
    }
  }
  throw new Error(`should have been answered: ${reply.toString()}`);
}

/** @throws Error unless the snapshot contains the button of the application */
export function requirePress(reply: Reply): void {
  const { tree } = reply.ok(Snapshot);
  if (!flatten(tree).some(({ role, name }) => role === 'button' && name === 'Press'))
    throw new Error(`no button "Press": ${reply.toString()}`);
}

export async function pressRef(world: World, app: string): Promise<string> {
  const reply = await world.desk('find', 'Press', '--app', app, '--role', 'button', '--exact');
  const ref = reply.ok(Found).matches[0]?.ref;
  if (ref === undefined) throw new Error(`no button: ${reply.toString()}`);
  return ref;
}

/** How often the application itself recorded that its button was pressed. */
export async function presses(fixture: Fixture): Promise<number> {
  const events = await fixture.events();
  return events.filter(({ widget, event, source }) => widget === 'press' && event === 'clicked' && !source)
    .length;
}

export function expectCode(reply: Reply, code: number): void {
  if (reply.exitCode !== code) throw new Error(`expected exit code ${code}: ${reply.toString()}`);
}

export function expectNothing(left: readonly string[]): void {
  if (left.length > 0) throw new Error(`left over: ${left.join('; ')}`);
}
