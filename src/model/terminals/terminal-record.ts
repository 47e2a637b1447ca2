import { z } from 'zod';
import { CONFINEMENT_MEANS } from '../tools/confinement.ts';

/** What is kept of a terminal on disk (`terminal.json` in its folder), written by its holder alone and read by anybody. */
export const TerminalRecord = z.object({
  format: z.literal(1),
  terminal_id: z.string(),
  project_path: z.string(),
  tag: z.string(),
  shell: z.string(),
  sandbox: z.enum(CONFINEMENT_MEANS),
  /** Such as `/dev/pts/3`. */
  tty: z.string(),
  size: z.object({ columns: z.int(), rows: z.int() }),
  started_at: z.string(),
  /** Absent while its shell runs. */
  ended_at: z.string().optional(),
  /** Of its shell. */
  exit_code: z.int().optional(),
  signal: z.string().optional(),
  /** Bytes of what is shown that are kept at most. */
  budget_bytes: z.int(),
  /** Its shell, or what wraps it: pid and its start time in ticks since boot, which together name it for good. */
  process: z.object({ pid: z.int(), start_time: z.string() }),
  /** Who keeps it. */
  holder: z.object({ socket: z.string(), pid: z.int(), start_time: z.string(), boot_id: z.string() }),
  /** Why something of what it has shown is not kept. */
  problem: z.string().optional(),
});
export type TerminalRecord = z.output<typeof TerminalRecord>;
