import { z } from 'zod';
import { DeskterityError } from '../../model/effects/errors.ts';
import { ToolFileProblem } from '../../model/tools/tool-file-problem.ts';
import { line, mark, nextStep, span, table, type Page, type Words } from '../../model/text/page.ts';
import { reveal } from '../../model/text/untrusted-text.ts';
import { defineCommand, flag, optionalText } from '../../registry/define.ts';
import type { CommandContext, ToolFacts, ToolFileFacts } from '../../registry/define.ts';
import { ListedServer, outlineServer, pageOfServer, shownServer } from './listed-servers.ts';

const STATES = ['ready', 'untrusted', 'disabled', 'unavailable'] as const;

const Parameter = z.object({
  name: z.string(),
  type: z.enum(['string', 'boolean', 'integer', 'number', 'array']).describe('array: a list of texts.'),
  description: z.string(),
  required: z.boolean().optional(),
  path: z.boolean().optional().describe('The value is a file or folder.'),
  values: z.array(z.string()).optional().describe('The only accepted values.'),
  default: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
});
type Parameter = z.output<typeof Parameter>;

const Tool = z.object({
  name: z.string(),
  description: z.string(),
  state: z.enum(STATES),
  reason: z.string().optional().describe('Why it is not ready.'),
  instructions: z.string().optional().describe('How to install what is missing.'),
  parameters: z
    .array(Parameter)
    .optional()
    .describe('Parameters, if the tool was requested by its full name; for run-tool they go in args.'),
});

const File = z.object({
  path: z.string(),
  origin: z.enum(['ready', 'user', 'project']).describe('ready: shipped with Deskterity.'),
  name: z.string(),
  state: z.enum([...STATES, 'invalid', 'overridden']),
  reason: z.string().optional().describe('Why none of its tools is ready, if all share one reason.'),
  instructions: z.string().optional().describe('How to install what all of them need.'),
  has_changed: z.boolean().describe('The file has changed since it was trusted.'),
  overridden_by: z.string().optional(),
  problems: z.array(ToolFileProblem).optional(),
  tools: z.array(Tool),
});

export default defineCommand({
  name: ['tools', 'list'],
  group: 'operations',
  kind: 'read',
  toolsets: ['operations'],
  summary: 'List the tools of all tool files and other MCP servers, and which of them can run.',
  description:
    'Tool files are in .deskterity/tools of the working folder, in the folder named at start-up (DESKTERITY_TOOLS_FOLDER), and in the tools folder beside config.toml; some are shipped with Deskterity. ' +
    'MCP servers are those of .deskterity/mcp.json and of mcp.json beside config.toml; they are started for this. ' +
    'With the full name of a tool it also lists the parameters.',
  input: z.object({
    name: optionalText('Only tools whose name starts with this, such as git or git_log.'),
    ready: flag('Only tools that can run.'),
    server: optionalText(
      'Instead, list the tools of one MCP server that needs no configuration: a command line, or an address.',
    ),
  }),
  positionals: ['name'],
  // It runs the command line, unconfined.
  peopleOnly: 'server',
  beyondReading: 'server',
  output: z.object({
    files: z.array(File),
    servers: z.array(ListedServer).optional().describe('Other MCP servers.'),
    problems: z.array(z.string()).optional(),
  }),
  // A server may first have to start.
  deadlineMs: () => 60_000,
  examples: [
    { about: 'All tools', input: {}, format: 'outline' },
    { about: 'The git tools that can run', input: { name: 'git', ready: true } },
    { about: 'The parameters of git_log', input: { name: 'git_log' }, format: 'outline' },
    { about: 'The tools of an MCP server, without configuring it', input: { server: 'some-server' } },
  ],
  outline: ({ files, servers = [], problems = [] }) =>
    [
      ...files.flatMap((file) => outlineFile(file)),
      ...servers.flatMap((server) => outlineServer(server)),
      ...(files.length === 0 && servers.length === 0 ? ['no tool files'] : []),
      ...problems.map((problem) => `problem: ${problem}`),
    ].join('\n'),
  page: ({ files, servers = [], problems = [] }) => [
    ...files.flatMap((file) => pageOfFile(file)),
    ...servers.flatMap((server) => pageOfServer(server)),
    ...(files.length === 0 && servers.length === 0 ? [line('no tool files')] : []),
    ...problems.map((problem) => line([span('✗ ', 'bad'), problem])),
  ],
  run: async (ctx, { name = '', ready, server }) => {
    const others = await ctx.servers();
    if (server !== undefined) {
      const found = await others.inspect(server, ctx.signal);
      return { files: [], servers: [shownServer(found, { name, hasSchemas: true })] };
    }
    const listed = await others.list(name, ctx.signal);
    const servers = listed.servers
      .filter(({ state, tools }) => !ready || (state === 'ready' && tools.length > 0))
      .map((found) => shownServer(found, { name, hasSchemas: false }));
    const { files, problems } = await toolFiles(ctx, servers.length > 0);
    const all = [...problems, ...listed.problems];
    const shown = files.map((file) => {
      const tools = file.tools.filter(
        (tool) => tool.name.startsWith(name) && (!ready || tool.state === 'ready'),
      );
      const common = commonReason(tools);
      return {
        path: file.path,
        origin: file.origin,
        name: file.name,
        state: file.state,
        ...common,
        has_changed: file.hasChanged,
        ...(file.overriddenBy === undefined ? {} : { overridden_by: file.overriddenBy }),
        ...(file.problems.length === 0 ? {} : { problems: [...file.problems] }),
        tools: tools.map((tool) => ({
          name: tool.name,
          description: tool.description,
          state: tool.state,
          ...(common === undefined ? reasonOf(tool) : {}),
          ...(tool.name === name ? { parameters: tool.parameters.map((one) => parameterOf(one)) } : {}),
        })),
      };
    });
    return {
      files: shown.filter(
        (file) => file.tools.length > 0 || (!ready && (name === '' || file.name.startsWith(name))),
      ),
      ...(servers.length === 0 ? {} : { servers }),
      ...(all.length === 0 ? {} : { problems: all }),
    };
  },
});

/** Servers are listed even where there is no folder for tools to work in. */
async function toolFiles(
  ctx: CommandContext,
  hasServers: boolean,
): Promise<{ readonly files: readonly ToolFileFacts[]; readonly problems: readonly string[] }> {
  try {
    return await (await ctx.tools()).list();
  } catch (error) {
    if (!hasServers || !(error instanceof DeskterityError) || error.code !== 'SANDBOX_UNAVAILABLE')
      throw error;
    return { files: [], problems: [error.message.replace(/\.$/, '')] };
  }
}

type Reason = Pick<z.output<typeof Tool>, 'reason' | 'instructions'>;

function reasonOf({ reason, instructions }: ToolFacts): Reason {
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(instructions === undefined ? {} : { instructions }),
  };
}

/** Tools of one missing program share their reason: it is reported once, for the file. */
function commonReason(tools: readonly ToolFacts[]): Reason | undefined {
  const [first, ...others] = tools;
  if (first?.reason === undefined || others.length === 0) return undefined;
  const isSame = others.every(
    ({ reason, instructions }) => reason === first.reason && instructions === first.instructions,
  );
  return isSame ? reasonOf(first) : undefined;
}

function parameterOf(parameter: ToolFacts['parameters'][number]): Parameter {
  const { name, type, description, required, isPath, values, default: usual } = parameter;
  return {
    name,
    type,
    description,
    ...(required ? { required } : {}),
    ...(isPath ? { path: true } : {}),
    ...(values === undefined ? {} : { values: [...values] }),
    ...(usual === undefined ? {} : { default: typeof usual === 'object' ? [...usual] : usual }),
  };
}

function outlineFile(file: z.output<typeof File>): readonly string[] {
  const { name, state, origin, path, tools, problems = [], reason } = file;
  const changed = file.has_changed ? ' (changed since it was trusted)' : '';
  const why = reason === undefined ? '' : ` (${reveal(reason)})`;
  return [
    `${reveal(name)}: ${state}${changed}${why}, ${origin}, ${reveal(path)}`,
    ...problems.map(({ line, column, message }) => `  line ${line}, column ${column}: ${message}`),
    ...(file.instructions === undefined ? [] : [`  ${reveal(file.instructions)}`]),
    // Names are enough for tools that cannot run.
    ...(reason === undefined
      ? tools.flatMap((tool) => outlineTool(tool))
      : [`  ${tools.map((tool) => tool.name).join(', ')}`]),
  ];
}

function outlineTool(tool: z.output<typeof Tool>): string[] {
  const { name, state, reason, instructions, description, parameters = [] } = tool;
  const why = reason === undefined ? '' : `: ${reveal(reason)}`;
  return [
    `  ${name}${state === 'ready' ? '' : ` (${state}${why})`} - ${reveal(description)}`,
    ...(instructions === undefined ? [] : [`    ${reveal(instructions)}`]),
    ...parameters.map((parameter) => {
      const kind = parameter.values?.join('|') ?? (parameter.path === true ? 'path' : parameter.type);
      const list = parameter.type === 'array' ? ' list' : '';
      return `    ${parameter.name}${parameter.required === true ? ' (required)' : ''}: ${reveal(kind)}${kind === 'array' ? '' : list} - ${reveal(parameter.description)}`;
    }),
  ];
}

function pageOfFile(file: z.output<typeof File>): Page {
  const { name, state, origin, path, tools, problems = [], reason } = file;
  const isReady = state === 'ready';
  const why = reason ?? (isReady ? undefined : state);
  return [
    line([
      mark(isReady),
      ' ',
      span(name, 'strong'),
      ...(why === undefined ? [] : [span(`  ${why}`, 'bad')]),
      ...(file.has_changed ? [span('  changed since it was trusted', 'bad')] : []),
      span(`  ${origin === 'ready' ? 'shipped with Deskterity' : path}`, 'quiet'),
    ]),
    ...problems.map(({ line: at, column, message }) => line(`line ${at}, column ${column}: ${message}`, 2)),
    ...(file.instructions === undefined ? [] : [nextStep(file.instructions, 2)]),
    ...(reason === undefined
      ? [
          table(
            [{ title: '' }, { title: '', narrow: 'clip' }],
            tools.flatMap((tool) => rowsOfTool(tool)),
            2,
          ),
        ]
      : [line(span(tools.map((tool) => tool.name).join(', '), 'quiet'), 2)]),
  ].map((block) => (block.kind === 'table' ? { ...block, isBare: true as const } : block));
}

function rowsOfTool(tool: z.output<typeof Tool>): readonly (readonly Words[])[] {
  const { name, state, reason, description, parameters = [] } = tool;
  const why = state === 'ready' ? [] : [span(`${reason ?? state}  `, 'bad')];
  return [
    [span(name, 'name'), [...why, description]],
    ...parameters.map((one) => [
      `  ${one.name}${one.required === true ? ' (required)' : ''}`,
      [
        span(`${one.values?.join('|') ?? (one.path === true ? 'path' : one.type)}  `, 'value'),
        one.description,
      ],
    ]),
  ];
}
