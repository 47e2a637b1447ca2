import { readdirSync, rmSync } from 'node:fs';
import { inputRequired } from '@modelcontextprotocol/server';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { TIMERS } from '../../../../src/model/within.ts';
import { TaskRecords } from '../../../../src/sessions/tasks/task-records.ts';
import { ANY, Created, Legacy, RELATED, text, World } from './support.ts';

const Listed = z.object({ tasks: z.array(Legacy) });

async function start(world: World, name = 'long', task: object = {}) {
  const one = await world.client('legacy');
  const params = { name, arguments: { word: 'a' }, task };
  const created = await one.client.request({ method: 'tools/call', params }, Created);
  const ask = (method: string, taskId = created.task.taskId) =>
    one.client.request({ method, params: { taskId } }, ANY);
  return { ...one, created, id: created.task.taskId, ask };
}

describe('a client of 2025-11-25', () => {
  it('learns that calls can be tasks, and which', async () => {
    const { client } = await new World().client('legacy');
    expect(client.getServerCapabilities()).toMatchObject({
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    });
    const { tools } = await client.listTools();
    const support = tools.map(({ name, execution }) => [name, execution?.taskSupport]);
    expect(support).toEqual([
      ['echo', undefined],
      ['hang', undefined],
      ['short', undefined],
      ['long', 'optional'],
      ['must', 'required'],
      ['page', 'optional'],
      ['shell', 'optional'],
    ]);
  });

  it('gets a task at once, which is on disk by then, and later its result', async () => {
    const world = new World();
    const { created, id, ask, seen } = await start(world);
    expect(readdirSync(world.folder)).toEqual([`${id}.json`]);
    expect(created.task).toMatchObject({ status: 'working', ttl: 60_000, pollInterval: 1000 });
    expect(created._meta['io.modelcontextprotocol/model-immediate-response']).toContain(
      '"The long" has begun',
    );
    expect(await ask('tasks/get')).toMatchObject({ taskId: id, status: 'working' });
    const result = ask('tasks/result');
    world.calls.get('a')?.(text('done'));
    expect(await result).toMatchObject({
      content: [{ text: 'done' }],
      _meta: { [RELATED]: { taskId: id } },
    });
    expect(await ask('tasks/get')).toMatchObject({ status: 'completed' });
    const told = seen.filter(
      (message) => 'method' in message && message.method === 'notifications/tasks/status',
    );
    expect(told).toMatchObject([{ params: { taskId: id, status: 'completed' } }]);
  });

  it('goes on to receive progress, with the task it is about', async () => {
    const world = new World();
    const { client, seen } = await world.client('legacy');
    const params = { name: 'long', arguments: { word: 'a' }, task: {}, _meta: { progressToken: 't' } };
    const { task } = await client.request({ method: 'tools/call', params }, Created);
    world.channels[0]?.progress({ message: 'half of it', done: 1 });
    const isTold = (message: object) =>
      'method' in message && message.method === 'notifications/progress' && 'params' in message;
    await vi.waitFor(() => expect(seen.some(isTold)).toBe(true));
    expect(seen.find(isTold)).toMatchObject({
      params: { progressToken: 't', message: 'half of it', _meta: { [RELATED]: { taskId: task.taskId } } },
    });
    const state = await client.request({ method: 'tasks/get', params: { taskId: task.taskId } }, Legacy);
    expect(state.statusMessage).toBe('half of it');
  });

  it('sees a result that reports an error as a failed task, and gets it all the same', async () => {
    const world = new World();
    const { ask } = await start(world);
    world.calls.get('a')?.({ ...text('no'), isError: true });
    expect(await ask('tasks/result')).toMatchObject({ isError: true, content: [{ text: 'no' }] });
    expect(await ask('tasks/get')).toMatchObject({ status: 'failed' });
  });

  it('gets the error of a call that failed', async () => {
    const world = new World();
    const { ask } = await start(world);
    world.calls.get('a')?.(new Error('a bug'));
    await expect(ask('tasks/result')).rejects.toMatchObject({ code: -32_603, message: /a bug/ });
    expect(await ask('tasks/get')).toMatchObject({ status: 'failed', statusMessage: 'a bug' });
  });

  it('cancels, is told what was done, and cannot cancel again', async () => {
    const world = new World();
    const { ask } = await start(world);
    const waiting = ask('tasks/result');
    const cancelled = await ask('tasks/cancel');
    expect(cancelled).toMatchObject({ status: 'cancelled' });
    expect(cancelled['statusMessage']).toContain('pressed 3 of 7 keys');
    expect(await waiting).toMatchObject({ isError: true });
    await expect(ask('tasks/cancel')).rejects.toMatchObject({ code: -32_602, message: /cancelled already/ });
    expect(await ask('tasks/get')).toMatchObject({ status: 'cancelled' });
  });

  it('cannot cancel what is done', async () => {
    const world = new World();
    const { ask } = await start(world);
    world.calls.get('a')?.(text('done'));
    await ask('tasks/result');
    await expect(ask('tasks/cancel')).rejects.toMatchObject({ code: -32_602, message: /completed already/ });
    expect(await ask('tasks/result')).toMatchObject({ content: [{ text: 'done' }] });
  });

  it('lists its own tasks and no others', async () => {
    const world = new World();
    const [one, other] = [await start(world), await world.client('legacy')];
    const list = (client: typeof one.client) => client.request({ method: 'tasks/list' }, Listed);
    expect((await list(one.client)).tasks).toMatchObject([{ taskId: one.id, status: 'working' }]);
    expect((await list(other.client)).tasks).toEqual([]);
  });

  it.each([
    ['short', {}, /cannot be called as a task/],
    ['long', { ttl: -1 }, /task\.ttl/],
    ['long', { ttl: 'a' }, /task\.ttl/],
    // What JSON makes of NaN and of what is infinite.
    ['long', { ttl: null }, /task\.ttl/],
  ])('cannot call %s as the task %j', async (name, task, message) => {
    const world = new World();
    const { client } = await world.client('legacy');
    const params = { name, arguments: { word: 'a' }, task };
    await expect(client.request({ method: 'tools/call', params }, ANY)).rejects.toThrow(message);
    expect([world.channels.length, readdirSync(world.folder)]).toEqual([0, []]);
  });

  it('cannot call as usual what can only be a task', async () => {
    const { client } = await new World().client('legacy');
    await expect(client.callTool({ name: 'must' })).rejects.toMatchObject({ code: -32_601 });
    expect(await client.callTool({ name: 'short' })).toMatchObject({ content: [{ text: 'short' }] });
  });

  it('has a result kept no longer than an hour', async () => {
    const { created } = await start(new World(), 'long', { ttl: 1e300 });
    expect(created.task.ttl).toBe(3_600_000);
  });

  it('does not get a result that has expired', async () => {
    const world = new World();
    const { id, ask } = await start(world, 'long', { ttl: 1 });
    world.calls.get('a')?.(text('done'));
    await ask('tasks/result');
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + 2000);
    try {
      for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
        await expect(ask(method)).rejects.toMatchObject({ code: -32_602, message: /no such task/ });
    } finally {
      vi.restoreAllMocks();
    }
    expect(readdirSync(world.folder)).not.toContain(`${id}.json`);
  });

  it.each(['', '../x', 'task-../../etc/passwd', `task-${'a'.repeat(32)}`, `task-${'a'.repeat(150)}`])(
    'cannot read %j',
    async (id) => {
      const { ask } = await start(new World());
      for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
        await expect(ask(method, id)).rejects.toMatchObject({ code: -32_602 });
    },
  );

  it('runs no more than 32 tasks at once', async () => {
    const world = new World();
    const { client } = await world.client('legacy');
    const call = (count: number) =>
      client.request(
        { method: 'tools/call', params: { name: 'long', arguments: { word: `${count}` }, task: {} } },
        Created,
      );
    const all = await Promise.allSettled(Array.from({ length: 40 }, (_, count) => call(count)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(32);
    world.calls.get('0')?.(text('done'));
    await vi.waitFor(async () => expect((await call(99)).task.status).toBe('working'));
  });

  it('is asked what a task wants to know when it waits for the result', async () => {
    const world = new World();
    const { client, ask } = await start(world);
    const asked: unknown[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params);
      return { action: 'accept' as const, content: { name: 'Ada' } };
    });
    const form = inputRequired.elicit({
      message: 'Who?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    });
    const before = world.channels.length;
    world.calls.get('a')?.(inputRequired({ inputRequests: { who: form } }));
    await vi.waitFor(async () => expect(await ask('tasks/get')).toMatchObject({ status: 'input_required' }));
    const result = ask('tasks/result');
    await vi.waitFor(() => expect(world.channels.length).toBeGreaterThan(before));
    expect(asked).toMatchObject([{ message: 'Who?' }]);
    expect(world.channels.at(-1)?.context.mcpReq.inputResponses).toMatchObject({
      who: { action: 'accept', content: { name: 'Ada' } },
    });
    world.calls.get('a')?.(text('hello Ada'));
    expect(await result).toMatchObject({ content: [{ text: 'hello Ada' }] });
  });
});

describe('a task that cannot be recorded', () => {
  it.each(['long', 'shell'])('of %s: the call is not made', async (name) => {
    const world = new World();
    const { client, connection } = await world.client('legacy');
    rmSync(world.folder, { recursive: true });
    const params = { name, arguments: { word: 'a' }, task: {} };
    await expect(client.request({ method: 'tools/call', params }, ANY)).rejects.toMatchObject({
      code: -32_603,
      message: expect.stringContaining('was not made. Make it without a task'),
      data: { code: 'ACTION_FAILED', delivered: false },
    });
    expect([world.channels.length, world.runs, world.operations.cancelled]).toEqual([0, 0, []]);
    expect(connection.tasks.hasRoom).toBe(true);
  });

  it('with its operation: says that the call had begun, and that the operation was ended', async () => {
    const world = new World();
    const { client, connection } = await world.client('legacy');
    world.beforeOperation = () => rmSync(world.folder, { recursive: true });
    const params = { name: 'shell', arguments: { word: 'a' }, task: {} };
    const call = client.request({ method: 'tools/call', params }, ANY);
    await vi.waitFor(() => expect(world.operations.cancelled).toEqual(['a']));
    world.calls.get('a')?.(text('still running'));
    await expect(call).rejects.toMatchObject({
      code: -32_603,
      message: expect.stringMatching(/had begun, as operation a, .* The operation was ended/),
      data: { code: 'ACTION_FAILED', delivered: true, retryable: false },
    });
    expect(world.runs).toBe(1);
    await vi.waitFor(() => expect(connection.tasks.hasRoom).toBe(true));
  });
});

describe('a task that asks', () => {
  const FORM = inputRequired.elicit({
    message: 'Who?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  });

  async function asking(answer: () => Promise<never>, world = new World()) {
    const one = await start(world);
    const asked: AbortSignal[] = [];
    one.client.setRequestHandler('elicitation/create', (_, { mcpReq: { signal } }) => {
      asked.push(signal);
      return answer();
    });
    world.calls.get('a')?.(inputRequired({ inputRequests: { who: FORM } }));
    await vi.waitFor(async () =>
      expect(await one.ask('tasks/get')).toMatchObject({ status: 'input_required' }),
    );
    const result = one.ask('tasks/result').catch((error: unknown) => error);
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    return { ...one, asked, result };
  }

  const never = () => new Promise<never>(() => undefined);

  it('is over for whoever waits for its result as soon as it is cancelled, and withdraws its question', async () => {
    const { ask, result, asked } = await asking(never);
    expect(await ask('tasks/cancel')).toMatchObject({ status: 'cancelled' });
    expect(await result).toMatchObject({ code: -32_602, data: { code: 'CANCELLED' } });
    await vi.waitFor(() => expect(asked[0]?.aborted).toBe(true));
  });

  it('fails with the reason when its question has been open for too long', async () => {
    let timeIsUp = (): void => undefined;
    const sleep = vi.spyOn(TIMERS, 'sleep').mockImplementation(
      (ms, signal) =>
        new Promise((resolve) => {
          if (ms === 600_000) timeIsUp = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        }),
    );
    try {
      const { ask, result, asked } = await asking(never);
      timeIsUp();
      expect(await result).toMatchObject({
        code: -32_603,
        message: expect.stringContaining('The client did not answer within 600 s.'),
        data: { code: 'TIMEOUT', delivered: false },
      });
      expect(await ask('tasks/get')).toMatchObject({ status: 'failed' });
      await vi.waitFor(() => expect(asked[0]?.aborted).toBe(true));
    } finally {
      sleep.mockRestore();
    }
  });

  it('names the page that is opened, and tells when what it is for is done', async () => {
    const world = new World();
    let endPage = (_isDone: boolean): void => undefined;
    world.pageOver = new Promise((resolve) => {
      endPage = resolve;
    });
    const { client, ask } = await start(world, 'page');
    const asked: unknown[] = [];
    const completed: unknown[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params);
      return { action: 'accept' };
    });
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
      completed.push(params.elicitationId);
    });
    expect(await ask('tasks/result')).toMatchObject({ content: [{ text: 'accept' }] });
    expect(asked).toMatchObject([{ mode: 'url', url: 'https://id.example/in' }]);
    const [{ elicitationId }] = z.tuple([z.looseObject({ elicitationId: z.uuid() })]).parse(asked);
    expect(completed).toEqual([]);
    endPage(true);
    await vi.waitFor(() => expect(completed).toEqual([elicitationId]));
  });

  it('fails with the reason when the client refuses to be asked', async () => {
    const { result } = await asking(() => Promise.reject(new Error('nobody is there')));
    expect(await result).toMatchObject({
      code: -32_603,
      data: { code: 'ACTION_FAILED', platform_detail: expect.stringContaining('nobody is there') },
    });
  });
});

describe('a task of another client', () => {
  it('is out of reach while that client is connected, and of another principal always', async () => {
    const world = new World();
    const { id, leave } = await start(world);
    const [same, alien] = [await world.client('legacy'), await world.client('legacy', world.connection('q'))];
    const ask = (client: typeof same.client, method: string) =>
      client.request({ method, params: { taskId: id } }, ANY);
    for (const { client } of [same, alien])
      for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
        await expect(ask(client, method)).rejects.toMatchObject({ code: -32_602, message: /no such task/ });
    await leave();
    await expect(ask(alien.client, 'tasks/get')).rejects.toMatchObject({ code: -32_602 });
    expect(await ask(same.client, 'tasks/get')).toMatchObject({
      status: 'cancelled',
      statusMessage: /Its client disconnected\.\nCANCELLED: pressed 3 of 7 keys/,
    });
  });
});

it('a task that cannot be recorded as taken over stays what it is, and says so', async () => {
  const world = new World();
  const { id, leave } = await start(world);
  await leave();
  const { client } = await world.client('legacy');
  const ask = () => client.request({ method: 'tasks/get', params: { taskId: id } }, ANY);
  const full = vi.spyOn(TaskRecords.prototype, 'replace').mockRejectedValue(new Error('ENOSPC'));
  try {
    await expect(ask()).rejects.toMatchObject({
      code: -32_603,
      message: expect.stringContaining('free disk space'),
      data: { code: 'ACTION_FAILED', retryable: true },
    });
  } finally {
    full.mockRestore();
  }
  expect(await ask()).toMatchObject({ status: 'cancelled' });
});

describe('a task over an operation', () => {
  it('ends when the operation does, not when the call is answered', async () => {
    const world = new World();
    const { ask } = await start(world, 'shell');
    world.calls.get('a')?.(text('still running'));
    expect(await ask('tasks/get')).toMatchObject({ status: 'working' });
    world.operations.ends.get('a')?.(text('built'));
    expect(await ask('tasks/result')).toMatchObject({ content: [{ text: 'built' }] });
  });

  it('is cancelled with the operation, and says what that wrote', async () => {
    const world = new World();
    const { ask } = await start(world, 'shell');
    world.calls.get('a')?.(text('still running'));
    expect(await ask('tasks/cancel')).toMatchObject({ status: 'cancelled', statusMessage: /half of it/ });
    expect(world.operations.cancelled).toEqual(['a']);
    expect(await ask('tasks/result')).toMatchObject({ content: [{ text: 'a cancelled after: half of it' }] });
  });

  it.each(['the client has left', 'the process was killed'])('goes on when %s', async (event) => {
    const world = new World();
    const { id, leave } = await start(world, 'shell');
    world.calls.get('a')?.(text('still running'));
    if (event === 'the client has left') await leave();
    else world.dieAndStart();
    const { client } = await world.client('legacy');
    const ask = (method: string) => client.request({ method, params: { taskId: id } }, ANY);
    expect(await ask('tasks/get')).toMatchObject({ status: 'working' });
    const result = ask('tasks/result');
    world.operations.ends.get('a')?.(text('built'));
    expect(await result).toMatchObject({ content: [{ text: 'built' }] });
    expect(world.runs).toBe(1);
  });
});

describe('any other task', () => {
  it('has failed when its process was killed, with the reason, and is not run again', async () => {
    const world = new World();
    const { id } = await start(world);
    world.dieAndStart();
    const { client } = await world.client('legacy');
    const ask = (method: string) => client.request({ method, params: { taskId: id } }, ANY);
    const states = await Promise.all([ask('tasks/get'), ask('tasks/get')]);
    for (const state of states)
      expect(state).toMatchObject({
        status: 'failed',
        statusMessage: /The server ended while long was running/,
      });
    await expect(ask('tasks/result')).rejects.toMatchObject({ code: -32_603, message: /done in part/ });
    expect(world.channels).toHaveLength(1);
  });
});
