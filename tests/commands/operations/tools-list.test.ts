import { expect, it } from 'vitest';
import toolsList from '../../../src/commands/operations/tools-list.ts';
import type { ToolFacts, ToolFileFacts, ToolsPort } from '../../../src/ports/tools.ts';
import type { ServerFacts, ServersPort } from '../../../src/ports/upstream/servers.ts';
import { fakeDesktop } from '../fake-engine.ts';

const tool = (name: string, more: Partial<ToolFacts> = {}): ToolFacts => ({
  name,
  description: `Does ${name}.`,
  state: 'ready',
  parameters: [
    { name: 'revision', type: 'string', description: 'Which.', required: true, isPath: false },
    { name: 'paths', type: 'array', description: 'Where.', required: false, isPath: true },
    { name: 'sort', type: 'string', description: 'How.', required: false, isPath: false, values: ['a', 'b'] },
  ],
  ...more,
});
const file = (name: string, tools: readonly ToolFacts[]): ToolFileFacts => ({
  path: `/tools/${name}.json`,
  origin: 'ready',
  name,
  state: tools[0]?.state ?? 'ready',
  hasChanged: false,
  problems: [],
  tools,
});
const missing = { state: 'unavailable', reason: '"gh" is not found', instructions: 'Get it.' } as const;
const FILES = [
  file('git', [tool('git_log'), tool('git_log_graph'), tool('git_rm', missing)]),
  file('gh', [tool('gh_pr', missing), tool('gh_issue', missing)]),
];

const schema = { type: 'object', required: ['q'] };
const SERVERS: ServerFacts[] = [
  {
    name: 'jira',
    origin: 'user',
    path: '/mcp.json',
    transport: 'http',
    state: 'ready',
    tools: [{ name: 'jira__find', ownName: 'find', description: 'Finds.\u202E', inputSchema: schema }],
    leftOut: ['3 tools'],
  },
];

async function listed(
  input: { readonly name?: string; readonly ready: boolean },
  found: readonly ServerFacts[] = [],
) {
  const refuse = () => Promise.reject(new Error('was not expected'));
  const list: ToolsPort['list'] = async () => ({ files: FILES, problems: [] });
  const port = { list, validate: refuse, trust: refuse, draft: refuse, folder: '/x' };
  const servers: ServersPort = {
    list: async () => ({ servers: found, problems: [] }),
    inspect: refuse,
    call: refuse,
    more: () => ({ server: '', tool: '' }),
    trust: refuse,
    signIn: refuse,
    signOut: refuse,
  };
  const answer = await toolsList.run(
    fakeDesktop({}, { tools: async () => port, servers: async () => servers }).ctx,
    input,
  );
  return { answer, outline: toolsList.outline?.(answer) };
}

it('lists parameters only of a tool given by its full name', async () => {
  const { answer, outline } = await listed({ name: 'git_log', ready: false });
  expect(answer.files[0]?.tools.map(({ name, parameters }) => [name, parameters])).toEqual([
    [
      'git_log',
      [
        { name: 'revision', type: 'string', description: 'Which.', required: true },
        { name: 'paths', type: 'array', description: 'Where.', path: true },
        { name: 'sort', type: 'string', description: 'How.', values: ['a', 'b'] },
      ],
    ],
    ['git_log_graph', undefined],
  ]);
  expect(outline).toBe(
    [
      'git: ready, ready, /tools/git.json',
      '  git_log - Does git_log.',
      '    revision (required): string - Which.',
      '    paths: path list - Where.',
      '    sort: a|b - How.',
      '  git_log_graph - Does git_log_graph.',
    ].join('\n'),
  );
});

it('reports once what all tools of a file are missing', async () => {
  const { answer, outline } = await listed({ ready: false });
  expect(answer.files.map(({ reason, tools }) => [reason, tools.map((one) => one.reason)])).toEqual([
    [undefined, [undefined, undefined, '"gh" is not found']],
    ['"gh" is not found', [undefined, undefined]],
  ]);
  expect(outline?.split('\n').slice(3)).toEqual([
    '  git_rm (unavailable: "gh" is not found) - Does git_rm.',
    '    Get it.',
    'gh: unavailable ("gh" is not found), ready, /tools/gh.json',
    '  Get it.',
    '  gh_pr, gh_issue',
  ]);
});

it('lists other servers, with the schema of a tool given by its full name', async () => {
  const one = await listed({ name: 'jira__find', ready: false }, SERVERS);
  expect(one.answer.servers?.[0]?.tools).toEqual([
    { name: 'jira__find', description: 'Finds.\u202E', input_schema: schema },
  ]);
  expect(one.outline).toBe(
    [
      'MCP server jira: ready, http, /mcp.json',
      String.raw`  jira__find - Finds.\u{202E}`,
      '    {"type":"object","required":["q"]}',
      '  left out: 3 tools',
    ].join('\n'),
  );
  expect((await listed({ ready: true }, SERVERS)).answer.servers?.[0]?.tools[0]).not.toHaveProperty(
    'input_schema',
  );
});
