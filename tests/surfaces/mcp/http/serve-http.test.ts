import { describe, expect, test, vi } from 'vitest';
import { initialize, JSON_HEADERS, raw, useHttpLab } from './support.ts';

const lab = useHttpLab();

describe.each(['legacy', 'modern'] as const)('a client of the %s era', (era) => {
  test('lists and calls tools', async () => {
    await lab().start();
    const { client } = await lab().client(era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'talk', 'hold']);
    const result = await client.callTool({ name: 'echo', arguments: { text: 'hello' } });
    expect(result.content).toEqual([{ type: 'text', text: 'hello' }]);
    expect(lab().opened).toEqual([era === 'legacy' ? 'session' : 'principal']);
  });

  test('receives progress in order', async () => {
    await lab().start();
    const { client } = await lab().client(era);
    const heard: number[] = [];
    await client.callTool(
      { name: 'talk', arguments: { steps: 20 } },
      { onprogress: ({ progress }) => heard.push(progress) },
    );
    expect(heard).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  test('cancels a call, which stops the work', async () => {
    await lab().start();
    const { client } = await lab().client(era);
    const cancel = new AbortController();
    const call = client.callTool({ name: 'hold' }, { signal: cancel.signal });
    await vi.waitFor(() => expect(lab().connection.held).toBe(1));
    cancel.abort();
    await expect(call).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(lab().connection.cancelled).toBe(1));
    const after = await client.callTool({ name: 'echo', arguments: { text: 'still here' } });
    expect(after.content).toEqual([{ type: 'text', text: 'still here' }]);
  });
});

test('answers a raw initialize', async () => {
  await lab().start();
  const answer = await raw(lab().url, { method: 'POST', headers: JSON_HEADERS, body: initialize() });
  expect(answer.status).toBe(200);
  // As the client asked; the library would keep every connection.
  expect(answer.headers.connection).toBe('close');
  expect(answer.headers['mcp-session-id']).toMatch(/^[0-9a-f-]{36}$/);
});
