import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { piped } from './mcp-support.ts';
import { useTerminalLab } from './support-terminals.ts';
import { until } from '../until.ts';

const lab = useTerminalLab();

const Tool = z.looseObject({
  name: z.string(),
  description: z.string(),
  inputSchema: z.looseObject({ properties: z.record(z.string(), z.looseObject({})) }),
});
const Result = z.looseObject({
  content: z.tuple([z.looseObject({ text: z.string() })]),
  structuredContent: z.looseObject({ success: z.boolean(), message: z.string() }),
  isError: z.boolean().default(false),
});

async function client(changes: NodeJS.ProcessEnv = {}) {
  const desk = piped(lab(), ['mcp', '--toolsets', 'terminal,terminator', '--structured', 'always'], changes);
  await desk.greet();
  let last = 0;
  const begin = (name: string, input: object) => {
    last += 1;
    desk.call(last, name, input);
    return last;
  };
  const call = async (name: string, input: object) =>
    Result.parse((await desk.answer(begin(name, input))).result);
  const list = async () => {
    desk.send({ jsonrpc: '2.0', id: 'list', method: 'tools/list' });
    return z.object({ tools: z.array(Tool) }).parse((await desk.answer('list')).result).tools;
  };
  return { desk, begin, call, list };
}

it('has the tools of the toolsets with the defaults set in either spelling', async () => {
  const { list, desk } = await client({
    TERMINATOR_DEFAULT_LINES: '33',
    DESKTERITY_TERMINAL_FOREGROUND_COMPLETION_SECONDS: '44',
  });
  const tools = await list();
  expect(tools.map(({ name }) => name)).toEqual(['terminal', 'terminator.execute']);
  for (const { inputSchema } of tools) {
    expect(inputSchema.properties['lines']).toMatchObject({ default: 33 });
    expect(inputSchema.properties['timeout']).toMatchObject({ description: expect.stringContaining('44') });
  }
  expect(tools[1]?.description).toMatch(/^Manages Linux terminal sessions.*\nTerminator MCP \S+ using /);
  expect((await desk.end()).exitCode).toBe(0);
});

it('serves one session to both tools, whatever its parameters are called', async () => {
  const { one } = lab().projects;
  const { call, desk } = await client();
  const first = await call('terminal', { cmd: 'X=7; false', Project: one, Timeout: '20', confinedd: 1 });
  expect(first).toMatchObject({
    isError: false,
    structuredContent: { success: true, exit_code: 1, action: 'execute', state: 'idle' },
  });
  expect(first.content[0].text).toBe(
    "Terminator: Command completed in session 'app / app'. Output:\n\nExit code 1.",
  );
  const asked = { focus: 'off', project_path: one, command: 'echo "X is $X"', options: { Lines: '5' } };
  const second = await call('terminator_execute', asked);
  expect(second.structuredContent).toEqual({
    success: true,
    message: "Terminator: Command completed in session 'app / app'. Output:\nX is 7",
  });
  expect(second.content[0].text).toMatch(/Output:\n<(untrusted-\w+)>\nX is 7\n<\/\1>$/);
  const marked = await call('terminal', { command: 'echo hello', project_path: one });
  expect(marked.content[0].text).toMatch(/Output:\n<(untrusted-\w+)>\nhello\n<\/\1>$/);
  await desk.end();
});

it('answers impossible requests with a sentence', async () => {
  const { call, desk } = await client();
  const wrong = await call('terminal', { project_path: 'here', command: 'true' });
  expect(wrong).toMatchObject({ isError: true, structuredContent: { error_code: 'INVALID_ARGUMENT' } });
  expect(wrong.content[0].text).toMatch(/^Terminator Error: The parameter 'project_path' is "here"/);
  const { one } = lab().projects;
  expect(
    await call('terminator.execute', { action: 'read', project_path: one, tag: 'nobody' }),
  ).toMatchObject({
    isError: true,
    structuredContent: {
      success: false,
      message: "Terminator Error: Session with project 'app' and tag 'nobody' not found.",
    },
  });
  await desk.end();
});

it('leaves a command running if its call is cancelled', async () => {
  const { one } = lab().projects;
  const { begin, call, desk } = await client();
  const goOn = join(one, 'go-on');
  const command = `touch begun; while [ ! -e ${goOn} ]; do sleep 0.05; done; touch ended`;
  const id = begin('terminal', { command, project_path: one, tag: 'cancel' });
  await until(() => existsSync(join(one, 'begun')), 'it has begun');
  desk.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
  const read = await call('terminal', { action: 'read', project_path: one, tag: 'cancel' });
  expect(read.structuredContent).toMatchObject({ state: 'running' });
  await call('terminal', { command: `touch ${goOn}`, project_path: one, tag: 'other' });
  await until(() => existsSync(join(one, 'ended')), 'it has come to its end');
  await desk.end();
});
