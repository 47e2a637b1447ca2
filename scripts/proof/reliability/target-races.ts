import { setTimeout as sleep } from 'node:timers/promises';
import { afterwards, hindered, meanwhile } from './adversaries.ts';
import { DEADLINE, type Bench } from './bench.ts';
import {
  choosingFromMenu,
  doubleClicking,
  dragging,
  selectingColour,
  selectingRow,
  setting,
  toggling,
  toldBy,
} from './commands.ts';
import { dialogued } from './key-races.ts';
import type { Random } from './random.ts';
import { APPLICATIONS } from './toolkits.ts';
import type { Trial } from './trial.ts';
import type { Attempt } from './verdict.ts';

/** Until a minimized window is shown again. */
const AFTER_MS = 150;
const SHOWN_MS = 400;
/** GTK 4 has no menus that can be worked from outside. */
const WITH_MENUS = ['gtk3', 'qt5', 'qt6', 'swing'] as const;

export function minimized(random: Random, on: Bench, attempt: Attempt): Attempt {
  const during = meanwhile(random, attempt, () => on.hands.minimize(on.title));
  return hindered(
    afterwards(during, async () => {
      await sleep(AFTER_MS);
      await on.activate(on.fixture.title);
      // GTK 3 may lose the second press of a double click just after its window is shown again, from hands too.
      await sleep(SHOWN_MS);
      on.forgetIfBrowser();
    }),
  );
}

export function covered(random: Random, on: Bench, attempt: Attempt): Attempt {
  return hindered(meanwhile(random, attempt, () => on.activate('Cover')));
}

/** GTK 4 creates new objects for what is swapped, and everything else does for what is recreated. */
function renewed(
  random: Random,
  on: Bench,
  attempt: Attempt,
  change: { readonly op: 'swap' | 'recreate'; readonly widget: string; readonly with?: string },
): Attempt {
  const { op, ...fields } = change;
  on.forget(change.widget);
  return hindered(meanwhile(random, attempt, () => on.control(op, fields)));
}

function someMode(random: Random): 'pointer' | undefined {
  return random() < 0.5 ? 'pointer' : undefined;
}

/** The button records where the right button was pressed. */
const rightClicking: Trial['attempt'] = async (on, _random, turn) => {
  const ref = await on.target('press', turn);
  return {
    act: () => on.engine.gesture({ ...DEADLINE, ref, gesture: 'right-click' }),
    mayTell: () => toldBy('press'),
    happened: (events) => events.some(({ event, widget }) => event === 'context-menu' && widget === 'press'),
  };
};

/** What happens to the target, or to its window, during other acts than a click. */
export const TARGET_RACES: readonly Trial[] = [
  {
    command: 'double-click, its button swapped with another at a random moment',
    attempt: async (on, random, turn) =>
      renewed(random, on, await doubleClicking('press')(on, random, turn), {
        op: 'swap',
        widget: 'press',
        with: 'odd',
      }),
  },
  {
    command: 'double-click, its window minimized at a random moment',
    attempt: async (on, random, turn) =>
      minimized(random, on, await doubleClicking('press')(on, random, turn)),
  },
  {
    command: 'right-click, its button swapped with another at a random moment',
    attempt: async (on, random, turn) =>
      renewed(random, on, await rightClicking(on, random, turn), {
        op: 'swap',
        widget: 'press',
        with: 'odd',
      }),
  },
  {
    command: 'toggle, its box destroyed and recreated at a random moment',
    attempt: async (on, random, turn) => {
      const attempt = await toggling(someMode(random))(on, random, turn);
      const events: Attempt['happened'] = (all) => all.some(({ event }) => event === 'toggled');
      return renewed(random, on, { ...attempt, happened: events }, { op: 'recreate', widget: 'agree' });
    },
  },
  {
    command: 'toggle, its window minimized at a random moment',
    attempt: async (on, random, turn) =>
      minimized(random, on, await toggling(someMode(random))(on, random, turn)),
  },
  {
    command: 'toggle, a modal dialog opened at a random moment',
    attempt: async (on, random, turn) =>
      dialogued(random, on, await toggling(someMode(random))(on, random, turn)),
  },
  {
    command: 'select (combo box), a modal dialog opened at a random moment',
    attempt: async (on, random, turn) => dialogued(random, on, await selectingColour(on, random, turn)),
  },
  {
    command: 'select (combo box), another window raised at a random moment',
    attempt: async (on, random, turn) => covered(random, on, await selectingColour(on, random, turn)),
  },
  {
    command: 'select (row), its window minimized at a random moment',
    kinds: APPLICATIONS,
    attempt: async (on, random, turn) =>
      minimized(random, on, await selectingRow(undefined)(on, random, turn)),
  },
  {
    command: 'set-value, its field swapped with another at a random moment',
    attempt: async (on, random, turn) => {
      const attempt = await setting('name', 'background')(on, random, turn);
      on.forget('notes');
      return renewed(random, on, attempt, { op: 'swap', widget: 'name', with: 'notes' });
    },
  },
  {
    command: 'menu, a modal dialog opened at a random moment',
    kinds: WITH_MENUS,
    attempt: async (on, random, turn) => dialogued(random, on, await choosingFromMenu(on, random, turn)),
  },
  {
    command: 'menu, its window minimized at a random moment',
    kinds: WITH_MENUS,
    attempt: async (on, random, turn) => minimized(random, on, await choosingFromMenu(on, random, turn)),
  },
  {
    command: 'drag, its window minimized at a random moment',
    attempt: async (on, random, turn) => minimized(random, on, await dragging(on, random, turn)),
  },
  {
    command: 'drag, another window raised at a random moment',
    attempt: async (on, random, turn) => covered(random, on, await dragging(on, random, turn)),
  },
];
