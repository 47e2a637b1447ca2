import { describe, expect, it } from 'vitest';
import { ReachedInCall } from '../../../../src/model/policy/reached.ts';
import type { Policy } from '../../../../src/model/policy/verdict.ts';
import { reachingFor } from '../../../../src/surfaces/mcp/tasks/reached-by-task.ts';
import { app, button, windowWith } from '../../../engine/support/stage.ts';
import { policy, ruled } from '../../../policy/policy-of.ts';
import { deskWorld } from '../resources/desk-world.ts';
import { OPEN } from '../support/policies.ts';
import { ANY, Created, rawCall, text, World } from './support.ts';

const CALLER = { environment: { DISPLAY: ':1' }, cwd: '/' };
const WORD = 'vault';
const SECRET = 'the combination';

/** A task of each era that has ended, with a client that asks for it. */
async function ended(world: World, era: 'legacy' | 'modern') {
  const one = await world.client(era);
  const call = { name: 'long', arguments: { word: WORD } };
  const id =
    era === 'legacy'
      ? (await one.client.request({ method: 'tools/call', params: { ...call, task: {} } }, Created)).task
          .taskId
      : String((await rawCall(one, call))['taskId']);
  world.calls.get(WORD)?.(text(SECRET));
  const ask = (method: string, by = one) => by.client.request({ method, params: { taskId: id } }, ANY);
  await expect.poll(() => ask('tasks/get')).toMatchObject({ status: 'completed' });
  return { ...one, id, ask };
}

describe('what a task answered', () => {
  it('is refused once the policy denies what it came from, and given when it no longer does', async () => {
    const world = new World();
    const { ask } = await ended(world, 'legacy');
    world.denied.add(WORD);
    await expect(ask('tasks/result')).rejects.toMatchObject({ data: { code: 'POLICY_DENIED' } });
    expect(await ask('tasks/get')).toMatchObject({ status: 'failed' });
    world.denied.clear();
    expect(await ask('tasks/result')).toMatchObject({ content: [{ text: SECRET }] });
  });

  it('is refused to clients of 2026-07-28, too', async () => {
    const world = new World();
    const { ask } = await ended(world, 'modern');
    expect(await ask('tasks/get')).toMatchObject({ result: { content: [{ text: SECRET }] } });
    world.denied.add(WORD);
    const refused = await ask('tasks/get');
    expect(refused).toMatchObject({ status: 'failed', error: { data: { code: 'POLICY_DENIED' } } });
    expect(JSON.stringify(refused)).not.toContain(SECRET);
  });

  it('is refused to the next process as well: what it came from is on disk with it', async () => {
    const world = new World();
    const { ask, leave } = await ended(world, 'legacy');
    await leave();
    world.dieAndStart();
    world.denied.add(WORD);
    await expect(ask('tasks/result', await world.client('legacy'))).rejects.toMatchObject({
      data: { code: 'POLICY_DENIED' },
    });
  });

  it('does not reach those who watch the task, if it was denied while it ran', async () => {
    const world = new World();
    const one = await world.client('legacy');
    const params = { name: 'long', arguments: { word: WORD }, task: {} };
    await one.client.request({ method: 'tools/call', params }, Created);
    world.denied.add(WORD);
    world.calls.get(WORD)?.({ ...text(SECRET), isError: true });
    await expect.poll(() => JSON.stringify(one.seen)).toContain('The policy denies it by now.');
    expect(JSON.stringify(one.seen)).not.toContain(SECRET);
  });
});

describe('what a call reached', () => {
  /** Windows that were listed while nothing was denied. */
  async function listed() {
    const state = { policy: OPEN };
    const world = deskWorld([app({ name: 'Editor', windows: [windowWith([button('save', 'Save')])] })], {
      policy: async () => state.policy,
    });
    const reached = new ReachedInCall();
    await reachingFor(reached, () => world.calls.answer('list-windows', {}));
    return {
      refusal: (by: Policy) => {
        state.policy = by;
        return world.app.refusalOf(CALLER, reached.list);
      },
    };
  }

  it.each([
    ['an application', policy({ applications: { denied: ['Editor'] } })],
    [
      'the command',
      policy({ commands: { denied: ['list-windows'] } }, {}, { commands: ruled(['list-windows']) }),
    ],
  ])('is %s that is denied by now', async (_, denying) => {
    expect(await (await listed()).refusal(denying)).toMatchObject({ code: 'POLICY_DENIED' });
  });

  it.each([
    ['nothing', OPEN],
    ['another application', policy({ applications: { denied: ['Other'] } })],
    ['another command', policy({ commands: { denied: ['click'] } })],
  ])('is still allowed if the policy denies %s', async (_, other) => {
    expect(await (await listed()).refusal(other)).toBeUndefined();
  });

  it('is refused if it was too much to be judged again', () => {
    const reached = new ReachedInCall();
    for (let at = 0; at < 600; at += 1) reached.add({ application: { name: `${at}` } });
    expect(reached.list).toMatchObject({ isWhole: false });
    expect(reached.list.all).toHaveLength(500);
  });
});
