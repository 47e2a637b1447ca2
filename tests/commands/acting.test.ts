import { describe, expect, it } from 'vitest';
import clear from '../../src/commands/clear.ts';
import click from '../../src/commands/click.ts';
import collapse from '../../src/commands/collapse.ts';
import expand from '../../src/commands/expand.ts';
import focus from '../../src/commands/focus.ts';
import permissions from '../../src/commands/permissions.ts';
import setValue from '../../src/commands/set-value.ts';
import status from '../../src/commands/status.ts';
import toggle from '../../src/commands/toggle.ts';
import version from '../../src/commands/version.ts';
import wait from '../../src/commands/wait.ts';
import { DeskterityError } from '../../src/model/errors.ts';
import { fakeDesktop } from './fake-engine.ts';
import { BUTTON, RECEIPT, WINDOW } from './samples.ts';

describe('click', () => {
  it('returns the receipt', async () => {
    const { ctx, calls } = fakeDesktop({ click: async () => RECEIPT });
    const output = await click.run(ctx, click.input.parse({ ref: '@e2' }));
    expect(click.output.parse(output)).toEqual(RECEIPT);
    expect(calls[0]?.request).toEqual({
      ref: '@e2',
      settle: { quietMs: 80, limitMs: 1000 },
      deadlineMs: 10_000,
      signal: ctx.signal,
    });
    expect(click.outline?.(output)).toBe(
      [
        'confirmed: button "7" @e2 via at-spi:Action.DoAction(press)',
        '  evidence: the value of textbox "Display" changed',
        '  changed textbox "Display" @e1 value "42" -> value "427"',
      ].join('\n'),
    );
  });
});

describe('acts by meaning', () => {
  it.each([toggle, expand, collapse, clear, focus])('$name asks for itself', async (command) => {
    const { ctx, calls } = fakeDesktop({ act: async () => RECEIPT });
    const output = await command.run(ctx, command.input.parse({ ref: '@e2', timeout_ms: 50 }));
    expect(command.output.parse(output)).toEqual(RECEIPT);
    expect(calls).toEqual([
      {
        method: 'act',
        request: {
          act: command.name,
          ref: '@e2',
          settle: { quietMs: 80, limitMs: 1000 },
          deadlineMs: 50,
          signal: ctx.signal,
        },
      },
    ]);
    expect(command.outline?.(output)).toContain('confirmed: button "7" @e2');
  });
});

describe('set-value', () => {
  it('replaces the value, with --clear-first or without', async () => {
    const { ctx, calls } = fakeDesktop({ setValue: async () => RECEIPT });
    await setValue.run(ctx, setValue.input.parse({ ref: '@e4', value: '' }));
    await setValue.run(ctx, setValue.input.parse({ ref: '@e4', value: '-5', clear_first: true }));
    expect(calls.map(({ request }) => request)).toMatchObject([
      { ref: '@e4', value: '' },
      { ref: '@e4', value: '-5' },
    ]);
  });
});

describe('wait', () => {
  it('waits for a time without a desktop', async () => {
    const slept: number[] = [];
    let now = 0;
    const clock = {
      now: () => now,
      sleep: async (ms: number) => {
        slept.push(ms);
        now += ms;
      },
    };
    const { ctx, calls } = fakeDesktop({}, { clock });
    const output = await wait.run(ctx, wait.input.parse({ ms: 250 }));
    expect([slept, output, calls]).toEqual([[250], { waited_ms: 250 }, []]);
    expect(wait.deadlineMs?.(wait.input.parse({ ms: 60_000 }))).toBe(60_000);
  });

  it('waits for elements and windows', async () => {
    const { ctx, calls } = fakeDesktop({
      waitForElement: async () => BUTTON,
      waitForWindow: async () => WINDOW,
    });
    const element = await wait.run(ctx, wait.input.parse({ element: '@e2' }));
    const window = await wait.run(ctx, wait.input.parse({ window: 'Calc', app: 'KCalc', timeout_ms: 10 }));
    expect(element.element).toEqual(BUTTON);
    expect(wait.outline?.(window)).toMatch(/^waited \d+ ms\nwindow "Calculator" @w1/);
    expect(calls.map(({ request }) => request)).toMatchObject([
      { element: '@e2', deadlineMs: 5000 },
      { title: 'Calc', app: 'KCalc', deadlineMs: 10 },
    ]);
  });

  it.each([{}, { ms: 5, element: '@e1' }, { element: '@e1', window: 'a' }, { ms: 5, app: 'KCalc' }])(
    'refuses %j',
    (input) => {
      expect(wait.input.safeParse(input).success).toBe(false);
    },
  );
});

describe('permissions', () => {
  it('exits with 1 when something is missing', async () => {
    const { ctx, calls } = fakeDesktop({
      permissions: async () => ({
        granted: false,
        checks: [{ name: 'bus', ok: false, detail: 'no bus', fix: 'start one' }],
      }),
    });
    const output = await permissions.run(ctx, permissions.input.parse({ request: true }));
    expect(calls[0]?.request).toMatchObject({ request: true });
    expect(permissions.exitCode?.(output)).toBe(1);
    expect(permissions.outline?.(output)).toBe('not granted\n  missing bus: no bus (start one)');
  });
});

describe('status', () => {
  it('shows the desktop', async () => {
    const { ctx } = fakeDesktop({
      status: async () => ({
        desktopId: 'd1',
        display: ':99',
        session: 'x11',
        isPrivate: true,
        screen: { width: 800, height: 600 },
        capabilities: { tree: true, events: true, capture: true, windows: true },
      }),
      permissions: async () => {
        throw new Error('unknown');
      },
    });
    const output = await status.run(ctx, status.input.parse({}));
    expect(status.output.parse(output)).toEqual({
      program_version: '9.9.9',
      platform: 'linux',
      session: 'default',
      desktop: {
        id: 'd1',
        display: ':99',
        session_type: 'x11',
        private: true,
        screen: { width: 800, height: 600 },
        capabilities: { tree: true, events: true, capture: true, windows: true },
      },
      daemon: null,
      sessions: [],
      desktops: [{ display: ':99', private: true, sessions: ['default'] }],
    });
    expect(status.outline?.(output)).toContain('private desktop :99 (x11, 800x600) d1');
  });

  it('answers where there is no desktop', async () => {
    const engine = async () => {
      throw new DeskterityError('DISPLAY_UNAVAILABLE', 'There is no display.', {
        suggestion: 'Set DISPLAY.',
      });
    };
    const { ctx } = fakeDesktop({}, { engine });
    const output = await status.run(ctx, status.input.parse({}));
    expect(output).toMatchObject({ desktop: null, problem: { code: 'DISPLAY_UNAVAILABLE' } });
    expect(status.outline?.(output)).toContain(
      'no desktop: DISPLAY_UNAVAILABLE: There is no display. Set DISPLAY.',
    );
  });
});

describe('version', () => {
  it('needs no desktop', async () => {
    const { ctx, calls } = fakeDesktop();
    const output = await version.run(ctx, {});
    expect(version.outline?.(output)).toBe('deskterity 9.9.9 (node 20.20.0, linux x64)');
    expect(calls).toEqual([]);
  });
});
