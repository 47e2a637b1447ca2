import type { Say } from './figures.ts';
import { Program, type Calls, type User } from './program.ts';
import { Stage } from './stage.ts';

/** What a benchmark of a running daemon needs. */
export interface OnDaemon {
  readonly stage: Stage;
  readonly user: User;
  /** A lasting connection, so that no process is started for a call. */
  readonly calls: Calls;
}

/** A private desktop, the program as published, and a running daemon; all end with the work. */
export async function onDaemon<T>(say: Say, work: (on: OnDaemon) => Promise<T>): Promise<T> {
  const stage = await Stage.start(say);
  try {
    say('building');
    const program = await Program.build();
    try {
      const user = await program.user('bench', stage.desktop.environment);
      const calls = await user.connect();
      try {
        return await work({ stage, user, calls });
      } finally {
        await calls.close();
        await user.stop();
      }
    } finally {
      await program.remove();
    }
  } finally {
    await stage.stop();
  }
}

/** The times of one call, after some that are not counted. */
export async function timesOf(
  rounds: number,
  call: () => Promise<unknown>,
  warmUpCalls = 3,
): Promise<number[]> {
  const times: number[] = [];
  for (let round = -warmUpCalls; round < rounds; round++) {
    const began = performance.now();
    await call();
    if (round >= 0) times.push(performance.now() - began);
  }
  return times;
}
