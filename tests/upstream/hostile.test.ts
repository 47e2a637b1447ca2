import { afterEach, beforeEach, expect, it } from 'vitest';
import { hidingIn } from '../../src/model/text/untrusted-text.ts';
import { argumentProblem } from '../../src/upstream/tools/check-arguments.ts';
import { isAlive } from '../../src/platform/paths.ts';
import { failureOf, never, openStage, plainCall, soon, type Stage } from './support/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

async function listed(): Promise<Awaited<ReturnType<Stage['port']['list']>>['servers'][number]> {
  const [server] = (await stage.port.list('', never)).servers;
  if (server === undefined) throw new Error('There is no server.');
  return server;
}

it('offers a bounded number of tools', async () => {
  await stage.configure({ many: stage.fixture('--tools', '10000') });
  const { tools, leftOut } = await listed();
  expect(tools).toHaveLength(200);
  expect(leftOut).toEqual(['9800 or more tools after the first 200']);
});

it('ends a list whose pages never end', async () => {
  await stage.configure({ endless: stage.fixture('--endless') });
  expect((await listed()).tools.length).toBeLessThanOrEqual(200);
  const pages = (await stage.happened()).filter(({ list }) => list !== undefined);
  expect(pages.length).toBeLessThanOrEqual(50);
});

it('gives hostile tools harmless names, and marks their texts as those of the server', async () => {
  await stage.configure({ bad: stage.fixture('--hostile') });
  const { tools, leftOut } = await listed();
  const names = tools.map(({ name }) => name);
  for (const name of names) expect(name).toMatch(/^bad__[A-Za-z0-9_-]+$/);
  for (const name of names) expect(name.length).toBeLessThanOrEqual(64);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain('bad__twice');
  expect(leftOut).toContain('a second tool "twice"');
  const instructs = tools.find(({ name }) => name === 'bad__instructs');
  expect(instructs?.description).toMatch(/^A tool of the MCP server bad, which describes it as "Ignore all/);
  expect(instructs?.description.length).toBeLessThan(1200);
  for (const { name, description, inputSchema } of tools)
    expect(hidingIn(JSON.stringify([name, description, inputSchema]))).toBeUndefined();
  // The server still gets its own name.
  const path = tools.find(({ ownName }) => ownName === '../../etc/passwd');
  const error = await failureOf(stage.port.call(path?.name ?? '', {}, plainCall));
  expect(error).toMatchObject({
    code: 'ACTION_FAILED',
    message: expect.stringContaining('Unknown tool ../../etc/passwd'),
  });
});

it('neither shows nor checks schemas that are too large, and spends little time on others', async () => {
  await stage.configure({ bad: stage.fixture('--hostile') });
  const { tools, leftOut } = await listed();
  const schemaOf = (own: string): object | undefined =>
    tools.find(({ ownName }) => ownName === own)?.inputSchema;
  expect([schemaOf('deep'), schemaOf('long')]).toEqual([{ type: 'object' }, { type: 'object' }]);
  expect(leftOut).toContain('the parameters of 2 tools, whose schemas are too long or not valid');
  const started = performance.now();
  for (const own of ['doubling', 'itself', 'pattern']) {
    const schema = tools.find(({ ownName }) => ownName === own)?.inputSchema ?? {};
    expect(argumentProblem(schema, { a: `${'a'.repeat(40)}!` })).toBeUndefined();
  }
  expect(performance.now() - started).toBeLessThan(1000);
});

it('reads the list of a server that reports changes all the time only now and then', async () => {
  await stage.configure({ storm: stage.fixture('--storm') });
  await stage.port.call('storm__pid', {}, plainCall);
  await failureOf(stage.port.call('storm__wait', {}, { ...plainCall, timeoutMs: 3000 }));
  const lists = (await stage.happened()).filter(({ list }) => list !== undefined);
  expect(lists.length).toBeLessThanOrEqual(3);
});

it('ends a server that sends a message without end', async () => {
  await stage.configure({ fix: stage.fixture() });
  const error = await failureOf(stage.port.call('fix__long', { characters: 50 * 1024 * 1024 }, plainCall));
  expect(error.message).toBe(
    'The MCP server fix is gone during fix__long: it sent a message of more than 16 MiB.',
  );
  expect((await stage.port.call('fix__pid', {}, plainCall)).output).toMatch(/^\d+$/);
});

it('reports servers whose entries are wrong, and which keys are not used', async () => {
  await stage.configure({
    ['__proto__x']: stage.fixture(),
    'a/b': stage.fixture(),
    neither: {},
    both: { command: 'a', url: 'https://example.com' },
    plain: { url: 'http://example.com/mcp' },
    file: { url: 'file:///etc/passwd' },
    user: { url: 'https://a:b@example.com/' },
    old: { type: 'websocket', url: 'https://example.com/ws' },
    asks: { command: 'a', args: ['${input:token}'] },
    unset: { command: 'a', args: ['${env:NO_SUCH_VARIABLE}'] },
    usual: { command: 'a', args: ['${NO_SUCH_VARIABLE:-b}'], disabled: true },
    late: { ...stage.fixture(), timeout: 5, alwaysAllow: ['x'] },
  });
  const { servers, problems } = await stage.port.list('', never);
  const short = Object.fromEntries(
    servers.map(({ name, state, reason }) => [name, `${state}: ${reason ?? ''}`]),
  );
  expect(short).toEqual({
    neither: 'invalid: it has neither command nor url',
    both: 'invalid: it has both command and url',
    plain: 'invalid: its address is neither https nor http on this machine',
    file: 'invalid: its address is neither https nor http on this machine',
    user: 'invalid: its address contains a user name or a password',
    old: expect.stringContaining('"type" is not valid'),
    asks: 'invalid: it uses the variable input:token, which only its editor can ask for; use an environment variable',
    unset: 'invalid: the environment variable NO_SUCH_VARIABLE is not set',
    usual: 'disabled: its file disables it',
    late: 'ready: ',
  });
  expect(problems.join('\n')).toMatch(
    /"__proto__x" is not a name for a server[^\n]*\n.*"a\/b" is not a name/,
  );
  expect(problems.join('\n')).toContain(
    'the key "timeout" of the server late is not used; did you mean timeout_ms?',
  );
});

it('does not trust a file that hides a part of itself', async () => {
  const entry = { ...stage.fixture(), description: 'harmless \u202E' };
  expect(await failureOf(stage.configure({ fix: entry }))).toMatchObject({
    code: 'TOOL_INVALID',
    message: expect.stringContaining(String.raw`it contains the hidden character \u{202E}`),
  });
});

it('gives up a server that never answers, and ends it', async () => {
  await stage.configure({ silent: stage.fixture('--silent') });
  const error = await failureOf(stage.port.call('silent__pid', {}, plainCall));
  expect(error.message).toBe('The MCP server silent is not available: it did not answer in time.');
  const pids = (await stage.happened()).map(({ pid }) => Number(pid));
  expect(pids.length).toBeGreaterThan(0);
  await soon(() => expect(pids.filter((pid) => isAlive(pid))).toEqual([]));
});

it('tells a server that it was started by us, so that it does not offer us to ourselves', async () => {
  await stage.configure({ fix: stage.fixture() });
  await stage.port.call('fix__pid', {}, plainCall);
  const variables = (await stage.happened()).find((entry) => entry['variables'] !== undefined)?.['variables'];
  expect(variables).toContain('STARTED_BY_DESKTERITY');
});

const PICTURE = { type: 'image', mimeType: 'image/png', data: '%%%' };

it.each([
  [{ result: 5 }, 'it is not a message of the protocol'],
  [{ error: 5 }, 'it is not a message of the protocol'],
  [{}, 'it is not a message of the protocol'],
  [{ result: {} }, 'it has neither content nor structuredContent'],
  [{ result: { content: 'done' } }, 'content is not a list'],
  [{ result: { resultType: 'task', taskId: 't' } }, 'it has neither content nor structuredContent'],
])('says in plain words that %j is no result, at once', async (reply, mistake) => {
  await stage.configure({ fix: stage.fixture('--reply', 'tools/call', JSON.stringify(reply)) });
  const error = await failureOf(stage.port.call('fix__pid', {}, plainCall));
  expect(error).toMatchObject({ code: 'ACTION_FAILED', delivered: true, retryable: false });
  expect(error.message).toBe(
    `The MCP server fix answered fix__pid with something that is not a result of a tool: ${mistake}.`,
  );
  expect(error.suggestion).toContain('Report the mistake to the author of the server.');
});

it('shows what can be shown of a result with mistakes, and names the rest', async () => {
  const content = [{ type: 'text', text: 'good' }, { type: 'text', text: 5 }, { type: 'new' }, null, PICTURE];
  const reply = JSON.stringify({ result: { content, structuredContent: [1] } });
  await stage.configure({ fix: stage.fixture('--reply', 'tools/call', reply) });
  expect(await stage.port.call('fix__pid', {}, plainCall)).toMatchObject({
    output: 'good',
    left_out: [
      'a part of type "text"',
      'a part of type "new"',
      'a part that is not an object',
      'a part of type "image" ("image/png") of 2 bytes',
      'structured content that is not an object',
    ],
  });
});

it('takes a result for a failure if it says so in whatever way', async () => {
  const reply = JSON.stringify({ result: { content: [], isError: 'yes' } });
  await stage.configure({ fix: stage.fixture('--reply', 'tools/call', reply) });
  expect(await failureOf(stage.port.call('fix__pid', {}, plainCall))).toMatchObject({
    code: 'ACTION_FAILED',
  });
});

it.each([
  [
    'tools/list',
    { result: { tools: {} } },
    'it answered with something that is not a list of tools: tools is not valid (expected array, received object)',
  ],
  [
    'tools/list',
    { result: { tools: [], nextCursor: 'x'.repeat(5000) } },
    'it answered with something that is not a list of tools: nextCursor is not valid (Too big: expected string to have <=4096 characters)',
  ],
  ['tools/list', { result: 5 }, 'it is not a message of the protocol'],
  [
    'initialize',
    { result: { protocolVersion: '2025-06-18' } },
    'it answered with something that is not the beginning of a connection: capabilities is not valid (expected object, received undefined)',
  ],
])('says in plain words what is wrong with the answer to %s', async (method, reply, problem) => {
  await stage.configure({ fix: stage.fixture('--reply', method, JSON.stringify(reply)) });
  const error = await failureOf(stage.port.call('fix__pid', {}, plainCall));
  expect(error).toMatchObject({ code: 'SERVER_UNAVAILABLE', delivered: false });
  expect(error.message).toBe(`The MCP server fix is not available: ${problem}.`);
});

it('lists the tools beside entries that are none, and counts those', async () => {
  const tools = [{ name: 'pid', inputSchema: { type: 'object' } }, 5, null, { name: 7 }];
  await stage.configure({
    fix: stage.fixture('--reply', 'tools/list', JSON.stringify({ result: { tools } })),
  });
  expect(await listed()).toMatchObject({
    state: 'ready',
    tools: [{ name: 'fix__pid' }],
    leftOut: ['3 entries of its list that are no tools'],
  });
});

it('reads a list that leads in a circle once', async () => {
  const reply = JSON.stringify({ result: { tools: [], nextCursor: 'again' } });
  await stage.configure({ fix: stage.fixture('--reply', 'tools/list', reply) });
  expect((await listed()).state).toBe('ready');
  expect((await stage.happened()).filter(({ replied }) => replied === 'tools/list')).toHaveLength(2);
});

it('uses a server that has no tools at all', async () => {
  const serverInfo = { name: 'x', version: '1' };
  const none = { result: { protocolVersion: '2025-06-18', capabilities: { prompts: {} }, serverInfo } };
  const refusal = { error: { code: -32_601, message: 'Method not found' } };
  await stage.configure({
    fix: stage.fixture(
      '--reply',
      'initialize',
      JSON.stringify(none),
      '--reply',
      'tools/list',
      JSON.stringify(refusal),
    ),
  });
  expect(await listed()).toMatchObject({ state: 'ready', tools: [] });
});
