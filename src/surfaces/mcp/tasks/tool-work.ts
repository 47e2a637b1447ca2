import { z } from 'zod';
import type { ServerContext } from '../sdk.ts';
import type { AnsweredTool, PlainChannel } from '../connections/connection.ts';
import type { OperationDoor } from './client-tasks.ts';
import type { TaskWork } from './task-run.ts';

export interface ToolWorkParts {
  readonly tool: AnsweredTool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly channel: PlainChannel;
  readonly operations: OperationDoor | undefined;
  /** Whether the request has been answered, so that nothing more may be said about it. */
  readonly isAnswered: () => boolean;
  /** Whether it is to end with the operation that it starts, instead of saying that this goes on. */
  readonly isTask: () => boolean;
  /** Receives the progress after that. */
  readonly onLateProgress?: PlainChannel['progress'] | undefined;
}

/** The library gives it the type that the handler expects. */
const State = z.any();

/** A call of a tool, until whatever it has started has ended. */
export function toolWork(parts: ToolWorkParts): TaskWork {
  const { tool, input, channel, operations, isAnswered, isTask, onLateProgress } = parts;
  return async ({ signal, say, onOperation }, answered) => {
    let operationId: string | undefined;
    const result = await tool.call(input, {
      ...channel,
      signal,
      progress: (step) => {
        say(step.message);
        if (isAnswered()) onLateProgress?.(step);
        else channel.progress(step);
      },
      log: (...entry) => {
        if (!isAnswered()) channel.log(...entry);
      },
      context: contextFor(channel.context, signal, answered),
      task: {
        isTask,
        onOperation: (id) => {
          operationId ??= id;
          onOperation(id);
        },
      },
    });
    if (operationId === undefined || operations === undefined || signal.aborted || !isTask()) return result;
    return operations.ended(operationId, signal);
  };
}

/** An operation that another process, or another connection, has started for the task. */
export function operationWork(operations: OperationDoor, operationId: string): TaskWork {
  return ({ signal }) => operations.ended(operationId, signal);
}

/** The request as if the client had sent it again with its answers. */
function contextFor(
  context: ServerContext,
  signal: AbortSignal,
  answered: Parameters<TaskWork>[1],
): ServerContext {
  const { mcpReq } = context;
  if (answered === undefined) return { ...context, mcpReq: { ...mcpReq, signal } };
  const { responses, asked } = answered;
  return {
    ...context,
    mcpReq: {
      ...mcpReq,
      signal,
      inputResponses: { ...responses },
      // The library types what a handler expects to have put into it.
      requestState: () => State.parse(asked.requestState),
    },
  };
}
