import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { INITIALIZE, piped } from './mcp-support.ts';
import { envelope, isAlive, useLab, type Ran } from './support.ts';
import { until } from '../until.ts';

const lab = useLab();
const FIXTURE = resolve('fixtures/mcp-server/server.mjs');
const Answer = z.looseObject({
  output: z.string().optional(),
  servers: z.array(z.looseObject({ state: z.string() })).optional(),
});
const Tools = z.looseObject({ tools: z.array(z.looseObject({ name: z.string(), description: z.string() })) });
const Result = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ text: z.string() })),
});

const answerOf = (ran: Ran): z.output<typeof Answer> => Answer.parse(envelope(ran));

async function configure(...options: readonly string[]): Promise<string> {
  const file = join(lab().folder, 'home/.config/deskterity/mcp.json');
  await mkdir(join(file, '..'), { recursive: true });
  const log = join(lab().folder, 'happened.log');
  const fix = { command: process.execPath, args: [FIXTURE, '--log', log, '--child', ...options] };
  await writeFile(file, JSON.stringify({ mcpServers: { fix } }));
  return file;
}

async function started(): Promise<number[]> {
  const lines = await readFile(join(lab().folder, 'happened.log'), 'utf8').catch(() => '');
  const pids = lines.split('\n').flatMap((line) => {
    const entry: Record<string, unknown> = line === '' ? {} : JSON.parse(line);
    return [entry['pid'], entry['child']];
  });
  return [...new Set(pids.filter((pid) => typeof pid === 'number'))];
}

it('offers a server of mcp.json on the command line, in workflows and over MCP, keeps it running, and ends it with the daemon', async () => {
  const client = piped(lab(), ['mcp', '--toolsets', 'operations', '--structured', 'never']);
  await client.greet();
  const tools = async (id: number): Promise<string[]> => {
    client.send({ jsonrpc: '2.0', id, method: 'tools/list' });
    return Tools.parse((await client.answer(id)).result).tools.map(({ name }) => name);
  };
  expect(await tools(1)).not.toContain('fix__echo');
  const file = await configure();
  expect(answerOf(await lab().desk(['tools', 'list'])).servers).toMatchObject([
    { name: 'fix', state: 'untrusted' },
  ]);
  expect(await started()).toEqual([]);
  expect((await lab().desk(['tools', 'trust', file])).exitCode).toBe(0);
  await until(() => client.stdout.includes('notifications/tools/list_changed'), 'the client is told');
  const names = await tools(2);
  expect(names).toContain('fix__echo');
  expect(names).toContain('tools_call');
  expect(names).not.toContain('tools_login');

  const input = { text: '{"a":1}', session: 's', max_tokens: 900 };
  client.call(3, 'fix__echo', input);
  const result = Result.parse((await client.answer(3)).result);
  expect(result.isError).not.toBe(true);
  expect(result.content[0]?.text).toMatch(/^fix__echo answered\n<untrusted-[0-9a-f]+>\n/);
  expect(result.content[0]?.text).toContain(JSON.stringify(input));
  client.call(4, 'fix__fail');
  const failure = Result.parse((await client.answer(4)).result);
  expect(failure).toMatchObject({ isError: true });
  client.call(5, 'run_tool', { tool: 'fix__pid' });
  expect(Result.parse((await client.answer(5)).result).isError).toBe(true);
  client.call(6, 'tools_list', { server: 'touch /tmp/never' });
  expect(Result.parse((await client.answer(6)).result).isError).toBe(true);

  const called = await lab().desk(['tools', 'call', 'fix__pid']);
  const pid = Number(answerOf(called).output);
  const flow = join(lab().folder, 'flow.json');
  await writeFile(
    flow,
    JSON.stringify({
      steps: [{ command: 'tools call', input: { tool: 'fix__echo', args: { text: 'by a workflow' } } }],
    }),
  );
  expect((await lab().desk(['workflow', flow])).exitCode).toBe(0);
  expect(await readFile(join(lab().folder, 'happened.log'), 'utf8')).toContain('"text":"by a workflow"');
  const wrong = await lab().desk(['tools', 'call', 'fix__echo', '{"text":5}']);
  expect(envelope(wrong).error).toMatchObject({ code: 'INVALID_ARGUMENT' });

  const all = await started();
  expect(all).toContain(pid);
  expect(all).toHaveLength(2);
  expect(all.filter((one) => isAlive(one))).toHaveLength(2);
  await client.end();
  expect((await lab().desk(['daemon', 'stop'])).exitCode).toBe(0);
  await until(() => !all.some((one) => isAlive(one)), 'the server and its child are gone');
});

const Question = z.looseObject({
  method: z.literal('elicitation/create'),
  params: z.object({ message: z.string() }),
});

it.each([
  ['agrees', { action: 'accept', content: { confirm: true } }, ['wipe']],
  ['declines', { action: 'decline' }, []],
])('asks a client before a destructive tool is called, which a person %s', async (_what, answer, called) => {
  const wipe = { name: 'wipe', annotations: { destructiveHint: true }, inputSchema: { type: 'object' } };
  const file = await configure('--reply', 'tools/list', JSON.stringify({ result: { tools: [wipe] } }));
  expect((await lab().desk(['tools', 'trust', file])).exitCode).toBe(0);
  const client = piped(lab(), ['mcp', '--toolsets', 'operations']);
  client.send({ ...INITIALIZE, params: { ...INITIALIZE.params, capabilities: { elicitation: {} } } });
  await client.answer(INITIALIZE.id);
  client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const happened = async (): Promise<string[]> => {
    const log = await readFile(join(lab().folder, 'happened.log'), 'utf8').catch(() => '');
    return [...log.matchAll(/"call":"(\w+)"/g)].map(([, name = '']) => name);
  };
  client.call(1, 'fix__wipe', { disk: 5 });
  const question = () => client.messages.map((one) => Question.safeParse(one)).find(({ success }) => success);
  await until(() => question() !== undefined, 'the client is asked');
  const asked = question()?.data;
  expect(asked?.params.message).toMatch(/^This would run the tool "wipe" .*\. Its input: \{"disk":5\}$/);
  expect(await happened()).toEqual([]);
  client.send({ jsonrpc: '2.0', id: asked?.['id'], result: answer });
  expect(Result.parse((await client.answer(1)).result).isError).toBe(true);
  expect(await happened()).toEqual(called);
  await client.end();
});

it('lists the tools of a server that is only named', async () => {
  const ran = await lab().desk(['tools', 'list', '--server', `${process.execPath} ${FIXTURE}`]);
  expect(answerOf(ran).servers).toMatchObject([
    {
      origin: 'named',
      tools: expect.arrayContaining([
        expect.objectContaining({
          name: 'echo',
          input_schema: expect.objectContaining({ required: ['text'] }),
        }),
      ]),
    },
  ]);
});
