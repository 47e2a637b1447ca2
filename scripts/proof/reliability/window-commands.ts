import type { WindowRequest } from '../../../src/ports/desktop/windows.ts';
import { DEADLINE, type Bench } from './bench.ts';
import { until } from './hands.ts';
import type { Random } from './random.ts';
import type { Trial } from './trial.ts';

function arranging(
  prepare: (on: Bench) => Promise<unknown>,
  ask: (random: Random) => WindowRequest,
  happened: (on: Bench, request: WindowRequest) => Promise<boolean>,
): Trial['attempt'] {
  return async (on, random) => {
    await prepare(on);
    const request = ask(random);
    return {
      act: () => on.engine.controlWindow({ ...DEADLINE, app: on.app, request }),
      mayTell: () => [],
      happened: () => happened(on, request),
    };
  };
}

const restored = async (on: Bench): Promise<unknown> => on.activate(on.fixture.title);

export const WINDOW_COMMANDS: readonly Trial[] = [
  {
    command: 'resize-window',
    attempt: arranging(
      restored,
      (random) => ({
        kind: 'resize',
        width: 960 + Math.floor(random() * 300),
        height: 720 + Math.floor(random() * 200),
      }),
      async (on, request) => {
        const { width, height } = await on.hands.geometry(on.title);
        return request.kind === 'resize' && near(width, request.width) && near(height, request.height);
      },
    ),
  },
  {
    command: 'move-window',
    attempt: arranging(
      restored,
      (random) => ({ kind: 'move', x: Math.floor(random() * 300), y: Math.floor(random() * 200) }),
      async (on, request) => {
        const { x, y } = await on.hands.geometry(on.title);
        return request.kind === 'move' && near(x, request.x) && near(y, request.y);
      },
    ),
  },
  {
    command: 'minimize',
    attempt: arranging(
      restored,
      () => ({ kind: 'minimize' }),
      async (on) => !(await on.isShown()),
    ),
  },
  {
    command: 'restore',
    attempt: arranging(
      async (on) => {
        await restored(on);
        await until(
          () => on.hands.minimize(on.title),
          async () => !(await on.isShown()),
          'it was not minimized',
        );
      },
      () => ({ kind: 'restore' }),
      (on) => on.isShown(),
    ),
  },
  {
    command: 'focus-window',
    attempt: arranging(
      (on) => on.activate('Cover'),
      () => ({ kind: 'focus' }),
      async (on) => (await on.windowState()).active === true,
    ),
  },
];

/** Some toolkits include frames and shadows in sizes, others do not. */
function near(value: number, wanted: number): boolean {
  return Math.abs(value - wanted) <= 60;
}
