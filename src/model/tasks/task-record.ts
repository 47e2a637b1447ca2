import { z } from 'zod';
import { ReachedList } from '../policy/reached.ts';

/** A call that a client left running, as it is stored. Only MCP clients have them; the command line has operations. */
export const TaskRecord = z.object({
  format: z.literal(1),
  task_id: z.string(),
  /** Who may take it over when the connection that it belongs to is gone. */
  principal: z.string(),
  /** The connection that it belongs to. */
  owner: z.string(),
  /** The process that the connection belongs to. */
  runner: z.object({ pid: z.int(), start_time: z.string(), boot_id: z.string() }),
  /** Name of the tool that was called. */
  tool: z.string(),
  status: z.enum(['working', 'completed', 'failed', 'cancelled']),
  status_message: z.string().optional(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  ended_at: z.iso.datetime().optional(),
  /** How long it is kept after its end. */
  keep_ms: z.int().positive(),
  /** The operation that carries it on if the process ends. */
  operation_id: z.string().optional(),
  /** What it reached, which is judged again before its result is given away. */
  reached: ReachedList.optional(),
  /** What the call answered, even if it was cancelled: then that says what had been done. */
  result: z.record(z.string(), z.unknown()).optional(),
  /** Why there is no answer. */
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
});
export type TaskRecord = z.output<typeof TaskRecord>;

const TASK_ID = /^task-[a-z2-7]{32}$/;

/** Whether a text has the form of a task id. Other text must never become part of a path. */
export function isTaskId(text: string): boolean {
  return TASK_ID.test(text);
}

export function isTaskOver({ status }: Pick<TaskRecord, 'status'>): boolean {
  return status !== 'working';
}

const MINUTE_MS = 60_000;

/** How long the result of a task is kept. */
export const TASK_KEEPING = { usualMs: MINUTE_MS, leastMs: 1000, mostMs: 60 * MINUTE_MS } as const;
/** How long a task is kept whose process has ended, for its client to come back. */
const ORPHAN_MS = 24 * 60 * MINUTE_MS;

/** The time that a client asked for, within bounds; `undefined` if that is no time. */
export function taskKeepMs(asked: number | undefined): number | undefined {
  const { usualMs, leastMs, mostMs } = TASK_KEEPING;
  if (asked === undefined) return usualMs;
  if (Number.isNaN(asked) || asked < 0) return undefined;
  return Math.min(mostMs, Math.max(leastMs, Math.floor(asked)));
}

/** When a task may be forgotten, in milliseconds since 1970; `undefined` while it is being worked on. */
export function taskExpiry(record: TaskRecord, isHeld: boolean): number | undefined {
  if (record.ended_at !== undefined) return Date.parse(record.ended_at) + record.keep_ms;
  return isHeld ? undefined : Date.parse(record.updated_at) + ORPHAN_MS;
}

/** Time to live counted from its creation, as clients are told: it grows every second while the task is being worked on. */
export function taskTtlMs(record: TaskRecord, now: number): number {
  const until = record.ended_at === undefined ? now : Date.parse(record.ended_at);
  const elapsedMs = Math.max(0, until - Date.parse(record.created_at));
  return Math.floor(elapsedMs / 1000) * 1000 + record.keep_ms;
}
