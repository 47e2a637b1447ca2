import { z } from 'zod';
import { mentionCommand } from '../../model/text/mention.ts';
import { outlineServerAnswer, quotedServerAnswer, ServerAnswer } from '../../model/tools/server-answer.ts';
import { defineCommand, serverCallOptions } from '../../registry/define.ts';

export default defineCommand({
  name: ['tools', 'call'],
  group: 'operations',
  kind: 'admin',
  title: 'Call a tool of another MCP server',
  destructive: true,
  toolsets: ['operations'],
  summary: 'Call a tool of another MCP server that is configured in mcp.json.',
  description: `${mentionCommand('tools list')} lists the servers and their tools; with the full name of a tool it shows the schema of its input. The answer is text of that server. A long one ends early; ${mentionCommand('tools result')} reads the rest.`,
  input: z.object({
    tool: z.string().min(1).max(64).describe('Name, such as jira__search.'),
    args: z.record(z.string(), z.unknown()).default({}).describe('Input of the tool, such as {"limit": 5}.'),
    timeout_ms: z
      .int()
      .min(1000)
      .max(3_600_000)
      .optional()
      .describe('Longest time for the answer. Default: that of the server, or one minute.'),
  }),
  positionals: ['tool', 'args'],
  output: ServerAnswer,
  outline: outlineServerAnswer,
  quoted: quotedServerAnswer,
  text: quotedServerAnswer,
  examples: [
    { about: 'Search in a tracker', input: { tool: 'jira__search', args: { query: 'crash', limit: 5 } } },
    { about: 'A tool without parameters', input: { tool: 'clock__now' } },
  ],
  // The server has its own deadline.
  deadlineMs: ({ timeout_ms: asked }) => (asked ?? 3_600_000) + 45_000,
  run: async (ctx, { tool, args, timeout_ms: timeoutMs }) => {
    const servers = await ctx.servers();
    const call = { command: 'tools call', tool, input: args };
    return servers.call(tool, args, { ...serverCallOptions(ctx, call), timeoutMs });
  },
});
