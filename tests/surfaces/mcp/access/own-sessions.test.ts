import { expect, it } from 'vitest';
import { commands } from '../../../../src/commands/index.generated.ts';
import { commandLineSpeller } from '../../../../src/registry/command-line-speller.ts';
import { createRegistry } from '../../../../src/registry/registry.ts';
import { covers } from '../../../../src/surfaces/mcp/access/scopes.ts';
import { SessionOwners } from '../../../../src/surfaces/mcp/access/session-owners.ts';
import type { RequestChannel } from '../../../../src/surfaces/mcp/connections/connection.ts';
import { toolSpeller } from '../../../../src/surfaces/mcp/tools/client-spelling.ts';
import { allToolFacts, commandTools } from '../../../../src/surfaces/mcp/tools/command-tools.ts';
import { app } from '../../../engine/support/stage.ts';
import { deskWorld } from '../resources/desk-world.ts';
import { SILENT_CLIENT } from '../support/silent-client.ts';
import { OPEN } from '../support/policies.ts';

const registry = createRegistry(commands);
const offered = allToolFacts(registry.commands);
const speller = toolSpeller({ offered, commandLine: commandLineSpeller(registry) });

function channel(granted: string): RequestChannel {
  return {
    signal: new AbortController().signal,
    progress: () => undefined,
    log: () => undefined,
    client: SILENT_CLIENT,
    may: (scope) => covers([granted], scope),
    context: {} as RequestChannel['context'],
  };
}

function scene() {
  const { calls } = deskWorld([app({})]);
  const owners = new SessionOwners();
  const connect = (owner: string) => {
    const tools = commandTools({
      calls,
      offered,
      speller,
      isTextOnly: false,
      policy: OPEN,
      hasTerminals: () => true,
      hasSessionArgument: () => true,
      own: owners.of(owner),
    });
    return (name: string, input: Record<string, unknown>, granted = 'act') =>
      tools.find(({ definition }) => definition.name === name)?.call(input, channel(granted));
  };
  return { calls, connect };
}

const failed = (code: string) => ({ isError: true, structuredContent: { error: { code } } });

it('the sessions that an owner names are its own, on any of its connections', async () => {
  const { calls, connect } = scene();
  const ada = connect('ada');
  expect(await ada('desktop_list_apps', { session: 'work' })).not.toHaveProperty('isError');
  // Its first connection was idle and has ended.
  expect(await connect('ada')('desktop_list_apps', { session: 'Work' })).not.toHaveProperty('isError');
  const eve = connect('eve');
  expect(await eve('desktop_list_apps', { session: 'work' })).toMatchObject(failed('UNAUTHORIZED'));
  expect(await eve('desktop_list_apps', { session: 'WORK' })).toMatchObject(failed('UNAUTHORIZED'));
  // Nor is it told that something of nearly this name exists.
  expect(JSON.stringify(await eve('desktop_list_apps', { session: 'werk' }, 'read'))).not.toContain('work');
  expect(await eve('desktop_list_apps', { session: 'work' }, 'admin')).not.toHaveProperty('isError');
  await calls.close();
});

it('an owner that only reads creates no sessions', async () => {
  const { calls, connect } = scene();
  expect(await connect('ada')('desktop_list_apps', { session: 'work' }, 'read')).toMatchObject(
    failed('UNAUTHORIZED'),
  );
  await calls.close();
});

it('an owner creates a limited number of sessions, on all its connections together', async () => {
  const { calls, connect } = scene();
  const answers: unknown[] = [];
  for (let index = 0; index < 66; index += 1)
    answers.push(await connect('ada')('desktop_list_apps', { session: `s${index}` }));
  expect(answers.slice(64)).toMatchObject([failed('RATE_LIMITED'), failed('RATE_LIMITED')]);
  expect(answers.slice(0, 64)).not.toContainEqual(expect.objectContaining({ isError: true }));
  expect(await connect('eve')('desktop_list_apps', { session: 'other' })).not.toHaveProperty('isError');
  await calls.close();
});

it('a tool that runs steps runs none that its caller may not', async () => {
  const { calls, connect } = scene();
  const run = (granted: string) =>
    connect('ada')('desktop_workflow', { steps: [{ command: 'session list' }], dry_run: true }, granted);
  expect(JSON.stringify(await run('act'))).toContain('There is no such command here');
  // With the permission it is known, though no step.
  expect(JSON.stringify(await run('admin'))).toContain('cannot be a step');
  await calls.close();
});
