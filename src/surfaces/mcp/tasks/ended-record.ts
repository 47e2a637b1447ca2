import { DeskterityError } from '../../../model/effects/errors.ts';
import type { TaskRecord } from '../../../model/tasks/task-record.ts';
import { clip } from '../../../model/text/untrusted-text.ts';
import { clipMarkedText } from '../tools/application-text.ts';
import { ProtocolErrorCode, type CallToolResult } from '../sdk.ts';
import type { TaskOutcome } from './task-run.ts';

/** A longer result is not kept. */
const LONGEST_RESULT_BYTES = 4 * 1024 * 1024;
const LONGEST_MESSAGE = 1000;

/** Not expected: a call that ends with a question never becomes a task. */
const UNASKED =
  'The call ended with a question to its client, which can no longer be answered. Nothing was done; make the call again.';

/** The record of a task that has ended. @param isGone its client has disconnected, which ended the call */
export function endedRecord(record: TaskRecord, outcome: TaskOutcome, isGone: boolean): TaskRecord {
  const at = new Date().toISOString();
  const over = { ...record, updated_at: at, ended_at: at };
  if (outcome.kind === 'asks') return { ...over, status: 'failed', error: internal(UNASKED) };
  const isEnded = outcome.isCancelled || isGone;
  if (outcome.kind === 'error') {
    if (isEnded) return { ...over, status: 'cancelled', status_message: whyCancelled(isGone, undefined) };
    const error = errorOf(outcome.error);
    return { ...over, status: 'failed', error, status_message: clip(error.message, LONGEST_MESSAGE) };
  }
  const result = bounded(outcome.result);
  // What was finished before it could be cancelled was done, and is not called cancelled.
  const isCancelled = isEnded && (result.isError === true || record.operation_id !== undefined);
  if (!isCancelled) return { ...over, status: 'completed', result: { ...result } };
  return {
    ...over,
    status: 'cancelled',
    status_message: whyCancelled(isGone, result),
    result: { ...result },
  };
}

/** The record of a task whose process has ended, and whose call nothing carries on. It is not run again: it may have been done in part. */
export function interruptedRecord(record: TaskRecord): TaskRecord {
  const at = new Date().toISOString();
  const error = internal(
    `The server ended while ${record.tool} was running, so its result is unknown. It may have been done in part: look before you call it again.`,
  );
  return {
    ...record,
    status: 'failed',
    updated_at: at,
    ended_at: at,
    error,
    status_message: error.message,
  };
}

function whyCancelled(isGone: boolean, result: CallToolResult | undefined): string {
  const why = isGone ? 'Its client disconnected.' : 'Its client cancelled it.';
  const [first] = result?.content ?? [];
  return first?.type === 'text' ? clipMarkedText(`${why}\n${first.text}`, LONGEST_MESSAGE) : why;
}

function bounded(result: CallToolResult): CallToolResult {
  if (Buffer.byteLength(JSON.stringify(result)) <= LONGEST_RESULT_BYTES) return result;
  const text =
    'The call was done, but its result is too long to be kept. Read what you need again, in smaller parts.';
  return { content: [{ type: 'text', text }], ...(result.isError === true ? { isError: true } : {}) };
}

/** An error as the protocol has it. */
export function errorOf(error: unknown): NonNullable<TaskRecord['error']> {
  if (error instanceof DeskterityError)
    return { ...internal(`${error.message} ${error.suggestion}`), data: { ...error.toBody() } };
  if (!(error instanceof Error)) return internal('The call failed.');
  const { message } = error;
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code !== 'number' || !Number.isSafeInteger(code)) return internal(message);
  return { code, message, ...('data' in error && error.data !== undefined ? { data: error.data } : {}) };
}

function internal(message: string): NonNullable<TaskRecord['error']> {
  return { code: ProtocolErrorCode.InternalError, message };
}
