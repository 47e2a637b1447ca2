import type { Receipt } from '../../../src/model/effects/effect.ts';
import { afterwards, hindered, meanwhile } from './adversaries.ts';
import { DEADLINE, type Bench } from './bench.ts';
import { clicking, toldBy } from './commands.ts';
import { pick } from './random.ts';
import { minimized } from './target-races.ts';
import type { Trial } from './trial.ts';
import type { Attempt } from './verdict.ts';

/** Two acts at once on one widget: each that is confirmed must have had an effect of its own. */
function twice(
  widget: string,
  event: 'clicked' | 'toggled',
  act: () => Promise<Receipt>,
  other: () => Promise<Receipt>,
): Attempt {
  let confirmed = 0;
  return {
    act: async () => {
      const answers = await Promise.allSettled([act(), other()]);
      const receipts = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
      const sure = receipts.filter(({ effect }) => effect === 'confirmed');
      confirmed = sure.filter(({ delivered }) => delivered).length;
      const told = sure[0] ?? receipts[0];
      if (told !== undefined) return told;
      throw answers[0].status === 'rejected' ? answers[0].reason : new Error('no answer');
    },
    mayTell: () => toldBy(widget),
    happened: (events) => events.filter((one) => one.event === event).length >= Math.max(1, confirmed),
    isHindered: true,
  };
}

/** A click on what cannot be pressed: whatever changes then has another cause. */
async function inVain(on: Bench): Promise<Attempt> {
  const ref = await on.onlyOfRole('progressbar');
  return {
    act: () => on.engine.click({ ...DEADLINE, ref, mode: 'pointer' }),
    mayTell: () => [],
    happened: () => false,
    isVain: true,
  };
}

/** Acts that meet each other, and changes that they did not cause. */
export const RACES: readonly Trial[] = [
  {
    command: 'two clicks at once on one button',
    attempt: async (on, random, turn) => {
      const click = async (mode: 'background' | 'pointer'): Promise<() => Promise<Receipt>> => {
        const ref = await on.target('press', turn);
        return () => on.engine.click({ ...DEADLINE, ref, mode });
      };
      const modes = ['background', 'pointer'] as const;
      return twice('press', 'clicked', await click(pick(random, modes)), await click(pick(random, modes)));
    },
  },
  {
    command: 'two clicks at once on one button, by two programs',
    attempt: async (on, random, turn) => {
      const ref = await on.target('press', turn);
      const mode = pick(random, ['background', 'pointer'] as const);
      const desktop = await on.library();
      const { name, role } = on.widget('press');
      return twice(
        'press',
        'clicked',
        () => on.engine.click({ ...DEADLINE, ref, mode }),
        async () => {
          const receipt = await desktop.click(`app:${on.app} >> role:${role}[name="${name}"]`);
          const { effect, via, delivered, cursor, retrySafe, durationMs } = receipt;
          return {
            target: { role },
            effect,
            evidence: [...receipt.evidence],
            via,
            delivered,
            retry_safe: retrySafe,
            cursor,
            duration_ms: durationMs,
          };
        },
      );
    },
  },
  {
    command: 'a click and a toggle at once on one check box',
    attempt: async (on, _random, turn) => {
      const ref = await on.target('agree', turn);
      return twice(
        'agree',
        'toggled',
        () => on.engine.click({ ...DEADLINE, ref }),
        () => on.engine.act({ ...DEADLINE, ref, act: 'toggle' }),
      );
    },
  },
  {
    command: 'click, its window minimized at a random moment',
    attempt: async (on, random, turn) => {
      const mode = pick(random, ['background', 'pointer'] as const);
      return minimized(random, on, await clicking('press', mode)(on, random, turn));
    },
  },
  {
    command: 'click, its button hidden at a random moment',
    attempt: async (on, random, turn) => {
      const mode = pick(random, ['background', 'pointer'] as const);
      const attempt = meanwhile(random, await clicking('press', mode)(on, random, turn), () =>
        on.set('press', 'visible', false),
      );
      return hindered(
        afterwards(attempt, async () => {
          await on.set('press', 'visible', true);
          on.forget('press');
        }),
      );
    },
  },
  {
    command: 'click on a label, its window minimized at a random moment',
    attempt: async (on, random) => minimized(random, on, await inVain(on)),
  },
  {
    command: 'click on a label, a button beside it hidden at a random moment',
    attempt: async (on, random) =>
      afterwards(
        meanwhile(random, await inVain(on), () => on.set('odd', 'visible', false)),
        () => on.set('odd', 'visible', true),
      ),
  },
];
