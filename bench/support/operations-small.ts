/** A process as small as a Node process can be, which starts programs on request. */
import { clockOffset, timedSpawn, type StartTimes } from './timed-start.ts';

export interface SmallOrder {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** How many to start at once. */
  readonly count: number;
}

export interface SmallAnswer {
  readonly times: readonly StartTimes[];
  readonly problem?: string;
}

async function carryOut({ command, cwd, count }: SmallOrder): Promise<SmallAnswer> {
  const offset = clockOffset();
  try {
    return {
      times: await Promise.all(Array.from({ length: count }, () => timedSpawn(command, cwd, offset))),
    };
  } catch (error) {
    return { times: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (order: SmallOrder) => {
  void carryOut(order).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());
