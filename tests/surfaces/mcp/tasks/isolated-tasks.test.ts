import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, vi } from 'vitest';
import { useHttpLab } from '../http/support.ts';
import { ANY, Created, text, World } from './support.ts';

const lab = useHttpLab();

/** A server where each session works in the first root of its client. */
async function isolated() {
  const world = new World();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'desk-isolated-')));
  lab().afterwards(async () => rmSync(folder, { recursive: true }));
  for (const name of ['web', 'api']) await mkdir(join(folder, name));
  await lab().start({
    rootRules: { ceiling: '' },
    open: async ({ folder: own }) => world.connection(own ?? 'the folder of the server'),
  });
  const client = async (root: string) => {
    const told: unknown[] = [];
    const { client: one, transport } = await lab().client('legacy', {
      client: { capabilities: { roots: {} } },
      beforeConnect: (before) => {
        before.setRequestHandler('roots/list', () => ({
          roots: [{ uri: pathToFileURL(join(folder, root)).href }],
        }));
        before.fallbackNotificationHandler = async (notification) => void told.push(notification);
      },
    });
    const ask = (method: string, taskId: string) => one.request({ method, params: { taskId } }, ANY);
    return { client: one, transport, told, ask };
  };
  return { world, client };
}

const CALL = { method: 'tools/call', params: { name: 'shell', arguments: { word: 'a' }, task: {} } } as const;

it('a session in a folder of its own has tasks, also as its first request, and other folders do not', async () => {
  const { world, client } = await isolated();
  const one = await client('web');
  expect(one.client.getServerCapabilities()).toMatchObject({ tasks: { list: {} } });
  const { task } = await one.client.request(CALL, Created);
  world.calls.get('a')?.(text('still running'));
  expect(await one.ask('tasks/get', task.taskId)).toMatchObject({ status: 'working' });
  await one.transport.terminateSession();

  const [same, other] = [await client('web'), await client('api')];
  await expect(other.ask('tasks/get', task.taskId)).rejects.toMatchObject({ code: -32_602 });
  const result = same.ask('tasks/result', task.taskId);
  await vi.waitFor(async () =>
    expect(await same.ask('tasks/get', task.taskId)).toMatchObject({ status: 'working' }),
  );
  world.operations.ends.get('a')?.(text('built'));
  expect(await result).toMatchObject({ content: [{ text: 'built' }] });
  // On a stream that was opened before the folder was known.
  await vi.waitFor(() =>
    expect(same.told).toMatchObject([
      { method: 'notifications/tasks/status', params: { taskId: task.taskId, status: 'completed' } },
    ]),
  );
  expect(world.runs).toBe(1);
});
