import { describe, expect, it } from 'vitest';
import type { SimulatedApp } from '../simulated/simulated-world.ts';
import { app, button, DEADLINE, failureOf, oneWindow, refOf, stage, windowWith } from './support/stage.ts';

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
