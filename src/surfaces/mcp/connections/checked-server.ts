import { z } from 'zod';
import { clip, reveal } from '../../../model/text/untrusted-text.ts';
import { ProtocolError, ProtocolErrorCode, Server } from '../sdk.ts';
import type { JSONRPCRequest, Result, ServerContext } from '../sdk.ts';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** What the protocol library says of parameters that do not fit: a list of issues as JSON, in the text of an error. */
const Issues = z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }));
const LISTED = /^(?:Invalid [\w/]+ request: )?(\[[^]*\])$/;

const LONGEST_PATH = 100;
const LONGEST_DETAIL = 200;

/** The library's server, but parameters of a wrong shape are the client's fault, and are told of in one sentence. */
export class CheckedServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    // oxlint-disable-next-line no-underscore-dangle -- the library's hook for this has that name
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (error) {
        throw wrongParams(method, error) ?? error;
      }
    };
  }
}

function wrongParams(method: string, error: unknown): ProtocolError | undefined {
  // Errors of our own making have names of their own, also those of our own checks.
  const isLibrarys = error instanceof ProtocolError || (error instanceof Error && error.name === 'Error');
  const listed = isLibrarys ? LISTED.exec(error.message)?.[1] : undefined;
  const [issue] = listed === undefined ? [] : issuesIn(listed);
  if (issue === undefined) return undefined;
  const path = clip(reveal(issue.path.join('.')), LONGEST_PATH) || 'the request';
  const detail = clip(reveal(/^[^:]+: ([^]+)$/.exec(issue.message)?.[1] ?? ''), LONGEST_DETAIL);
  const message = `In ${method}, ${path} is not valid${detail === '' ? '' : `: ${detail}`}.`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function issuesIn(text: string): z.output<typeof Issues> {
  try {
    return Issues.parse(JSON.parse(text));
  } catch {
    return [];
  }
}
