import { expect, it } from 'vitest';
import { app } from '../../engine/support/stage.ts';
import { deskWorld } from './resources/desk-world.ts';

it('leaves no session behind, even if its client disconnects during calls', async () => {
  const { calls, app: program } = deskWorld([app({})]);
  await calls.answer('list-apps', {});
  await calls.look('list-apps', {});
  const reading = Array.from({ length: 3 }, () => calls.look('list-apps', {}));
  const closing = calls.close();
  const late = [calls.look('list-apps', {}), calls.answer('list-apps', {})];
  await closing;
  for (const one of late) await expect(one).rejects.toMatchObject({ code: 'CANCELLED' });
  await Promise.allSettled(reading);
  await expect(calls.look('list-apps', {})).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(await program.sessions.list()).toEqual([]);
});
