import { describe, expect, it } from 'vitest';
import type { SimulatedApp, SimulatedWindow } from '../simulated/simulated-world.ts';
import {
  app,
  button,
  DEADLINE,
  failureOf,
  oneWindow,
  refOf,
  stage,
  windowWith,
  type Stage,
} from './support/stage.ts';

const calculator = (): SimulatedApp =>
  app({ id: 'calc', name: 'Calculator', pid: 300, windows: [windowWith([], { id: 'calc', title: 'Calc' })] });

describe('launching', () => {
  const request = { ...DEADLINE, app: 'calc', args: ['--big'], cwd: '/' };

  it('waits for the window if requested, and returns its ref', async () => {
    const on = await stage(oneWindow([]));
    on.world.launchable.set('calc', calculator);
    const launched = await on.engine.launch({ ...request, wait: true });
    expect(launched).toMatchObject({ pid: 300, app: 'Calculator', command: ['calc', '--big'] });
    expect(await on.engine.title({ ...DEADLINE, window: launched.window?.ref })).toBe('Calc');
  });

  it('does not wait unless requested', async () => {
    const on = await stage([]);
    on.world.launchable.set('calc', calculator);
    expect(await on.engine.launch({ ...request, wait: false })).toMatchObject({
      pid: 300,
      window: undefined,
    });
  });

  it('ignores windows that were there before or belong to another application', async () => {
    const on = await stage(oneWindow([]));
    on.world.launchable.set('calc', () => {
      on.world.clock.after(200, () => on.world.apps[0]?.windows.push(windowWith([], { id: 'new' })));
      on.world.clock.after(500, () => blank.windows.push(windowWith([], { id: 'late', title: 'Late' })));
      return blank;
    });
    const blank = app({ ...calculator(), windows: [] });
    const { window } = await on.engine.launch({ ...request, wait: true });
    expect(window).toMatchObject({ title: 'Late', pid: 300 });
  });

  it('that shows no window ends at the deadline', async () => {
    const on = await stage([]);
    on.world.launchable.set('calc', () => app({ ...calculator(), windows: [] }));
    expect(await failureOf(on.engine.launch({ ...request, deadlineMs: 500, wait: true }))).toMatchObject({
      code: 'TIMEOUT',
    });
  });

  describe('a program that is running already and ends at once', () => {
    /** Starts a second instance, which ends with this code after it has handed over. */
    const second = async (
      code: string,
      handOver: (on: Stage, running: SimulatedApp) => void = () => undefined,
      alsoOpen: readonly SimulatedWindow[] = [],
    ) => {
      const running = calculator();
      running.windows.push(...alsoOpen);
      const on = await stage([...oneWindow([]), running]);
      on.world.launchable.set('calc', () => {
        handOver(on, running);
        return app({ ...calculator(), pid: 301, id: 'second', windows: [], exited: Promise.resolve(code) });
      });
      return on.engine.launch({ ...request, wait: true });
    };
    const changeLater =
      (change: (running: SimulatedApp) => void, afterMs = 400) =>
      (on: Stage, running: SimulatedApp) =>
        on.world.clock.after(afterMs, () => change(running));

    it('has opened a window there, even some time after it ended', async () => {
      const opens = changeLater(
        (running) => running.windows.push(windowWith([], { id: 'new', title: 'New' })),
        800,
      );
      expect(await second('0', opens)).toMatchObject({
        pid: 300,
        window: { title: 'New' },
        alreadyRunning: ['it opened a new window'],
      });
    });

    it('has opened a tab in its window', async () => {
      const retitles = changeLater((running) => {
        running.windows = [windowWith([], { id: 'calc', title: 'notes.txt' })];
      });
      expect(await second('0', retitles)).toMatchObject({
        pid: 300,
        window: { title: 'notes.txt' },
        alreadyRunning: ['its title changed from "Calc" to "notes.txt"'],
      });
    });

    it('has opened a tab behind a dialog that came to the front', async () => {
      const question = windowWith([], { id: 'question', title: 'Question' });
      const retitles = changeLater((running) => {
        question.focused = true;
        running.windows = [windowWith([], { id: 'calc', title: 'notes.txt' }), question];
      });
      expect(await second('0', retitles, [question])).toMatchObject({ window: { title: 'notes.txt' } });
    });

    it('says so if nothing can be seen of that', async () => {
      expect(await second('0')).toMatchObject({
        window: { title: 'Calc' },
        alreadyRunning: ['none of its windows changed its title or came to the front'],
      });
    });

    it('fails if it ended with an error', async () => {
      expect(await failureOf(second('3'))).toMatchObject({
        code: 'ACTION_FAILED',
        message: 'calc ended with 3 before it showed a window.',
      });
    });
  });

  it('fails if the program ends and none of its windows are open', async () => {
    const on = await stage(oneWindow([]));
    on.world.launchable.set('calc', () =>
      app({ ...calculator(), windows: [], exited: Promise.resolve('0') }),
    );
    expect(await failureOf(on.engine.launch({ ...request, wait: true }))).toMatchObject({
      code: 'ACTION_FAILED',
      message: 'calc ended with 0 before it showed a window.',
    });
  });

  it('waits until the display has the window too, whose id then remains', async () => {
    const on = await stage([]);
    on.world.launchable.set('calc', () => {
      const starting = calculator();
      const [shown] = starting.windows;
      if (shown === undefined) throw new Error('no window');
      starting.windows = [{ ...shown, id: 'provisional', isTreeOnly: true }];
      on.world.clock.after(400, () => (starting.windows = [{ ...shown, otherId: 'provisional' }]));
      return starting;
    });
    expect(await on.engine.launch({ ...request, wait: true })).toMatchObject({ window: { id: 'calc' } });
  });

  it('takes a window that the display never shows', async () => {
    const on = await stage([]);
    on.world.launchable.set('calc', () => {
      const hidden = calculator();
      hidden.windows = hidden.windows.map((window) => ({ ...window, isTreeOnly: true }));
      return hidden;
    });
    expect(await on.engine.launch({ ...request, wait: true })).toMatchObject({ window: { id: 'calc' } });
  });

  it('of a missing program fails', async () => {
    const on = await stage([]);
    expect(await failureOf(on.engine.launch({ ...request, wait: false }))).toMatchObject({
      code: 'APP_NOT_FOUND',
    });
  });
});

it('closing ends the application with a name', async () => {
  const on = await stage([...oneWindow([]), calculator()]);
  expect(await on.engine.closeApp({ ...DEADLINE, app: 'calculator', force: false })).toEqual({
    app: 'Calculator',
    pid: 300,
    via: 'simulated',
    closed: true,
  });
  expect((await on.engine.listApps(DEADLINE)).map(({ name }) => name)).toEqual(['Editor']);
});

describe('an application that was asked to quit', () => {
  const close = { deadlineMs: 10_000, app: 'calculator', force: false };
  const question = (id = 'question'): SimulatedWindow =>
    windowWith([button(`${id}-save`, 'Save'), button(`${id}-discard`, 'Discard')], {
      id,
      title: 'Save?',
      modal: true,
      transientFor: 'calc',
    });

  it('and asks something is told at once, with what it asks', async () => {
    const asking = calculator();
    const on = await stage([...oneWindow([]), asking]);
    asking.onQuit = () => on.world.clock.after(100, () => asking.windows.push(question()));
    const started = on.world.clock.now();
    const { closed, opened } = await on.engine.closeApp(close);
    expect({ closed, opened }).toMatchObject({
      closed: false,
      opened: [{ name: 'Save?', children: [{ name: 'Save' }, { name: 'Discard' }] }],
    });
    expect(on.world.clock.now() - started).toBeLessThan(2000);
  });

  it('has ended if a dialog only said that it was saving', async () => {
    const saving = calculator();
    const on = await stage([...oneWindow([]), saving]);
    saving.onQuit = (end) => {
      on.world.clock.after(100, () => saving.windows.push(question('progress')));
      on.world.clock.after(400, end);
    };
    expect(await on.engine.closeApp(close)).toMatchObject({ closed: true });
  });

  it('and still asks what it asked before is told before the deadline', async () => {
    const asking = calculator();
    asking.windows.push(question());
    asking.onQuit = () => undefined;
    const on = await stage([...oneWindow([]), asking]);
    const started = on.world.clock.now();
    expect(await on.engine.closeApp(close)).toMatchObject({ closed: false, opened: [{ name: 'Save?' }] });
    expect(on.world.clock.now() - started).toBeLessThan(5000);
  });
});

it('a frozen application is listed as one that does not answer', async () => {
  const on = await stage(oneWindow([]));
  on.world.freeze('app', 60_000);
  expect(await on.engine.listApps({ deadlineMs: 100 })).toMatchObject([{ responsive: false }]);
});

describe('lists of windows', () => {
  it('leave out minimised and unfocused windows if requested, and keep their refs', async () => {
    const on = await stage([
      app({
        windows: [
          windowWith([], { id: 'a', minimized: true }),
          windowWith([], { id: 'b', focused: true }),
          windowWith([], { id: 'c' }),
        ],
      }),
    ]);
    const ids = async (focusedOnly: boolean, includeMinimized: boolean): Promise<string[]> =>
      (await on.engine.listWindows({ ...DEADLINE, focusedOnly, includeMinimized })).map(
        ({ id, ref }) => `${id} ${ref}`,
      );
    expect(await ids(false, true)).toEqual(['a @w1', 'b @w2', 'c @w3']);
    expect(await ids(false, false)).toEqual(['b @w2', 'c @w3']);
    expect(await ids(true, true)).toEqual(['b @w2']);
  });
});

describe('one element', () => {
  it('is the deepest one with the focus', async () => {
    const on = await stage(
      oneWindow([
        {
          id: 'form',
          role: 'group',
          name: 'Form',
          states: ['focused'],
          children: [button('ok', 'OK', { states: ['focused'] })],
        },
      ]),
    );
    expect((await on.engine.focused(DEADLINE))?.node).toMatchObject({ name: 'OK', ref: '@e1' });
  });

  it('is none if nothing has the focus', async () => {
    const on = await stage(oneWindow([button('ok', 'OK')]));
    expect(await on.engine.focused(DEADLINE)).toBeUndefined();
  });

  it('reports text, states, range and whether it is on screen', async () => {
    const on = await stage(
      oneWindow([
        {
          id: 's',
          role: 'slider',
          name: 'Volume',
          value: '30',
          accepts: 'number',
          range: { minimum: 0, maximum: 100, step: 5 },
          bounds: { x: 1, y: 2, width: 3, height: 4 },
          states: ['focusable'],
        },
      ]),
    );
    const info = await on.engine.describe({ ...DEADLINE, ref: await refOf(on.engine, 'Volume') });
    expect(info).toMatchObject({
      text: '30',
      allStates: ['focusable'],
      onScreen: true,
      attributes: { native_role: 'slider', range: { minimum: 0, maximum: 100, step: 5, current: 30 } },
    });
  });

  it('counts in the statistics of its window', async () => {
    const on = await stage(
      oneWindow([button('a', 'A'), button('b', ''), { id: 't', role: 'text', name: 'T' }]),
    );
    expect(await on.engine.treeStats(DEADLINE)).toMatchObject({
      nodes: 4,
      interactive: 2,
      named: 3,
      max_depth: 1,
      by_role: { button: 2, window: 1, text: 1 },
      complete: true,
    });
  });
});
