import { readdirSync } from 'node:fs';
import { inputRequired } from '@modelcontextprotocol/server';
import { describe, expect, it, vi } from 'vitest';
import { ANY, EXTENSION, rawCall, text, World } from './support.ts';

const UNDECLARED = { _meta: { 'io.modelcontextprotocol/clientCapabilities': {} } };

async function start(world: World, name = 'long') {
  const one = await world.client('modern');
  const created = await rawCall(one, { name, arguments: { word: 'a' } });
  const id = String(created['taskId']);
  const ask = (method: string, more: object = {}, taskId = id) =>
    one.client.request({ method, params: { taskId, ...more } }, ANY);
  const subscribe = (params: object) =>
    one.transport.send({
      jsonrpc: '2.0',
      id: 'listen',
      method: 'subscriptions/listen',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': { extensions: { [EXTENSION]: {} } },
        },
        ...params,
      },
    });
  const messages = (method: string) =>
    one.seen.filter((message) => 'method' in message && message.method === method);
  return { ...one, created, id, ask, subscribe, messages };
}

describe('a client of 2026-07-28', () => {
  it('learns of the extension, and of nothing older', async () => {
    const { client } = await new World().client('modern');
    const capabilities = client.getServerCapabilities();
    expect(capabilities?.extensions).toHaveProperty([EXTENSION]);
    expect(capabilities).not.toHaveProperty('tasks');
    const { tools } = await client.listTools();
    expect(JSON.stringify(tools)).not.toContain('taskSupport');
  });

  it('gets a task for a call that takes long, which is on disk by then, and later its result', async () => {
    const world = new World();
    const { created, id, ask } = await start(world);
    expect(created).toMatchObject({
      resultType: 'task',
      status: 'working',
      ttlMs: 60_000,
      pollIntervalMs: 1000,
    });
    expect(created).not.toHaveProperty('content');
    expect(readdirSync(world.folder)).toEqual([`${id}.json`]);
    world.calls.get('a')?.(text('done'));
    await vi.waitFor(async () =>
      expect(await ask('tasks/get')).toMatchObject({
        status: 'completed',
        result: { resultType: 'complete', content: [{ text: 'done' }] },
      }),
    );
  });

  it('gets the result of a short call, and of one that cannot be recorded', async () => {
    const world = new World();
    const one = await world.client('modern');
    expect(await one.client.callTool({ name: 'short' })).toMatchObject({ content: [{ text: 'short' }] });
    const { tasks } = one.connection;
    const keep = vi.spyOn(tasks, 'keep').mockRejectedValue(new Error('the disk is full'));
    const call = one.client.callTool({ name: 'long', arguments: { word: 'a' } });
    await vi.waitFor(() => expect(keep).toHaveBeenCalled());
    world.calls.get('a')?.(text('done'));
    expect(await call).toMatchObject({ content: [{ text: 'done' }] });
  });

  it('that does not declare the extension gets no task and may not ask for one', async () => {
    const world = new World();
    const { client, id } = await start(world);
    const call = client.request(
      { method: 'tools/call', params: { name: 'long', arguments: { word: 'b' }, ...UNDECLARED } },
      ANY,
    );
    await vi.waitFor(() => expect(world.calls.has('b')).toBe(true));
    // Longer than it takes to become a task.
    setTimeout(() => world.calls.get('b')?.(text('at last')), 200);
    expect(await call).toMatchObject({ content: [{ text: 'at last' }] });
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const params = { taskId: id, inputResponses: {}, ...UNDECLARED };
      await expect(client.request({ method, params }, ANY)).rejects.toMatchObject({
        code: -32_021,
        data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } },
      });
    }
    await expect(
      client.request({ method: 'tools/call', params: { name: 'must', ...UNDECLARED } }, ANY),
    ).rejects.toMatchObject({ code: -32_021 });
  });

  it('sees a result that reports an error as completed, and a broken call as failed', async () => {
    const world = new World();
    const { ask } = await start(world);
    world.calls.get('a')?.({ ...text('no'), isError: true });
    await vi.waitFor(async () =>
      expect(await ask('tasks/get')).toMatchObject({ status: 'completed', result: { isError: true } }),
    );
    const other = await start(world);
    world.calls.get('a')?.(new Error('a bug'));
    await vi.waitFor(async () =>
      expect(await other.ask('tasks/get')).toMatchObject({
        status: 'failed',
        error: { code: -32_603, message: 'a bug' },
      }),
    );
  });

  it('cancels any number of times, before and after the end, and is told what was done', async () => {
    const world = new World();
    const { ask } = await start(world);
    for (const _ of [1, 2]) expect(await ask('tasks/cancel')).not.toHaveProperty('taskId');
    const state = await ask('tasks/get');
    expect(state).toMatchObject({ status: 'cancelled', statusMessage: /pressed 3 of 7 keys/ });
    expect(state).not.toHaveProperty('result');
    const done = await start(world);
    world.calls.get('a')?.(text('done'));
    await vi.waitFor(async () => expect(await done.ask('tasks/get')).toMatchObject({ status: 'completed' }));
    await done.ask('tasks/cancel');
    expect(await done.ask('tasks/get')).toMatchObject({ status: 'completed' });
  });

  it.each(['../x', `task-${'a'.repeat(32)}`])('does not read %j', async (id) => {
    const { ask } = await start(new World());
    for (const method of ['tasks/get', 'tasks/cancel'])
      await expect(ask(method, {}, id)).rejects.toMatchObject({ code: -32_602 });
    await expect(ask('tasks/update', { inputResponses: {} }, id)).rejects.toMatchObject({ code: -32_602 });
  });

  it('answers the questions of a task, each once, under keys that never come again', async () => {
    const world = new World();
    const { ask } = await start(world);
    const form = inputRequired.elicit({
      message: 'Who?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    });
    const answer = (name: string) => ({ [name]: { action: 'accept', content: { name } } });
    world.calls.get('a')?.(inputRequired({ inputRequests: { x: form, y: form } }));
    await vi.waitFor(async () => expect(await ask('tasks/get')).toMatchObject({ status: 'input_required' }));
    const calls = world.channels.length;
    await ask('tasks/update', { inputResponses: { ...answer('x'), ...answer('z'), ...answer('__proto__') } });
    const half = await ask('tasks/get');
    expect(Object.keys(ANY.parse(half['inputRequests']))).toEqual(['y']);
    await ask('tasks/update', { inputResponses: answer('x') });
    expect(world.channels).toHaveLength(calls);
    await ask('tasks/update', { inputResponses: answer('y') });
    expect(world.channels).toHaveLength(calls + 1);
    expect(world.channels.at(-1)?.context.mcpReq.inputResponses).toEqual({ ...answer('x'), ...answer('y') });
    world.calls.get('a')?.(inputRequired({ inputRequests: { x: form } }));
    await vi.waitFor(async () =>
      expect(await ask('tasks/get')).toMatchObject({
        inputRequests: { 'x-2': { method: 'elicitation/create' } },
      }),
    );
    await ask('tasks/cancel');
    expect(await ask('tasks/get')).toMatchObject({ status: 'cancelled' });
  });

  it('is asked at once by a call that asks before it takes long', async () => {
    const world = new World();
    const one = await world.client('modern');
    const asked = rawCall(one, { name: 'long', arguments: { word: 'a' } });
    await vi.waitFor(() => expect(world.calls.has('a')).toBe(true));
    world.calls.get('a')?.(inputRequired({ requestState: 's' }));
    expect(await asked).toMatchObject({ resultType: 'input_required', requestState: 's' });
  });

  it('is asked by the answer, too, if the call asks while its task is being recorded', async () => {
    const world = new World();
    world.afterRecord = async () => {
      world.calls.get('a')?.(inputRequired({ requestState: 's' }));
      await new Promise((resolve) => setImmediate(resolve));
    };
    const { created } = await start(world);
    expect(created).toMatchObject({ resultType: 'input_required', requestState: 's' });
    expect(readdirSync(world.folder)).toEqual([]);
  });

  it('that takes its call back before it is a task, ends it', async () => {
    const world = new World();
    const { client } = await world.client('modern');
    const controller = new AbortController();
    const call = client.callTool({ name: 'long', arguments: { word: 'a' } }, { signal: controller.signal });
    await vi.waitFor(() => expect(world.channels).toHaveLength(1));
    controller.abort();
    await expect(call).rejects.toThrow(/abort/i);
    await vi.waitFor(() => expect(world.channels[0]?.signal.aborted).toBe(true));
    expect(readdirSync(world.folder)).toEqual([]);
  });

  it('that leaves before its call is a task, ends it', async () => {
    const world = new World();
    const { client, leave } = await world.client('modern');
    client.callTool({ name: 'shell', arguments: { word: 'a' } }).catch(() => undefined);
    await vi.waitFor(() => expect(world.channels).toHaveLength(1));
    await leave();
    expect(world.channels[0]?.signal.aborted).toBe(true);
    expect(readdirSync(world.folder)).toEqual([]);
  });

  it('gets the result of an operation that outlived its server', async () => {
    const world = new World();
    const { id, leave } = await start(world, 'shell');
    world.dieAndStart();
    const { client } = await world.client('modern');
    const get = () => client.request({ method: 'tasks/get', params: { taskId: id } }, ANY);
    expect(await get()).toMatchObject({ status: 'working' });
    world.operations.ends.get('a')?.(text('built'));
    await vi.waitFor(async () =>
      expect(await get()).toMatchObject({ status: 'completed', result: { content: [{ text: 'built' }] } }),
    );
    expect(world.runs).toBe(1);
    await leave();
  });
});

describe('a subscription', () => {
  it('reports each status of the tasks that it names, and of no others', async () => {
    const world = new World();
    const { id, subscribe, messages } = await start(world);
    const other = await world.client('modern');
    const foreign = await rawCall(other, { name: 'long', arguments: { word: 'b' } });
    await subscribe({ notifications: { taskIds: [id, String(foreign['taskId']), '../x'] } });
    const acknowledged = 'notifications/subscriptions/acknowledged';
    await vi.waitFor(() => expect(messages(acknowledged)).toHaveLength(1));
    expect(messages(acknowledged)).toMatchObject([{ params: { notifications: { taskIds: [id] } } }]);
    world.calls.get('b')?.(text('foreign'));
    world.calls.get('a')?.(text('done'));
    await vi.waitFor(() => expect(messages('notifications/tasks')).toHaveLength(1));
    expect(messages('notifications/tasks')).toMatchObject([
      {
        params: {
          taskId: id,
          status: 'completed',
          result: { content: [{ text: 'done' }] },
          _meta: { 'io.modelcontextprotocol/subscriptionId': 'listen' },
        },
      },
    ]);
  });

  it('reports at once what was over before it began', async () => {
    const world = new World();
    const { id, ask, subscribe, messages } = await start(world);
    world.calls.get('a')?.(text('done'));
    await vi.waitFor(async () => expect(await ask('tasks/get')).toMatchObject({ status: 'completed' }));
    await subscribe({ notifications: { taskIds: [id] } });
    await vi.waitFor(() => expect(messages('notifications/tasks')).toHaveLength(1));
  });

  it('needs the extension', async () => {
    const { seen, subscribe, id } = await start(new World());
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    await subscribe({ notifications: { taskIds: [id] }, _meta });
    const answered = () => seen.find((message) => 'id' in message && message.id === 'listen');
    await vi.waitFor(() => expect(answered()).toMatchObject({ error: { code: -32_021 } }));
  });
});
