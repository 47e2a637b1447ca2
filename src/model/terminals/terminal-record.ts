import { z } from 'zod';
import { CONFINEMENT_METHODS } from '../tools/confinement.ts';

/** The stored form of a terminal (`terminal.json` in its folder), written only by its holder, and after that has exited by who closes it. */
export const TerminalRecord = z.object({
  format: z.literal(1),
  terminal_id: z.string(),
  project_path: z.string(),
  tag: z.string(),
  /** The client of an MCP server that it belongs to, if that tells its clients apart. */
  owner: z.string().optional(),
  shell: z.string(),
  sandbox: z.enum(CONFINEMENT_METHODS),
  /** Such as `/dev/pts/3`. */
  tty: z.string(),
  size: z.object({ columns: z.int(), rows: z.int() }),
  started_at: z.string(),
  /** Absent while its shell runs. */
  ended_at: z.string().optional(),
  /** Of its shell. */
  exit_code: z.int().optional(),
  signal: z.string().optional(),
  /** It ended because a caller closed it. */
  closed: z.boolean().optional(),
  /** At most this many bytes of its output are stored. */
  budget_bytes: z.int(),
  /** Its shell, or what wraps it: pid and its start time in ticks since boot, which together identify it permanently. */
  process: z.object({ pid: z.int(), start_time: z.string() }),
  /** The process that owns it. */
  holder: z.object({ socket: z.string(), pid: z.int(), start_time: z.string(), boot_id: z.string() }),
  /** Why some of its output is not stored. */
  problem: z.string().optional(),
});
export type TerminalRecord = z.output<typeof TerminalRecord>;
