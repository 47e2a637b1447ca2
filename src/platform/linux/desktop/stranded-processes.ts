import { processStartTime } from '../process/facts.ts';

/**
 * Processes that were on an accessibility bus when it ended. Most toolkits join a bus only once, when they start, so that their windows have no tree from
 * then on; without this it would look as if they had been started without accessibility.
 */
export class StrandedProcesses {
  /** Start times by process id, which may be used again. */
  private readonly starts = new Map<number, string>();

  add(pids: readonly number[]): void {
    for (const [pid, start] of this.starts) if (processStartTime(pid) !== start) this.starts.delete(pid);
    for (const pid of pids) {
      const start = processStartTime(pid);
      if (start !== undefined) this.starts.set(pid, start);
    }
  }

  has(pid: number): boolean {
    const start = this.starts.get(pid);
    return start !== undefined && processStartTime(pid) === start;
  }
}
