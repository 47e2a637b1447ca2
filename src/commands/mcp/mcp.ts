import { mentionParameter } from '../../model/text/mention.ts';
import { z } from 'zod';
import { defineClientVerb, flag, TOOLSETS } from '../../registry/define.ts';

export default defineClientVerb({
  name: 'mcp',
  aliases: ['mcp serve'],
  group: 'mcp',
  summary: 'Serve MCP clients: over standard input and output, or over HTTP.',
  description:
    `Without ${mentionParameter('http')} this is the command that an MCP client starts; "desk --mcp" is the same, and "desk" alone where standard input is a pipe. ` +
    `Each client has a session of its own unless ${mentionParameter('session')} names one. It ends with exit code 0 when standard input ends. ` +
    `With ${mentionParameter('http')} it prints the address and serves until it is interrupted; the bearer token that clients must show is taken from DESKTERITY_HTTP_TOKEN or ${mentionParameter('token_file')}.`,
  input: z.object({
    toolsets: z
      .array(z.enum([...TOOLSETS, 'all', 'inspect', 'terminator']))
      .optional()
      .describe('Parts of the tool list to offer, separated by commas; core where none is given.'),
    read_only: flag('Offer only tools that change nothing.'),
    text_only: flag(
      'Answer with text alone, without structured content: for clients that show the model both.',
    ),
    http: flag('Serve over HTTP (Streamable HTTP) instead of standard input and output.'),
    port: z
      .int()
      .min(0)
      .max(65_535)
      .optional()
      .describe('Port of the HTTP server, 8741 where none is given; 0 takes a free one.'),
    bind: z
      .string()
      .min(1)
      .optional()
      .describe('Address the HTTP server listens on, 127.0.0.1 where none is given; others need a token.'),
    sse: flag('Serve older clients over HTTP with server-sent events too.'),
    token_file: z.string().min(1).optional().describe('File that holds the bearer token.'),
  }),
  examples: [
    { about: 'Serve the client that starts it', input: {} },
    { about: 'Look only, with every tool that does', input: { toolsets: ['all'], read_only: true } },
    { about: 'Serve over HTTP on this machine', input: { http: true } },
  ],
});
