import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/commands/index.generated.ts';
import workflow from '../../../src/commands/interaction/workflow.ts';
import { stepCommands } from '../../../src/app/step-commands.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { checkInput } from '../../../src/registry/wrappers/parse-input.ts';
import { createRegistry } from '../../../src/registry/registry.ts';
import type { CommandContext } from '../../../src/registry/define.ts';
import { fakeDesktop } from '../fake-engine.ts';
import { RECEIPT } from '../samples.ts';

type Output = Record<string, unknown>;
type Answer = (command: string, input: Readonly<Output>, count: number) => Output | undefined;

const registry = createRegistry(commands);
const BUTTON = 'app:Notes >> role:button[name="Save"]';
const VALUE = { kind: 'value', ref: '@e1', before: 'a', after: 'b' } as const;
const FIELD = 'app:Notes >> role:textbox';

/** Steps are checked by the real commands, and answered as told. */
function screen(
  answer: Answer = () => undefined,
  signal: AbortSignal = new AbortController().signal,
  engine: Partial<Engine> = {},
) {
  const ran: [string, Readonly<Output>][] = [];
  const said: string[] = [];
  let now = 0;
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
  };
  const { ctx } = fakeDesktop(engine, { clock, signal });
  const usual: Readonly<Record<string, Output>> = {
    wait: { waited_ms: 1 },
    get: { property: 'value', ref: '@e1', value: '42' },
    is: { ref: '@e1', state: 'checked', answer: true, states: [] },
  };
  const whole: CommandContext = {
    ...ctx,
    progress: ({ message }) => void said.push(message),
    commands: {
      ...stepCommands(registry, () => ctx),
      run: async (command, input) => {
        ran.push([command, input]);
        const count = ran.filter(([name]) => name === command).length;
        return answer(command, input, count) ?? usual[command] ?? RECEIPT;
      },
    },
  };
  const run = (steps: readonly Output[], more: Output = {}) =>
    workflow.run(whole, workflow.input.parse({ steps, max_tokens: 0, ...more }));
  return { run, ran, said, ctx: whole, pass: (ms: number) => void (now += ms) };
}

async function failureOf(promise: Promise<unknown>): Promise<DeskterityError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DeskterityError) return error;
  throw new Error(`It did not fail: ${String(error)}`);
}

const lost = (delivered?: boolean) =>
  new DeskterityError('ELEMENT_NOT_FOUND', 'Nothing matches.', { suggestion: 'Look.', delivered });
const failing = (error: DeskterityError, from: string, until = Infinity): Answer => {
  return (command, _, count) => {
    if (command === from && count <= until) throw error;
    return undefined;
  };
};

describe('workflow', () => {
  it('gives later steps the answers of earlier ones, by position and by id', async () => {
    const { run, ran, said } = screen();
    const output = await run(
      [
        { command: 'get', id: 'total', input: { property: 'value', ref: FIELD } },
        { tool: 'desktop_set_value', args: { ref: FIELD, value: '{{total.value}} {{param.unit}}' } },
        { command: 'wait', input: { value: '{{step_0.ref}}', is: '{{step_0.value}}' } },
      ],
      { params: { unit: 'm' }, param: ['unit=km'] },
    );
    expect(ran.map(([, input]) => input)).toMatchObject([
      { ref: FIELD },
      { ref: FIELD, value: '42 km' },
      { value: '@e1', is: '42' },
    ]);
    expect(said).toEqual(['Step 1/3: get', 'Step 2/3: set-value', 'Step 3/3: wait']);
    expect(output).toMatchObject({ success: true, steps_completed: 3, steps_total: 3, rolled_back: false });
  });

  it.each([
    [
      'a later step',
      [
        { command: 'click', input: { ref: '{{step_1.ref}}' } },
        { command: 'get', input: { property: 'title' } },
      ],
      'step_1, which runs later',
    ],
    ['itself', [{ command: 'click', input: { ref: '{{step_0.ref}}' } }], 'the step itself'],
    ['no step', [{ command: 'click', input: { ref: '{{nobody.ref}}' } }], 'refers to no step'],
    ['no parameter', [{ command: 'click', input: { ref: '{{param.x}}' } }], 'no parameters were given'],
    [
      'no field of the answer',
      [
        { command: 'get', input: { property: 'title' } },
        { command: 'type', input: { text: '{{step_0.text}}' } },
      ],
      'has the fields property, ref, value',
    ],
    ['no command', [{ command: 'clik', input: { ref: '@e1' } }], 'Did you mean'],
    ['itself as a command', [{ command: 'workflow', input: {} }], 'cannot be a step'],
    ['an unknown input', [{ command: 'click', input: { ref: '@e1', foo: 1 } }], 'does not accept "foo"'],
    [
      'two ids',
      [
        { command: 'get', id: 'a', input: { property: 'title' } },
        { command: 'get', id: 'a', input: { property: 'title' } },
      ],
      'is that of step_0',
    ],
  ])('runs nothing if a step refers to %s', async (_, steps, message) => {
    const { run, ran } = screen();
    const error = await failureOf(run([{ command: 'wait', input: { ms: 1 } }, ...steps].slice(1)));
    expect(`${error.message} ${error.suggestion}`).toContain(message);
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', delivered: false });
    expect(ran).toEqual([]);
  });

  it.each([
    ['close to one that is used', 'cel=C7', 'Did you mean cell?'],
    ['close to one that is declared', 'foldr=/tmp', 'Did you mean folder?'],
    ['like no other', 'zzzzzz=1', 'The parameters of the workflow are folder, cell.'],
  ])('refuses a parameter that is %s and runs nothing', async (_, pair, suggestion) => {
    const { run, ran } = screen();
    const steps = [{ command: 'get', input: { property: 'value', ref: 'cell:{{param.cell}}' } }];
    const params = { folder: '/srv', cell: 'B7' };
    const error = await failureOf(run(steps, { params, param: [pair] }));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', suggestion, delivered: false });
    expect(ran).toEqual([]);
    await run(steps, { params, param: ['folder=/tmp'], dry_run: true });
    await run(steps, { param: ['cell=C7'], dry_run: true });
  });

  it('names a step that is malformed as references do', () => {
    const command = registry.get('workflow');
    if (command === undefined) throw new Error('no workflow');
    const steps = [{ command: 'wait' }, { command: 'wait', id: 5 }];
    expect(() => checkInput(command, screen().ctx, { steps })).toThrow(/^step_1 \(id\) is/);
  });

  it('gives a number or a boolean as text where the parameter is a text', async () => {
    const { run, ran } = screen((command) => (command === 'wait' ? { waited_ms: 40 } : undefined));
    await run([
      { command: 'wait', input: { ms: 40 } },
      { command: 'is', id: 'on', input: { state: 'checked', ref: '@e1' } },
      { command: 'set-value', input: { ref: FIELD, value: '{{step_0.waited_ms}}' } },
      { command: 'set-value', input: { ref: FIELD, value: '{{on.answer}}' } },
      { command: 'wait', input: { ms: '{{step_0.waited_ms}}' } },
    ]);
    expect(ran.map(([, input]) => input['value'] ?? input['ms'])).toEqual([40, undefined, '40', 'true', 40]);
  });

  it('finds a field that this answer lacks before the step acts', async () => {
    const { run, ran } = screen();
    const error = await failureOf(
      run([
        { command: 'wait', input: { ms: 1 } },
        { command: 'click', input: { ref: '{{step_0.element.ref}}' } },
      ]),
    );
    expect(error.message).toContain('the answer of step_0 has the fields waited_ms');
    expect(ran.map(([command]) => command)).toEqual(['wait']);
    expect(error.result).toMatchObject({
      steps_completed: 1,
      results: [{ status: 'done' }, { status: 'failed' }],
    });
  });

  it('tries again what was not delivered, with the record of each step', async () => {
    const { run, ran } = screen(failing(lost(false), 'click', 2));
    const output = await run([{ command: 'click', input: { target: BUTTON }, retry: 3 }]);
    expect(ran).toHaveLength(3);
    expect(output.results).toMatchObject([{ status: 'done', attempts: 3, effect: 'confirmed' }]);
  });

  it.each([
    ['was delivered', new DeskterityError('ACTION_FAILED', 'No.', { suggestion: '', delivered: true })],
    ['may have been delivered', new DeskterityError('TIMEOUT', 'No.', { suggestion: '' })],
    [
      'is not safe to repeat',
      new DeskterityError('ACTION_FAILED', 'No.', {
        suggestion: '',
        delivered: false,
        result: { ...RECEIPT, retry_safe: false },
      }),
    ],
  ])('never repeats an act that %s', async (_, error) => {
    const { run, ran } = screen(failing(error, 'click'));
    const failure = await failureOf(run([{ command: 'click', input: { ref: BUTTON }, retry: 5 }]));
    expect(ran).toHaveLength(1);
    expect(failure.message).toContain('It was not tried again: ');
    expect(failure.code).toBe(error.code);
  });

  it('repeats a question until the answer is yes', async () => {
    const { run, ran } = screen((command, _, count) =>
      command === 'is' && count < 3 ? { ref: '@e1', state: 'checked', answer: false, states: [] } : undefined,
    );
    await run([{ command: 'is', input: { state: 'checked', ref: '@e1' }, retry: 4 }]);
    expect(ran).toHaveLength(3);
  });

  it('skips a failed step, whose answer nobody can use then', async () => {
    const { run } = screen(failing(lost(), 'click'));
    const steps = [
      { command: 'click', input: { ref: BUTTON }, on_fail: 'skip' },
      { command: 'wait', input: { ms: 1 } },
    ];
    expect(await run(steps)).toMatchObject({
      success: true,
      steps_completed: 1,
      results: [{ status: 'skipped' }, { status: 'done' }],
    });
    const error = await failureOf(run([...steps, { command: 'type', input: { text: '{{step_0.cursor}}' } }]));
    expect(error.message).toContain('step_0 was skipped');
  });

  it('names a refused step, and keeps the code of the failure', async () => {
    const refused = new DeskterityError('ACTION_NOT_SUPPORTED', 'It cannot.', {
      suggestion: 'Click.',
      delivered: false,
    });
    const { run } = screen(failing(refused, 'toggle'));
    const error = await failureOf(
      run([
        { command: 'toggle', input: { ref: '@e1' } },
        { command: 'wait', input: { ms: 1 } },
      ]),
    );
    expect(error.result).toMatchObject({
      success: false,
      results: [{ effect: 'refused', attempts: 1 }],
      not_run: ['step_1 wait'],
    });
    expect(error.exitCode).toBe(refused.exitCode);
  });

  it('ends at its deadline and when it is cancelled, and says what was done', async () => {
    const late = screen();
    const error = await failureOf(
      late.run(
        [
          { command: 'wait', input: { ms: 1 }, wait_after_ms: 5000 },
          { command: 'click', input: { ref: '@e1' }, on_fail: 'skip' },
        ],
        { deadline_ms: 1000 },
      ),
    );
    expect(error).toMatchObject({ code: 'TIMEOUT', result: { steps_completed: 1 } });
    const cancel = new AbortController();
    const cancelled = screen(() => {
      cancel.abort();
      return undefined;
    }, cancel.signal);
    const steps = [
      { command: 'click', input: { ref: '@e1' } },
      { command: 'click', input: { ref: '@e2' }, on_fail: 'skip' },
      { command: 'click', input: { ref: '@e3' } },
    ];
    const failure = await failureOf(cancelled.run(steps));
    expect(failure).toMatchObject({ code: 'CANCELLED', delivered: true, result: { steps_completed: 1 } });
    expect(cancelled.ran).toHaveLength(1);
  });

  it('tries acting steps as dry runs, and looks for the targets of the others', async () => {
    const { run, ran } = screen((command, input) => {
      if (input['dry_run'] === true)
        return { dry_run: true, would: 'click', target: { ref: '@e4', role: 'button' }, via: 'pointer' };
      if (command !== 'get') return undefined;
      if (input['ref'] === BUTTON) throw lost();
      return { property: 'role', ref: '@e5', value: 'textbox' };
    });
    const output = await run(
      [
        { command: 'click', input: { ref: BUTTON } },
        { command: 'get', input: { property: 'value', ref: FIELD } },
        { command: 'get', input: { property: 'value', ref: BUTTON } },
        { command: 'click', input: { ref: '{{step_1.ref}}' } },
        { command: 'set-value', input: { ref: FIELD, value: '{{step_1.value}}' } },
        { command: 'press', input: { keys: 'Enter' } },
      ],
      { dry_run: true },
    );
    for (const [command, input] of ran) expect(command === 'get' || input['dry_run'] === true).toBe(true);
    expect(output).toMatchObject({ dry_run: true, steps_completed: 0, success: true });
    expect(output.results.map(({ targets }) => targets)).toMatchObject([
      [{ found: true, detail: 'button @e4; would click via pointer' }],
      [{ found: true, detail: 'textbox @e5' }],
      [{ found: false, detail: 'unknown until then: ELEMENT_NOT_FOUND: Nothing matches.' }],
      [
        {
          target: '{{step_1.ref}}',
          found: false,
          detail: 'unknown until then: it takes a value from an earlier step',
        },
      ],
      [{ found: true, detail: 'textbox @e5' }],
      undefined,
    ]);
    expect(output.results.at(-1)?.detail).toBe('button @e4: would click via pointer');
  });

  it('undoes what the steps of this call did when one fails that asks for it', async () => {
    const reverse: Engine['reverse'] = async () => ({ effect: 'confirmed', evidence: [] });
    const noted: string[] = [];
    const noteAct: Engine['noteAct'] = (command) => noted.push(command);
    const on = screen(failing(lost(), 'click'), undefined, { reverse, noteAct });
    const stack = await on.ctx.undo();
    const known = { command: 'set-value', about: '', at: '', reversal: VALUE };
    await stack.push({ ...known, call: 'another call' });
    await stack.push({ ...known, call: on.ctx.callId });
    await stack.push({ ...known, call: on.ctx.callId });
    const error = await failureOf(
      on.run([
        { command: 'set-value', input: { ref: FIELD, value: 'a' } },
        { command: 'click', input: { ref: BUTTON }, on_fail: 'rollback' },
      ]),
    );
    expect(error.message).toContain('Everything that was done was undone.');
    expect(error).toMatchObject({
      code: 'ELEMENT_NOT_FOUND',
      result: { rolled_back: true, rollback: { undone: 2, skipped: 0, failed: 0 } },
    });
    expect((await stack.list()).map(({ call }) => call)).toEqual(['another call']);
    // Else the journal would call what it changed unknown.
    expect(noted).toEqual(['undo', 'undo']);
  });

  it('says what could not be undone', async () => {
    const on = screen(failing(lost(), 'click'));
    await (
      await on.ctx.undo()
    ).push({
      command: 'press',
      about: '',
      at: '',
      call: on.ctx.callId,
      irreversible: 'keys',
    });
    const error = await failureOf(
      on.run([{ command: 'click', input: { ref: BUTTON }, on_fail: 'rollback' }]),
    );
    expect(error.message).toContain('Acts undone: 0; not undone: 1.');
    expect(error.result).toMatchObject({
      rolled_back: false,
      rollback: { actions: [{ tool: 'press', status: 'skipped_irreversible', detail: 'keys' }] },
    });
  });
});
