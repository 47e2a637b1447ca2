import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serveHttp } from '../../../../src/surfaces/mcp/http/serve-http.ts';
import { ANY, EXTENSION, text, World } from './support.ts';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

async function serve(world = new World()) {
  const serving = await serveHttp({
    version: '1',
    bind: '127.0.0.1',
    port: 0,
    token: undefined,
    isSseServed: false,
    toolsets: ['core'],
    open: async () => world.connection(),
  });
  endings.push(() => serving.close());
  return { world, url: serving.url };
}

function post(
  url: string,
  method: string,
  params: Record<string, unknown>,
  extensions: object = { [EXTENSION]: {} },
) {
  const name = params['name'] ?? params['taskId'];
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: method,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': { extensions },
        },
      },
    }),
  });
}

const Task = z.object({ result: z.object({ taskId: z.string() }) });

/** The messages of an answer, as they come. */
async function* messages({ body }: Response) {
  if (body === null) return;
  const decoder = new TextDecoder();
  let held = '';
  for await (const piece of body) {
    held += decoder.decode(piece, { stream: true });
    const frames = held.split('\n\n');
    held = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^data: (.+)$/m.exec(frame)?.[1];
      if (data !== undefined) yield ANY.parse(JSON.parse(data));
    }
  }
}

async function answered(response: Response) {
  if (response.headers.get('content-type')?.includes('json') === true)
    return ANY.parse(await response.json());
  for await (const message of messages(response)) if ('id' in message) return message;
  throw new Error('no answer');
}

async function begin(url: string, word: string): Promise<string> {
  const call = await post(url, 'tools/call', { name: 'long', arguments: { word } });
  return Task.parse(await answered(call)).result.taskId;
}

describe('over HTTP', () => {
  it('a subscription to tasks alone stays open, and reports them', async () => {
    const { world, url } = await serve();
    const taskId = await begin(url, 'a');
    const listening = messages(
      await post(url, 'subscriptions/listen', { notifications: { taskIds: [taskId, '../x'] } }),
    );
    expect((await listening.next()).value).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [taskId] } },
    });
    world.calls.get('a')?.(text('done'));
    expect((await listening.next()).value).toMatchObject({
      method: 'notifications/tasks',
      params: {
        taskId,
        status: 'completed',
        result: { content: [{ text: 'done' }] },
        _meta: { 'io.modelcontextprotocol/subscriptionId': 'subscriptions/listen' },
      },
    });
    await listening.return(undefined);
  });

  it('a subscription to tasks and tools reports what it acknowledges', async () => {
    const { url } = await serve();
    const taskId = await begin(url, 'a');
    const notifications = { taskIds: [taskId], toolsListChanged: true };
    const listening = messages(await post(url, 'subscriptions/listen', { notifications }));
    expect((await listening.next()).value).toMatchObject({ params: { notifications } });
    await listening.return(undefined);
  });

  it('a client without the extension cannot subscribe', async () => {
    const { url } = await serve();
    const taskId = await begin(url, 'a');
    const params = { notifications: { taskIds: [taskId] } };
    const refused = await answered(await post(url, 'subscriptions/listen', params, {}));
    expect(refused).toMatchObject({ error: { code: -32_021 } });
  });

  it('a task goes on when the request that began it has ended', async () => {
    const { world, url } = await serve();
    const taskId = await begin(url, 'a');
    expect(world.channels[0]?.signal.aborted).toBe(false);
    expect(await answered(await post(url, 'tasks/get', { taskId }))).toMatchObject({
      result: { status: 'working' },
    });
    expect(await answered(await post(url, 'tasks/cancel', { taskId }))).toMatchObject({
      result: { resultType: 'complete' },
    });
    expect(world.channels[0]?.signal.aborted).toBe(true);
  });
});
