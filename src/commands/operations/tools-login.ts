import { z } from 'zod';
import { reveal } from '../../model/text/untrusted-text.ts';
import { defineCommand, flag } from '../../registry/define.ts';

const FOR_PERSON_MS = 300_000;

export default defineCommand({
  name: ['tools', 'login'],
  group: 'operations',
  kind: 'admin',
  // Only a person can sign in.
  surfaces: ['cli'],
  idempotent: true,
  summary: 'Sign in to another MCP server in a browser.',
  description:
    'Opens the page of the authorization server in your browser, or shows its address, and waits until you have signed in. Tokens are kept in mcp-credentials.json of the state folder, which only you can read, and are refreshed by themselves.',
  input: z.object({
    server: z.string().min(1).max(64).describe('Name of the server in mcp.json.'),
    address_only: flag('Only print the address, at once, as the first line of standard output.'),
    timeout_ms: z
      .int()
      .min(1000)
      .max(600_000)
      .default(FOR_PERSON_MS)
      .describe('Longest time to wait for you.'),
  }),
  positionals: ['server'],
  output: z.object({
    server: z.string(),
    issuer: z.string().describe('The authorization server.'),
  }),
  examples: [
    { about: 'Sign in to jira', input: { server: 'jira' } },
    {
      about: 'Over ssh, with a browser that is started by hand',
      input: { server: 'jira', address_only: true },
    },
  ],
  outline: ({ server, issuer }) => `signed in to ${reveal(server)} at ${reveal(issuer)}`,
  run: async (ctx, { server, address_only: isAddressOnly }) => {
    const { issuer } = await (
      await ctx.servers()
    ).signIn(server, {
      signal: ctx.signal,
      opensBrowser: !isAddressOnly,
      onAddress: (address, isOpened) =>
        ctx.progress?.({
          message: isOpened
            ? `sign in in the browser; if none has opened, open ${address}`
            : `open this address in a browser on this machine: ${address}`,
        }),
    });
    return { server, issuer };
  },
});
