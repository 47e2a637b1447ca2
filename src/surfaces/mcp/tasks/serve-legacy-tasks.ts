import { z } from 'zod';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { isTaskOver } from '../../../model/tasks/task-record.ts';
import type { McpConnection } from '../connections/connection.ts';
import { invalidParams } from '../protocol-errors.ts';
import { ProtocolError, ProtocolErrorCode, type Server, type ServerContext } from '../sdk.ts';
import { paginate } from '../serving/paginate.ts';
import { accountIn } from './task-account.ts';
import type { ClientTasks, TaskState } from './client-tasks.ts';
import { pageDoneNotice } from '../questions/page-done-notice.ts';
import { askForTask } from './ask-for-task.ts';
import { unknownTask } from './task-errors.ts';
import { legacyTask, RELATED_TASK } from './task-views.ts';

/** The first protocol version with tasks, and the last in which they are part of it. */
export const TASKS_VERSION = '2025-11-25';

const Named = z.object({ taskId: z.string().max(200) });
const Listed = z.object({ cursor: z.string().max(100).optional() });
const Given = z.record(z.string(), z.unknown());
const TASKS_PER_PAGE = 100;

export interface LegacyTaskParts {
  /** Resolves when the tasks of this client are known; see {@link McpConnection.prepare}. */
  readonly prepare?: McpConnection['prepare'];
  /** Whether the caller may use tasks of this tool. */
  readonly mayUse: (toolName: string, context: ServerContext) => boolean;
}

/** The methods of tasks as in 2025-11-25, and the notifications of their status. @returns ends the notifications */
export function serveLegacyTasks(
  server: Server,
  tasks: ClientTasks,
  { prepare, mayUse }: LegacyTaskParts,
): () => void {
  const find = async (taskId: string, context: ServerContext): Promise<TaskState> => {
    await prepare?.(context);
    const state = await tasks.find(taskId, accountIn(context));
    if (!mayUse(state.record.tool, context)) throw unknownTask();
    return state;
  };
  const onPageDone = pageDoneNotice(server);
  server.setRequestHandler('tasks/get', { params: Named }, async ({ taskId }, context) =>
    legacyTask(await find(taskId, context)),
  );
  server.setRequestHandler('tasks/list', { params: Listed }, async ({ cursor }, context) => {
    await prepare?.(context);
    const all = (await tasks.list(accountIn(context)))
      .filter(({ record }) => mayUse(record.tool, context))
      .map((state) => legacyTask(state));
    const { items, ...rest } = paginate(all, cursor, TASKS_PER_PAGE);
    return { tasks: items, ...rest };
  });
  server.setRequestHandler('tasks/cancel', { params: Named }, async ({ taskId }, context) => {
    const before = await find(taskId, context);
    if (isTaskOver(before.record)) throw overAlready(before);
    const state = await tasks.cancel(taskId, accountIn(context));
    if (state.record.status === 'cancelled') return legacyTask(state);
    if (isTaskOver(state.record)) throw overAlready(state);
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      'It has been told to end, but has not ended yet. Ask for its status.',
    );
  });
  server.setRequestHandler('tasks/result', { params: Named }, async ({ taskId }, context) => {
    const account = accountIn(context);
    await find(taskId, context);
    for (;;) {
      const state = await tasks.untilOverOrAsking(taskId, account, context.mcpReq.signal);
      const { record, run } = state;
      if (run?.isAsking === true) await askForTask(run, taskId, context, onPageDone);
      else if (isTaskOver(record)) return resultOf(state);
    }
  });
  return tasks.watch((state) => {
    server
      .notification({ method: 'notifications/tasks/status', params: legacyTask(state) })
      .catch(() => undefined);
  });
}

/** The answer of the call, or its error. */
function resultOf({ record }: TaskState): Record<string, unknown> {
  const { result, error, status_message: why } = record;
  if (result !== undefined) {
    const { _meta: meta, ...others } = result;
    const related = { [RELATED_TASK]: { taskId: record.task_id } };
    return { ...others, _meta: { ...Given.safeParse(meta).data, ...related } };
  }
  if (error !== undefined) throw new ProtocolError(error.code, error.message, error.data);
  const message = why ?? 'The task was cancelled, so it has no result.';
  const cancelled = new DeskterityError('CANCELLED', message, {
    suggestion: 'Call again if you still need it.',
  });
  throw invalidParams(message, { ...cancelled.toBody() });
}

function overAlready({ record }: TaskState): ProtocolError {
  return invalidParams(`The task is ${record.status} already, so it cannot be cancelled.`);
}
