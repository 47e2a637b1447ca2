import { z } from 'zod';
import { isTaskOver } from '../../../model/tasks/task-record.ts';
import type { Unwatch } from '../connections/connection.ts';
import { ProtocolError, type JSONRPCMessage } from '../sdk.ts';
import type { ClientTasks, TaskState } from './client-tasks.ts';
import { declaresTasks } from './task-account.ts';
import { detailedTask } from './task-views.ts';

/** Tasks of one subscription. */
const MOST_TASKS = 64;
export const TASK_CHANGED = 'notifications/tasks';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** What the protocol library drops from a request to subscribe. */
const Subscribing = z.object({
  method: z.literal('subscriptions/listen'),
  params: z.object({
    notifications: z.object({ taskIds: z.array(z.string().max(200)).max(MOST_TASKS) }),
    _meta: z.unknown(),
  }),
});

export interface WantedTasks {
  readonly taskIds: readonly string[];
  readonly isDeclared: boolean;
}

/** The tasks that a message subscribes to, if it does. */
export function wantedTasks(message: unknown): WantedTasks | undefined {
  const { data } = Subscribing.safeParse(message);
  if (data === undefined) return undefined;
  const { notifications, _meta: envelope } = data.params;
  return { taskIds: notifications.taskIds, isDeclared: declaresTasks(envelope) };
}

export interface ListenedTasks {
  /** Those that this client has. */
  readonly taskIds: readonly string[];
  /** Reports from now on what changes, and first what the client may have missed. Called once. */
  readonly begin: (send: (message: JSONRPCMessage) => void) => void;
  readonly end: Unwatch;
}

/** Watches tasks for one subscription. */
export async function listenToTasks(
  tasks: ClientTasks,
  {
    taskIds,
    account,
    id,
  }: { readonly taskIds: readonly string[]; readonly account: string; readonly id: string | number },
): Promise<ListenedTasks> {
  const known: TaskState[] = [];
  for (const taskId of new Set(taskIds)) {
    const state = await tasks.find(taskId, account).catch((error: unknown) => {
      if (error instanceof ProtocolError) return undefined;
      throw error;
    });
    if (state !== undefined) known.push(state);
  }
  const ids = new Set(known.map(({ record }) => record.task_id));
  let send: ((message: JSONRPCMessage) => void) | undefined;
  const missed: TaskState[] = known.filter(({ record, run }) => isTaskOver(record) || run?.isAsking === true);
  const unwatch = tasks.watch((state) => {
    if (!ids.has(state.record.task_id)) return;
    if (send === undefined) missed.push(state);
    else send(changed(state, id));
  });
  return {
    taskIds: [...ids],
    begin: (to) => {
      send = to;
      for (const state of missed.splice(0)) to(changed(state, id));
    },
    end: unwatch,
  };
}

function changed(state: TaskState, id: string | number): JSONRPCMessage {
  const params = { ...detailedTask(state), _meta: { [SUBSCRIPTION]: id } };
  return { jsonrpc: '2.0', method: TASK_CHANGED, params };
}
