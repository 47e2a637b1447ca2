import type { HttpChoices } from '../../../../wire/client-frames.ts';
import { serverGone } from './mcp-pipe.ts';
import { tokenOf } from './mcp-token.ts';
import { printAnswer } from '../print-answer.ts';
import type { VerbContext } from '../verb.ts';

const DEFAULT_PORT = 8741;
const DEFAULT_BIND = '127.0.0.1';

/** What `desk mcp --http` is asked to serve. @throws UsageError */
export async function httpChoices({ input, environment }: VerbContext): Promise<HttpChoices> {
  const { port, bind, sse, token_file: tokenFile } = input;
  return {
    port: typeof port === 'number' ? port : DEFAULT_PORT,
    bind: typeof bind === 'string' ? bind : DEFAULT_BIND,
    isSseServed: sse === true,
    token: await tokenOf(typeof tokenFile === 'string' ? tokenFile : undefined, environment),
  };
}

/** Prints where it serves, and stays until it is interrupted or the server is gone. */
export async function serveHttp(
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
