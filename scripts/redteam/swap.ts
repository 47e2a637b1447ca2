import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ledger, programCopy, theLedger } from './ledger.ts';
import { beside } from './reach-elsewhere.ts';
import { NotPossible, type Attack, type Outcome } from './row.ts';
import { DENIED, placeOf, sees, type Tried } from './way.ts';
import { repositoryFile, type World } from './world.ts';

const PYTHON = '/usr/bin/python3';
const SIGN = 'role:button[name="Sign the page"]';
/** A place of the desktop without windows. */
const NOWHERE = ['1500', '900'] as const;
const HURRY_MS = 15;

interface Swapped {
  readonly name: string;
  readonly attack: string;
  readonly surface: string;
  readonly open?: string;
  readonly events: readonly string[];
  /** Starts what is denied in the end, and says what is called and what must have happened for the attack to count. */
  readonly stage: (world: World) => Promise<{
    readonly target: Ledger;
    readonly attempt: () => Promise<Tried>;
    /** What the target must have done meanwhile. */
    readonly proof?: string;
    readonly end: () => void;
  }>;
}

/** Held if what took the place of the target got nothing. */
function swapped({ name, attack, surface, open, events, stage }: Swapped): Attack {
  return {
    name,
    attack,
    surface,
    ...(open === undefined ? {} : { open }),
    run: async (world): Promise<Outcome> => {
      const { target, attempt, proof, end } = await stage(world);
      try {
        const [{ code, shown }, reached] = await world.withFile('policy.toml', DENIED, () =>
          sees(...events)(world, target, attempt),
        );
        if (reached !== undefined)
          return { held: false, code, evidence: `${reached}: ${shown.slice(0, 120)}` };
        const happened = await target.events();
        const isProven = proof === undefined || happened.some(({ event }) => event === proof);
        return {
          held: isProven ? true : null,
          code,
          evidence: `${isProven ? 'nothing reached it' : `it did not note "${proof}"`}: ${shown.slice(0, 160)}`,
        };
      } finally {
        end();
      }
    },
  };
}

const hasty = (world: World, options: Readonly<Record<string, unknown>>): Promise<Ledger> =>
  Ledger.open(world, { options: { program: 'notes', ...options } });

export const swap: readonly Attack[] = [
  swapped({
    name: 'alias-of-an-ended-one',
    attack: 'an application that ends, and another that takes its name and title',
    surface: 'alias of connect',
    events: ['clicked', 'changed', 'key'],
    stage: async (world) => {
      const options = { title: 'Same title', program: 'same' };
      const first = await Ledger.open(world, { file: PYTHON, options });
      await world.prepare(['connect', first.app, '--alias', 'same-one']);
      first.end();
      const target = await Ledger.open(world, { options });
      return {
        target,
        attempt: () => world.desk(['click', `app:same-one >> ${SIGN}`, '--timeout', '1500']),
        end: () => target.end(),
      };
    },
  }),
  swapped({
    name: 'name-of-an-ended-one',
    attack: 'an application that ends, and a denied one that takes its name and title',
    surface: 'locator with its title',
    events: ['clicked'],
    stage: async (world) => {
      const options = { title: 'Same window', program: 'same' };
      const first = await Ledger.open(world, { file: PYTHON, options });
      const before = await world.desk(['click', `window:"Same window" >> ${SIGN}`]);
      if (before.code !== 'ok') throw new NotPossible(`not pressed before: ${before.shown.slice(0, 120)}`);
      first.end();
      const target = await Ledger.open(world, { options });
      return {
        target,
        attempt: () => world.desk(['click', `window:"Same window" >> ${SIGN}`, '--timeout', '1500']),
        end: () => target.end(),
      };
    },
  }),
  swapped({
    name: 'another-program-in-the-process',
    attack: 'a process that becomes a denied program',
    surface: 'process id',
    events: ['clicked'],
    stage: async (world) => {
      const program = await programCopy(world, 'ledger', 'becomes');
      const first = join(world.home, 'becomes-first.log');
      const log = join(world.home, 'becomes.log');
      const options = JSON.stringify({ log, title: 'Became another', secret: 'none' });
      const target = await Ledger.open(world, {
        file: PYTHON,
        log,
        options: { log: first, becomes: [program, repositoryFile('fixtures/redteam/ledger.py'), options] },
      });
      const before = await world.desk(['click', `app:${target.app} >> ${SIGN}`]);
      if (before.code !== 'ok') throw new NotPossible(`not pressed before: ${before.shown.slice(0, 120)}`);
      target.process.kill('SIGHUP');
      await world.prepare(['wait', '--window', 'Became another', '--timeout', '8000']);
      return {
        target,
        attempt: () => world.desk(['click', `app:${target.app} >> ${SIGN}`, '--timeout', '2500']),
        end: () => target.end(),
      };
    },
  }),
  swapped({
    name: 'window-under-the-pointer',
    attack: 'a denied window that jumps under the pointer',
    surface: 'mouse click, between the check and the click',
    events: ['button-press-event'],
    stage: async (world) => {
      await world.prepare(['mouse', 'move', '30', '1000']);
      const target = await hasty(world, { follow: true });
      return {
        target,
        attempt: () => world.desk(['mouse', 'click', ...NOWHERE]),
        proof: 'followed',
        end: () => target.end(),
      };
    },
  }),
  swapped({
    name: 'focus-while-typing',
    attack: 'a denied window that takes the focus while text is typed elsewhere',
    surface: 'type, between two characters',
    events: ['key'],
    stage: async (world) => {
      const notes = await beside(world);
      await world.prepare(['focus-window', '--app', notes.app]);
      await world.prepare(['focus', await world.ref('Amount', notes.app)]);
      const target = await hasty(world, { grab: 150 });
      return {
        target,
        attempt: async () => {
          await world.desk(['focus-window', '--app', notes.app]);
          return world.desk([
            'type',
            'a text of some forty characters in a row.',
            '--delay',
            String(HURRY_MS),
          ]);
        },
        proof: 'focus-in',
        end: () => target.end(),
      };
    },
  }),
  swapped({
    name: 'covered',
    attack: 'a denied window that covers the target',
    surface: 'click --mode pointer',
    events: ['button-press-event', 'clicked', 'enter-notify-event'],
    stage: async (world) => {
      const notes = await beside(world);
      const place = await placeOf('Sign the page')(world, notes);
      const ref = await world.ref('Sign the page', notes.app);
      const [x = 0, y = 0] = place.split(',').map(Number);
      const target = await hasty(world, { x: x - 120, y: y - 100, title: 'Above it' });
      return {
        target,
        attempt: () => world.desk(['click', ref, '--mode', 'pointer', '--timeout', '3000']),
        end: () => target.end(),
      };
    },
  }),
  {
    name: 'rule-added',
    open: 'a call obeys the policy with which it began; stopping it is possible at any time',
    attack: 'steps that go on after a rule was added',
    surface: 'do, between two steps',
    run: async (world): Promise<Outcome> => {
      const ledger = await theLedger(world);
      const [{ code, shown }, reached] = await world.withFile('policy.toml', '', () =>
        sees('clicked')(world, ledger, async () => {
          const running = world.desk(['do', 'wait 1200', `click 'app:${ledger.app} >> ${SIGN}'`]);
          await sleep(500);
          await writeFile(join(world.configFolder, 'policy.toml'), DENIED, { mode: 0o600 });
          return running;
        }),
      );
      return {
        held: reached === undefined ? (/POLICY_DENIED/.test(shown) ? true : null) : false,
        code,
        evidence: `${reached ?? 'not pressed'}: ${shown.slice(0, 160)}`,
      };
    },
  },
];
