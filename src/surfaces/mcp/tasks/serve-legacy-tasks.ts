import { z } from 'zod';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { isTaskOver, taskKeepMs } from '../../../model/tasks/task-record.ts';
import { TaskAnswer } from '../connections/checked-server.ts';
import type { AnsweredTool, PlainChannel } from '../connections/connection.ts';
import { invalidParams } from '../protocol-errors.ts';
import { ProtocolError, ProtocolErrorCode, type Server, type ServerContext } from '../sdk.ts';
import { paginate } from '../serving/paginate.ts';
import { accountIn } from './task-account.ts';
import type { ClientTasks, TaskState } from './client-tasks.ts';
import { TaskRun } from './task-run.ts';
import { toolWork } from './tool-work.ts';
import { legacyTask, RELATED_TASK } from './task-views.ts';

/** The first protocol version with tasks, and the last in which they are part of it. */
export const TASKS_VERSION = '2025-11-25';

const Named = z.object({ taskId: z.string().max(200) });
const Listed = z.object({ cursor: z.string().max(100).optional() });
const Given = z.record(z.string(), z.unknown());
/** What a client asks for with a call: `task` of its parameters. */
export const TaskRequest = z.object({ ttl: z.number().optional() });
const TASKS_PER_PAGE = 100;

/** The methods of tasks as in 2025-11-25, and the notifications of their status. @returns ends the notifications */
export function serveLegacyTasks(
  server: Server,
  tasks: ClientTasks,
  mayUse: (toolName: string, context: ServerContext) => boolean = () => true,
): () => void {
  server.setRequestHandler('tasks/get', { params: Named }, async ({ taskId }, context) =>
    legacyTask(await tasks.find(taskId, accountIn(context))),
  );
  server.setRequestHandler('tasks/list', { params: Listed }, async ({ cursor }, context) => {
    const all = (await tasks.list(accountIn(context)))
      .filter(({ record }) => mayUse(record.tool, context))
      .map((state) => legacyTask(state));
    const { items, ...rest } = paginate(all, cursor, TASKS_PER_PAGE);
    return { tasks: items, ...rest };
  });
  server.setRequestHandler('tasks/cancel', { params: Named }, async ({ taskId }, context) => {
    const before = await tasks.find(taskId, accountIn(context));
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
    for (;;) {
      const account = accountIn(context);
      const state = await tasks.untilOverOrAsking(taskId, account, context.mcpReq.signal);
      const { record, run } = state;
      if (run?.isAsking === true) await tasks.answer(taskId, account, await asked(run, taskId, context));
      else if (isTaskOver(record)) return resultOf(state);
    }
  });
  return tasks.watch((state) => {
    server
      .notification({ method: 'notifications/tasks/status', params: legacyTask(state) })
      .catch(() => undefined);
  });
}

/** Begins a call as a task. @throws TaskAnswer with the task; ProtocolError */
export async function callAsTask(
  tool: AnsweredTool,
  input: Readonly<Record<string, unknown>>,
  parts: {
    readonly channel: PlainChannel;
    readonly tasks: ClientTasks;
    readonly server: Server;
    readonly ttl: number | undefined;
  },
): Promise<never> {
  const { channel, tasks, server, ttl } = parts;
  const keepMs = taskKeepMs(ttl);
  if (keepMs === undefined) throw invalidParams('task.ttl is not a number of milliseconds.');
  if (!tasks.hasRoom) throw limited('Too many tasks are running. Wait until some have ended.');
  let relatedTo: string | undefined;
  const token = channel.context.mcpReq._meta?.progressToken;
  const onLateProgress: PlainChannel['progress'] = ({ message, done, total }) => {
    if (token === undefined || relatedTo === undefined) return;
    const params = {
      progressToken: token,
      progress: done,
      message,
      ...(total === undefined ? {} : { total }),
      _meta: { [RELATED_TASK]: { taskId: relatedTo } },
    };
    server.notification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const { operations } = tasks;
  const isAnswered = () => relatedTo !== undefined;
  // What carries an operation on must be recorded with the task. Anything else begins when it is recorded, so that nothing is done if it cannot be.
  const hasOperation = tool.runsOperation === true;
  let begin = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const run = new TaskRun({
    ready: hasOperation ? undefined : ready,
    work: toolWork({ tool, input, channel, operations, isAnswered, isTask: () => true, onLateProgress }),
    cancelOperation: (id) => operations?.cancel(id) ?? Promise.resolve(false),
  });
  run.becomeTask();
  // A client that takes its request back never learns of the task.
  const giveUp = () => run.abandon();
  channel.signal.addEventListener('abort', giveUp, { once: true });
  if (hasOperation) await run.begun;
  try {
    const account = accountIn(channel.context);
    const state = await tasks.keep(run, { tool: tool.definition.name, keepMs, account });
    const { title = tool.definition.name } = tool.definition;
    relatedTo = state.record.task_id;
    begin();
    throw new TaskAnswer({
      task: legacyTask(state),
      _meta: {
        'io.modelcontextprotocol/model-immediate-response': `"${title}" has begun and goes on in the background, as task ${relatedTo}. Do other work meanwhile; its result is not known yet.`,
      },
    });
  } catch (error) {
    if (error instanceof TaskAnswer) throw error;
    run.abandon();
    throw error instanceof DeskterityError ? limited(error.message) : notRecorded(hasOperation);
  } finally {
    begin();
    channel.signal.removeEventListener('abort', giveUp);
  }
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
  throw invalidParams(why ?? 'The task was cancelled, so it has no result.');
}

/** Asks the client what a task wants to know; the request for its result carries the questions. */
async function asked(
  run: TaskRun,
  taskId: string,
  { mcpReq }: ServerContext,
): Promise<Record<string, unknown>> {
  const related = { [RELATED_TASK]: { taskId } };
  const answers = Object.entries(run.questions).map(async ([name, { method, params }]) => {
    const { _meta: meta, ...others } = Given.parse(params ?? {});
    const request = { method, params: { ...others, _meta: { ...Given.safeParse(meta).data, ...related } } };
    const response: unknown = await mcpReq.send(request, z.looseObject({}));
    return [name, response] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}

function overAlready({ record }: TaskState): ProtocolError {
  return invalidParams(`The task is ${record.status} already, so it cannot be cancelled.`);
}

function limited(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InternalError, message);
}

function notRecorded(hasBegun: boolean): ProtocolError {
  const what = hasBegun ? 'was ended' : 'was not made';
  const message = `The task could not be recorded on disk, so the call ${what}. Make it without a task, or free disk space.`;
  return new ProtocolError(ProtocolErrorCode.InternalError, message);
}
