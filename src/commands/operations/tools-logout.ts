import { z } from 'zod';
import { reveal } from '../../model/text/untrusted-text.ts';
import { defineCommand } from '../../registry/define.ts';

export default defineCommand({
  name: ['tools', 'logout'],
  group: 'operations',
  kind: 'admin',
  surfaces: ['cli'],
  idempotent: true,
  summary: 'Sign out of another MCP server.',
  description:
    'Forgets the tokens of the server, and revokes them where its authorization server offers that.',
  input: z.object({ server: z.string().min(1).max(64).describe('Name of the server in mcp.json.') }),
  positionals: ['server'],
  output: z.object({
    server: z.string(),
    was_signed_in: z.boolean(),
  }),
  examples: [
    { about: 'Sign out of jira', input: { server: 'jira' } },
    { about: 'Sign out of linear', input: { server: 'linear' } },
  ],
  outline: ({ server, was_signed_in: was }) =>
    was ? `signed out of ${reveal(server)}` : `nobody was signed in to ${reveal(server)}`,
  run: async (ctx, { server }) => ({ server, was_signed_in: await (await ctx.servers()).signOut(server) }),
});
