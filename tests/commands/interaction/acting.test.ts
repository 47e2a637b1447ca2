import { describe, expect, it } from 'vitest';
import clear from '../../../src/commands/interaction/clear.ts';
import click from '../../../src/commands/interaction/click.ts';
import collapse from '../../../src/commands/interaction/collapse.ts';
import expand from '../../../src/commands/interaction/expand.ts';
import focus from '../../../src/commands/interaction/focus.ts';
import permissions from '../../../src/commands/system/permissions.ts';
import setValue from '../../../src/commands/interaction/set-value.ts';
import status from '../../../src/commands/system/status.ts';
import toggle from '../../../src/commands/interaction/toggle.ts';
import version from '../../../src/commands/system/version.ts';
import expecting from '../../../src/commands/waiting/expect.ts';
import wait from '../../../src/commands/waiting/wait.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { fakeDesktop } from '../fake-engine.ts';
import { BUTTON, RECEIPT, WINDOW } from '../samples.ts';
import { spelled } from '../../spelled.ts';

describe('click', () => {
  it('returns the receipt', async () => {
    const { ctx, calls } = fakeDesktop({ click: async () => RECEIPT });
    const output = await click.run(ctx, click.input.parse({ ref: '@e2' }));
    expect(click.output.parse(output)).toEqual(RECEIPT);
    expect(calls[0]?.request).toEqual({
      ref: '@e2',
      heal: false,
      settle: { quietMs: 80, limitMs: 1000 },
      deadlineMs: 10_000,
      signal: ctx.signal,
    });
    expect(click.outline?.(output)).toBe(
      [
        'confirmed: button "7" @e2 via at-spi:Action.DoAction(press)',
        '  evidence: the value of textbox "Display" changed',
        '  changed textbox "Display" @e1 value "42" -> value "427"',
        'cursor c3',
      ].join('\n'),
    );
  });
});

describe('semantic acts', () => {
  it.each([toggle, expand, collapse, clear, focus])('$name requests the act of its name', async (command) => {
    const { ctx, calls } = fakeDesktop({ act: async () => RECEIPT });
    const output = await command.run(ctx, command.input.parse({ ref: '@e2', timeout_ms: 50 }));
    expect(command.output.parse(output)).toEqual(RECEIPT);
    expect(calls).toEqual([
      {
        method: 'act',
        request: {
          act: command.name,
          ref: '@e2',
          heal: false,
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

  it('waits for changes of elements, and for text', async () => {
    const { ctx, calls } = fakeDesktop({
      waitForElement: async () => BUTTON,
      waitUntilGone: async () => ({}),
      waitForText: async () => ({ element: BUTTON, window: WINDOW }),
    });
    const call = { deadlineMs: 5000 };
    const cases = [
      [{ focused: '@e2' }, { element: '@e2', until: 'focused', ...call }, /^waited \d+ ms\nbutton/],
      [{ value: '@e2', is: '' }, { element: '@e2', until: { value: '' }, ...call }, /button/],
      [{ gone: '@w2' }, { ref: '@w2', ...call }, /\n@w2 is gone$/],
      [{ text: 'Done', window: '@w1' }, { text: 'Done', window: '@w1', ...call }, /button.*\nwindow/],
    ] as const;
    for (const [input, request, told] of cases) {
      const output = await wait.run(ctx, wait.input.parse(input));
      expect(calls.at(-1)?.request).toMatchObject(request);
      expect(wait.outline?.(output)).toMatch(told);
    }
  });

  it('waits for an application at rest, a count, a reachable element, a menu and a notification', async () => {
    const menu = { ref: '@e9', kind: 'menu', title: 'File', app: 'KCalc', pid: 7, modal: false } as const;
    const { ctx, calls } = fakeDesktop({
      waitUntilIdle: async () => ({ app: 'KCalc', pid: 7, quietMs: 300, evidence: ['no event for 300 ms'] }),
      waitForCount: async () => [BUTTON],
      waitUntilActionable: async () => BUTTON,
      waitForMenu: async () => menu,
      waitForNotification: async () => ({ app: 'Mail', summary: 'New', body: 'Hi', hasService: false }),
    });
    const call = { deadlineMs: 5000 };
    const cases = [
      [
        { idle: true, app: 'KCalc', quiet_ms: 300 },
        { app: 'KCalc', quietMs: 300, ...call },
        /^waited \d+ ms\n"KCalc" is idle: no event for 300 ms$/,
      ],
      [
        { count: 'role:button', matches: 1 },
        { locator: 'role:button', count: 1, ...call },
        /\n1 match\n {2}button/,
      ],
      [{ actionable: '@e2' }, { ref: '@e2', ...call }, /\nbutton "7" @e2/],
      [{ menu: true, app: 'KCalc' }, { app: 'KCalc', ...call }, /\nmenu "File" @e9 of "KCalc"$/],
      [
        { notification: true, containing: 'new' },
        { text: 'new', ...call },
        /\nnotification "New" "Hi" from "Mail"\n {2}nothing runs on this desktop/,
      ],
    ] as const;
    for (const [input, request, told] of cases) {
      const output = await wait.run(ctx, wait.input.parse(input));
      expect(calls.at(-1)?.request).toMatchObject(request);
      expect(wait.outline?.(output)).toMatch(told);
      expect(() => wait.output.parse(output)).not.toThrow();
    }
  });

  it.each([
    {},
    { idle: true },
    { count: 'role:button' },
    { matches: 1 },
    { count: 'role:button', matches: -1 },
    { idle: true, menu: true, app: 'KCalc' },
    { containing: 'a', ms: 5 },
    { notification: true, app: 'KCalc' },
    { actionable: '@e1', app: 'KCalc' },
    { ms: 5, element: '@e1' },
    { element: '@e1', window: 'a' },
    { element: '@e1', gone: '@e1' },
    { text: 'a', gone: '@e1', window: 'b' },
    { ms: 5, app: 'KCalc' },
    { gone: '@e1', app: 'KCalc' },
    { gone: 'Save' },
    { value: '@e1' },
    { is: 'a' },
    { element: '@e1', is: 'a' },
    { text: '' },
  ])('refuses %j', (input) => {
    expect(wait.input.safeParse(input).success).toBe(false);
  });
});

describe('expect', () => {
  it('passes on the expectations and lists the checks', async () => {
    const checks = [{ property: 'value' as const, expected: '4', actual: '4', passed: true }];
    const { ctx, calls } = fakeDesktop({ expect: async () => ({ ref: '@e2', checks }) });
    const input = { ref: '@e2', value: '4', enabled: false, role: 'AXButton', timeout_ms: 0 };
    const output = await expecting.run(ctx, expecting.input.parse(input));
    expect(calls[0]?.request).toMatchObject({
      ref: '@e2',
      expected: { value: '4', enabled: false, role: 'button' },
      deadlineMs: 0,
    });
    expect(output).toMatchObject({ ref: '@e2', passed: true, checks });
    expect(expecting.outline?.(output)).toMatch(
      /^@e2 is as expected after \d+ ms\n {2}value: expected "4", is "4"$/,
    );
    // One look needs time, too.
    expect(expecting.deadlineMs?.(expecting.input.parse(input))).toBeGreaterThan(500);
  });

  it('judges several elements in one call, however they are given', async () => {
    const checks = [{ target: '@e2', property: 'value' as const, expected: '4', actual: '4', passed: true }];
    const { ctx, calls } = fakeDesktop({
      expectAll: async () => ({
        notes: ['not watched'],
        met: [
          { ref: '@e2', checks },
          {
            ref: '@e3',
            checks: [
              { ...checks[0], target: '@e3', property: 'value', expected: '4', actual: '4', passed: true },
            ],
          },
        ],
      }),
    });
    const and = ['role:button[name="Save as"] disabled'];
    const conditions = [{ ref: '@e5', role: 'AXButton', focused: true }];
    const output = await expecting.run(
      ctx,
      expecting.input.parse({ ref: '@e2', value: '4', and, conditions }),
    );
    expect(calls).toMatchObject([
      {
        method: 'expectAll',
        request: {
          conditions: [
            { ref: '@e2', expected: { value: '4' } },
            { ref: 'role:button[name="Save as"]', expected: { enabled: false } },
            { ref: '@e5', expected: { role: 'button', focused: true } },
          ],
        },
      },
    ]);
    expect(output).not.toHaveProperty('ref');
    expect(expecting.outline?.(output)).toMatch(
      /^2 elements are as expected after \d+ ms\n {2}@e2 value: expected "4", is "4"\n {2}@e3 value.*\nnot watched$/,
    );
    expect(expecting.input.safeParse({ and: ['@e1 enabled'] }).success).toBe(true);
  });

  it.each([
    { ref: '@e2' },
    {},
    { enabled: true },
    { and: [] },
    { and: ['@e2'] },
    { and: ['@w2 enabled'] },
    { and: ['@e2 gone enabled'] },
    { conditions: [{ ref: '@e2' }] },
    { conditions: [{ ref: '@e2', exists: false, value: '1' }] },
    { ref: '@e2', conditions: [{ ref: '@e2', enabled: true }] },
    { ref: '@e2', exists: false, enabled: true },
    { ref: '@w2', exists: true },
    { ref: '@e2', role: 'buton' },
    { ref: '@e2', contains_text: '' },
    { ref: '@e2', enabled: true, timeout_ms: -1 },
  ])('refuses %j', (input) => {
    expect(expecting.input.safeParse(input).success).toBe(false);
  });
});

describe('permissions', () => {
  it('exits with 1 if something is missing', async () => {
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
        capabilities: {
          tree: true,
          events: true,
          capture: true,
          windows: true,
          clipboard: true,
          input: true,
        },
      }),
      permissions: async () => {
        throw new Error('unknown');
      },
      stopState: async () => ({ stopped: true, since: '2026-01-31T23:00:00.000Z', by: 'the hot-key' }),
    });
    const output = await status.run(ctx, status.input.parse({}));
    expect(status.output.parse(output)).toEqual({
      program_version: '9.9.9',
      platform: 'linux',
      security_mode: 'normal',
      session: 'default',
      desktop: {
        id: 'd1',
        display: ':99',
        session_type: 'x11',
        private: true,
        screen: { width: 800, height: 600 },
        capabilities: {
          tree: true,
          events: true,
          capture: true,
          windows: true,
          clipboard: true,
          input: true,
        },
        acting: { stopped: true, since: '2026-01-31T23:00:00.000Z', by: 'the hot-key' },
      },
      daemon: null,
      sessions: [],
      desktops: [{ display: ':99', private: true, sessions: ['default'] }],
    });
    const outline = spelled(status.outline?.(output));
    expect(outline).toContain('private desktop :99 (x11, 800x600) d1');
    expect(outline).toContain(
      'acting is stopped since 2026-01-31T23:00:00.000Z by the hot-key; a person allows it again with "desk resume"',
    );
  });

  it('answers without a desktop', async () => {
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
