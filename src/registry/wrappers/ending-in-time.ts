import type { StepCommands } from '../definition.ts';

/** Commands that run others. Each of those ends within a grace of its own. */
interface Runner {
  readonly commands: StepCommands;
}

interface Ending {
  /** Ends the work. */
  readonly signal: AbortSignal;
  /** Time after the signal for the work to end by itself: only then can it report what it did. */
  readonly graceMs: number;
  /** For work that does not end by itself. */
  readonly failure: () => Error;
}

/** Runs `work`, and gives it up some time after the signal. Work that runs other commands is given up only after they have ended. */
export async function endingInTime<T>(
  { commands }: Runner,
  { signal, graceMs, failure }: Ending,
  work: (runner: Runner) => Promise<T>,
): Promise<T> {
  const steps = new Set<Promise<unknown>>();
  const run: StepCommands['run'] = async (...given) => {
    const step = commands.run(...given);
    steps.add(step);
    try {
      return await step;
    } finally {
      steps.delete(step);
    }
  };
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let end: (() => void) | undefined;
  const givenUp = new Promise<never>((_, reject) => {
    const giveUp = (): void => {
      if (steps.size === 0) reject(failure());
      else void Promise.allSettled(steps).then(grace);
    };
    const grace = (): void => {
      if (!isOver) timer = setTimeout(giveUp, graceMs);
    };
    end = grace;
  });
  if (end !== undefined) signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work({ commands: { ...commands, run } }), givenUp]);
  } finally {
    isOver = true;
    clearTimeout(timer);
    if (end !== undefined) signal.removeEventListener('abort', end);
  }
}
