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
    old: { type: 'sse', url: 'https://example.com/sse' },
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
    old: 'invalid: the transport sse of 2024 is not supported; many of these servers also have type http',
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
  expect(error.message).toBe('The MCP server silent is not available: Request timed out.');
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
