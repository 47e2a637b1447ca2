import type { McpFrame } from '../../../../wire/client-frames.ts';
import type { Input } from '../../arguments/scan.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { checkSession } from './mcp-session.ts';
import { pipeMcp } from './mcp-pipe.ts';
import type { ClientVerb, VerbContext } from '../verb.ts';

/** Of no use without --http. */
const HTTP_ONLY = { port: '--port', bind: '--bind', sse: '--sse', token_file: '--token-file' } as const;

/** Serves MCP for as long as it runs. */
export const verb: ClientVerb = {
  run: async (context) => {
    const { input, signal } = context;
    const isHttp = input['http'] === true;
    const strange = Object.entries(HTTP_ONLY).find(([key]) => isGiven(input[key]));
    if (!isHttp && strange !== undefined)
      throw new UsageError('mcp', `${strange[1]} belongs to --http.`, 'Give --http too, or leave it out.');
    // With its token file: a client that waits at a pipe needs neither.
    const served = isHttp ? await import('./mcp-http.ts') : undefined;
    const http = await served?.httpChoices(context);
    const options = optionsOf(context);
    const connection = await context.connect();
    try {
      await checkSession(context, connection, options.session);
      if (served !== undefined && http !== undefined)
        return await served.serveHttp(context, await connection.serveMcp(options, http, signal));
      return await pipeMcp(context, await connection.openMcp(options, signal));
    } finally {
      await connection.close();
    }
  },
};

function optionsOf({ input, globals, environment }: VerbContext): McpFrame['options'] {
  const { toolsets, read_only: isReadOnly, text_only: isTextOnly } = input;
  const named = environment['DESKTERITY_SESSION'];
  return {
    toolsets: Array.isArray(toolsets) && toolsets.length > 0 ? toolsets : ['core'],
    isReadOnly: isReadOnly === true,
    isTextOnly: isTextOnly === true,
    session: globals.session ?? (named === '' ? undefined : named),
  };
}

function isGiven(value: Input[string] | undefined): boolean {
  return value !== undefined && value !== false;
}
