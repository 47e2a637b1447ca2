import type { Era } from '../era.ts';
import { scopeOfTaskOf } from '../access/scope-needed.ts';
import { channelOf, type Served } from '../serving/served.ts';
import type { AnsweredTool, McpConnection, McpTool, PlainChannel } from '../connections/connection.ts';
import { ProtocolError, ProtocolErrorCode } from '../sdk.ts';
import { callAsTask, TaskRequest } from './call-as-task.ts';
import { serveLegacyTasks, TASKS_VERSION } from './serve-legacy-tasks.ts';
import { callModern, serveModernTasks } from './serve-modern-tasks.ts';
import { TASKS_EXTENSION } from './task-account.ts';

type TaskServer = Pick<Served, 'server' | 'connection' | 'era'>;

/** Tasks are part of one older version of the protocol, and an extension of the new one. */
export function taskCapabilities({ tasks }: McpConnection, era: Era) {
  if (tasks === undefined) return {};
  return era !== 'legacy'
    ? { extensions: { [TASKS_EXTENSION]: {} } }
    : { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
}

export function serveTasks(served: Served): void {
  const { server, connection, era } = served;
  const { tasks } = connection;
  if (tasks === undefined) return;
  if (era !== 'legacy') {
    serveModernTasks(server, tasks);
    return;
  }
  const unwatch = serveLegacyTasks(server, tasks, {
    prepare: connection.prepare,
    mayUse: (toolName, context) => channelOf(context, served).may(scopeOfTaskOf(connection.tools, toolName)),
  });
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    unwatch();
  };
}

/** The definition of a tool for a client: those of 2025-11-25 are told which calls may be tasks; later the server decides. */
export function listedTool(
  { definition, taskSupport }: Pick<McpTool, 'definition' | 'taskSupport'>,
  served: TaskServer,
): McpTool['definition'] {
  return taskSupport !== undefined && asksForTasks(served)
    ? { ...definition, execution: { taskSupport } }
    : definition;
}

/** Calls a tool, as a task if the client asks for one or, in the modern era, if that takes long. */
export function callTool(
  tool: AnsweredTool,
  params: { readonly arguments?: Record<string, unknown> | undefined; readonly task?: unknown },
  channel: PlainChannel,
  served: TaskServer,
): ReturnType<AnsweredTool['call']> {
  const { server, connection, era } = served;
  const { tasks } = connection;
  const input = params.arguments ?? {};
  if (era !== 'legacy') return callModern(tool, input, { channel, tasks });
  const { taskSupport, definition } = tool;
  const asked = asksForTasks(served) ? TaskRequest.safeParse(params.task).data : undefined;
  if (tasks !== undefined && asked !== undefined && taskSupport !== undefined)
    return callAsTask(tool, input, { channel, tasks, server, ttl: asked.ttl });
  if (asked !== undefined) throw notSo(`${definition.name} cannot be called as a task.`);
  if (taskSupport === 'required') throw notSo(`${definition.name} can only be called as a task.`);
  return tool.call(input, channel);
}

function asksForTasks({ server, connection, era }: TaskServer): boolean {
  return (
    era === 'legacy' &&
    connection.tasks !== undefined &&
    server.getNegotiatedProtocolVersion() === TASKS_VERSION
  );
}

function notSo(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.MethodNotFound, message);
}
