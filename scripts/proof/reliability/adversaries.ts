import { setTimeout as sleep } from 'node:timers/promises';
import { DEADLINE, type Bench } from './bench.ts';
import { clicking, toggling, toldBy } from './commands.ts';
import { pick, someText, type Random } from './random.ts';
import type { Trial } from './trial.ts';
import type { Attempt } from './verdict.ts';

/** Approximate time from a request to its answer. */
const DURING_MS = 500;
const TICK_MS = 45;

/** Runs `work` at a random moment of an act, and waits for both. What the user has then, it may have changed. */
export function meanwhile(random: Random, attempt: Attempt, work: () => Promise<unknown>): Attempt {
  const after = random() * (attempt.lastsMs ?? DURING_MS);
  return {
    ...attempt,
    isBackground: false,
    act: async () => {
      const done = sleep(after).then(work);
      try {
        return await attempt.act();
      } finally {
        await done;
      }
    },
  };
}

/** A progress bar that changes during the whole attempt. */
function whileItTicks(on: Bench, attempt: Attempt): Attempt {
  return {
    ...attempt,
    act: async () => {
      let value = 0;
      const ticking = setInterval(() => {
        value = (value + 3) % 100;
        void on.set('progress', 'value', value).catch(() => undefined);
      }, TICK_MS);
      try {
        return await attempt.act();
      } finally {
        clearInterval(ticking);
      }
    },
  };
}

/** Runs `work` once the record has been read. */
export function afterwards(attempt: Attempt, work: () => Promise<unknown>): Attempt {
  return {
    ...attempt,
    happened: async (events) => {
      const happened = await attempt.happened(events);
      await work();
      return happened;
    },
  };
}

export function hindered(attempt: Attempt): Attempt {
  return { ...attempt, isHindered: true };
}

/** Typing into a field, during which something else happens. */
export async function typing(
  on: Bench,
  { random, turn, delayMs }: { readonly random: Random; readonly turn: number; readonly delayMs: number },
): Promise<Attempt> {
  const ref = await on.target('name', turn);
  const text = someText(random) + someText(random);
  await on.set('name', 'text', '');
  return {
    act: () => on.engine.type({ ...DEADLINE, ref, text, delayMs, clearFirst: false, mode: 'focus' }),
    mayTell: () => ['name'],
    typed: text,
    happened: async () => (await on.get('name')).text === text,
    isHindered: true,
  };
}

async function pressing(on: Bench, random: Random, turn: number): Promise<Attempt> {
  return clicking('press', pick(random, ['background', 'pointer'] as const))(on, random, turn);
}

/** Conditions under which drivers report wrong results: in each row something happens around the act or blocks it. */
export const ADVERSARIES: readonly Trial[] = [
  {
    command: 'click on a label, while a progress bar ticks',
    attempt: async (on) => {
      const ref = await on.onlyOfRole('progressbar');
      return whileItTicks(on, {
        act: () => on.engine.click({ ...DEADLINE, ref, mode: 'pointer' }),
        mayTell: () => ['progress'],
        happened: () => false,
        isVain: true,
      });
    },
  },
  {
    command: 'toggle, while a progress bar ticks',
    attempt: async (on, random, turn) => {
      const attempt = await toggling(undefined)(on, random, turn);
      return { ...whileItTicks(on, attempt), mayTell: () => ['agree', 'progress'] };
    },
  },
  {
    command: 'click on a button that then hangs for 700 ms',
    attempt: async (on, random, turn) => {
      await on.control('set', { widget: 'freeze', property: 'value', value: 700 });
      return clicking('freeze', pick(random, ['background', 'pointer'] as const))(on, random, turn);
    },
  },
  {
    command: 'click, its button disabled at a random moment',
    attempt: async (on, random, turn) => {
      await on.set('later', 'enabled', true);
      const mode = pick(random, ['background', 'pointer'] as const);
      const attempt = await clicking('later', mode)(on, random, turn);
      return hindered(meanwhile(random, attempt, () => on.set('later', 'enabled', false)));
    },
  },
  {
    command: 'click, a modal dialog opened at a random moment',
    attempt: async (on, random, turn) => {
      const attempt = meanwhile(random, await pressing(on, random, turn), () => on.control('open_dialog'));
      return hindered(
        afterwards(attempt, async () => {
          await sleep(100);
          await on.control('close_dialog');
          on.forgetIfBrowser();
        }),
      );
    },
  },
  {
    command: 'click, its button destroyed and recreated at a random moment',
    attempt: async (on, random, turn) => {
      const attempt = meanwhile(random, await pressing(on, random, turn), () =>
        on.control('recreate', { widget: 'press' }),
      );
      on.forget('press');
      return hindered(attempt);
    },
  },
  {
    command: 'click, its button swapped with another at a random moment',
    attempt: async (on, random, turn) => {
      const attempt = meanwhile(random, await pressing(on, random, turn), () =>
        on.control('swap', { widget: 'press', with: pick(random, ['odd', 'enable_later']) }),
      );
      // GTK 4 creates new objects for both.
      on.forget('press');
      return hindered(attempt);
    },
  },
  {
    command: 'click, another window raised over it at a random moment',
    attempt: async (on, random, turn) => {
      const attempt = await clicking('press', 'pointer')(on, random, turn);
      return hindered(meanwhile(random, attempt, () => on.activate('Cover')));
    },
  },
  {
    command: 'click, two buttons of the same name',
    attempt: async (on, _random, turn) => {
      const ref = turn % 2 === 0 ? await on.ref('press') : on.locator('button', 'Press');
      await on.control('rename', { widget: 'enable_later', label: 'Press' });
      const attempt: Attempt = {
        act: () => on.engine.click({ ...DEADLINE, ref }),
        // A locator matches both, so it must press neither.
        mayTell: () => (turn % 2 === 0 ? toldBy('press') : []),
        happened: (events) => events.some(({ event }) => event === 'clicked'),
        isHindered: true,
      };
      return afterwards(attempt, () =>
        on.control('rename', { widget: 'enable_later', label: 'Enable later' }),
      );
    },
  },
  {
    command: 'type, the application frozen for 600 ms at a random moment',
    attempt: async (on, random, turn) => {
      const attempt = await typing(on, { random, turn, delayMs: 10 });
      return meanwhile(random, attempt, () => on.control('freeze_ms', { ms: 600 }));
    },
  },
];
