import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../src/model/is-record.ts';
import { theLedger } from './ledger.ts';
import { calledOver } from './reach-over-mcp.ts';
import type { Attack, Outcome } from './row.ts';
import { against, another, inFront, placeOf, refOf, sees, text, type Prepare, type Tried } from './way.ts';
import type { World } from './world.ts';

const SANDBOXED = 'mode = "sandboxed"\n';
const ATTACK = 'an act in the mode sandboxed';
const REFUSED = /POLICY_DENIED|[Uu]nknown tool|not offered|sandboxed/;

function acts(
  name: string,
  surface: string,
  events: readonly string[],
  attempt: (world: World, prepared: string, app: string) => Promise<Tried>,
  prepare: Prepare = refOf('Sign the page'),
): Attack {
  return against(
    {
      attack: ATTACK,
      surface,
      name,
      prepare,
      attempt: (world, { app }, prepared) => attempt(world, prepared, app),
    },
    sees(...events),
    SANDBOXED,
  );
}

/** Held if no file is written; without the mode it is. */
function leaves(
  name: string,
  surface: string,
  attempt: (world: World, file: string) => Promise<Tried>,
): Attack {
  return {
    attack: ATTACK,
    surface,
    name,
    run: async (world): Promise<Outcome> => {
      await theLedger(world);
      const once = async (): Promise<readonly [Tried, boolean]> => {
        const file = join(world.project, `acted-${another()}`);
        const tried = await attempt(world, file);
        await world.prepare(['wait', '300']);
        return [
          tried,
          await access(file).then(
            () => true,
            () => false,
          ),
        ];
      };
      const [freely, isThere] = await once();
      if (!isThere)
        return {
          held: null,
          code: freely.code,
          evidence: `no file without the mode: ${freely.shown.slice(0, 200)}`,
        };
      const [{ code, shown }, still] = await world.withFile('policy.toml', SANDBOXED, once);
      return {
        held: still ? false : REFUSED.test(shown) ? true : null,
        code,
        evidence: `${still ? 'the file was written' : 'no file'}: ${shown.slice(0, 160)}`,
      };
    },
  };
}

export const sandboxed: readonly Attack[] = [
  acts('click', 'click', ['clicked'], (world, ref) => world.desk(['click', ref])),
  acts(
    'set-value',
    'set-value',
    ['changed'],
    (world, ref) => world.desk(['set-value', ref, text()]),
    refOf('Amount'),
  ),
  acts(
    'type',
    'type, where the focus is',
    ['key', 'changed'],
    (world) => world.desk(['type', text()]),
    inFront,
  ),
  acts('press', 'press, where the focus is', ['key'], (world) => world.desk(['press', 'g']), inFront),
  acts(
    'mouse',
    'mouse click',
    ['clicked'],
    (world, place) => world.desk(['mouse', 'click', ...place.split(',')]),
    placeOf('Sign the page'),
  ),
  acts('fill', 'fill', ['changed'], (world, ref) => world.desk(['fill', ref, text()]), refOf('Amount')),
  acts('do', 'a step of do', ['clicked'], (world, ref) => world.desk(['do', `click '${ref}'`])),
  acts('workflow', 'a step of a workflow', ['clicked'], (world, ref) =>
    world.desk(['workflow', '--steps', JSON.stringify({ command: 'click', input: { ref } })]),
  ),
  acts('batch', 'a line of batch', ['clicked'], (world, ref) =>
    world.desk(['batch'], {}, `${JSON.stringify({ command: 'click', input: { ref } })}\n`),
  ),
  leaves('terminal', 'terminal execute', (world, file) =>
    world.desk(['terminal', 'execute', `touch ${file}`, '--tag', 'mode']),
  ),
  leaves('shell', 'sandboxed-shell', (world, file) => world.desk(['sandboxed-shell', `touch ${file}`])),
  leaves('launch', 'launch', (world, file) => world.desk(['launch', '/usr/bin/touch', '--', file])),
  leaves('mcp-terminal', 'MCP terminal, called by name', (world, file) =>
    calledOver(world, 'terminal', {
      action: 'execute',
      command: `touch ${file}`,
      project_path: world.project,
      tag: 'mode-mcp',
    }),
  ),
  leaves('mcp-shell', 'MCP sandboxed_shell, called by name', (world, file) =>
    calledOver(world, 'sandboxed_shell', { command: `touch ${file}` }),
  ),
  acts('mcp-click', 'MCP desktop_click, called by name', ['clicked'], (world, _ref, app) =>
    calledOver(world, 'desktop_click', { ref: `app:${app} >> role:button[name="Sign the page"]` }),
  ),
  acts('mcp-do', 'MCP desktop_do', ['clicked'], (world, _ref, app) =>
    calledOver(world, 'desktop_do', {
      steps: [{ command: 'click', ref: `app:${app} >> role:button[name="Sign the page"]` }],
    }),
  ),
  acts('mcp-workflow', 'MCP desktop_workflow', ['clicked'], (world, _ref, app) =>
    calledOver(world, 'desktop_workflow', {
      steps: [{ command: 'click', input: { ref: `app:${app} >> role:button[name="Sign the page"]` } }],
    }),
  ),
  acts(
    'ax-click',
    'dialect ax, ax_click',
    ['clicked'],
    async (world, app) => calledOver(world, 'ax_click', { app, query: 'Sign the page' }, 'ax'),
    async (world, { app }) => {
      await calledOver(world, 'ax_connect', { app }, 'ax');
      return app;
    },
  ),
  acts(
    'ax-workflow',
    'dialect ax, ax_workflow',
    ['clicked'],
    async (world, app) =>
      calledOver(
        world,
        'ax_workflow',
        { name: 'one', steps: [{ id: 'a', tool: 'ax_click', args: { app, query: 'Sign the page' } }] },
        'ax',
      ),
    async (world, { app }) => {
      await calledOver(world, 'ax_connect', { app }, 'ax');
      return app;
    },
  ),
  {
    attack: ATTACK,
    surface: 'a tool of another server',
    name: 'upstream',
    run: async (world): Promise<Outcome> => {
      const call = () => world.desk(['tools', 'call', 'echo__echo', '{"text":"acted"}']);
      await serveEcho(world);
      const free = await call();
      if (!free.shown.includes('acted'))
        return { held: null, code: free.code, evidence: free.shown.slice(0, 200) };
      const reply = await world.withFile('policy.toml', SANDBOXED, call);
      return {
        held: reply.shown.includes('"acted"') ? false : reply.code === 'POLICY_DENIED' ? true : null,
        code: reply.code,
        evidence: reply.shown.slice(0, 160),
      };
    },
  },
  {
    attack: 'acting tools that a client is still shown',
    surface: 'MCP tools/list in the mode sandboxed',
    name: 'tools-list',
    run: async (world): Promise<Outcome> =>
      world.withFile('policy.toml', SANDBOXED, async () => {
        const client = await world.client('--toolsets', 'all', '--structured', 'always');
        const { result } = await client.request('tools/list', {});
        const listed = isRecord(result) && Array.isArray(result['tools']) ? result['tools'] : [];
        const names = listed.flatMap((one: unknown) => (isRecord(one) ? [String(one['name'])] : []));
        const acting = names.filter((name) =>
          /click|type|press|set_value|fill|terminal|shell|workflow|desktop_do$|clipboard_set|launch|tools_call|run_tool/.test(
            name,
          ),
        );
        return {
          held: names.length === 0 ? null : acting.length === 0,
          evidence: `${names.length} tools, ${acting.length} of them act: ${acting.slice(0, 6).join(', ')}`,
        };
      }),
  },
  acts('prompt', 'a prompt that asks for it', ['clicked'], async (world, _ref, app) => {
    const client = await world.client('--toolsets', 'all');
    const { result } = await client.request('prompts/list', {});
    const prompt =
      isRecord(result) && Array.isArray(result['prompts']) && isRecord(result['prompts'][0])
        ? result['prompts'][0]
        : {};
    await client.request('prompts/get', { name: prompt['name'], arguments: {} });
    return calledOver(world, 'desktop_click', { ref: `app:${app} >> role:button[name="Sign the page"]` });
  }),
];

async function serveEcho(world: World): Promise<void> {
  const { mkdir, writeFile } = await import('node:fs/promises');
  const { repositoryFile } = await import('./world.ts');
  const args = [repositoryFile('fixtures/mcp-server/server.mjs')];
  await mkdir(join(world.project, '.deskterity'), { recursive: true });
  await writeFile(
    join(world.project, '.deskterity/mcp.json'),
    JSON.stringify({ mcpServers: { echo: { command: process.execPath, args } } }),
  );
  await world.prepare(['tools', 'trust', '.deskterity/mcp.json']);
}
