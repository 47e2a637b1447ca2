import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Policy } from '../../src/model/policy/verdict.ts';
import { createClock } from '../../src/platform/node/clock.ts';
import { createDocuments } from '../../src/platform/node/documents/documents.ts';
import { createFiles } from '../../src/platform/node/files.ts';
import { policy, ruled } from '../policy/policy-of.ts';
import { openStage, soon, type Stage } from '../upstream/support/stage.ts';
import { emptySandbox } from './empty-sandbox.ts';
import { fakeApp } from './fake-app.ts';

const CALLS = ['run-tool', 'tools call', 'tools list', 'tools login'];
const DENYING = policy({ tools: { denied: ['fix'] } });

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const refuse = () => Promise.reject(new Error('was not expected'));

/** A program with a trusted server, whose policy the test changes. */
async function open(first: Policy) {
  const file = join(stage.folder, 'config/mcp.json');
  await writeFile(file, JSON.stringify({ servers: { fix: stage.fixture() } }));
  await stage.port.trust(file);
  const state = { policy: first };
  const caller = { environment: stage.of.callerEnvironment, cwd: join(stage.folder, 'project') };
  const app = fakeApp(refuse, refuse, {
    clock: createClock(),
    files: createFiles(),
    documents: async () => createDocuments(),
    caller,
    folders: () => ({
      state: join(stage.folder, 'state'),
      cache: join(stage.folder, 'cache'),
      config: join(stage.folder, 'config'),
    }),
    policy: async () => state.policy,
    sandbox: async () => emptySandbox,
  });
  return {
    app,
    caller,
    change: async (to: Policy) => {
      state.policy = to;
      await writeFile(join(stage.folder, 'config/policy.toml'), '');
    },
    answer: (command: string, input: object) =>
      app.answer('default', command, input, { form: 'json', caller }),
    started: async () => (await stage.happened()).filter(({ started }) => started === true).length,
  };
}

describe('a server of which no tool may be used', () => {
  it('is not started by a client that lists tools', async () => {
    const { app, caller, started } = await open(DENYING);
    expect((await app.toolsOf(caller)).commands).toEqual([]);
    expect(await started()).toBe(0);
    await app.close();
  });

  it('is started for the client when it is allowed again', async () => {
    const { app, caller, started, change } = await open(DENYING);
    const tools = await app.toolsOf(caller);
    const end = tools.watch(() => undefined);
    await change(policy({}));
    await soon(() => expect(tools.commands.length).toBeGreaterThan(0));
    expect(await started()).toBe(1);
    end();
    await app.close();
  });

  it.each([
    ['by its own name', 'run-tool fix__echo', { text: 'x' }],
    ['by tools call', 'tools call', { tool: 'fix__echo', args: { text: 'x' } }],
    ['by the sign-in', 'tools login', { server: 'fix' }],
  ])('is not started by a call of one, %s', async (_, command, input) => {
    const { app, answer, started } = await open(DENYING);
    await expect(answer(command, input)).rejects.toMatchObject({ code: 'POLICY_DENIED' });
    expect(await started()).toBe(0);
    await app.close();
  });

  it('is listed as denied, and not started for that', async () => {
    const { app, answer, started } = await open(DENYING);
    const { output } = await answer('tools list', {});
    expect(output['servers']).toMatchObject([
      { name: 'fix', state: 'denied', reason: expect.stringContaining('tools.denied "fix"') },
    ]);
    expect(await started()).toBe(0);
    await app.close();
  });
});

it('a tool that is denied does not start its server, of which others are allowed', async () => {
  const some = policy({ tools: { denied: ['fix__echo'] } }, {}, { commands: ruled(CALLS) });
  const { app, answer, started } = await open(some);
  await expect(answer('run-tool fix__echo', { text: 'x' })).rejects.toMatchObject({ code: 'POLICY_DENIED' });
  expect(await started()).toBe(0);
  expect((await answer('run-tool fix__pid', {})).output).toMatchObject({ server: 'fix' });
  expect(await started()).toBe(1);
  await app.close();
});
