import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { INITIALIZE, MODERN, piped, type PipedDesk } from './mcp-support.ts';
import { isAlive, kill, useLab } from './support.ts';
import { until } from '../until.ts';

const lab = useLab({ hasHolder: true });

const LEGACY = { ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion: '2025-11-25' } };
const EXTENDED = {
  _meta: {
    ...MODERN._meta,
    'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  },
};
const Created = z.object({ task: z.object({ taskId: z.string() }) });
const CreatedLater = z.object({ resultType: z.literal('task'), taskId: z.string() });
/** Its first line says that it ran; it ends when the file `go` is there. */
const BUILD = 'echo ran >> count; while [ ! -e go ]; do sleep 0.1; done; echo built';

let project = '';
beforeEach(() => {
  project = join(lab().folder, 'project');
  mkdirSync(project);
});

interface Client {
  readonly desk: PipedDesk;
  readonly ask: (method: string, params: object) => Promise<Record<string, unknown>>;
}

async function client(era: 'legacy' | 'modern'): Promise<Client> {
  const desk = piped(lab(), ['mcp', '--toolsets', 'all'], { DESKTERITY_SANDBOX_SCOPE: project });
  let last = 0;
  const ask = async (method: string, params: object) => {
    last += 1;
    const all = era === 'modern' ? { ...params, ...EXTENDED } : params;
    desk.send({ jsonrpc: '2.0', id: last, method, params: all });
    const { result, error } = await desk.answer(last);
    return result ?? { error };
  };
  if (era === 'legacy') {
    desk.send(LEGACY);
    await desk.answer(LEGACY.id);
    desk.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }
  return { desk, ask };
}

/** Kills the daemon without warning, as the kernel does when memory is short. */
async function killDaemon({ desk }: Client): Promise<void> {
  kill(lab().daemonPid);
  await desk.ended();
}

function shell(command: string) {
  return { name: 'sandboxed_shell', arguments: { command } };
}

describe('when the daemon is killed', () => {
  it('a task over an operation goes on to its result, and another one has failed', async () => {
    const first = await client('legacy');
    const begin = async (params: object) =>
      Created.parse(await first.ask('tools/call', { ...params, task: { ttl: 600_000 } })).task.taskId;
    const [build, wait] = [
      await begin(shell(BUILD)),
      await begin({ name: 'desktop_wait', arguments: { ms: 600_000 } }),
    ];
    await killDaemon(first);
    const second = await client('legacy');
    expect(await second.ask('tasks/get', { taskId: build })).toMatchObject({ status: 'working' });
    expect(await second.ask('tasks/get', { taskId: wait })).toMatchObject({
      status: 'failed',
      statusMessage: expect.stringMatching(/The server ended while desktop_wait was running/),
    });
    writeFileSync(join(project, 'go'), '');
    const result = JSON.stringify(await second.ask('tasks/result', { taskId: build }));
    expect(result).toMatch(/op-[a-z2-7]{6} sandboxed_shell succeeded/);
    expect(result).toContain('built');
    expect(readFileSync(join(project, 'count'), 'utf8')).toBe('ran\n');
    expect(await second.ask('tasks/get', { taskId: build })).toMatchObject({ status: 'completed' });
    expect((await second.desk.end()).exitCode).toBe(0);
  });

  it('the next client of the extension finds it, and can end it with its processes', async () => {
    const first = await client('modern');
    const command = 'setsid sleep 300 & echo $! > pids; sleep 301 & echo $! >> pids; echo half of it; wait';
    const { taskId } = CreatedLater.parse(await first.ask('tools/call', shell(command)));
    await until(() => existsSync(join(project, 'pids')), 'it runs');
    await killDaemon(first);
    const second = await client('modern');
    expect(await second.ask('tasks/get', { taskId })).toMatchObject({ status: 'working' });
    const pids = readFileSync(join(project, 'pids'), 'utf8').trim().split('\n').map(Number);
    expect(pids.map((pid) => isAlive(pid))).toEqual([true, true]);
    expect(await second.ask('tasks/cancel', { taskId })).not.toHaveProperty('error');
    expect(pids.map((pid) => isAlive(pid))).toEqual([false, false]);
    expect(await second.ask('tasks/get', { taskId })).toMatchObject({
      status: 'cancelled',
      statusMessage: expect.stringMatching(/sandboxed_shell cancelled[^]*half of it/),
    });
    expect((await second.desk.end()).exitCode).toBe(0);
  });
});

describe('a task of another client', () => {
  it('cannot be read, cancelled or listed while that client is connected', async () => {
    const [one, other] = [await client('legacy'), await client('legacy')];
    const created = await one.ask('tools/call', { ...shell(BUILD), task: {} });
    const { taskId } = Created.parse(created).task;
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
      expect(await other.ask(method, { taskId })).toMatchObject({ error: { code: -32_602 } });
    expect(await other.ask('tasks/list', {})).toEqual({ tasks: [] });
    const folder = join(lab().folder, 'home/.local/state/deskterity/tasks');
    expect(readdirSync(folder)).toEqual([`${taskId}.json`]);
    writeFileSync(join(project, 'go'), '');
    expect(JSON.stringify(await one.ask('tasks/result', { taskId }))).toContain('built');
  });
});
