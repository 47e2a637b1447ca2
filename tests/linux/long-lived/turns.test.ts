import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import type { Turn } from '../../../src/ports/desktop/acts.ts';
import { CALL, Stage } from './stage.ts';

let stage: Stage;
let mine: LinuxDesktop;
let theirs: LinuxDesktop;
let pid = 4_000_000;

beforeAll(async () => {
  stage = await Stage.open();
  // Each has connections of its own, like two processes.
  [mine, theirs] = [stage.fresh(), stage.fresh()];
});
afterAll(async () => {
  await Promise.all([mine.close(), theirs.close()]);
  await stage.close();
});

/** Asks for a turn that somebody else has, and proves that it is not given. */
async function queued(
  desktop: LinuxDesktop,
  signal?: AbortSignal,
): Promise<{ readonly turn: Promise<Turn> }> {
  const turn = desktop.takeTurn({ app: '', pid }, { ...CALL, signal });
  const given = turn.then(
    () => true,
    () => false,
  );
  expect(await Promise.race([given, sleep(150, 'waiting')])).toBe('waiting');
  return { turn };
}

it('a turn excludes those on other connections to the bus until it ends', async () => {
  pid++;
  const turn = await mine.takeTurn({ app: '', pid }, CALL);
  await expect(theirs.takeTurn({ app: '', pid }, { deadlineMs: 200 })).rejects.toMatchObject({
    code: 'CONFLICT',
    delivered: false,
    retryable: true,
  });
  const waiting = await queued(theirs);
  turn.end();
  const next = await waiting.turn;
  expect(next.waited).toBe(true);
  next.end();
  // Whoever gave up waiting is not in the queue any more.
  (await mine.takeTurn({ app: '', pid }, CALL)).end();
});

it('a turn ends with the connection of its holder', async () => {
  pid++;
  const dying = stage.fresh();
  await dying.takeTurn({ app: '', pid }, CALL);
  const waiting = await queued(mine);
  await dying.close();
  const turn = await waiting.turn;
  expect(turn.waited).toBe(true);
  turn.end();
});

it('a caller that is cancelled while it waits leaves the queue', async () => {
  pid++;
  const turn = await mine.takeTurn({ app: '', pid }, CALL);
  const abort = new AbortController();
  const waiting = await queued(theirs, abort.signal);
  abort.abort();
  await expect(waiting.turn).rejects.toMatchObject({ code: 'CANCELLED' });
  turn.end();
  (await mine.takeTurn({ app: '', pid }, CALL)).end();
});
