import type { HttpChoices, McpFrame } from '../../daemon/wire.ts';
import type { Input } from '../parse.ts';
import { UsageError } from '../usage-error.ts';
import { checkSession } from './mcp-session.ts';
import { pipeMcp, serverGone } from './mcp-pipe.ts';
import { tokenOf } from './mcp-token.ts';
import { printAnswer } from './print-answer.ts';
import type { ClientVerb, VerbContext } from './verb.ts';

const DEFAULT_PORT = 8741;
const DEFAULT_BIND = '127.0.0.1';

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
    const http = isHttp ? await httpChoices(context) : undefined;
    const options = optionsOf(context);
    const connection = await context.connect();
    try {
      await checkSession(context, connection, options.session);
      if (http !== undefined)
        return await serveHttp(context, await connection.serveMcp(options, http, signal));
      return await pipeMcp(context, await connection.openMcp(options, signal));
    } finally {
      await connection.close();
    }
  },
};

/** Prints where it serves, and stays until it is interrupted or the server is gone. */
async function serveHttp(
  context: VerbContext,
  { url, ended }: { readonly url: string; readonly ended: Promise<void> },
): Promise<number> {
  const { signal } = context;
  const printed = await printAnswer(context, 'mcp', { url }, url);
  if (printed !== 0) return printed;
  const isEnded = await Promise.race([ended.then(() => true), aborted(signal)]);
  if (!isEnded) return 0;
  throw serverGone('The daemon has ended, and the HTTP server with it.');
}

async function aborted(signal: AbortSignal): Promise<false> {
  if (signal.aborted) return false;
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }));
}

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

async function httpChoices({ input, environment }: VerbContext): Promise<HttpChoices> {
  const { port, bind, sse, token_file: tokenFile } = input;
  return {
    port: typeof port === 'number' ? port : DEFAULT_PORT,
    bind: typeof bind === 'string' ? bind : DEFAULT_BIND,
    isSseServed: sse === true,
    token: await tokenOf(typeof tokenFile === 'string' ? tokenFile : undefined, environment),
  };
}

function isGiven(value: Input[string] | undefined): boolean {
  return value !== undefined && value !== false;
}
