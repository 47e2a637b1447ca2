import type { TaskRecord } from '../../../model/tasks/task-record.ts';
import type { CallToolResult } from '../sdk.ts';
import type { Responses, TaskRun } from './task-run.ts';

/** A task as it is now. */
export interface TaskState {
  readonly record: TaskRecord;
  /** Absent when it is over. */
  readonly run: TaskRun | undefined;
}

/** What tasks need of operations. */
export interface OperationDoor {
  /** The answer about an operation once it has ended. Aborting ends the wait, not the operation. */
  ended(operationId: string, signal: AbortSignal): Promise<CallToolResult>;
  /** Ends it with its processes. Resolves when that is done, with whether it was still running. @throws DeskterityError */
  cancel(operationId: string): Promise<boolean>;
}

/** The tasks of one client. `account`: who asks, within the principal of the connection. */
export interface ClientTasks {
  /** Absent if operations cannot be followed. */
  readonly operations: OperationDoor | undefined;
  /** A call that ends within this time is answered without a task, unless the client asked for one. */
  readonly atOnceMs: number;
  /** Whether another task can run at the moment. */
  readonly hasRoom: boolean;
  /**
   * Makes a call a task. Resolves when it is recorded on disk.
   * @throws DeskterityError RATE_LIMITED, CONFLICT if it has ended with a question meanwhile; Error of the file system. The call is as it was before
   */
  keep(
    run: TaskRun,
    task: { readonly tool: string; readonly keepMs: number; readonly account: string },
  ): Promise<TaskState>;
  /** Resolves when the operation that a task has started, if it starts one, is on disk with it. @throws Error of the file system */
  named(state: TaskState): Promise<TaskState>;
  /** @throws ProtocolError -32602 if this client has no such task */
  find(taskId: string, account: string): Promise<TaskState>;
  /** All that still exist, the oldest first. */
  list(account: string): Promise<readonly TaskState[]>;
  /** Resolves when it is over, or asks its client. @throws ProtocolError; the reason of `signal` */
  untilOverOrAsking(taskId: string, account: string, signal: AbortSignal): Promise<TaskState>;
  /** Ends it with everything it has started. Resolves when that is recorded, or takes too long. @throws ProtocolError; DeskterityError */
  cancel(taskId: string, account: string): Promise<TaskState>;
  /** Answers what it asks. @throws ProtocolError */
  answer(taskId: string, account: string, responses: Responses): Promise<void>;
  /** Calls `onChange` when the status of one of this client's tasks has changed. @returns ends the watch */
  watch(onChange: (state: TaskState) => void): () => void;
}
