import { createClock } from '../../src/platform/node/clock.ts';
import type { ClockPort } from '../../src/ports/clock.ts';

/** The clock of a scripted world. */
export interface WorldClock extends ClockPort {
  /** Runs `task` when that much time has passed. */
  after(ms: number, task: () => void): void;
}

interface Task {
  readonly at: number;
  readonly run: () => void;
}

/** Time that passes only during sleeps: a test of a five-second wait takes no time and is deterministic. */
export class SimulatedClock implements WorldClock {
  private time = 0;
  private tasks: Task[] = [];

  now(): number {
    return this.time;
  }

  after(ms: number, task: () => void): void {
    this.tasks.push({ at: this.time + ms, run: task });
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    // Concurrent sleeps run in parallel.
    const end = this.time + ms;
    // Lets promises that are ready run first, as they would in real time.
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    for (;;) {
      const next = this.tasks.filter((task) => task.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.tasks = this.tasks.filter((task) => task !== next);
      this.time = Math.max(this.time, next.at);
      next.run();
    }
    this.time = Math.max(this.time, end);
    signal?.throwIfAborted();
  }
}

/** The machine's time, for a world in a separate process. */
export function realClock(): WorldClock {
  return { ...createClock(), after: (ms, task) => void setTimeout(task, ms).unref() };
}
