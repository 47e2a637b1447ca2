import { basename } from 'node:path';
import { z } from 'zod';
import { reveal } from '../../model/text/untrusted-text.ts';
import { defineCommand } from '../../registry/define.ts';

const SERVER_FILE = 'mcp.json';

export default defineCommand({
  name: ['tools', 'trust'],
  group: 'operations',
  kind: 'admin',
  // An agent that can write tool files must not be able to approve them.
  surfaces: ['cli'],
  idempotent: true,
  summary: 'Allow a tool file, or a file of MCP servers, to run in its present form.',
  description:
    'A tool file declares what runs and what it may access, and mcp.json which servers are started and reached: read it first. Trust covers content and path; if either changes, the file must be trusted again.',
  input: z.object({
    files: z.array(z.string().min(1)).min(1).max(100).describe('Tool files, or files called mcp.json.'),
  }),
  positionals: ['files'],
  output: z.object({
    trusted: z.array(
      z.object({
        path: z.string(),
        tools: z.array(z.string()).describe('Names of its tools, or of its servers.'),
      }),
    ),
  }),
  examples: [
    { about: 'Allow a file after reading it', input: { files: ['.deskterity/tools/build.json'] } },
    { about: 'The MCP servers of a project', input: { files: ['.deskterity/mcp.json'] } },
    { about: 'Several at once', input: { files: ['tools/a.json', 'tools/b.json'] } },
  ],
  outline: ({ trusted }) =>
    trusted.map(({ path, tools }) => `${reveal(path)}: ${tools.join(', ')}`).join('\n'),
  run: async (ctx, { files }) => {
    const trusted = [];
    for (const file of files) {
      if (basename(file) === SERVER_FILE) {
        const { path, servers } = await (await ctx.servers()).trust(file);
        trusted.push({ path, tools: [...servers] });
      } else {
        const { path, tools: names } = await (await ctx.tools()).trust(file);
        trusted.push({ path, tools: [...names] });
      }
    }
    return { trusted };
  },
});
