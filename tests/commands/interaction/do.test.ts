import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/commands/index.generated.ts';
import doSteps from '../../../src/commands/interaction/do.ts';
import { stepCommands } from '../../../src/app/step-commands.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import type { Change } from '../../../src/model/effects/effect.ts';
import { createRegistry } from '../../../src/registry/registry.ts';
import type { CommandContext } from '../../../src/registry/define.ts';
import { fakeDesktop } from '../fake-engine.ts';
import { RECEIPT, WINDOW } from '../samples.ts';

type Output = Record<string, unknown>;
type Given = Output | undefined;
type Answer = (command: string, input: Readonly<Output>, signal: AbortSignal) => Given | Promise<Given>;

const registry = createRegistry(commands);
const SNAPSHOT = {
  app: 'KCalc',
  window: WINDOW,
  ref_count: 0,
  tree: { role: 'window', name: 'Calculator' },
  complete: true,
  elided: 0,
  cursor: 'c9',
  node_count: 1,
  call_count: 1,
};

/** Steps are checked by the real commands, and answered as told. */
function screen(
  answer: Answer = () => undefined,
  offered?: ReadonlyMap<string, readonly string[]>,
  signal: AbortSignal = new AbortController().signal,
) {
  const ran: [string, Readonly<Output>][] = [];
  let now = 0;
  const { ctx } = fakeDesktop({}, { clock: { now: () => now, sleep: async () => undefined }, signal });
  const known = stepCommands(registry, () => ctx, offered);
  const usual: Readonly<Record<string, Output>> = {
    snapshot: SNAPSHOT,
    wait: { waited_ms: 1 },
    get: { property: 'value', ref: '@e1', value: '42' },
  };
  const whole: CommandContext = {
    ...ctx,
    commands: {
      ...known,
      run: async (command, input, { signal }) => {
        ran.push([command, input]);
        return (await answer(command, input, signal)) ?? usual[command] ?? RECEIPT;
      },
    },
  };
  const run = (steps: readonly ({ command: string } & Output)[], more: Output = {}) =>
    doSteps.run(whole, doSteps.input.parse({ steps, ...more }));
  const acts = () => ran.filter(([command]) => command !== 'snapshot');
  return { run, ran, acts, pass: (ms: number) => void (now += ms) };
}

async function failureOf(promise: Promise<unknown>): Promise<DeskterityError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DeskterityError) return error;
  throw new Error(`It did not fail: ${String(error)}`);
}

const opened: Change = { kind: 'window_opened', ref: '@w7', role: 'window', name: 'Replace file?' };
/** A desktop on which clicking opens a dialog; a locator matches in it if it contains `OK`. */
const withDialog =
  (role = 'dialog'): Answer =>
  (command, input) => {
    if (command === 'click' && input['ref'] === '@e1') return { ...RECEIPT, changes: [opened] };
    if (command === 'snapshot' && input['window'] === '@w7')
      return { ...SNAPSHOT, tree: { role, name: opened.name } };
    if (command === 'wait' && typeof input['element'] === 'string' && !input['element'].includes('"OK"'))
      throw new DeskterityError('TIMEOUT', 'It did not appear.', { suggestion: 'Wait.' });
    return undefined;
  };

describe('do', () => {
  it('cuts a long pause short at its deadline, and keeps the receipts of the steps before it', async () => {
    const { run } = screen(async (command, _, signal) => {
      if (command !== 'wait') return undefined;
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve, { once: true });
      });
      throw new DeskterityError('CANCELLED', 'wait was cancelled.', { suggestion: 'Look.' });
    });
    const steps = [
      { command: 'click', ref: '@e2' },
      { command: 'wait', ms: 20_000 },
      { command: 'click', ref: '@e3' },
    ];
    const error = await failureOf(run(steps, { deadline_ms: 50 }));
    expect(error).toMatchObject({
      code: 'TIMEOUT',
      delivered: true,
      result: {
        steps: [{ command: 'click', effect: 'confirmed' }],
        stopped: { step: 2 },
        not_run: ['click'],
      },
    });
    expect(error.message).toContain('The 50 ms for all steps are over.');
  });

  it('runs each step as its command, and ends with what is on the screen', async () => {
    const { run, acts } = screen();
    const output = doSteps.output.parse(
      await run([
        { command: 'click', ref: '@e2' },
        { command: 'get', property: 'value', ref: '@e1' },
      ]),
    );
    expect(acts().map(([command]) => command)).toEqual(['click', 'get']);
    expect(output.steps).toEqual([
      {
        command: 'click',
        effect: 'confirmed',
        detail: 'confirmed: button "7" @e2 (the value of textbox "Display" changed)',
      },
      {
        command: 'get',
        detail: expect.stringContaining('42'),
        answer: expect.objectContaining({ value: '42' }),
      },
    ]);
    expect(output.now).toEqual({
      window: '@w1',
      outline: expect.stringContaining('Calculator'),
      cursor: 'c9',
    });
  });

  it.each([
    ['an unknown command', { command: 'clck', ref: '@e1' }, 'Step 2 (clck): There is no such command'],
    ['a parameter that is wrong', { command: 'click', ref: 'nonsense' }, 'Step 2 (click): '],
    ['a parameter that is unknown', { command: 'press', keys: 'Enter', extra: 1 }, 'Step 2 (press): '],
    ['a command about terminals', { command: 'terminal list' }, 'terminal list cannot be a step'],
    ['a command about sessions', { command: 'session kill', name: 'x' }, 'session kill cannot be a step'],
    ['itself', { command: 'do', steps: [] }, 'do cannot be a step'],
    ['resuming after a person has stopped acting', { command: 'resume' }, 'resume cannot be a step'],
  ])('runs nothing if a later step is %s', async (_, wrong, words) => {
    const { run, ran } = screen();
    const error = await failureOf(run([{ command: 'click', ref: '@e2' }, wrong]));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', delivered: false });
    expect(error.message).toContain(words);
    expect(error.message).toContain('No step was run.');
    expect(ran).toEqual([]);
  });

  it.each([
    ['clck', 'Did you mean click?'],
    ['set_valu', 'Did you mean set-value?'],
    ['sesion list', 'Steps are made of these commands: '],
    ['navigate', 'Steps are made of these commands: '],
  ])('suggests commands that can be steps instead of %s', async (command, words) => {
    const { suggestion } = await failureOf(screen().run([{ command }]));
    expect(suggestion).toContain(words);
    if (!words.startsWith('Steps')) return;
    expect(suggestion).toMatch(/\bclick\b.*\bset-value\b.*\bwait\b/);
    expect(suggestion).not.toMatch(/session|terminal|resume|\bdo\b/);
  });

  it('keeps the receipts of the steps before it is cancelled, in a step or between two', async () => {
    const steps = ['@e2', '@e3', '@e4'].map((ref) => ({ command: 'click', ref }));
    for (const [cancelledIn, delivered] of [
      ['@e2', false],
      ['@e3', true],
    ] as const) {
      const caller = new AbortController();
      const { run, ran } = screen(
        (_, { ref }) => {
          if (ref === cancelledIn) caller.abort();
          if (ref !== '@e3') return undefined;
          throw new DeskterityError('CANCELLED', 'The command was cancelled.', {
            suggestion: 'Look.',
            delivered,
          });
        },
        undefined,
        caller.signal,
      );
      const error = await failureOf(run(steps));
      expect(error).toMatchObject({
        code: 'CANCELLED',
        delivered: true,
        result: {
          steps: [{ command: 'click', effect: 'confirmed' }],
          stopped: { step: 2, reason: 'error' },
          not_run: ['click'],
        },
      });
      expect(error.message).toContain('Step 2 of 3 (click) was ended: ');
      // No look at what is there now: it would be cancelled as well.
      expect(ran.map(([command]) => command)).toEqual(delivered ? ['click', 'click'] : ['click']);
    }
  });

  it('takes names of tools and of methods', async () => {
    const { run, acts } = screen();
    await run([
      { command: 'desktop_press_key', keys: 'Enter' },
      { command: 'setValue', ref: '@e1', value: 'x' },
    ]);
    expect(acts().map(([command]) => command)).toEqual(['press', 'set-value']);
  });

  it('a step may need what is common to all', async () => {
    const { run, acts } = screen();
    await run([{ command: 'wait', idle: true }], { app: 'Shop' });
    expect(acts()).toMatchObject([['wait', { idle: true, app: 'Shop' }]]);
    expect((await failureOf(run([{ command: 'wait', idle: true }]))).code).toBe('INVALID_ARGUMENT');
    expect(acts()).toHaveLength(1);
  });

  it('gives what is common to the steps that take it, and scopes their locators', async () => {
    const { run, acts } = screen();
    await run(
      [
        { command: 'click', ref: 'role:button[name="OK"]', mode: 'pointer' },
        { command: 'wait', ms: 5 },
        { command: 'find', query: 'x' },
        { command: 'click', ref: 'app:Other >> role:link' },
      ],
      { app: 'Shop', mode: 'focus', timeout_ms: 900 },
    );
    expect(acts()).toEqual([
      ['click', { ref: 'app:"Shop" >> role:button[name="OK"]', mode: 'pointer', timeout_ms: 900 }],
      ['wait', { ms: 5, timeout_ms: 900 }],
      ['find', { query: 'x', app: 'Shop', timeout_ms: 900 }],
      ['click', { ref: 'app:"Other" >> role:link', mode: 'focus', timeout_ms: 900 }],
    ]);
  });

  it('stops at an error, with its code, the receipts so far, what was not run and what is there now', async () => {
    const { run, acts } = screen((command, { ref }) => {
      if (command !== 'click' || ref !== '@e3') return undefined;
      throw new DeskterityError('STALE_REF', 'It is gone.', { suggestion: 'Look again.', delivered: false });
    });
    const error = await failureOf(run(['@e2', '@e3', '@e4'].map((ref) => ({ command: 'click', ref }))));
    expect(acts()).toHaveLength(2);
    expect(error).toMatchObject({ code: 'STALE_REF', suggestion: 'Look again.', delivered: true });
    expect(error.message).toBe('Step 2 of 3 (click) failed: It is gone. Not run: click.');
    expect(error.result).toMatchObject({
      steps: [{ command: 'click', effect: 'confirmed' }],
      stopped: { step: 2, command: 'click', reason: 'error' },
      not_run: ['click'],
      now: { cursor: 'c9' },
    });
    expect(error.report).toMatch(/^1 click: confirmed: .*\nnow:\n.*\ncursor c9$/s);
    expect(error.report?.match(/^cursor /gm)).toHaveLength(1);
  });

  describe('at the end', () => {
    const looks = (ran: readonly [string, Readonly<Output>][]) =>
      ran.flatMap(([command, input]) =>
        command === 'snapshot' ? [{ ...input, timeout_ms: undefined }] : [],
      );
    const click = { command: 'click', ref: '@e1' };

    it('shows the changes in a window that was shown before', async () => {
      const changes = [{ kind: 'changed', ref: '@e1', role: 'textbox', before: 'none', after: 'focused' }];
      const { tree: _, ...rest } = SNAPSHOT;
      const { run, ran } = screen((command) =>
        command === 'snapshot' ? { ...rest, since: 'c4', changes } : undefined,
      );
      const { now } = doSteps.output.parse(await run([click], { app: 'KCalc' }));
      expect(looks(ran)).toEqual([{ app: 'KCalc', since: 'last', max_tokens: 250 }]);
      expect(now?.outline).toBe(`window "${WINDOW.title}" @w1, since c4:\n~ textbox @e1: none -> focused`);
    });

    it('shows a window anew that has changed more than fits', async () => {
      const { tree: _, ...rest } = SNAPSHOT;
      const { run, ran } = screen((command, { since }) =>
        command === 'snapshot' && since === 'last'
          ? { ...rest, since: 'c4', changes: [], elided: 3 }
          : undefined,
      );
      const { now } = doSteps.output.parse(await run([click]));
      expect(looks(ran)).toEqual([
        { since: 'last', max_tokens: 250 },
        { window: '@w1', max_tokens: 600 },
      ]);
      expect(now?.outline).toMatch(/^window "Calculator"/);
    });

    it('shows the whole of what a step opened, and more after a failure', async () => {
      const on = screen(withDialog());
      await on.run([click]);
      expect(looks(on.ran)).toEqual([{ window: '@w7', max_tokens: 600 }]);
      const failing = screen((command) => {
        if (command === 'click')
          throw new DeskterityError('STALE_REF', 'It is gone.', { suggestion: 'Look.' });
        return undefined;
      });
      await failureOf(failing.run([click]));
      expect(looks(failing.ran)).toEqual([{ since: 'last', max_tokens: 600 }]);
    });

    it('looks at the window that the last step named, in the size that was asked for', async () => {
      const { run, ran } = screen();
      await run([click, { command: 'press', keys: 'Enter' }], { window: 'Main', max_tokens: 90 });
      expect(looks(ran)).toEqual([{ window: 'Main', since: 'last', max_tokens: 90 }]);
    });
  });

  it('keeps one deadline for all steps', async () => {
    const on = screen((command) => {
      if (command === 'click') on.pass(700);
      return undefined;
    });
    const clicks = ['@e2', '@e3', '@e4'].map((ref) => ({ command: 'click', ref }));
    const error = await failureOf(on.run(clicks, { deadline_ms: 1000 }));
    expect(on.acts().map(([, input]) => input['timeout_ms'])).toEqual([1000, 300]);
    expect(error).toMatchObject({ code: 'TIMEOUT', result: { stopped: { step: 3 }, not_run: [] } });
  });

  it.each([true, false])('stops at an unverified effect only if told to (%s)', async (strict) => {
    const { run, acts } = screen((command) =>
      command === 'click' ? { ...RECEIPT, effect: 'unverified' } : undefined,
    );
    const running = run(
      [
        { command: 'click', ref: '@e2' },
        { command: 'press', keys: 'Enter' },
      ],
      { strict },
    );
    const ended = await running.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const stopped = ended instanceof DeskterityError ? ended.result?.['stopped'] : undefined;
    expect(stopped).toEqual(strict ? { step: 1, command: 'click', reason: 'unverified' } : undefined);
    expect(acts()).toHaveLength(strict ? 1 : 2);
  });

  it('stops if is says no', async () => {
    const { run } = screen((command) =>
      command === 'is' ? { ref: '@e2', state: 'checked', answer: false, states: [] } : undefined,
    );
    const error = await failureOf(
      run([
        { command: 'is', state: 'checked', ref: '@e2' },
        { command: 'click', ref: '@e2' },
      ]),
    );
    expect(error).toMatchObject({
      code: 'EXPECTATION_FAILED',
      result: { stopped: { reason: 'expectation' } },
    });
  });

  describe('at a dialog that a step opens', () => {
    const click = { command: 'click', ref: '@e1' };

    it.each([
      ['acts elsewhere', { command: 'click', ref: 'role:button[name="Next"]' }],
      ['has an older reference', { command: 'click', ref: '@e2' }],
      ['presses a key wherever the focus is', { command: 'press', keys: 'Enter' }],
      ['runs a menu item', { command: 'menu', path: 'File > Quit' }],
      ['names another window', { command: 'press', keys: 'Enter', window: 'Main' }],
    ])('stops if the next step %s', async (_, next) => {
      const { run, acts } = screen(withDialog());
      const error = await failureOf(run([click, { command: 'wait', ms: 1 }, next]));
      expect(error).toMatchObject({
        code: 'ACTION_FAILED',
        delivered: true,
        result: { stopped: { step: 1, reason: 'dialog' } },
      });
      expect(error.message).toContain('It opened the dialog "Replace file?"');
      expect(acts().filter(([command]) => command !== 'wait')).toEqual([['click', expect.anything()]]);
    });

    it.each([
      ['acts on an element in it', { command: 'click', ref: 'role:button[name="OK"]' }],
      [
        'fills a field in it',
        { command: 'fill', fields: [{ target: 'role:textbox[name="OK"]', value: 'x' }] },
      ],
      ['names it', { command: 'press', keys: 'Enter', window: 'replace' }],
      ['waits for it', { command: 'wait', window: 'Replace file' }],
      ['names it in its locator', { command: 'click', ref: 'window:"Replace" >> role:button' }],
    ])('goes on if the next step %s', async (_, next) => {
      const { run, acts } = screen(withDialog());
      await run([click, next, { command: 'press', keys: 'Enter' }]);
      expect(acts().at(-1)).toEqual(['press', expect.objectContaining({ keys: 'Enter' })]);
    });

    it.each([
      ['the same is in another one', 'Plain', 'window'],
      ['it is only there', 'Own', undefined],
    ])('stops at an ordinary window if %s', async (_, name, reason) => {
      const dialog = withDialog('window');
      const windows = ['@w1', '@w7'].map((ref) => ({
        ref,
        id: ref,
        title: ref === '@w1' ? 'Main' : 'Second',
        app: 'app',
        pid: 7,
        focused: ref === '@w7',
        minimized: false,
        accessible: true,
      }));
      const { run, acts } = screen((command, input, signal) => {
        if (command === 'list-windows') return { windows };
        if (command !== 'is') return dialog(command, input, signal);
        if (name === 'Plain' || String(input['ref']).includes('@w7')) return { answer: true };
        throw new DeskterityError('ELEMENT_NOT_FOUND', 'None.', { suggestion: 'Look.' });
      });
      const next = { command: 'click', ref: `role:textbox[name="${name}"]` };
      const ended: unknown = await run([click, next]).catch((error: unknown) => error);
      const stopped = ended instanceof DeskterityError ? ended.result?.['stopped'] : undefined;
      expect(stopped).toEqual(reason === undefined ? undefined : { step: 1, command: 'click', reason });
      expect(acts().filter(([command]) => command === 'click')).toHaveLength(reason === undefined ? 2 : 1);
    });

    it('goes on if nothing that acts follows, or it is an ordinary window', async () => {
      const looking = await screen(withDialog()).run([click, { command: 'wait', ms: 1 }]);
      const ordinary = await screen(withDialog('window')).run([click, { command: 'press', keys: 'Enter' }]);
      expect([looking, ordinary].map(({ steps }) => steps.length)).toEqual([2, 2]);
    });

    it('stops at an alert inside the window, too', async () => {
      const alert: Change = { kind: 'appeared', role: 'alert', name: 'Wrong password', ref: '@e8' };
      const { run, acts } = screen((command, { ref }) => {
        if (command === 'click' && ref === '@e1') return { ...RECEIPT, changes: [alert] };
        if (command !== 'wait') return undefined;
        throw new DeskterityError('TIMEOUT', 'It did not appear.', { suggestion: 'Wait.' });
      });
      const error = await failureOf(run([click, { command: 'click', ref: 'role:button' }]));
      expect(error.message).toContain('the alert "Wrong password"');
      const element = 'role:alert[name="Wrong password"] >> role:button';
      expect(acts()).toContainEqual(['wait', expect.objectContaining({ element })]);
    });
  });

  it('runs only what a client is offered, and hides what is hidden from it', async () => {
    const offered = new Map([
      ['click', []],
      ['screenshot', ['path']],
    ]);
    const refused = await failureOf(screen(undefined, offered).run([{ command: 'press', keys: 'Enter' }]));
    expect(refused.message).toContain('There is no such command here');
    const hidden = await failureOf(
      screen(undefined, offered).run([{ command: 'screenshot', path: '/tmp/x.png' }]),
    );
    expect(hidden.message).toContain('does not accept path here');
  });
});
