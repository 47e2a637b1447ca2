import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { hindered, meanwhile } from './adversaries.ts';
import type { Bench } from './bench.ts';
import { clicking, doubleClicking, dragging, pressing, selectingColour, toggling } from './commands.ts';
import { dialogued, taken } from './key-races.ts';
import { someText, type Random } from './random.ts';
import type { Trial } from './trial.ts';
import type { Attempt } from './verdict.ts';

/** So far that what was under the pointer is elsewhere, but still on the screen. */
const FURTHEST = { x: 60, y: 80 };

/** Somebody moves the window by its title bar. */
export function moved(random: Random, on: Bench, attempt: Attempt): Attempt {
  const [x = 0, y = 0] = [FURTHEST.x, FURTHEST.y].map((most) => Math.floor(random() * most));
  return hindered(meanwhile(random, attempt, () => on.hands.moveWindow(on.title, x, y)));
}

/** Several steps in one call, by another program: each that is confirmed must have happened. */
async function inSteps(on: Bench, random: Random): Promise<Attempt> {
  const desktop = await on.library();
  const run = desktop.do.bind(desktop);
  const value = `n${someText(random)}`;
  await on.set('name', 'text', 'before');
  await on.set('agree', 'checked', false);
  const steps = [
    { command: 'set-value', ref: 'role:textbox[name="Name"]', value, mode: 'focus' },
    { command: 'toggle', ref: 'role:checkbox[name="Agree"]' },
    { command: 'click', ref: 'role:button[name="Press"]' },
  ];
  return {
    act: async () => {
      const answer = await run({ steps, app: on.app });
      const effects = answer.steps.map(({ effect }) => effect);
      if (effects.length < steps.length)
        throw new DeskterityError('ACTION_FAILED', `Only ${effects.length} steps were carried out.`, {
          suggestion: '',
          delivered: true,
        });
      const isSure = effects.every((effect) => effect === 'confirmed');
      return {
        target: { role: 'form' },
        effect: isSure ? 'confirmed' : 'unverified',
        evidence: answer.steps.map(({ command, detail }) => `${command}: ${detail}`),
        via: 'do',
        delivered: true,
        retry_safe: false,
        cursor: '',
        duration_ms: answer.durationMs,
      };
    },
    lastsMs: 2000,
    typed: value,
    mayTell: () => ['name', 'agree', 'press', 'counter'],
    happened: async (events) =>
      (await on.get('name')).text === value &&
      (await on.get('agree')).checked === true &&
      events.filter(({ event }) => event === 'clicked').length === 1,
  };
}

/** A window that is moved during an act, and acts of several steps. */
export const MOVING_RACES: readonly Trial[] = [
  {
    command: 'click, its window moved at a random moment',
    attempt: async (on, random, turn) =>
      moved(random, on, await clicking('press', 'pointer')(on, random, turn)),
  },
  {
    command: 'double-click, its window moved at a random moment',
    attempt: async (on, random, turn) => moved(random, on, await doubleClicking('press')(on, random, turn)),
  },
  {
    command: 'toggle, its window moved at a random moment',
    attempt: async (on, random, turn) => moved(random, on, await toggling('pointer')(on, random, turn)),
  },
  {
    command: 'select (combo box), its window moved at a random moment',
    attempt: async (on, random, turn) => moved(random, on, await selectingColour(on, random, turn)),
  },
  {
    command: 'drag, its window moved at a random moment',
    attempt: async (on, random, turn) => moved(random, on, await dragging(on, random, turn)),
  },
  {
    command: 'press, its window moved at a random moment',
    attempt: async (on, random, turn) => moved(random, on, await pressing(on, random, turn)),
  },
  {
    command: 'do, a modal dialog opened at a random moment',
    attempt: async (on, random) => dialogued(random, on, await inSteps(on, random)),
  },
  {
    command: 'do, the focus taken by another window at a random moment',
    attempt: async (on, random) => taken(random, on, await inSteps(on, random)),
  },
];
