import { randomUUID } from 'node:crypto';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { isRecord } from '../../../model/is-record.ts';
import { clip, reveal } from '../../../model/text/untrusted-text.ts';
import { NamedRoots } from '../roots/named-roots.ts';
import { SdkError, SdkErrorCode, type ServerContext } from '../sdk.ts';
import { checkAnswers } from './check-answer.ts';
import { requestFor, shownMessage } from './questions-asked.ts';
import type { ClientQuestions, Question } from './question.ts';
import { formFor } from './revisions.ts';
import { ANSWER_MS } from './request-states.ts';

const LONGEST_DETAIL = 200;

export interface DuringCallParts {
  readonly context: ServerContext;
  readonly revision?: string | undefined;
  /** Called when what a client was shown a page for is done, which may be after the call: with the id of the question. */
  readonly onPageDone?: ((elicitationId: string) => void) | undefined;
  readonly timeoutMs?: number | undefined;
}

/** The legacy era: the client is asked while the call waits. Its cancellation cancels the questions. */
export function askDuringCall({
  context: { mcpReq },
  revision,
  onPageDone,
  timeoutMs = ANSWER_MS,
}: DuringCallParts): ClientQuestions['ask'] {
  return async (questions) => {
    const ended = new AbortController();
    const signal = AbortSignal.any([mcpReq.signal, ended.signal]);
    const send = async (question: Question): Promise<unknown> => {
      const timeout = question.kind === 'form' ? (question.timeoutMs ?? timeoutMs) : timeoutMs;
      const options = { timeout, signal };
      const { method, params } = requestFor(question);
      if (question.kind === 'roots') return mcpReq.send({ method }, NamedRoots, options);
      if (question.kind === 'url') {
        // 2025-11-25 requires an id of the page that is opened.
        const elicitationId = randomUUID();
        const answer: unknown = await mcpReq.send({ method, params: { ...params, elicitationId } }, options);
        const isShown = isRecord(answer) && answer['action'] === 'accept';
        if (isShown) void question.over?.then((isDone) => isDone && onPageDone?.(elicitationId));
        return answer;
      }
      const all =
        question.kind === 'form'
          ? formFor(revision, { message: shownMessage(question), schema: question.schema })
          : params;
      return mcpReq.send({ method, ...(all === undefined ? {} : { params: all }) }, options);
    };
    const asked = Object.entries(questions).map(
      async ([name, question]) => [name, await send(question)] as const,
    );
    try {
      return checkAnswers(questions, new Map(await Promise.all(asked)));
    } catch (error) {
      throw mcpReq.signal.aborted ? cancelled(error) : unanswered(error, timeoutMs);
    } finally {
      // One that fails withdraws the others.
      ended.abort();
    }
  };
}

function cancelled(cause: unknown): DeskterityError {
  return new DeskterityError('CANCELLED', 'The call was cancelled while the client was asked.', {
    suggestion: 'Call again if you still need it.',
    cause,
  });
}

function unanswered(error: unknown, timeoutMs: number): unknown {
  if (error instanceof DeskterityError) return error;
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return new DeskterityError('TIMEOUT', `The client did not answer within ${timeoutMs / 1000} s.`, {
      suggestion: 'Call again to be asked again, or call in a way that needs no question.',
      cause: error,
    });
  const detail = error instanceof Error ? clip(reveal(error.message), LONGEST_DETAIL) : undefined;
  return new DeskterityError('ACTION_FAILED', 'The client did not answer the question.', {
    suggestion: 'Call in a way that needs no question.',
    platformDetail: detail,
    cause: error,
  });
}
