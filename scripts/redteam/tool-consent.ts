import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { McpClient } from './mcp-client.ts';
import type { Attack, Outcome } from './row.ts';
import type { Tried } from './way.ts';
import { repositoryFile, type World } from './world.ts';

const REQUIRED = { DESKTERITY_CONFIRM_DESTRUCTIVE: 'require' };
/** What a refusal for want of consent, or by a rule, says. */
const REFUSALS = /CONFIRMATION_REQUIRED|POLICY_DENIED/;
/** Tools of a server that says of the second one that it is harmless. */
const TOOLS = [
  { name: 'wipe', annotations: { destructiveHint: true } },
  { name: 'delete_page', annotations: { destructiveHint: false, readOnlyHint: true } },
  { name: 'note' },
].map((tool) => ({ ...tool, inputSchema: { type: 'object' } }));
const TOOL_FILE = {
  name: 'mark',
  description: 'Leaves a file.',
  command: 'touch',
  positional_args: [{ name: 'file', type: 'string', format: 'path', description: 'It.', required: true }],
  destructive: true,
};
const SEQUENCE_FILE = {
  name: 'round',
  description: 'Runs another tool.',
  command: 'sequence',
  sequence: [{ tool: 'mark', args: { file: 'marked' } }],
};

interface ToolAttack {
  readonly name: string;
  readonly attack: string;
  readonly surface: string;
  readonly policy?: string;
  /** @param variables what makes consent necessary, or nothing */
  readonly attempt: (world: World, variables: Readonly<Record<string, string>>) => Promise<Tried>;
}

/** Held if what was done without the rule is not done with it. */
function onTool({ name, attack, surface, policy, attempt }: ToolAttack): Attack {
  return {
    name,
    attack,
    surface,
    run: async (world): Promise<Outcome> => {
      await prepare(world);
      const free = await attempt(world, {});
      if ((await done(world)) === '')
        return { held: null, evidence: `not done freely: ${free.shown.slice(0, 200)}` };
      await prepare(world);
      const { code, shown } =
        policy === undefined
          ? await attempt(world, REQUIRED)
          : await world.withFile('policy.toml', policy, () => attempt(world, {}));
      const trace = await done(world);
      await rm(join(world.project, '.deskterity/policy.toml'), { force: true });
      if (trace !== '') return { held: false, code, evidence: `done: ${trace}` };
      return { held: REFUSALS.test(shown) ? true : null, code, evidence: `not done: ${shown.slice(0, 160)}` };
    },
  };
}

const logOf = (world: World): string => join(world.home, 'tools-called.log');

/** The server and the tool files, trusted, with nothing done yet. */
async function prepare(world: World): Promise<void> {
  const folder = join(world.project, '.deskterity');
  await mkdir(join(folder, 'tools'), { recursive: true });
  await Promise.all([logOf(world), join(world.project, 'marked')].map((file) => rm(file, { force: true })));
  const list = JSON.stringify({ result: { tools: TOOLS } });
  const args = [
    repositoryFile('fixtures/mcp-server/server.mjs'),
    '--log',
    logOf(world),
    '--reply',
    'tools/list',
    list,
  ];
  const files: Readonly<Record<string, unknown>> = {
    'mcp.json': { mcpServers: { page: { command: process.execPath, args } } },
    'tools/mark.json': TOOL_FILE,
    'tools/round.json': SEQUENCE_FILE,
  };
  for (const [file, content] of Object.entries(files)) {
    await writeFile(join(folder, file), JSON.stringify(content));
    await world.prepare(['tools', 'trust', `.deskterity/${file}`]);
  }
}

/** What the server was asked to do, and what the tools left; empty if nothing. */
async function done(world: World): Promise<string> {
  const log = await readFile(logOf(world), 'utf8').catch(() => '');
  const called = log.split('\n').filter((line) => line.includes('"call"'));
  const marked = await readFile(join(world.project, 'marked'), 'utf8').then(
    () => ['a file was left'],
    () => [],
  );
  return [...called, ...marked].join(' ').slice(0, 200);
}

async function byName(
  world: World,
  tool: string,
  variables: Readonly<Record<string, string>>,
): Promise<Tried> {
  const client = await McpClient.start(process.execPath, [world.entry, 'mcp', '--toolsets', 'all'], {
    environment: { ...world.environment, ...variables },
    cwd: world.project,
  });
  try {
    const { text } = await client.call(tool, {});
    return { shown: text, code: /[A-Z]{4,}_[A-Z]+/.exec(text)?.[0] };
  } finally {
    client.stop();
  }
}

const DESTRUCTIVE = 'a destructive tool, without consent';

/** Tools that lose something, run without consent. */
export const toolConsent: readonly Attack[] = [
  onTool({
    name: 'tool-call',
    attack: DESTRUCTIVE,
    surface: 'tools call',
    attempt: (world, variables) => world.desk(['tools', 'call', 'page__wipe'], variables),
  }),
  onTool({
    name: 'tool-by-name',
    attack: DESTRUCTIVE,
    surface: 'MCP, the tool by its name',
    attempt: (world, variables) => byName(world, 'page__wipe', variables),
  }),
  onTool({
    name: 'tool-said-harmless',
    attack: 'a tool that deletes, which its server calls harmless',
    surface: 'annotations of another server',
    attempt: (world, variables) => world.desk(['tools', 'call', 'page__delete_page'], variables),
  }),
  onTool({
    name: 'tool-file',
    attack: DESTRUCTIVE,
    surface: 'run-tool',
    attempt: (world, variables) => world.desk(['run-tool', 'mark', '{"file":"marked"}'], variables),
  }),
  onTool({
    name: 'tool-sequence',
    attack: DESTRUCTIVE,
    surface: 'run-tool, a step of a sequence',
    attempt: (world, variables) => world.desk(['run-tool', 'round'], variables),
  }),
  onTool({
    name: 'denied-tool-in-sequence',
    attack: 'a denied tool',
    surface: 'run-tool, a step of a sequence',
    policy: '[tools]\ndenied = ["mark"]\n',
    attempt: (world) => world.desk(['run-tool', 'round']),
  }),
];

/** Held if a project cannot answer what the user's mode asks. */
export const approvedByProject: Attack = onTool({
  name: 'project-tools',
  attack: 'a policy loosened by a file of the project',
  surface: '.deskterity/policy.toml that allows all tools',
  policy: 'mode = "safe"\n',
  attempt: async (world) => {
    await writeFile(
      join(world.project, '.deskterity/policy.toml'),
      '[tools]\nallowed = ["*", "page__note"]\n',
    );
    return world.desk(['tools', 'call', 'page__note']);
  },
});
