import { expect, it } from 'vitest';
import { commands } from '../../src/commands/index.generated.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { ServersPort, ServerToolFacts } from '../../src/ports/upstream/servers.ts';
import type { CommandContext } from '../../src/registry/define.ts';
import { invoke } from '../../src/registry/invoke.ts';
import { createRegistry, registerCommand } from '../../src/registry/registry.ts';
import { serverToolCommand } from '../../src/upstream/server-tool-command.ts';
import { fakeDesktop } from '../commands/fake-engine.ts';
import { policy } from '../policy/policy-of.ts';

const DELETE: ServerToolFacts = {
  name: 'jira__delete',
  ownName: 'delete',
  description: 'Deletes.',
  inputSchema: { type: 'object' },
  loses: 'its server says that it may destroy something',
};
const SEARCH: ServerToolFacts = { ...DELETE, name: 'jira__search', ownName: 'search', loses: undefined };

function serversWith(called: string[]): ServersPort {
  const refuse = () => Promise.reject(new Error('was not expected'));
  const facts = {
    name: 'jira',
    origin: 'user',
    path: '',
    transport: 'http',
    state: 'ready',
    leftOut: [],
  } as const;
  return {
    list: async () => ({ servers: [{ ...facts, tools: [DELETE, SEARCH] }], problems: [] }),
    inspect: refuse,
    trust: refuse,
    signIn: refuse,
    signOut: refuse,
    more: () => ({ server: 'jira', tool: '' }),
    call: async (name, _input, { guard }) => {
      guard(name === DELETE.name ? DELETE : SEARCH);
      called.push(name);
      return { server: 'jira', tool: name };
    },
  };
}

const registry = createRegistry(commands);
const ARGS = { id: 'A-1' };

/** The two ways to call a tool of another server. */
function callOf(
  way: 'by name' | 'tools call',
  { name }: ServerToolFacts,
  input: object,
  ctx: CommandContext,
) {
  const byName = registerCommand(serverToolCommand({ ...DELETE, name }, 1000));
  const command = way === 'by name' ? byName : registry.get('tools call');
  if (command === undefined) throw new Error('no such command');
  return invoke(command, ctx, way === 'by name' ? input : { tool: name, args: input });
}

async function failure(call: Promise<unknown>): Promise<DeskterityError> {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  if (error instanceof DeskterityError) return error;
  throw new Error('it did not fail');
}

it.each(['by name', 'tools call'] as const)(
  'a destructive tool that is called %s needs consent',
  async (way) => {
    const called: string[] = [];
    const { ctx } = fakeDesktop({}, { servers: async () => serversWith(called) });
    const asked = (given?: string) => ({ ...ctx, confirmation: { isNeeded: true, given } });
    const error = await failure(callOf(way, DELETE, ARGS, asked()));
    expect(error).toMatchObject({ code: 'CONFIRMATION_REQUIRED', delivered: false });
    expect(error.message).toContain('run the tool "delete" of another MCP server (jira__delete)');
    // What was typed into a call is shown to a person, and recorded nowhere.
    expect([error.message.includes('A-1'), error.aside]).toEqual([false, 'Its input: {"id":"A-1"}']);
    expect((await failure(callOf(way, DELETE, { id: 'A-2' }, asked(error.consent)))).code).toBe(
      'CONFIRMATION_REQUIRED',
    );
    expect(called).toEqual([]);
    await callOf(way, DELETE, ARGS, asked(error.consent));
    await callOf(way, SEARCH, ARGS, asked());
    // Settings that want nobody to be asked.
    await callOf(way, DELETE, ARGS, ctx);
    expect(called).toEqual(['jira__delete', 'jira__search', 'jira__delete']);
  },
);

it.each(['by name', 'tools call'] as const)('one question covers a rule and the loss (%s)', async (way) => {
  const called: string[] = [];
  const asking = policy({ tools: { confirm: ['jira__*'] } });
  const { ctx } = fakeDesktop({}, { servers: async () => serversWith(called), policy: asking });
  const asked = (given?: string) => ({ ...ctx, confirmation: { isNeeded: true, given } });
  const error = await failure(callOf(way, DELETE, ARGS, asked()));
  expect(error.message).toContain('tools.confirm');
  expect(error.aside).toContain('A-1');
  await callOf(way, DELETE, ARGS, asked(error.consent));
  expect(called).toEqual(['jira__delete']);
});

it('one question covers run-tool and the tool that it runs', async () => {
  const called: string[] = [];
  const asking = policy({ tools: { confirm: ['jira__*'] } });
  const { ctx } = fakeDesktop({}, { servers: async () => serversWith(called), policy: asking });
  const run = (given?: string) => {
    const asked: CommandContext = {
      ...ctx,
      confirmation: { isNeeded: true, given },
      callTool: (_name, input, context = asked) =>
        invoke(registerCommand(serverToolCommand(DELETE, 1)), { ...context, isStep: true }, input),
    };
    const command = registry.get('run-tool');
    if (command === undefined) throw new Error('no such command');
    return invoke(command, asked, { tool: DELETE.name, args: ARGS });
  };
  const error = await failure(run());
  expect(error.message).toContain('tools.confirm');
  // Its answer is that of another kind of tool, which run-tool does not know.
  await run(error.consent).catch(() => undefined);
  expect(called).toEqual(['jira__delete']);
});

it('the mode safe asks, and what the user approved does not', async () => {
  const called: string[] = [];
  const under = (table: Record<string, unknown>) => {
    const { ctx } = fakeDesktop({}, { servers: async () => serversWith(called), policy: policy(table) });
    return callOf('tools call', DELETE, ARGS, ctx);
  };
  expect((await failure(under({ mode: 'safe', tools: { allowed: ['*'] } }))).code).toBe(
    'CONFIRMATION_REQUIRED',
  );
  await under({ mode: 'safe', tools: { allowed: ['jira__delete'] } });
  expect(called).toEqual(['jira__delete']);
});

it('a dry run is refused as the call would be', async () => {
  const { ctx } = fakeDesktop({}, { servers: async () => serversWith([]) });
  const asked = { ...ctx, confirmation: { isNeeded: true } };
  const tried = (tool: ServerToolFacts) =>
    invoke(registry.get('tools call') ?? registerCommand(serverToolCommand(DELETE, 1)), asked, {
      tool: tool.name,
      dry_run: true,
    });
  expect((await failure(tried(DELETE))).code).toBe('CONFIRMATION_REQUIRED');
  expect(await tried(SEARCH)).toMatchObject({ dry_run: true });
});

it('calls no tool of another server while a person is asked: it might answer', async () => {
  const called: string[] = [];
  const { ctx } = fakeDesktop({}, { servers: async () => serversWith(called) });
  const asking = { ...ctx, confirmation: { isNeeded: false, isAsking: () => true } };
  expect((await failure(callOf('by name', SEARCH, ARGS, asking))).code).toBe('CONFLICT');
  expect(called).toEqual([]);
});
