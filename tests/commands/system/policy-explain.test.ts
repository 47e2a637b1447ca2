import { describe, expect, it } from 'vitest';
import { stepCommands } from '../../../src/app/step-commands.ts';
import { commands } from '../../../src/commands/index.generated.ts';
import type { CommandContext } from '../../../src/registry/define.ts';
import { invoke } from '../../../src/registry/invoke.ts';
import { createRegistry } from '../../../src/registry/registry.ts';
import { policy } from '../../policy/policy-of.ts';
import { fakeDesktop } from '../fake-engine.ts';

const registry = createRegistry(commands);

const ASK = { isNeeded: false, setting: 'ask' } as const;
const REQUIRE = { isNeeded: true, setting: 'require' } as const;
const TERMINAL = { executable: '/usr/bin/xfce4-terminal', isInstalled: true, otherNames: [] };

async function explained(
  input: { readonly command: readonly string[] } & Record<string, unknown>,
  table: Record<string, unknown> = {},
  changes: Partial<CommandContext> = {},
): Promise<Record<string, unknown>> {
  const { ctx } = fakeDesktop({}, { policy: policy(table), confirmation: ASK, ...changes });
  const command = registry.get('policy explain');
  if (command === undefined) throw new Error('no such command');
  return invoke(command, { ...ctx, commands: stepCommands(registry, () => ctx) }, input);
}

const DELETE = { command: ['click'], role: 'button', name: 'Delete all' };

describe('consent to what loses something', () => {
  it('is a part of the decision where this caller is asked, and otherwise a case', async () => {
    expect(await explained(DELETE, {}, { confirmation: REQUIRE })).toMatchObject({
      decision: 'confirm',
      rule: 'destructive',
      why: 'A person agrees to it: its name says that something is lost, sent or paid.',
    });
    expect(await explained(DELETE)).toMatchObject({
      decision: 'allow',
      cases: [{ when: 'a client that can ask a person calls it', decision: 'confirm', rule: 'destructive' }],
    });
    expect(await explained(DELETE, { mode: 'safe' })).toMatchObject({ decision: 'confirm' });
    const never = { isNeeded: false, setting: 'never' } as const;
    expect((await explained(DELETE, {}, { confirmation: never }))['cases']).toBeUndefined();
  });

  it.each([
    ['hover', 'allow'],
    ['press', 'confirm'],
    ['mouse click', 'confirm'],
    ['mouse move', 'allow'],
    ['snapshot', 'allow'],
  ])('knows what %s does to the element: %s', async (command, decision) => {
    const asked = { ...DELETE, command: command.split(' ') };
    expect((await explained(asked, {}, { confirmation: REQUIRE }))['decision']).toBe(decision);
  });

  it('names what depends on the screen and on the input', async () => {
    const {
      decision,
      cases,
      left_open: open,
    } = await explained({ command: ['press'] }, {}, { confirmation: REQUIRE });
    expect(decision).toBe('allow');
    expect(cases).toEqual([
      {
        when: 'a dialog that asks for a password, or a screen locker, is open',
        decision: 'deny',
        rule: 'built-in "pinentry*"',
      },
      {
        when: 'what it presses says by its name that something is lost, sent or paid',
        decision: 'confirm',
        rule: 'destructive',
      },
    ]);
    expect(open).toEqual(['the application that it reaches (app)']);
    expect((await explained({ command: ['close-app'] }, {}, { confirmation: REQUIRE }))['cases']).toEqual([
      { when: 'force is given', decision: 'confirm', rule: 'destructive' },
    ]);
    const rules = { rule: [{ decision: 'deny', role: 'button' }] };
    expect((await explained({ command: ['click'], app: 'x' }, rules))['left_open']).toEqual([
      'the element that it acts on and what contains it (role, name, title)',
    ]);
  });

  it('is asked for tools, too', async () => {
    const call = (tool: string, table = {}) =>
      explained({ command: ['tools', 'call'], tool }, table, { confirmation: REQUIRE });
    expect(await call('jira__delete_issue')).toMatchObject({ decision: 'confirm', rule: 'destructive' });
    expect(
      await call('jira__delete_issue', { tools: { allowed: ['*', 'jira__delete_issue'] } }),
    ).toMatchObject({
      decision: 'allow',
      rule: 'tools.allowed "jira__delete_issue"',
    });
    expect(await call('jira__search')).toMatchObject({
      decision: 'allow',
      cases: [
        { when: 'its server or its tool file says that the tool may lose something', decision: 'confirm' },
      ],
    });
    expect((await explained({ command: ['run-tool'] }))['left_open']).toEqual(['the tool (tool)']);
  });
});

describe('the program in which a caller runs', () => {
  const related = {
    applicationFacts: async () => TERMINAL,
    relatedProcesses: async () => [{ pid: 42, isSurely: false }],
  };
  const app = 'xfce4-terminal';

  it('is a case, since it depends on the windows that are open', async () => {
    expect(await explained({ command: ['snapshot'], app }, {}, related)).toMatchObject({
      decision: 'allow',
      cases: [
        {
          when: 'its window is that of process 42, from which a caller of Deskterity comes, and no program between the two has a window',
          decision: 'deny',
          rule: 'built-in "own terminal"',
        },
      ],
    });
  });

  it('is none where that is lifted', async () => {
    const lifted = { applications: { except: ['own terminal'] } };
    expect((await explained({ command: ['snapshot'], app }, lifted, related))['cases']).toBeUndefined();
  });

  it('nor a window in which Deskterity asks', async () => {
    const { cases } = await explained({ command: ['click'], app: '/usr/bin/zenity', role: 'label' });
    expect(cases).toMatchObject([{ decision: 'deny', rule: 'built-in "own windows"' }]);
  });
});

it('says what is enforced: nobody is asked before something is read', async () => {
  const rules = { applications: { confirm: ['mail'] }, rule: [{ decision: 'deny', role: 'button' }] };
  expect(await explained({ command: ['snapshot'], app: 'mail', role: 'button' }, rules)).toMatchObject({
    decision: 'allow',
  });
  expect(await explained({ command: ['click'], app: 'mail' }, rules)).toMatchObject({ decision: 'confirm' });
  expect(
    await explained({ command: ['snapshot'] }, { commands: { confirm: ['snapshot'] } }, {}),
  ).toMatchObject({
    decision: 'confirm',
  });
});

it('knows what is always possible, what runs other commands, and what the command line has', async () => {
  expect(await explained({ command: ['stop'] }, { mode: 'sandboxed' })).toMatchObject({
    decision: 'allow',
    why: 'It is always possible.',
  });
  expect((await explained({ command: ['do'] }))['left_open']).toEqual([
    'its steps, which are judged as commands',
  ]);
  const attach = { command: ['terminal', 'attach'], project: '/srv' };
  expect(await explained(attach, { terminals: { denied: ['/srv'] } })).toMatchObject({ decision: 'deny' });
  const inner = { rule: [{ decision: 'deny', command: 'run-tool git_push' }] };
  expect(await explained({ command: ['run-tool'], tool: 'git_push' }, inner)).toMatchObject({
    decision: 'deny',
  });
});
