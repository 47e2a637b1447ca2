import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { toolFacts } from '../../src/app/tool-facts.ts';
import { openConnection } from '../../src/surfaces/mcp/tools/open-connection.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { OperationRequest, OperationsPort } from '../../src/ports/operations.ts';
import { createDocuments } from '../../src/platform/node/documents/documents.ts';
import { createFiles } from '../../src/platform/node/files.ts';
import { openStage, type CatalogueStage } from '../toolfiles/support/catalogue-stage.ts';
import { emptySandbox } from './empty-sandbox.ts';
import { fakeApp } from './fake-app.ts';

let stage: CatalogueStage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const refuse = () => Promise.reject(new Error('was not expected'));

/** An app with trusted tool files of these names, whose operations are recorded and then refused. */
async function open(...names: readonly string[]) {
  for (const name of names) {
    const file = {
      name,
      description: 'x',
      command: process.execPath,
      positional_args: [{ name: 'where', type: 'string', required: true, description: 'x' }],
    };
    await stage.trustFile(await stage.write(`config/tools/${name}.json`, file), file);
  }
  await mkdir(join(stage.root, 'cache'), { recursive: true });
  const started: OperationRequest[] = [];
  const operations: OperationsPort = {
    start: async (request) => {
      started.push(request);
      throw new DeskterityError('CONFLICT', 'It was noted.', { suggestion: 'x' });
    },
    prepare: refuse,
    status: refuse,
    list: refuse,
    wait: refuse,
    cancel: refuse,
    read: refuse,
    onEnd: () => () => undefined,
  };
  const caller = { environment: { HOME: stage.root }, cwd: stage.scope };
  const app = fakeApp(refuse, refuse, {
    files: createFiles(),
    documents: async () => createDocuments(),
    caller,
    folders: () => ({
      state: join(stage.root, 'state'),
      cache: join(stage.root, 'cache'),
      config: join(stage.root, 'config'),
    }),
    openOperations: async () => operations,
    sandbox: async () => emptySandbox,
  });
  return { app, caller, started };
}

it.each(['find', 'wc', 'operation', 'run-tool', 'git_log'])(
  'a tool called %s is run, whatever commands are called',
  async (name) => {
    const { app, caller, started } = await open(name);
    const { commands } = await app.toolsOf(caller);
    const [facts] = commands.map((command) => toolFacts(command));
    expect(facts?.tool).toBe(name);
    await expect(
      app.answer('default', facts?.command ?? '', { where: 'here' }, { form: 'json', caller }),
    ).rejects.toMatchObject({
      message: 'It was noted.',
    });
    expect(started.map(({ steps }) => steps.map(({ command }) => command))).toEqual([
      [[process.execPath, 'here']],
    ]);
  },
);

it('errors of its input use its own names and list what it accepts', async () => {
  const { app, caller } = await open('wc');
  const call = (args: object) =>
    app.answer('default', 'run-tool', { tool: 'wc', args }, { form: 'json', caller });
  const takes =
    'wc accepts where (text, required), working_directory (text), execution_mode (one of sync, async), timeout_seconds (a whole number from 1 to 86400).';
  await expect(call({})).rejects.toMatchObject({
    message: 'where is missing; expected text that is not empty.',
    suggestion: takes,
  });
  await expect(call({ where: 5 })).rejects.toMatchObject({
    message: 'where is 5; expected text that is not empty.',
    suggestion: takes,
  });
  await expect(call({ where: 'x', wher: 'y' })).rejects.toMatchObject({
    message: expect.stringMatching(/^wc does not accept "wher"; it accepts where,/),
  });
});

it('a draft does not change the project', async () => {
  const { app, caller, started } = await open();
  const call = app.answer(
    'default',
    'tools init',
    { command: './what', print: true },
    { form: 'json', caller },
  );
  await expect(call).rejects.toMatchObject({ code: 'TOOL_NOT_FOUND' });
  expect(started.length).toBeGreaterThan(0);
  for (const { confinement, cwd } of started.flatMap(({ steps }) => steps)) {
    expect(cwd).toBe(stage.scope);
    expect(confinement.read).toContain(stage.scope);
    expect([confinement.scope, ...confinement.write]).not.toContain(stage.scope);
  }
});

it('its description spells other tools for the client', async () => {
  const { app, caller } = await open('wc');
  const desk = await openConnection({
    app,
    caller,
    version: '1',
    options: {
      toolsets: ['core', 'operations'],
      isReadOnly: false,
      structured: 'always',
      session: undefined,
    },
    hasSessionArgument: false,
  });
  await desk.toolsKnown;
  const described = new Map(
    desk.tools.map(({ definition }) => [definition.name, definition.description ?? '']),
  );
  expect(described.get('wc')).toContain('then call operation_await with');
  expect(described.get('sandboxed_shell')).toContain('use operation_await');
  expect(described.get('run_tool')).toContain('tools_list lists them all');
  await desk.close();
});
