import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../scripts/proof/row.ts';
import { builtProgram } from './support/build.ts';
import {
  CrashedCalls,
  reportsBusy,
  manyClientsAtOnce,
  otherBuild,
  replacesIdle,
} from './support/daemon-crashes.ts';
import { playRound, roundNumber, SCENARIOS, VICTIMS, type UserDesktop } from './support/kill-round.ts';
import { kill, World } from './support/kill-world.ts';
import { startUserDesktop } from './support/user-desktop.ts';

const SEED = Number(process.env['DESKTERITY_TEST_SEED'] ?? '20261122');
const ROUNDS = 12 * Number(process.env['DESKTERITY_REPEATS'] ?? '1');
const CRASHES = 3;
const CLIENTS = 24;

let folder = '';
let user: (UserDesktop & { readonly stop: () => Promise<void> }) | undefined;

beforeAll(async () => {
  const program = await builtProgram();
  folder = program.folder;
  user = await startUserDesktop(program.entry);
});
afterAll(async () => {
  await user?.stop();
  await rm(folder, { recursive: true, force: true });
});

function userDesktop(): UserDesktop {
  if (user === undefined) throw new Error('the desktop has not started');
  return user;
}

describe(`killed at random moments (DESKTERITY_TEST_SEED=${SEED})`, () => {
  const random = seededRandom(SEED);
  // Strides through all pairs, so that a dozen rounds cover every scenario and every victim.
  const all = SCENARIOS.length * VICTIMS.length;
  const rounds = Array.from({ length: ROUNDS }, (_, index) => roundNumber((index * 8) % all, random));
  it.each(rounds.map((round) => ({ about: round.scenario.about, ...round })))(
    '$victim killed $delayMs ms into $about: nothing is left behind, the next call works',
    async (round) => {
      await expect(playRound(userDesktop(), round)).resolves.toBeUndefined();
    },
  );
});

describe('a daemon that crashes', () => {
  it('is not noticed during reads and is reported during clicks; no press is repeated', async () => {
    const calls = new CrashedCalls(userDesktop(), seededRandom(SEED + 1));
    try {
      let hits = 0;
      for (let crash = 0; crash < CRASHES; crash += 1) {
        if (await calls.read()) hits += 1;
        if (await calls.click()) hits += 1;
      }
      expect(hits).toBeGreaterThan(0);
    } finally {
      await calls.end();
    }
  });
});

describe('many clients at once', () => {
  it('start one daemon and are all answered', async () => {
    await expect(manyClientsAtOnce(userDesktop(), CLIENTS)).resolves.toBeUndefined();
  });
});

describe('a daemon of another build', () => {
  it('is replaced when idle, and reported when it holds something', async () => {
    const newer = await otherBuild(userDesktop().program, join(folder, 'other'));
    await expect(replacesIdle(userDesktop(), newer)).resolves.toBeUndefined();
    await expect(reportsBusy(userDesktop(), newer)).resolves.toBeUndefined();
  });
});

describe('a daemon that is killed with the supervisor of its private desktop', () => {
  it('leaves a desktop that the next daemon finds and ends', async () => {
    const world = new World(userDesktop().program, userDesktop().environment);
    try {
      for (const step of ['kill', 'new']) {
        await world.desk('session', 'new', 'secluded', '--private');
        const [daemon] = world.daemons();
        const supervisor = world.members().find(({ command }) => command.includes('desktop-supervisor'));
        if (daemon === undefined || supervisor === undefined) throw new Error('no private desktop');
        // Stopped first, so that it cannot start another supervisor.
        process.kill(daemon, 'SIGSTOP');
        kill(supervisor.pid);
        kill(daemon);
        const args = step === 'kill' ? ['kill', 'secluded'] : ['new', 'secluded', '--private'];
        expect((await world.desk('session', ...args)).exitCode).toBe(0);
        expect(world.members().filter(({ command }) => command.includes('Xvfb'))).toHaveLength(
          step === 'kill' ? 0 : 1,
        );
      }
      expect((await world.desk('session', 'kill', 'secluded')).exitCode).toBe(0);
      expect((await world.desk('daemon', 'stop')).exitCode).toBe(0);
      expect(await world.untilClean('nothing', 10_000)).toEqual([]);
    } finally {
      world.end();
    }
  });
});

describe('the checks above', () => {
  it('detect a display, its lock and a supervisor that are left behind', async () => {
    const world = new World(userDesktop().program, userDesktop().environment);
    try {
      await world.desk('session', 'new', 'secluded', '--private');
      const [daemon] = world.daemons();
      const supervisor = world.members().find(({ command }) => command.includes('desktop-supervisor'));
      if (daemon === undefined || supervisor === undefined) throw new Error('no private desktop');
      // Without its supervisor a desktop outlives its daemon, which the checks must detect. It is stopped first, as it would start another one.
      process.kill(daemon, 'SIGSTOP');
      kill(supervisor.pid);
      kill(daemon);
      const left = (await world.untilClean('nothing', 300)).join('\n');
      expect(left).toMatch(/process \d+ \S*Xvfb/);
      expect(left).toMatch(/\/tmp\/\.X\d+-lock/);
      expect(left).toMatch(/\/tmp\/\.X11-unix\/X\d+/);
      expect(left).toMatch(/temporary deskterity-desktop-/);
      expect(left).toMatch(/runtime daemon\.sock/);
      // The next private desktop cleans up the rest.
      expect((await world.desk('session', 'new', 'next', '--private')).exitCode).toBe(0);
      expect((await world.desk('daemon', 'stop')).exitCode).toBe(0);
      expect(await world.untilClean('nothing', 10_000)).toEqual([]);
    } finally {
      world.end();
    }
  });
});
