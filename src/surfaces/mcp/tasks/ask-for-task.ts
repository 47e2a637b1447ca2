import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { isRecord } from '../../../model/is-record.ts';
import { clip, reveal } from '../../../model/text/untrusted-text.ts';
import { pageOver } from '../questions/questions-asked.ts';
import { ProtocolError, type ServerContext } from '../sdk.ts';
import type { Responses, TaskRun } from './task-run.ts';
import { RELATED_TASK } from './task-views.ts';

const Given = z.record(z.string(), z.unknown());
const LONGEST_DETAIL = 200;
/** The longest timer of Node: the task has a time limit of its own for its questions. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/**
 * Asks the client of 2025-11-25 what a task wants to know, on the stream of its request for the result. Resolves when it has answered, or when the
 * task no longer asks, because it was cancelled, another request answered, or the time is up: the questions are then withdrawn.
 * @throws Error if the client has left, or cancelled its request
 */
export async function askForTask(
  run: TaskRun,
  taskId: string,
  { mcpReq }: ServerContext,
  onPageDone: (elicitationId: string) => void,
): Promise<void> {
  const { asking } = run;
  const withdrawn = new AbortController();
  const signal = AbortSignal.any([mcpReq.signal, asking, withdrawn.signal]);
  const related = { [RELATED_TASK]: { taskId } };
  const answers = Object.entries(run.questions).map(async ([name, question]) => {
    const { method, params } = question;
    const { _meta: meta, ...others } = Given.parse(params ?? {});
    // 2025-11-25 requires an id of the page that is opened.
    const elicitationId = others['mode'] === 'url' ? randomUUID() : undefined;
    const ofPage = elicitationId === undefined ? {} : { elicitationId };
    const all = { ...others, ...ofPage, _meta: { ...Given.safeParse(meta).data, ...related } };
    const response: unknown = await mcpReq.send({ method, params: all }, z.looseObject({}), {
      signal,
      timeout: NO_LIMIT_MS,
    });
    if (elicitationId !== undefined && isRecord(response) && response['action'] === 'accept')
      void pageOver(question)?.then((isDone) => isDone && onPageDone(elicitationId));
    return [name, response] as const;
  });
  const over = new Promise<undefined>((resolve) => {
    const end = () => resolve(undefined);
    if (asking.aborted) end();
    asking.addEventListener('abort', end, { once: true });
  });
  try {
    const given = await Promise.race([Promise.all(answers), over]);
    if (given !== undefined) run.answer(Object.fromEntries(given) satisfies Responses);
  } catch (error) {
    if (asking.aborted && !mcpReq.signal.aborted) return;
    // Its client has answered, but not the question.
    if (!(error instanceof ProtocolError) || mcpReq.signal.aborted) throw error;
    run.refuse(refused(error));
  } finally {
    // One that fails withdraws the others.
    withdrawn.abort();
  }
}

function refused(error: ProtocolError): DeskterityError {
  return new DeskterityError('ACTION_FAILED', 'The client did not answer the question.', {
    suggestion: 'Call in a way that needs no question.',
    platformDetail: clip(reveal(error.message), LONGEST_DETAIL),
    delivered: false,
  });
}
