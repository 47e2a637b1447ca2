import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/commands/index.generated.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { ActGuard } from '../../src/engine/requests/acting.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { projectIn, requestOf } from '../../src/model/policy/request-of.ts';
import type { ElementFacts } from '../../src/model/policy/verdict.ts';
import { notedPolicy } from '../../src/policy/noted-policy.ts';
import { closedPolicy, readPolicy } from '../../src/policy/reading/read-policy.ts';
import type { CommandContext } from '../../src/registry/define.ts';
import { invoke } from '../../src/registry/invoke.ts';
import { stepCommands } from '../../src/app/step-commands.ts';
import { createRegistry } from '../../src/registry/registry.ts';
import { ruledCommands } from '../../src/registry/ruled-commands.ts';
import { changesNothing } from '../../src/registry/wrappers/apply-policy.ts';
import { fakeDesktop } from '../commands/fake-engine.ts';
import { RECEIPT } from '../commands/samples.ts';

const registry = createRegistry(commands);

function commandOf(name: string) {
  const command = registry.get(name);
  if (command === undefined) throw new Error(`no command ${name}`);
  return command;
}

function withPolicy(
  engine: Partial<Engine>,
  table: Record<string, unknown>,
  environment: Record<string, string> = {},
) {
  const files = [{ path: '/config/policy.toml', file: { table }, isOfProject: false }];
  const policy = readPolicy(files, environment, { commands: ruledCommands(commands) });
  return fakeDesktop(engine, { policy });
}

async function failure(name: string, ctx: CommandContext, input: object): Promise<DeskterityError> {
  const error: unknown = await invoke(commandOf(name), ctx, input).catch((thrown: unknown) => thrown);
  if (error instanceof DeskterityError) return error;
  throw new Error('it did not fail');
}

const ERASE: ElementFacts = { role: 'button', name: 'Erase', window: 'Disk' };

/** An engine whose click asks its guard about an element, and records what was pressed. */
function guarded(pressed: string[], reached: readonly ElementFacts[] = [ERASE]): Partial<Engine> {
  return { click: acting('click', pressed, reached) };
}

function acting(act: string, pressed: string[], reached: readonly ElementFacts[]) {
  return async ({ guard }: { guard?: ActGuard | undefined }) => {
    const [first = ERASE] = reached;
    await guard?.({
      act,
      target: { role: first.role, name: first.name },
      role: first.role,
      name: first.name,
      identity: 'one',
      place: async () => ({ words: 'the window "Disk"', application: { name: 'Disks', pid: 7 } }),
      picture: async () => undefined,
      elements: async () => reached,
    });
    pressed.push(first.name);
    return RECEIPT;
  };
}

describe('the policy', () => {
  it('refuses a denied command before anything is done, also its dry run, and names rule and reason', async () => {
    const { ctx, calls } = withPolicy(
      { click: async () => RECEIPT },
      { rule: [{ decision: 'deny', command: 'click', reason: 'This machine only reads.' }] },
    );
    for (const input of [{ ref: '@e4' }, { ref: '@e4', dry_run: true }]) {
      const error = await failure('click', ctx, input);
      expect(error).toMatchObject({ code: 'POLICY_DENIED', retryable: false, delivered: false });
      expect(error.message).toContain('(rule 1)');
      expect(error.message).toContain('This machine only reads.');
    }
    expect(calls).toEqual([]);
  });

  it.each([
    ['tools call', { tool: 'jira__delete' }],
    ['run-tool', { tool: 'jira__delete' }],
    ['sandboxed-shell', { command: 'ls' }],
  ])('refuses a denied tool through %s', async (name, input) => {
    const { ctx } = withPolicy({}, { tools: { denied: ['jira__*', 'sandboxed_shell'] } });
    expect((await failure(name, ctx, input)).code).toBe('POLICY_DENIED');
  });

  it.each([
    ['terminal execute', { project_path: '/srv/secret/in', command: 'ls' }],
    ['terminal execute', { project_path: '/srv/other/../secret', command: 'ls' }],
    ['terminal execute', { project_path: '/srv/secret', command: 'ls', dry_run: true }],
    [
      'terminal-call',
      { call: { action: 'execute', request: { project_path: '/srv/secret', command: 'ls' } } },
    ],
    // The command is denied, whatever it is called where.
    ['terminal kill', {}],
    ['terminal-call', { call: { action: 'kill', request: { clear: false } } }],
  ])('refuses a terminal in a denied project through %s %j', async (name, input) => {
    const { ctx } = withPolicy(
      {},
      { terminals: { denied: ['/srv/secret'] }, commands: { denied: ['terminal kill'] } },
    );
    expect((await failure(name, ctx, input)).code).toBe('POLICY_DENIED');
  });

  it.each([
    ['itself', [ERASE]],
    ['a text in it', [{ role: 'text', name: 'x' } as const, ERASE]],
  ])('refuses an act that reaches a denied element by %s', async (_how, reached) => {
    const pressed: string[] = [];
    const { ctx } = withPolicy(guarded(pressed, reached), {
      rule: [{ decision: 'deny', locator: 'window:Disk >> role:button[name="erase"]' }],
    });
    const error = await failure('click', ctx, { ref: '@e4' });
    expect(error.code).toBe('POLICY_DENIED');
    expect(error.message).toContain('button "Erase"');
    expect(pressed).toEqual([]);
  });

  it('compares the program of an element with the one that the system reports', async () => {
    const pressed: string[] = [];
    const rule = { decision: 'deny', application: { executable: '/usr/bin/disks' }, element: 'erase' };
    const { ctx } = withPolicy(guarded(pressed), { rule: [rule] });
    const running = (executable: string): CommandContext => {
      const { policy, decided } = notedPolicy(ctx.policy);
      // The desktop judges it on the way to the element.
      policy.decide({ application: { name: 'disks-ui', executable, pid: 7 }, concerning: 'application' });
      return { ...ctx, policy, decided };
    };
    expect((await failure('click', running('/usr/bin/disks'), { ref: '@e4' })).code).toBe('POLICY_DENIED');
    await invoke(commandOf('click'), running('/usr/bin/other'), { ref: '@e4' });
    expect(pressed).toEqual(['Erase']);
    // It is also what it called itself otherwise.
    const named = withPolicy(guarded(pressed), { rule: [{ ...rule, application: 'disks-ui' }] });
    const { policy, decided } = notedPolicy(named.ctx.policy);
    policy.decide({ application: { name: 'disks-ui', pid: 7 }, concerning: 'application' });
    expect((await failure('click', { ...named.ctx, policy, decided }, { ref: '@e4' })).code).toBe(
      'POLICY_DENIED',
    );
  });

  it('asks about a command and then about an element, and does what a person agreed to', async () => {
    const pressed: string[] = [];
    const { ctx } = withPolicy(guarded(pressed), {
      commands: { confirm: ['click'] },
      rule: [{ decision: 'confirm', role: 'button' }],
    });
    const first = await failure('click', ctx, { ref: '@e4' });
    expect(first.code).toBe('CONFIRMATION_REQUIRED');
    expect(first.message).toContain('commands.confirm');
    const second = await failure('click', agreed(ctx, first), { ref: '@e4' });
    expect(second.message).toContain('click button "Erase" in the window "Disk"');
    expect(pressed).toEqual([]);
    await invoke(commandOf('click'), agreed(ctx, second), { ref: '@e4' });
    expect(pressed).toEqual(['Erase']);
    // It is for this act only.
    expect((await failure('click', agreed(ctx, second), { ref: '@e5' })).code).toBe('CONFIRMATION_REQUIRED');
  });

  it('asks once about an element that is both destructive and named by a rule', async () => {
    const pressed: string[] = [];
    const { ctx } = withPolicy(guarded(pressed, [{ role: 'button', name: 'Delete' }]), {
      rule: [{ decision: 'confirm', role: 'button' }],
    });
    const needed = { ...ctx, confirmation: { isNeeded: true } };
    const error = await failure('click', needed, { ref: '@e4' });
    const confirmation = { isNeeded: true, given: error.consent };
    await invoke(commandOf('click'), { ...ctx, confirmation }, { ref: '@e4' });
    expect(pressed).toEqual(['Delete']);
  });

  it('asks anew about an option that has come to the place of another one', async () => {
    const chosen: string[] = [];
    const reached: ElementFacts[] = [
      { role: 'combobox', name: 'Account' },
      { role: 'option', name: 'cash' },
    ];
    const engine = { click: acting('select', chosen, reached) };
    const { ctx } = withPolicy(engine, { rule: [{ decision: 'confirm', role: 'option' }] });
    const input = { ref: '@e4' };
    const error = await failure('click', ctx, input);
    reached.splice(1, 1, { role: 'option', name: 'bank' });
    expect((await failure('click', agreed(ctx, error), input)).message).toContain('about the option "bank"');
    expect(chosen).toEqual([]);
  });

  it('asks about destructive acts in the mode safe, whatever the settings say', async () => {
    const pressed: string[] = [];
    const engine = guarded(pressed, [{ role: 'button', name: 'Delete' }]);
    const { ctx } = withPolicy(engine, {}, { DESKTERITY_SECURITY_MODE: 'safe' });
    expect((await failure('click', ctx, { ref: '@e4' })).code).toBe('CONFIRMATION_REQUIRED');
    expect((await failure('terminal execute', ctx, { command: 'ls' })).message).toContain('mode safe');
    expect(pressed).toEqual([]);
  });

  it('asks nobody in an unattended run', async () => {
    const pressed: string[] = [];
    const from = new Date(Date.now() - 1000);
    const until = new Date(Date.now() + 60_000);
    const { ctx } = withPolicy(
      guarded(pressed, [{ role: 'button', name: 'Delete' }]),
      {
        commands: { confirm: ['click'] },
        rule: [{ decision: 'confirm', role: 'button' }],
        unattended: { now: { from, until, applications: ['disks'] } },
      },
      { DESKTERITY_UNATTENDED: 'now' },
    );
    const asked = { ...ctx, confirmation: { isNeeded: true } };
    await invoke(commandOf('click'), asked, { ref: '@e4' });
    expect(pressed).toEqual(['Delete']);
    for (const [name, input] of [
      ['clipboard set', { text: 'x' }],
      ['tools trust', { files: ['x'] }],
      ['terminal execute', { command: 'ls' }],
    ] as const)
      expect([name, (await failure(name, asked, input)).code]).toEqual([name, 'POLICY_DENIED']);
  });

  it('does not stop stopping', async () => {
    const { ctx } = withPolicy({}, { commands: { denied: ['*'] } });
    const error: unknown = await invoke(commandOf('stop'), ctx, {}).catch((thrown: unknown) => thrown);
    expect(error).not.toMatchObject({ code: 'POLICY_DENIED' });
  });

  it('explains of every command what running it would meet', async () => {
    const tables = [
      { mode: 'sandboxed' },
      { mode: 'safe', tools: { denied: ['x'] } },
      { commands: { denied: ['c*'], confirm: ['t*'] }, terminals: { allowed: ['/srv'] } },
      { commands: { allowed: ['snapshot', 'click'] } },
    ];
    for (const table of tables) {
      const { ctx } = withPolicy({}, table);
      for (const { name, definition } of registry.commands) {
        if (definition.runsIn === 'client' || definition.isUrgent === true) continue;
        const { kind, group } = definition;
        const isReadOnly = changesNothing(definition);
        const [example] = definition.examples;
        const project = resolve(ctx.cwd, projectIn(example?.input ?? {}) ?? '');
        const terminalProject = group === 'terminals' && !isReadOnly ? project : undefined;
        const { decision } = ctx.policy.decide({
          ...requestOf({ name, kind, group, isReadOnly }, example?.input),
          terminalProject,
        });
        const error: unknown = await invoke(commandOf(name), ctx, example?.input ?? {}).catch(
          (thrown: unknown) => thrown,
        );
        const code = error instanceof DeskterityError ? error.code : undefined;
        const met =
          code === 'POLICY_DENIED' ? 'deny' : code === 'CONFIRMATION_REQUIRED' ? 'confirm' : 'allow';
        expect([name, met]).toEqual([name, decision]);
      }
    }
  });

  it('that cannot be read refuses every command that does not report on Deskterity itself', async () => {
    const { ctx } = fakeDesktop(
      {},
      {
        policy: closedPolicy(
          new DeskterityError('CONFIG_INVALID', 'Line 3 is wrong.', { suggestion: 'Correct it.' }),
        ),
      },
    );
    for (const { definition, name } of registry.commands) {
      if (definition.runsIn === 'client' || definition.isUrgent === true) continue;
      if (definition.kind === 'admin' && definition.isReadOnly === true) continue;
      const [example] = definition.examples;
      const { message } = await failure(name, ctx, example?.input ?? {});
      expect([name, message.includes('Line 3 is wrong.')]).toEqual([name, true]);
    }
    await expect(invoke(commandOf('policy show'), ctx, {})).resolves.toMatchObject({
      problem: 'Line 3 is wrong. Correct it.',
    });
    const known = { ...ctx, commands: stepCommands(registry, () => ctx) };
    const explained = invoke(commandOf('policy explain'), known, { command: ['click'] });
    await expect(explained).resolves.toMatchObject({ decision: 'deny', why: 'Line 3 is wrong. Correct it.' });
  });
});

it('explains what would be decided about an application by the program that would be launched', async () => {
  const { ctx } = withPolicy({}, { applications: { allowed: ['mousepad'] } });
  const asked = async (app: string) =>
    invoke(
      commandOf('policy explain'),
      {
        ...ctx,
        commands: stepCommands(registry, () => ctx),
        applicationFacts: async (name) => ({
          executable: name === 'Mousepad' ? '/usr/bin/mousepad' : undefined,
          isInstalled: true,
          otherNames: [],
        }),
      },
      { command: ['click'], app },
    );
  await expect(asked('Mousepad')).resolves.toMatchObject({ decision: 'allow' });
  await expect(asked('Something')).resolves.toMatchObject({ decision: 'deny', rule: 'applications.allowed' });
});

function agreed(ctx: CommandContext, { consent }: DeskterityError): CommandContext {
  return { ...ctx, confirmation: { isNeeded: false, given: consent } };
}
