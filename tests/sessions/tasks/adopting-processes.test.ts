import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withFileLock } from '../../../src/platform/node/file-lock.ts';
import { TaskRecords } from '../../../src/sessions/tasks/task-records.ts';

const TASKS = 40;

let folder = '';
const children: ChildProcessByStdio<Writable, Readable, null>[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deskterity-adopt-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

interface Adopter {
  readonly lines: string[];
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
}

async function adopter(): Promise<Adopter> {
  const program = ['scripts/run-ts.mjs', 'tests/sessions/tasks/adopting-program.ts', folder];
  const child = spawn(process.execPath, program, { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => void lines.push(line));
  await vi.waitFor(() => expect(lines).toEqual(['ready']), { timeout: 20_000, interval: 10 });
  return { child, lines };
}

it('one of two processes takes over each task of a daemon that has died', async () => {
  const dead = { pid: 4_194_304, startTime: '1', bootId: 'before' };
  const left = new TaskRecords({
    folder,
    identity: { self: () => dead, isRunning: () => true },
    locked: withFileLock,
  });
  const ids: string[] = [];
  for (let at = 0; at < TASKS; at += 1) {
    const { task_id: id } = await left.create({
      principal: 'p',
      owner: 'o',
      tool: 'desktop_wait',
      keep_ms: 60_000,
      created_at: new Date().toISOString(),
    });
    ids.push(id);
  }
  const both = await Promise.all([adopter(), adopter()]);
  for (const { child } of both) child.stdin.write('go\n');
  for (const { lines } of both)
    await vi.waitFor(() => expect(lines.at(-1)).toBe('done'), { timeout: 20_000, interval: 20 });
  const ends = both.map(({ child }) => once(child, 'exit'));
  for (const { child } of both) child.stdin.end();
  await Promise.all(ends);
  const taken = both.flatMap(({ lines }) => lines.slice(1, -1));
  expect(taken.toSorted()).toEqual(ids.toSorted());
  // Each belongs to the one that was told so.
  for (const { child, lines } of both)
    for (const id of lines.slice(1, -1))
      expect(JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8'))).toMatchObject({
        runner: { pid: child.pid },
      });
}, 60_000);
