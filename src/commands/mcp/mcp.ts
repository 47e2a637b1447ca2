import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { STRUCTURED } from '../../model/configuration/config.ts';
import { defineClientVerb, flag, TOOLSETS, optionalText } from '../../registry/define.ts';

/** Which tools a server offers. */
export const offerParameters = {
  toolsets: z
    .array(z.enum([...TOOLSETS, 'all', 'inspect', 'terminator', 'ax']))
    .optional()
    .describe('Parts of the tool list to offer, separated by commas. Default: core.'),
  read_only: flag('Offer only tools that change nothing.'),
  structured: z
    .enum(STRUCTURED)
    .optional()
    .describe(
      'Answer with data and a short text beside it (always), or with everything as text (never). Default: the setting mcp.structured.',
    ),
  text_only: flag(`The same as ${mentionParameter('structured', 'never')}.`),
};

export default defineClientVerb({
  name: 'mcp',
  aliases: ['mcp serve'],
  group: 'mcp',
  summary: 'Serve MCP clients over standard input and output, or over HTTP.',
  description:
    `Without ${mentionParameter('http')} this is the command that an MCP client starts; "desk --mcp" does the same, and so does "desk" alone if standard input is a pipe. ` +
    `Each client has its own session unless ${mentionParameter('session')} names one. It exits with code 0 when standard input ends. ` +
    `With ${mentionParameter('http')} it prints the address and serves until interrupted; if DESKTERITY_HTTP_TOKEN or ${mentionParameter('token_file')} sets a bearer token, clients must send it; with the setting mcp.oauth_issuer, access tokens of that authorization server.`,
  input: z.object({
    ...offerParameters,
    http: flag('Serve over HTTP (Streamable HTTP) instead of standard input and output.'),
    port: z
      .int()
      .min(0)
      .max(65_535)
      .optional()
      .describe('Port of the HTTP server; 0 picks a free one. Default: 8741.'),
    bind: optionalText(
      'Address the HTTP server listens on; any other than loopback requires a token or an authorization server. Default: 127.0.0.1.',
    ),
    sse: flag('Also serve older clients over HTTP with server-sent events.'),
    token_file: optionalText('File that contains the bearer token.'),
    folders: z
      .array(z.string())
      .optional()
      .describe(
        'Folder in which command-line tools work for clients of a path of its own: web=/home/ada/web for /mcp/@web. Can be repeated.',
      ),
    echo: flag(
      'Over HTTP, print what clients send and receive on standard error, as indented JSON: also texts that are typed, but no tokens.',
    ),
    session_isolation: flag(
      'Over HTTP, let the command-line tools of each session work in the first root that its client names, which then never changes.',
    ),
  }),
  cli: { folders: { flag: 'folder' } },
  examples: [
    { about: 'Serve the client that starts this', input: {} },
    { about: 'Offer all read-only tools', input: { toolsets: ['all'], read_only: true } },
    { about: 'Serve over HTTP on this machine', input: { http: true } },
  ],
});
