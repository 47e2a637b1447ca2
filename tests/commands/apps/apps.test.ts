import { describe, expect, it } from 'vitest';
import closeApp from '../../../src/commands/apps/close-app.ts';
import launch from '../../../src/commands/apps/launch.ts';
import listApps from '../../../src/commands/apps/list-apps.ts';
import listWindows from '../../../src/commands/apps/list-windows.ts';
import { fakeDesktop } from '../fake-engine.ts';
import { APP, MINIMIZED, WINDOW } from '../samples.ts';
import { spelled } from '../../spelled.ts';

describe('list-apps', () => {
  const other = {
    ...APP,
    name: 'xterm "a"',
    pid: 7,
    toolkit: undefined,
    toolkit_version: undefined,
    accessible: false,
    reason: 'no toolkit',
  };

  it('lists applications without querying windows', async () => {
    const { ctx, calls } = fakeDesktop({ listApps: async () => [APP] });
    const output = await listApps.run(ctx, listApps.input.parse({}));
    expect(output).toEqual({ apps: [APP], count: 1 });
    expect(calls).toEqual([{ method: 'listApps', request: { deadlineMs: 5000, signal: ctx.signal } }]);
  });

  it('groups windows by application', async () => {
    const { ctx } = fakeDesktop({
      listApps: async () => [APP, other],
      listWindows: async () => [WINDOW, MINIMIZED],
    });
    const output = await listApps.run(ctx, listApps.input.parse({ with_windows: true }));
    expect(output.apps.map(({ windows }) => windows?.length)).toEqual([2, 0]);
    expect(listApps.output.parse(output)).toEqual(output);
    expect(listApps.outline?.(output)).toBe(
      [
        'app "KCalc" pid=42 Qt 6.7',
        '  window "Calculator" @w1 app="KCalc" pid=42 focused [10,20 300x400]',
        '  window "History" @w2 app="KCalc" pid=42 minimized [10,20 300x400]',
        String.raw`app "xterm \"a\"" pid=7 no tree: no toolkit`,
      ].join('\n'),
    );
  });
});

describe('list-windows', () => {
  it('leaves minimized windows out and says so', async () => {
    const { ctx, calls } = fakeDesktop({ listWindows: async () => [WINDOW, MINIMIZED] });
    const output = await listWindows.run(ctx, listWindows.input.parse({ app: 'KCalc' }));
    expect(output).toEqual({ windows: [WINDOW], count: 1, minimized_left_out: 1 });
    expect(spelled(listWindows.outline?.(output))).toContain(
      '1 minimized left out: --include-minimized lists them',
    );
    expect(calls[0]?.request).toMatchObject({ app: 'KCalc', focusedOnly: false, includeMinimized: true });
  });

  it('lists them on request', async () => {
    const { ctx } = fakeDesktop({ listWindows: async () => [WINDOW, MINIMIZED] });
    const output = await listWindows.run(ctx, listWindows.input.parse({ include_minimized: true }));
    expect(output).toMatchObject({ count: 2, minimized_left_out: 0 });
  });

  it('says so if there are no windows', () => {
    expect(listWindows.outline?.({ windows: [], count: 0, minimized_left_out: 0 })).toBe('no windows');
  });
});

describe('launch', () => {
  it('passes on arguments and working folder', async () => {
    const { ctx, calls } = fakeDesktop({
      launch: async () => ({
        app: 'KCalc',
        pid: 42,
        command: ['kcalc', '-x'],
        adjustments: ['QT_ACCESSIBILITY=1'],
        window: WINDOW,
      }),
    });
    const output = await launch.run(ctx, launch.input.parse({ app: 'kcalc', wait: true, args: ['-x'] }));
    expect(output).toEqual({
      app: 'KCalc',
      pid: 42,
      command_line: ['kcalc', '-x'],
      adjustments: ['QT_ACCESSIBILITY=1'],
      window: WINDOW,
    });
    expect(calls[0]?.request).toMatchObject({
      app: 'kcalc',
      args: ['-x'],
      cwd: '/home/someone',
      wait: true,
      deadlineMs: 15_000,
    });
    expect(launch.outline?.(output)).toMatch(
      /^started "KCalc" pid=42: kcalc -x\n {2}adjusted: QT_ACCESSIBILITY=1\n {2}window "Calculator" @w1/,
    );
    expect(launch.text?.(output)).toBe('42');
  });
});

describe('close-app', () => {
  it('succeeds only if the process has exited', async () => {
    const { ctx } = fakeDesktop({
      closeApp: async () => ({ app: 'KCalc', pid: 42, via: 'x11:WM_DELETE_WINDOW', closed: true }),
    });
    const output = await closeApp.run(ctx, closeApp.input.parse({ app: 'KCalc' }));
    expect(closeApp.outline?.(output)).toBe('closed "KCalc" pid=42 via x11:WM_DELETE_WINDOW');
  });

  it('fails if the process keeps running', async () => {
    const { ctx } = fakeDesktop({
      closeApp: async () => ({ app: 'Kate', pid: 7, via: 'x11:WM_DELETE_WINDOW', closed: false }),
    });
    await expect(closeApp.run(ctx, closeApp.input.parse({ app: 'Kate' }))).rejects.toMatchObject({
      code: 'ACTION_FAILED',
      delivered: true,
      result: { closed: false, pid: 7 },
    });
  });

  it('names the dialog that keeps it running', async () => {
    const { ctx } = fakeDesktop({
      closeApp: async () => ({
        app: 'Kate',
        pid: 7,
        via: 'x11:WM_DELETE_WINDOW',
        closed: false,
        opened: [
          { role: 'dialog', name: 'Save?', children: [{ role: 'button', name: 'Discard', ref: '@e3' }] },
        ],
      }),
    });
    await expect(closeApp.run(ctx, closeApp.input.parse({ app: 'Kate' }))).rejects.toMatchObject({
      code: 'ACTION_FAILED',
      suggestion: expect.stringMatching(/^Answer what it asks/),
      report: '  opened dialog "Save?"\n    button "Discard" @e3',
      result: { opened: [{ name: 'Save?' }] },
    });
  });
});
