import type { McpFrame } from '../../../../wire/client-frames.ts';
import type { Input } from '../../arguments/scan.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { pipeMcp } from './mcp-pipe.ts';
import type { ClientVerb, VerbContext } from '../verb.ts';
import { isRecord } from '../../../../model/is-record.ts';
import { CallFailure } from '../../daemon/call-failure.ts';
import type { Connection } from '../../daemon/connection.ts';
import { tryToWrite } from '../../printing/output.ts';

/** Flags that only work with --http. */
const HTTP_ONLY = {
  port: '--port',
  bind: '--bind',
  sse: '--sse',
  token_file: '--token-file',
  folders: '--folder',
  session_isolation: '--session-isolation',
  echo: '--echo',
} as const;

/** Serves MCP until the client or the user ends it. */
export const verb: ClientVerb = {
  run: async (context) => {
    const { input, signal } = context;
    const isHttp = input['http'] === true;
    const misplaced = Object.entries(HTTP_ONLY).find(([key]) => isGiven(input[key]));
    if (!isHttp && misplaced !== undefined)
      throw new UsageError(
        'mcp',
        `${misplaced[1]} requires --http.`,
        `Add --http, or leave out ${misplaced[1]}.`,
      );
    if (input['text_only'] === true && input['structured'] === 'always')
      throw new UsageError('mcp', '--text-only contradicts --structured always.', 'Leave out one of them.');
    // Loaded on demand, so that a client starting over a pipe does not wait for it.
    const served = isHttp ? await import('./mcp-http.ts') : undefined;
    const http = await served?.httpChoices(context);
    const options = optionsOf(context);
    const connection = await context.connect();
    try {
      await checkSession(context, connection, options.session);
      if (served !== undefined && http !== undefined)
        return await served.serveHttp(
          context,
          await connection.serveMcp(options, http, { signal, onEcho: served.echoTo(context) }),
        );
      return await pipeMcp(context, await connection.openMcp(options, signal));
    } finally {
      await connection.close();
    }
  },
};

function optionsOf({ input, globals, environment }: VerbContext): McpFrame['options'] {
  const { toolsets, read_only: isReadOnly, structured, text_only: isTextOnly } = input;
  const named = environment['DESKTERITY_SESSION'];
  return {
    toolsets: Array.isArray(toolsets) && toolsets.length > 0 ? toolsets : ['core'],
    isReadOnly: isReadOnly === true,
    structured: isTextOnly === true ? 'never' : isStructured(structured) ? structured : undefined,
    session: globals.session ?? (named === '' ? undefined : named),
  };
}

function isStructured(value: Input[string] | undefined): value is McpFrame['options']['structured'] {
  return value === 'always' || value === 'never';
}

function isGiven(value: Input[string] | undefined): boolean {
  return value !== undefined && value !== false;
}

/**
 * Refuses an invalid session name before serving, and one that is nearly that of another session, as it is probably mistyped. Notes on
 * standard error if the session does not exist yet: the first use creates it for this client, on the user's own desktop.
 * @throws CallFailure INVALID_ARGUMENT, SESSION_NOT_FOUND
 */
export async function checkSession(
  { stderr, signal }: Pick<VerbContext, 'stderr' | 'signal'>,
  connection: Connection,
  name: string | undefined,
): Promise<void> {
  if (name === undefined || name === 'default') return;
  const { exitCode, stdout } = await connection.execute(
    'default',
    'session info',
    { name },
    { format: 'json', signal },
  );
  if (exitCode === 0) return;
  const { code, message, suggestion } = failureIn(stdout);
  const isNew = code === 'SESSION_NOT_FOUND' && !suggestion.startsWith('Did you mean');
  if (isNew) await tryToWrite(stderr, `note: ${message} ${suggestion}\n`);
  else throw new CallFailure(code, message, { suggestion });
}

function failureIn(text: string): {
  readonly code: string;
  readonly message: string;
  readonly suggestion: string;
} {
  const answer: unknown = JSON.parse(text);
  const error = isRecord(answer) && isRecord(answer['error']) ? answer['error'] : {};
  const { code, message, suggestion } = error;
  return { code: String(code), message: String(message), suggestion: String(suggestion) };
}
