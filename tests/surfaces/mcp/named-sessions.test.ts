import { expect, it } from 'vitest';
import { commands } from '../../../src/commands/index.generated.ts';
import { allToolFacts, commandTools } from '../../../src/surfaces/mcp/tools/command-tools.ts';
import type { RequestChannel } from '../../../src/surfaces/mcp/connections/connection.ts';
import { toolSpeller } from '../../../src/surfaces/mcp/tools/client-spelling.ts';
import { commandLineSpeller } from '../../../src/registry/command-line-speller.ts';
import { createRegistry } from '../../../src/registry/registry.ts';
import { app } from '../../engine/support/stage.ts';
import { deskWorld } from './resources/desk-world.ts';
import { SILENT_CLIENT } from './support/silent-client.ts';
import { OPEN, READING } from './support/policies.ts';

const registry = createRegistry(commands);
const offered = allToolFacts(registry.commands);
const speller = toolSpeller({ offered, commandLine: commandLineSpeller(registry) });
const VOICE: RequestChannel = {
  signal: new AbortController().signal,
  progress: () => undefined,
  log: () => undefined,
  client: SILENT_CLIENT,
  may: () => true,
  context: {} as RequestChannel['context'],
};

function scene(isReadOnly: boolean) {
  const { calls, app: program } = deskWorld([app({})]);
  const tools = commandTools({
    calls,
    offered,
    speller,
    isTextOnly: false,
    policy: isReadOnly ? READING : OPEN,
    hasTerminals: () => true,
    hasSessionArgument: () => true,
  });
  const look = async (session?: string) => {
    const tool = tools.find(({ definition }) => definition.name === 'desktop_list_apps');
    return tool?.call(session === undefined ? {} : { session }, VOICE);
  };
  const names = async () => (await program.sessions.list()).map(({ name }) => name);
  return { calls, program, look, names };
}

const failed = (code: string) => ({ isError: true, structuredContent: { error: { code } } });

it('a read-only client uses existing sessions and creates none', async () => {
  const { calls, program, look, names } = scene(true);
  expect(await look('strange')).toMatchObject(failed('SESSION_NOT_FOUND'));
  expect(await names()).toEqual([]);
  expect(await look()).not.toHaveProperty('isError');
  expect(await look(calls.session)).not.toHaveProperty('isError');
  await program.call(
    'theirs',
    'list-apps',
    {},
    { mayCreateSession: true, caller: { environment: { DISPLAY: ':1' }, cwd: '/' } },
  );
  expect(await look('Theirs')).not.toHaveProperty('isError');
  await program.sessions.kill('theirs');
  expect(await look('theirs')).toMatchObject(failed('SESSION_NOT_FOUND'));
  expect(await names()).toEqual([calls.session]);
});

it('a client can create a limited number of sessions by naming them', async () => {
  const { calls, program, look, names } = scene(false);
  await program.call(
    'theirs',
    'list-apps',
    {},
    { mayCreateSession: true, caller: { environment: { DISPLAY: ':1' }, cwd: '/' } },
  );
  const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => look(`s${index}`)));
  const refused = answers.filter((answer) => answer?.['isError'] === true);
  expect(refused).toHaveLength(36);
  expect(refused[0]).toMatchObject(failed('RATE_LIMITED'));
  expect(await look('fresh')).toMatchObject(failed('RATE_LIMITED'));
  expect(await look('theirs')).not.toHaveProperty('isError');
  // Probably mistyped, so that another session would hide the mistake.
  expect(await look('thiers')).toMatchObject(failed('SESSION_NOT_FOUND'));
  expect(await look('S0')).not.toHaveProperty('isError');
  expect(await names()).toHaveLength(65);
  await calls.close();
});
