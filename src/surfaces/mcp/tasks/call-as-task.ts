import { z } from 'zod';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { taskKeepMs } from '../../../model/tasks/task-record.ts';
import { TIMERS, within } from '../../../model/within.ts';
import { TaskAnswer } from '../connections/checked-server.ts';
import type { AnsweredTool, PlainChannel } from '../connections/connection.ts';
import { internalError, invalidParams } from '../protocol-errors.ts';
import { ProtocolError, ProtocolErrorCode, type Server } from '../sdk.ts';
import type { ClientTasks } from './client-tasks.ts';
import { accountIn } from './task-account.ts';
import { TaskRun } from './task-run.ts';
import { legacyTask, RELATED_TASK } from './task-views.ts';
import { toolWork } from './tool-work.ts';

/** What a client of 2025-11-25 asks for with a call: `task` of its parameters. */
export const TaskRequest = z.object({ ttl: z.number().optional() });

/** Time for an operation to end whose task cannot be recorded. */
const END_MS = 10_000;

/** Begins a call as a task. It is on disk before anything is done. @throws TaskAnswer with the task; ProtocolError */
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
  let begin = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const run = new TaskRun({
    ready,
    work: toolWork({ tool, input, channel, operations, isAnswered, isTask: () => true, onLateProgress }),
    cancelOperation: (id) => operations?.cancel(id) ?? Promise.resolve(false),
  });
  run.becomeTask();
  // A client that takes its request back never learns of the task.
  const giveUp = () => run.abandon();
  channel.signal.addEventListener('abort', giveUp, { once: true });
  try {
    const account = accountIn(channel.context);
    const recorded = await tasks.keep(run, { tool: tool.definition.name, keepMs, account });
    begin();
    // What carries it on if this process ends must be on disk before the client may rely on it.
    const state = tool.runsOperation === true ? await tasks.named(recorded) : recorded;
    const { title = tool.definition.name } = tool.definition;
    relatedTo = state.record.task_id;
    throw new TaskAnswer({
      task: legacyTask(state),
      _meta: {
        'io.modelcontextprotocol/model-immediate-response': `"${title}" has begun and goes on in the background, as task ${relatedTo}. Do other work meanwhile; its result is not known yet.`,
      },
    });
  } catch (error) {
    if (error instanceof TaskAnswer) throw error;
    if (run.operationId !== undefined) throw await endedInstead(run, run.operationId);
    run.abandon();
    throw error instanceof DeskterityError ? limited(error.message) : notMade();
  } finally {
    begin();
    channel.signal.removeEventListener('abort', giveUp);
  }
}

function limited(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InternalError, message);
}

function notMade(): ProtocolError {
  return internalError(
    new DeskterityError(
      'ACTION_FAILED',
      'The task could not be recorded on disk, so the call was not made.',
      {
        suggestion: 'Make it without a task, or free disk space.',
        delivered: false,
      },
    ),
  );
}

/** It had begun when its operation could not be recorded: says what became of it. */
async function endedInstead(run: TaskRun, operationId: string): Promise<ProtocolError> {
  const ending = run.cancel().then(() => run.ended);
  const isEnded = (await within(TIMERS, ending, END_MS).catch(() => undefined)) !== undefined;
  const what = isEnded ? 'was ended' : 'could not be ended in time, and may still be running';
  return internalError(
    new DeskterityError(
      'ACTION_FAILED',
      `The call had begun, as operation ${operationId}, when its task could not be recorded on disk. The operation ${what}; what it had done by then is done.`,
      {
        suggestion:
          'Look at the operation and at what it changed before you call again, and free disk space.',
        delivered: true,
      },
    ),
  );
}
