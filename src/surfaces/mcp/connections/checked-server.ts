import { firstIssue } from '../../../model/text/first-issue.ts';
import { clip, reveal } from '../../../model/text/untrusted-text.ts';
import { invalidParams } from '../protocol-errors.ts';
import { ProtocolError, Server, type JSONRPCRequest, type Result, type ServerContext } from '../sdk.ts';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** The protocol library reports invalid parameters as a JSON list of issues in the message of an error. */
const LISTED = /^(?:Invalid [\w/]+ request: )?(\[[^]*\])$/;

const LONGEST_PATH = 100;
const LONGEST_DETAIL = 200;

/** The answer to a call that became a task, thrown because the library knows only results of tools. */
export class TaskAnswer extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super('The call has become a task.');
    this.result = result;
  }
}

/** The library's server, except that it reports invalid parameters in one sentence, as the client's error. */
export class CheckedServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    // oxlint-disable-next-line no-underscore-dangle -- the library's hook has this name
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (error) {
        if (error instanceof TaskAnswer) return error.result;
        throw wrongParams(method, error) ?? error;
      }
    };
  }
}

function wrongParams(method: string, error: unknown): ProtocolError | undefined {
  // Our own errors, including those of our own checks, have other names.
  const isLibrarys = error instanceof ProtocolError || (error instanceof Error && error.name === 'Error');
  const listed = isLibrarys ? LISTED.exec(error.message)?.[1] : undefined;
  const issue = listed === undefined ? undefined : firstIssue(listed);
  if (issue === undefined) return undefined;
  const path = clip(reveal(issue.path), LONGEST_PATH) || 'the request';
  const detail = clip(reveal(issue.problem), LONGEST_DETAIL);
  const message = `In ${method}, ${path} is not valid${detail === '' ? '' : `: ${detail}`}.`;
  return invalidParams(message);
}
