import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { completeConfiguration } from '../../../src/model/configuration/config.ts';
import type { CallerTools, App } from '../../../src/app/app.ts';
import { openConnection } from '../../../src/surfaces/mcp/tools/open-connection.ts';
import type { McpConnection, RequestChannel } from '../../../src/surfaces/mcp/connections/connection.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { mentionCommand } from '../../../src/model/text/mention.ts';
import { createRegistry } from '../../../src/registry/registry.ts';
import { toolCommand } from '../../../src/toolfiles/tool-commands.ts';
import { toolOf } from '../../toolfiles/support/tool-file.ts';
import { deskWorld, VOICE } from './resources/desk-world.ts';

const CALLER = { environment: { DISPLAY: ':1' }, cwd: '/' };

function opening(options: { readonly session?: string; readonly toolsets?: readonly string[] } = {}) {
  const { app } = deskWorld([]);
  const { session, toolsets = ['core'] } = options;
  const open = (answer: App['answer'] = (...asked) => app.answer(...asked)) =>
    openConnection({
      app: { ...app, answer },
      caller: CALLER,
      version: '1',
      options: { toolsets, isReadOnly: false, structured: 'always', session },
      hasSessionArgument: false,
    });
  return { app, open };
}

/** A failure that speaks of commands, as all of them do. */
const failing = () =>
  Promise.reject(
    new DeskterityError('DISPLAY_UNAVAILABLE', `Use ${mentionCommand('snapshot')}.`, {
      suggestion: `Run ${mentionCommand('screenshot')}.`,
    }),
  );

const quiet = { ...VOICE, progress: () => undefined, log: () => undefined } as unknown as RequestChannel;

async function callTool({ tools }: McpConnection, name: string): Promise<unknown> {
  return tools.find(({ definition }) => definition.name === name)?.call({ app: 'x' }, quiet);
}

describe('a session chosen by the user', () => {
  it('that does not exist is reported as new, once', async () => {
    const { open } = opening({ session: 'Adda' });
    const first = await open();
    expect(first.instructions).toContain('The session "adda" is new.');
    expect(first.facts).toMatchObject({
      'deskterity/desktop': { new_session: 'adda', display: 'simulated' },
    });
    const second = await open();
    expect(second.instructions).not.toContain('is new');
    expect(second.facts).not.toHaveProperty(['deskterity/desktop', 'new_session']);
  });

  it('that was killed is not reported as new', async () => {
    const { app, open } = opening({ session: 'ada' });
    const ended = new DeskterityError('SESSION_NOT_FOUND', 'The session "ada" has ended.', {
      suggestion: 'x',
    });
    const { instructions } = await open(async (session, command, input, options) => {
      if (command === 'session info') throw ended;
      const answer = await app.answer(session, command, input, options);
      return { ...answer, output: { ...answer.output, desktop: null, problem: ended.toBody() } };
    });
    expect(instructions).not.toContain('is new');
  });

  it('must have a valid name', async () => {
    await expect(opening({ session: '../x' }).open()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('a desktop that no call has opened yet', () => {
  const platform = expect.any(String);

  it('does not delay initialize, and is opened before the tools are listed', async () => {
    const { app } = opening();
    const asked: string[] = [];
    const answer: App['answer'] = (...call) => {
      asked.push(call[1]);
      return app.answer(...call);
    };
    const open = () =>
      openConnection({
        app: { ...app, answer },
        caller: CALLER,
        version: '1',
        options: { toolsets: ['core'], isReadOnly: false, structured: 'always', session: undefined },
        hasSessionArgument: false,
      });
    const first = await open();
    expect(asked).toEqual([]);
    expect(first.facts).toEqual({
      'deskterity/desktop': { platform, display: ':1', desktop: expect.stringContaining('opened by') },
    });
    await first.toolsKnown;
    expect(asked).toEqual(['status']);
    // Now it is known, and costs nothing.
    const second = await open();
    expect(second.facts).toMatchObject({
      'deskterity/desktop': { platform, display: 'simulated', capabilities: { tree: true } },
    });
  });

  it('without a capability has no tools that need it', async () => {
    const { app, open } = opening({ toolsets: ['core', 'inspect'] });
    const connection = await open(async (...call) => {
      const { output, ...rest } = await app.answer(...call);
      const desktop = output['desktop'] as Readonly<Record<string, unknown>>;
      return { ...rest, output: { ...output, desktop: { ...desktop, capabilities: { tree: false } } } };
    });
    const names = () => connection.tools.map(({ definition }) => definition.name);
    expect(names()).toEqual(expect.arrayContaining(['desktop_click', 'get_ui_tree']));
    await connection.toolsKnown;
    expect(names()).not.toEqual(expect.arrayContaining(['desktop_click']));
    expect(names()).not.toEqual(expect.arrayContaining(['get_ui_tree']));
    expect(names()).toEqual(expect.arrayContaining(['desktop_list_apps', 'list_windows']));
  });
});

it('a client’s own session is not reported', async () => {
  expect((await opening().open()).instructions).not.toContain('session');
});

describe('failures', () => {
  it('of resources mention the offered tools', async () => {
    const { resources } = await opening().open(failing);
    await expect(resources.read('deskterity://app/x/tree', quiet)).rejects.toMatchObject({
      message: 'Use desktop_snapshot. Run desktop_screenshot.',
      data: { suggestion: 'Run desktop_screenshot.' },
    });
  });

  it('of the dialect mention its own tools, and others only if they are offered', async () => {
    const alone = await opening({ toolsets: ['inspect'] }).open(failing);
    expect(await callTool(alone, 'get_ui_tree')).toMatchObject({
      structuredContent: {
        message: 'Use get_ui_tree.',
        guidance: 'Run "desk screenshot" (ask the user to run it).',
      },
    });
    const both = await opening({ toolsets: ['core', 'inspect'] }).open(failing);
    expect(await callTool(both, 'get_ui_tree')).toMatchObject({
      structuredContent: { message: 'Use get_ui_tree.', guidance: 'Run desktop_screenshot.' },
    });
  });
});

describe('the environment of commands', () => {
  async function preparedFor(toolsets: readonly string[], isClosedAtOnce = false): Promise<number> {
    const { app } = deskWorld([]);
    let prepared = 0;
    const connection = await openConnection({
      app: {
        ...app,
        toolsOf: async () => ({ commands: [], watch: () => () => undefined }),
        prepareTools: async () => void (prepared += 1),
      },
      caller: CALLER,
      version: '1',
      options: { toolsets, isReadOnly: false, structured: 'always', session: undefined },
      hasSessionArgument: false,
    });
    expect(prepared).toBe(0);
    if (isClosedAtOnce) await connection.close();
    // Longer than it waits after the greeting; some are never prepared.
    await sleep(350);
    await connection.close();
    return prepared;
  }

  it('is prepared after initialize, if the client has tools to run them', async () => {
    const asked = [
      preparedFor(['core', 'operations']),
      preparedFor(['all']),
      preparedFor(['core']),
      preparedFor(['operations'], true),
    ];
    expect(await Promise.all(asked)).toEqual([1, 1, 0, 0]);
  });
});

it('a tool of a tool file keeps the text of its file and mentions our tools by name', async () => {
  const file = {
    name: 'log',
    description: 'What "git log --all --session" prints, as desk status does',
    command: 'git',
    options: [{ name: 'all', type: 'boolean', description: 'Passes --all <all>.' }],
  };
  const tool = toolOf(file);
  const options = { catalogue: { require: () => tool }, graceSeconds: 3, group: 'operations' } as const;
  const { commands } = createRegistry([toolCommand(tool, { ...options, toolsets: ['operations'] })]);
  const { app } = deskWorld([]);
  const connection = await openConnection({
    app: { ...app, toolsOf: async () => ({ commands, watch: () => () => undefined }) },
    caller: CALLER,
    version: '1',
    options: { toolsets: ['all'], isReadOnly: false, structured: 'always', session: undefined },
    hasSessionArgument: false,
  });
  await connection.toolsKnown;
  await connection.close();
  const listed = connection.tools.find(({ definition }) => definition.name === 'log');
  const { description, inputSchema } = listed?.definition ?? {};
  expect(description).toMatch(
    /^What "git log --all --session" prints, as desk status does\. Returns the output/,
  );
  expect(description).toContain('then call operation_await with the operation_id.');
  expect(inputSchema?.properties).toMatchObject({ all: { description: 'Passes --all <all>.' } });
});

it('slow tool files do not delay initialize', async () => {
  const { app } = deskWorld([]);
  let found: (tools: CallerTools) => void = () => undefined;
  const connection = await openConnection({
    app: {
      ...app,
      toolsOf: () =>
        new Promise((resolve) => {
          found = resolve;
        }),
      prepareTools: async () => undefined,
    },
    caller: CALLER,
    version: '1',
    options: { toolsets: ['operations'], isReadOnly: false, structured: 'always', session: undefined },
    hasSessionArgument: false,
  });
  const own = connection.tools.length;
  const tool = toolOf({ name: 'log', description: 'x', command: 'git' });
  const options = { catalogue: { require: () => tool }, graceSeconds: 3, group: 'operations' } as const;
  const log = toolCommand(tool, { ...options, toolsets: ['operations'] });
  found({ commands: createRegistry([log]).commands, watch: () => () => undefined });
  await connection.toolsKnown;
  expect(connection.tools).toHaveLength(own + 1);
  await connection.close();
});

it('the settings decide how long the tools of inspect may take', async () => {
  const { app } = deskWorld([]);
  const given: unknown[] = [];
  const connection = await openConnection({
    app: {
      ...app,
      mcpSettings: async () =>
        completeConfiguration({ mcp: { inspect_windows_timeout_ms: 345, inspect_tree_timeout_ms: 9000 } })
          .mcp,
      answer: async (session, command, input, options) => {
        if (command === 'list-windows') given.push(input);
        return app.answer(session, command, input, options);
      },
    },
    caller: CALLER,
    version: '1',
    options: { toolsets: ['inspect'], isReadOnly: false, structured: 'always', session: undefined },
    hasSessionArgument: false,
  });
  await callTool(connection, 'list_windows');
  await callTool(connection, 'get_ui_tree');
  await callTool(connection, 'find_element');
  const times = given.map((input) => z.object({ timeout_ms: z.int() }).parse(input).timeout_ms);
  const [windows = 0, tree = 0, search = 0] = times;
  expect(windows).toBeGreaterThan(100);
  expect(windows).toBeLessThanOrEqual(345);
  expect(tree).toBeGreaterThan(5000);
  expect(search).toBeLessThanOrEqual(2000);
  await connection.close();
});

it.each([true, false])(
  'desktop_describe is listed only where the user has switched it on: %s',
  async (describe) => {
    const { app } = deskWorld([]);
    const connection = await openConnection({
      app: { ...app, mcpSettings: async () => completeConfiguration({ mcp: { describe } }).mcp },
      caller: CALLER,
      version: '1',
      options: { toolsets: ['core'], isReadOnly: true, structured: undefined, session: undefined },
      hasSessionArgument: false,
    });
    const names = connection.tools.map(({ definition }) => definition.name);
    expect(names.includes('desktop_describe')).toBe(describe);
    await connection.close();
  },
);
