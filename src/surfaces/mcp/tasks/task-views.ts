import { taskTtlMs, type TaskRecord } from '../../../model/tasks/task-record.ts';
import type { TaskState } from './client-tasks.ts';

/** How often clients are advised to ask. */
const POLL_MS = 1000;

/** Where a message of 2025-11-25 names the task that it belongs to. */
export const RELATED_TASK = 'io.modelcontextprotocol/related-task';

type Status = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A task as a client of 2025-11-25 sees it. There a result that reports an error makes the task a failed one. */
export function legacyTask({ record, run }: TaskState): Record<string, unknown> {
  const { status: recorded, result } = record;
  const status: Status =
    run?.isAsking === true
      ? 'input_required'
      : recorded === 'completed' && result?.['isError'] === true
        ? 'failed'
        : recorded;
  return {
    taskId: record.task_id,
    status,
    ...message({ record, run }),
    createdAt: record.created_at,
    lastUpdatedAt: record.updated_at,
    ttl: taskTtlMs(record, Date.now()),
    pollInterval: POLL_MS,
  };
}

/** A task of the extension of 2026, without what only {@link detailedTask} has. */
export function modernTask({ record, run }: TaskState): Record<string, unknown> {
  const status: Status = run?.isAsking === true ? 'input_required' : record.status;
  return {
    taskId: record.task_id,
    status,
    ...message({ record, run }),
    createdAt: record.created_at,
    lastUpdatedAt: record.updated_at,
    ttlMs: taskTtlMs(record, Date.now()),
    pollIntervalMs: POLL_MS,
  };
}

/** The same with its result, its error or its questions. */
export function detailedTask(state: TaskState): Record<string, unknown> {
  const { record, run } = state;
  return {
    ...modernTask(state),
    ...(run?.isAsking === true ? { inputRequests: run.questions } : {}),
    ...payload(record),
  };
}

function payload({ status, result, error }: TaskRecord): Record<string, unknown> {
  // What the call would have answered in 2026, where every result names its type.
  if (status === 'completed') return { result: { resultType: 'complete', ...(result ?? { content: [] }) } };
  return status === 'failed' ? { error } : {};
}

function message({ record, run }: TaskState): Record<string, unknown> {
  const statusMessage = record.status_message ?? run?.message;
  return statusMessage === undefined ? {} : { statusMessage };
}
