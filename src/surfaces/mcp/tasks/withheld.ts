import type { DeskterityError } from '../../../model/effects/errors.ts';
import type { TaskRecord } from '../../../model/tasks/task-record.ts';
import { errorOf } from './ended-record.ts';

/** A task that is over, with a refusal in place of what it answered. The record on disk stays as it is: the policy may be changed back. */
export function withheldRecord(record: TaskRecord, refusal: DeskterityError): TaskRecord {
  const { result: _result, ...rest } = record;
  const error = errorOf(refusal);
  return { ...rest, status: 'failed', error, status_message: error.message };
}
