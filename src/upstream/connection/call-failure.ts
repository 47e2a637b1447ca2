import { DeskterityError } from '../../model/effects/errors.ts';
import { isRecord } from '../../model/is-record.ts';
import { mentionCommand } from '../../model/text/mention.ts';
import { quote, quoteClipped } from '../../model/text/untrusted-text.ts';
import { NotSent } from '../sign-in/not-sent.ts';
import { ProtocolError, SdkError, SdkErrorCode } from '../sdk.ts';
import { answerMistake } from './error-words.ts';
import { NOT_A_MESSAGE } from './program-transport.ts';

const CHECK_FIRST = 'It may have done a part of it: check that before you call it again.';

export interface FailedCall {
  readonly server: string;
  /** In our list. */
  readonly tool: string;
  readonly timeoutMs: number;
  readonly isCancelled: boolean;
  /** What the error says, without secrets, on one line. */
  readonly words: string;
  /** Why the server has ended, as a phrase, if it has. */
  readonly ended: () => Promise<string | undefined>;
}

/** The failure of whatever needs a server that could not be started. `waitMs`: until it is tried again. */
export function unavailable(server: string, problem: string, waitMs: number): DeskterityError {
  const when = waitMs > 0 ? ` It is started again in ${Math.ceil(waitMs / 1000)} s at the earliest.` : '';
  return new DeskterityError(
    'SERVER_UNAVAILABLE',
    `The MCP server ${server} is not available: ${problem}.${when}`,
    {
      suggestion: `Check its entry with ${mentionCommand('tools list', { name: server })}, and its messages with ${mentionCommand('daemon logs')}.`,
      retryable: true,
      delivered: false,
    },
  );
}

/** The failure of a call that the server did not answer as a tool does. */
export async function callFailure(error: unknown, call: FailedCall): Promise<DeskterityError> {
  const { server, tool, timeoutMs, words } = call;
  if (error instanceof NotSent)
    return call.isCancelled
      ? new DeskterityError('CANCELLED', `${tool} was cancelled before the MCP server ${server} ran it.`, {
          suggestion: 'Nothing was done. Call it again when you are ready.',
          delivered: false,
        })
      : new DeskterityError(
          'SERVER_UNAVAILABLE',
          `The MCP server ${server} could not be asked for ${tool}: ${words}.`,
          { suggestion: 'Nothing was done. Call it again later.', retryable: true, delivered: false },
        );
  if (call.isCancelled)
    return new DeskterityError('CANCELLED', `${tool} was cancelled; the MCP server ${server} was told.`, {
      suggestion: CHECK_FIRST,
      delivered: true,
    });
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return new DeskterityError(
      'TIMEOUT',
      `${tool} did not end within ${timeoutMs} ms; the MCP server ${server} was told to stop.`,
      {
        suggestion: `${CHECK_FIRST} A longer time is "timeout_ms" in the entry of the server.`,
        delivered: true,
      },
    );
  if (error instanceof SdkError && error.code === SdkErrorCode.UnsupportedResultType) {
    const type = isRecord(error.data) ? error.data['resultType'] : undefined;
    if (typeof type === 'string' && type !== 'input_required')
      return badAnswer(call, `it is of the type ${quoteClipped(type, 40)}, which was not asked for`);
    return new DeskterityError(
      'ACTION_NOT_SUPPORTED',
      `${tool} asks its client a question, and Deskterity does not pass on questions of other MCP servers.`,
      { suggestion: 'Pass everything that the tool needs in its parameters, or use the server directly.' },
    );
  }
  if (answerMistake(error) !== undefined || isNoMessage(error)) return badAnswer({ server, tool }, words);
  if (error instanceof ProtocolError)
    return new DeskterityError(
      'ACTION_FAILED',
      `The MCP server ${server} refused ${tool}: ${quote(words)}.`,
      {
        suggestion: `Compare the input with ${mentionCommand('tools list', { name: tool })}.`,
      },
    );
  const ended = await call.ended();
  return new DeskterityError(
    'SERVER_UNAVAILABLE',
    ended === undefined
      ? `The MCP server ${server} could not be asked for ${tool}: ${words}.`
      : `The MCP server ${server} is gone during ${tool}: ${ended}.`,
    { suggestion: CHECK_FIRST, delivered: true },
  );
}

function isNoMessage(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === NOT_A_MESSAGE;
}

/** The failure of a call whose answer is not one in the protocol. `mistake`: what is wrong with it, as a phrase. */
export function badAnswer(
  { server, tool }: Pick<FailedCall, 'server' | 'tool'>,
  mistake: string,
): DeskterityError {
  return new DeskterityError(
    'ACTION_FAILED',
    `The MCP server ${server} answered ${tool} with something that is not a result of a tool: ${mistake}.`,
    { suggestion: `${CHECK_FIRST} Report the mistake to the author of the server.`, delivered: true },
  );
}
