import { z } from 'zod';
import { CONFINEMENT_METHODS } from './confinement.ts';
import { OPERATION_STATUSES } from './operation-status.ts';

export const OperationStatus = z.enum(OPERATION_STATUSES);
export type OperationStatus = z.output<typeof OperationStatus>;

/** One access that was denied to a run. */
export const DeniedAccess = z.object({
  operation: z.enum([
    'read',
    'write',
    'create',
    'delete',
    'rename',
    'link',
    'execute',
    'network',
    'unix-socket',
  ]),
  /** Absolute path; for `network` and `unix-socket` the peer, if known. */
  target: z.string(),
  /** Name of the program that was denied. */
  program: z.string(),
  /** How often. */
  count: z.int(),
  /** The line of a tool file that would allow it, such as `"sandbox": {"read": ["/srv/data"]}`; absent if nothing would. */
  allow: z.string().optional(),
});
export type DeniedAccess = Readonly<z.output<typeof DeniedAccess>>;

/** One command of an operation; most have one. */
export const OperationStep = z.object({
  command: z.array(z.string()),
  status: z.enum(['waiting', 'running', 'succeeded', 'failed', 'skipped']),
  exit_code: z.int().optional(),
  signal: z.string().optional(),
});

/** Name of operations that only ask a program about itself; lists leave them out. */
export const CHECK = 'check';

/** The stored form of an operation (`operation.json` in its folder), written only by its holder. */
export const OperationRecord = z.object({
  format: z.literal(1),
  operation_id: z.string(),
  /** What was called: `git_status`, `sandboxed_shell`. */
  tool: z.string(),
  status: OperationStatus,
  steps: z.array(OperationStep),
  cwd: z.string(),
  scope: z.string(),
  sandbox: z.enum(CONFINEMENT_METHODS),
  /** Session that started it. */
  session: z.string(),
  /** The client of an MCP server that it belongs to, if that tells its clients apart. */
  owner: z.string().optional(),
  started_at: z.string(),
  ended_at: z.string().optional(),
  exit_code: z.int().optional(),
  /** Name of the signal that ended it, such as `SIGKILL`. */
  signal: z.string().optional(),
  timeout_ms: z.int().optional(),
  output: z.enum(['merged', 'separate']),
  /** At most this many bytes of output are stored, over all streams. */
  budget_bytes: z.int(),
  /** The process that leads it: pid and its start time in ticks since boot, which together identify it permanently. */
  process: z.object({ pid: z.int(), start_time: z.string() }).optional(),
  /** The process that runs it. */
  holder: z.object({ socket: z.string(), pid: z.int(), start_time: z.string(), boot_id: z.string() }),
  denied: z.array(DeniedAccess).optional(),
  /** Processes that outlived the command and were ended. */
  left_behind: z.int().optional(),
  /** Why it could not be started, or why output could not be stored. */
  problem: z.string().optional(),
});
export type OperationRecord = z.output<typeof OperationRecord>;
