import { z } from 'zod';
import type { McpConnection, AnsweredTool, PlainChannel } from '../connections/connection.ts';
import { TaskAnswer } from '../connections/checked-server.ts';
import type { CallToolResult, InputRequiredResult, Server, ServerContext } from '../sdk.ts';
import { TASK_KEEPING } from '../../../model/tasks/task-record.ts';
import { TIMERS, within } from '../../../model/within.ts';
import { invalidParams } from '../protocol-errors.ts';
import { accountIn, declaresTasks, needsTasks } from './task-account.ts';
import type { ClientTasks } from './client-tasks.ts';
import { TaskRun } from './task-run.ts';
import { toolWork } from './tool-work.ts';
import { detailedTask, modernTask } from './task-views.ts';

const Named = z.object({ taskId: z.string().max(200) });

/** The methods of the tasks extension of 2026-07-28. */
export function serveModernTasks(server: Server, tasks: ClientTasks): void {
  const account = (context: ServerContext): string => {
    if (!declaresTasks(context.mcpReq.envelope)) throw needsTasks();
    return accountIn(context);
  };
  server.setRequestHandler('tasks/get', { params: Named }, async ({ taskId }, context) =>
    detailedTask(await tasks.find(taskId, account(context))),
  );
  server.setRequestHandler('tasks/update', { params: Named }, async ({ taskId }, context) => {
    const asking = account(context);
    // The library has taken them out of the parameters, and what is no response out of them.
    const { inputResponses } = context.mcpReq;
    if (inputResponses === undefined) throw invalidParams('inputResponses is missing.');
    await tasks.answer(taskId, asking, inputResponses);
    return {};
  });
  server.setRequestHandler('tasks/cancel', { params: Named }, async ({ taskId }, context) => {
    await tasks.cancel(taskId, account(context));
    return {};
  });
}

/** Answers a call of a tool that may take long: with its result or, if it takes long, with a task. */
export async function callModern(
  tool: AnsweredTool,
  input: Readonly<Record<string, unknown>>,
  { channel, tasks }: { readonly channel: PlainChannel; readonly tasks: McpConnection['tasks'] },
): Promise<CallToolResult | InputRequiredResult> {
  const isDeclared = declaresTasks(channel.context.mcpReq.envelope);
  if (tool.taskSupport === 'required' && !isDeclared) throw needsTasks();
  if (tool.taskSupport === undefined || !isDeclared || tasks?.hasRoom !== true)
    return tool.call(input, channel);
  let isAnswered = false;
  let isTask = false;
  const { operations } = tasks;
  const run = new TaskRun({
    work: toolWork({ tool, input, channel, operations, isAnswered: () => isAnswered, isTask: () => isTask }),
    cancelOperation: (id) => operations?.cancel(id) ?? Promise.resolve(false),
  });
  const giveUp = () => run.abandon();
  channel.signal.addEventListener('abort', giveUp, { once: true });
  try {
    const soon = await within(TIMERS, run.ended, tasks.atOnceMs);
    if (soon === undefined && !channel.signal.aborted) {
      isTask = true;
      // What carries an operation on must be recorded with the task.
      if (tool.runsOperation === true) await run.begun;
      const task = {
        tool: tool.definition.name,
        keepMs: TASK_KEEPING.usualMs,
        account: accountIn(channel.context),
      };
      // Without a record there is no task; the call is answered as ever.
      const state = channel.signal.aborted ? undefined : await tasks.keep(run, task).catch(() => undefined);
      // It answers as it would have without.
      isTask = state !== undefined;
      if (state !== undefined) {
        isAnswered = true;
        throw new TaskAnswer({ resultType: 'task', ...modernTask(state) });
      }
    }
    const outcome = await run.ended;
    if (outcome.kind === 'error') throw outcome.error;
    return outcome.kind === 'asks' ? outcome.asked : outcome.result;
  } finally {
    channel.signal.removeEventListener('abort', giveUp);
  }
}
