import { z } from 'zod';
import { outlineServerAnswer, quotedServerAnswer, ServerAnswer } from '../model/tools/server-answer.ts';
import { toolCommandName } from '../model/tools/tool-command-name.ts';
import type { ServerToolFacts } from '../ports/upstream/servers.ts';
import { serverCallOptions, type CommandDefinition } from '../registry/define.ts';

/** For starting the server, and for it to be told that the time is up. */
const AROUND_MS = 45_000;

/** A tool of another MCP server as a command. It is looked up again for each call. */
export function serverToolCommand(
  { name, description, inputSchema }: ServerToolFacts,
  timeoutMs: number,
): CommandDefinition {
  const command = toolCommandName(name);
  return {
    name: command,
    mcpName: name,
    title: name.replaceAll('_', ' '),
    group: 'operations',
    toolsets: ['operations'],
    kind: 'admin',
    surfaces: ['mcp'],
    isOfToolFile: true,
    // What the server itself says about this may be wrong.
    destructive: true,
    foreignInput: inputSchema,
    summary: description,
    input: z.looseObject({}),
    output: ServerAnswer,
    outline: (output) => outlineServerAnswer(ServerAnswer.parse(output)),
    quoted: (output) => quotedServerAnswer(ServerAnswer.parse(output)),
    examples: [],
    deadlineMs: () => timeoutMs + AROUND_MS,
    run: async (ctx, input) => {
      const call = { command: command.join(' '), tool: name, input };
      return (await ctx.servers()).call(name, input, serverCallOptions(ctx, call));
    },
  };
}
