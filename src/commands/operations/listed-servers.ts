import { z } from 'zod';
import { line, mark, span, table, type Page } from '../../model/text/page.ts';
import { reveal, stringifyVisibly } from '../../model/text/untrusted-text.ts';
import type { ServerFacts } from '../../registry/define.ts';

const ServerTool = z.object({
  name: z.string(),
  description: z.string().describe('Written by the server.'),
  input_schema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('JSON Schema of its input, if the tool was requested by its full name.'),
});

/** Another MCP server in the list of tools. */
export const ListedServer = z.object({
  name: z.string(),
  origin: z.enum(['user', 'project', 'named']),
  path: z.string().optional().describe('The file that declares it.'),
  transport: z.enum(['stdio', 'http']),
  state: z.enum([
    'ready',
    'untrusted',
    'disabled',
    'invalid',
    'overridden',
    'unavailable',
    'denied',
    'signed_out',
  ]),
  reason: z.string().optional().describe('Why it is not ready.'),
  tools: z.array(ServerTool),
  left_out: z.array(z.string()).optional().describe('What of its list is not offered.'),
});
export type ListedServer = z.output<typeof ListedServer>;

export function shownServer(
  { name, origin, path, transport, state, reason, tools, leftOut }: ServerFacts,
  asked: { readonly name: string; readonly hasSchemas: boolean },
): ListedServer {
  return {
    name,
    origin,
    ...(path === '' ? {} : { path }),
    transport,
    state,
    ...(reason === undefined ? {} : { reason }),
    tools: tools
      .filter((tool) => tool.name.startsWith(asked.name))
      .map((tool) => ({
        name: tool.name,
        description: tool.description,
        ...(asked.hasSchemas || tool.name === asked.name ? { input_schema: { ...tool.inputSchema } } : {}),
      })),
    ...(leftOut.length === 0 ? {} : { left_out: [...leftOut] }),
  };
}

export function outlineServer(server: ListedServer): readonly string[] {
  const { name, state, reason, transport, path, tools, left_out: leftOut = [] } = server;
  const why = reason === undefined ? '' : ` (${reveal(reason)})`;
  return [
    `MCP server ${reveal(name)}: ${state}${why}, ${transport}${path === undefined ? '' : `, ${reveal(path)}`}`,
    ...tools.flatMap(({ name: tool, description, input_schema: schema }) => [
      `  ${reveal(tool)} - ${reveal(description)}`,
      ...(schema === undefined ? [] : [`    ${stringifyVisibly(schema)}`]),
    ]),
    ...leftOut.map((one) => `  left out: ${reveal(one)}`),
  ];
}

export function pageOfServer(server: ListedServer): Page {
  const { name, state, reason, transport, path, tools, left_out: leftOut = [] } = server;
  const isReady = state === 'ready';
  return [
    line([
      mark(isReady),
      ' ',
      span(name, 'strong'),
      ...(isReady ? [] : [span(`  ${reason ?? state}`, 'bad')]),
      span(`  MCP server, ${path ?? transport}`, 'quiet'),
    ]),
    ...(tools.length === 0
      ? []
      : [
          table(
            [{ title: '' }, { title: '', narrow: 'clip' }],
            tools.flatMap(({ name: tool, description, input_schema: schema }) => [
              [span(tool, 'name'), description],
              ...(schema === undefined ? [] : [['', stringifyVisibly(schema)]]),
            ]),
            2,
          ),
        ]),
    ...leftOut.map((one) => line(span(`left out: ${one}`, 'quiet'), 2)),
  ].map((block) => (block.kind === 'table' ? { ...block, isBare: true as const } : block));
}
