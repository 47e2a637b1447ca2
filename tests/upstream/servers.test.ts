import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isAlive } from '../../src/platform/paths.ts';
import type { ServerPicture } from '../../src/ports/upstream/servers.ts';
import { failureOf, never, openStage, plainCall, soon, type Stage } from './support/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage({ FIXTURE_TOKEN: 'token-of-the-test', SECRET_OF_USER: 'not passed on' });
});
afterEach(() => stage.close());

it('lists the tools of a server under its name, and passes arguments on unchanged', async () => {
  await stage.configure({ fix: stage.fixture() });
  const { servers, problems } = await stage.port.list('', never);
  expect(problems).toEqual([]);
  expect(servers).toMatchObject([{ name: 'fix', origin: 'project', state: 'ready', transport: 'stdio' }]);
  const echo = servers[0]?.tools.find(({ name }) => name === 'fix__echo');
  expect(echo?.description).toBe(
    'A tool of the MCP server fix, which describes it as "Answers with its input.".',
  );
  expect(echo?.inputSchema).toMatchObject({ required: ['text'], additionalProperties: false });
  const input = {
    text: 'ä',
    times: 3,
    nested: { list: [1, 2.5] },
    session: 's',
    terminal: 't',
    max_tokens: 900,
  };
  const answer = await stage.port.call('fix__echo', input, plainCall);
  expect(JSON.parse(answer.output ?? '')).toEqual(input);
  const happened = await stage.happened();
  expect(happened.filter(({ started }) => started === true)).toHaveLength(1);
  expect(happened.find(({ initialize }) => initialize !== undefined)).toMatchObject({ initialize: {} });
  expect(happened.find(({ variables }) => variables !== undefined)?.['variables']).not.toContain(
    'SECRET_OF_USER',
  );
});

it('checks arguments before the server gets them', async () => {
  await stage.configure({ fix: stage.fixture() });
  for (const [input, message] of [
    [{}, '"text" is missing'],
    [{ text: 1 }, '"text" is not of type string'],
    [{ text: 'a', times: 101 }, '"times" is greater than 100'],
    [{ text: 'a', nested: { list: ['x'] } }, '"nested.list[0]" is not of type number'],
    [{ text: 'a', txet: 1 }, '"txet" is not one of its parameters'],
  ] as const)
    await expect(failureOf(stage.port.call('fix__echo', input, plainCall))).resolves.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(message),
    });
  expect((await stage.happened()).some(({ call }) => call !== undefined)).toBe(false);
});

it('uses a file only after a person has trusted its present content', async () => {
  await stage.configure({ fix: stage.fixture() });
  await stage.port.call('fix__pid', {}, plainCall);
  const { writeFile } = await import('node:fs/promises');
  const file = `${stage.of.project ?? ''}/.deskterity/mcp.json`;
  await writeFile(file, JSON.stringify({ servers: { fix: stage.fixture('--tools', '1') } }));
  expect((await stage.port.list('', never)).servers).toMatchObject([{ state: 'untrusted', tools: [] }]);
  const error = await failureOf(stage.port.call('fix__pid', {}, plainCall));
  expect(error).toMatchObject({
    code: 'TOOL_UNTRUSTED',
    message: expect.stringContaining('has changed since'),
  });
  expect(error.suggestion).toContain('desk tools trust');
});

it('starts a server again after it has ended, and waits longer each time', async () => {
  await stage.configure({ fix: stage.fixture() });
  const pid = async (): Promise<string | undefined> =>
    (await stage.port.call('fix__pid', {}, plainCall)).output;
  const first = await pid();
  expect(await pid()).toBe(first);
  const crash = await failureOf(stage.port.call('fix__crash', {}, plainCall));
  expect(crash).toMatchObject({
    code: 'SERVER_UNAVAILABLE',
    message: 'The MCP server fix is gone during fix__crash: it ended with exit code 7.',
    delivered: true,
    retryable: false,
  });
  const second = await pid();
  expect(second).not.toBe(first);
  for (const _ of [1, 2]) await stage.port.call('fix__crash', {}, plainCall).catch(() => undefined);
  const error = await failureOf(stage.port.call('fix__pid', {}, plainCall));
  expect(error.message).toMatch(
    /fix is not available: it ended with exit code 7\. It is started again in 2 s/,
  );
  // A crash is never repeated on its own.
  expect((await stage.happened()).filter(({ call }) => call === 'crash')).toHaveLength(3);
});

it('ends a server with everything that it started, even if it does not want to', async () => {
  await stage.configure({ fix: stage.fixture('--child', '--stubborn') });
  const pid = Number((await stage.port.call('fix__pid', {}, plainCall)).output);
  const child = Number((await stage.happened()).find((entry) => entry['child'] !== undefined)?.['child']);
  expect([isAlive(pid), isAlive(child)]).toEqual([true, true]);
  await stage.servers.close();
  await soon(() => expect([isAlive(pid), isAlive(child)]).toEqual([false, false]));
  expect((await stage.happened()).some(({ terminated }) => terminated === true)).toBe(true);
});

it('passes progress and cancellation on', async () => {
  await stage.configure({ fix: stage.fixture() });
  const cancel = new AbortController();
  const steps: string[] = [];
  const call = stage.port.call(
    'fix__wait',
    {},
    {
      ...plainCall,
      signal: cancel.signal,
      onProgress: (message) => {
        steps.push(message);
        cancel.abort();
      },
    },
  );
  expect(await failureOf(call)).toMatchObject({ code: 'CANCELLED' });
  expect(steps).toEqual([String.raw`fix: a quarter\u{202E}`]);
  await soon(async () =>
    expect((await stage.happened()).some(({ cancelled }) => cancelled !== undefined)).toBe(true),
  );
});

it('ends a call that is not answered in time, and tells the server', async () => {
  await stage.configure({ fix: stage.fixture() });
  const error = await failureOf(stage.port.call('fix__wait', {}, { ...plainCall, timeoutMs: 300 }));
  expect(error).toMatchObject({ code: 'TIMEOUT', delivered: true, retryable: false });
  await soon(async () =>
    expect((await stage.happened()).some(({ cancelled }) => cancelled !== undefined)).toBe(true),
  );
});

it('reports failures of tools as failures', async () => {
  await stage.configure({ fix: stage.fixture() });
  const error = await failureOf(stage.port.call('fix__fail', {}, plainCall));
  expect(error).toMatchObject({ code: 'ACTION_FAILED', result: { server: 'fix', tool: 'fix__fail' } });
  expect(error.message).toContain(String.raw`The disk is full.`);
  expect(error.message).not.toContain('\u001B');
  expect(await failureOf(stage.port.call('fix__none', {}, plainCall))).toMatchObject({
    code: 'TOOL_NOT_FOUND',
  });
  expect(await failureOf(stage.port.call('other__none', {}, plainCall))).toMatchObject({
    code: 'TOOL_NOT_FOUND',
  });
});

it('refuses questions of a server with a reason', async () => {
  await stage.configure({ fix: stage.fixture() });
  const { output } = await stage.port.call('fix__ask', {}, plainCall);
  expect(output).toContain('elicitation/create is not supported: Deskterity passes no questions');
});

it('reads a long answer in parts, and keeps it for the session that asked', async () => {
  await stage.configure({ fix: stage.fixture() });
  const options = { ...plainCall, mostCharacters: 400 };
  const first = await stage.port.call('fix__long', { characters: 1000 }, options);
  expect(first).toMatchObject({ next_cursor: 400, left_out: ['600 of 1000 characters, from 400 on'] });
  const id = first.result_id ?? '';
  const second = stage.port.more(id, 400, 400);
  const third = stage.port.more(id, second.next_cursor ?? 0, 400);
  expect(third.next_cursor).toBeUndefined();
  expect(`${first.output}${second.output}${third.output}`).toBe('0123456789'.repeat(100));
  const other = stage.servers.portFor({ ...stage.of, owner: 'somebody else' });
  expect(() => other.more(id, 0, 400)).toThrow(/No answer/);
});

it('shows structured content and pictures, and says what it leaves out', async () => {
  await stage.configure({ fix: stage.fixture() });
  expect(await stage.port.call('fix__data', {}, plainCall)).toMatchObject({ structured: { n: 1 } });
  const pictures: ServerPicture[] = [];
  const answer = await stage.port.call(
    'fix__picture',
    {},
    { ...plainCall, onPicture: (one) => void pictures.push(one) },
  );
  expect(pictures).toMatchObject([{ mimeType: 'image/png' }]);
  expect(answer).toMatchObject({
    output: 'a: file:///a.txt',
    left_out: ['a part of type "audio" ("audio/wav") of 3 bytes'],
  });
});

it('does not repeat secrets of the configuration, in answers or in the log', async () => {
  await stage.configure({
    fix: { ...stage.fixture('--secret', '${env:FIXTURE_TOKEN}'), env: { API_KEY: '${FIXTURE_TOKEN}' } },
  });
  const { output } = await stage.port.call('fix__pid', {}, plainCall);
  expect(output).toBe('{} [withheld]');
  await soon(() => expect(JSON.stringify(stage.logged)).toContain('the secret is [withheld]'));
  expect(JSON.stringify(stage.logged)).not.toContain('token-of-the-test');
});

it('follows changes of the tools of a server', async () => {
  await stage.configure({ fix: stage.fixture() });
  const { offerServers } = await import('../../src/upstream/offered-servers.ts');
  const { createNodePlatform } = await import('../../src/platform/node/node-platform.ts');
  const { clock, folders } = createNodePlatform();
  const offered = await offerServers(stage.servers, stage.of, { clock, folders });
  const names = (): (string | undefined)[] => offered.definitions.map(({ mcpName }) => mcpName);
  await soon(() => expect(names()).toContain('fix__echo'));
  expect(offered.definitions).toBe(offered.definitions);
  let changes = 0;
  const end = offered.watch(() => {
    changes += 1;
  });
  await stage.port.call('fix__grow', {}, plainCall);
  await soon(() => expect(names()).toContain('fix__more_0'));
  expect(changes).toBe(1);
  // It is started again by the next call, which a client makes only of a tool that it is offered.
  await stage.port.call('fix__crash', {}, plainCall).catch(() => undefined);
  const [fix] = stage.servers.usable(stage.of, await stage.servers.find(stage.of));
  await soon(() => expect(fix?.server.pid).toBeUndefined());
  expect(names()).toContain('fix__echo');
  expect((await stage.port.call('fix__pid', {}, plainCall)).output).toMatch(/^\d+$/);
  end();
});

it('lists what is known while a server does not answer, and reports the rest as a change', async () => {
  const gate = join(stage.folder, 'gate');
  await stage.configure({ late: stage.fixture('--until', gate), fix: stage.fixture() });
  const { offerServers } = await import('../../src/upstream/offered-servers.ts');
  const { createNodePlatform } = await import('../../src/platform/node/node-platform.ts');
  const { folders } = createNodePlatform();
  // As a client finds it that comes later.
  await stage.port.call('fix__pid', {}, plainCall);
  const waits: number[] = [];
  const sleep = async (ms: number): Promise<void> => void waits.push(ms);
  const first = await offerServers(stage.servers, stage.of, { clock: { now: () => 0, sleep }, folders });
  const servers = (): readonly string[] => [
    ...new Set(first.definitions.map(({ mcpName }) => mcpName?.split('__')[0] ?? '')),
  ];
  expect(servers()).toEqual(['fix']);
  expect(waits).toEqual([1000]);
  let changes = 0;
  const end = first.watch(() => {
    changes += 1;
  });
  const [late] = stage.servers.usable(stage.of, await stage.servers.find(stage.of));
  await soon(() => expect(late?.server.isLate(1000)).toBe(true));
  // Whoever comes next does not wait at all.
  await offerServers(stage.servers, stage.of, { clock: { now: () => 0, sleep }, folders });
  expect(waits).toEqual([1000]);
  await writeFile(gate, '');
  await soon(() => expect(servers()).toEqual(['late', 'fix']));
  await soon(() => expect(changes).toBe(1));
  end();
});

it('lists the tools of a server that is only named, and ends it', async () => {
  const { command, args } = stage.fixture('--child');
  const line = [command, ...(Array.isArray(args) ? args : [])].map((word) => `'${String(word)}'`).join(' ');
  const { tools, state } = await stage.port.inspect(line, never);
  expect(state).toBe('ready');
  expect(tools.map(({ name }) => name)).toContain('echo');
  const pids = (await stage.happened())
    .flatMap(({ pid, child }) => [pid, child])
    .filter((pid) => typeof pid === 'number');
  await soon(() => expect(pids.filter((pid) => isAlive(pid))).toEqual([]));
  expect(await failureOf(stage.port.inspect('"unclosed', never))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(await failureOf(stage.port.inspect('/no/such/program', never))).toMatchObject({
    code: 'SERVER_UNAVAILABLE',
    message: 'The MCP server server is not available: it could not be started (ENOENT).',
  });
});
