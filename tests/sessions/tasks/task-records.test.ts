import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withFileLock } from '../../../src/platform/node/file-lock.ts';
import { TASK_LIMITS, TaskRecords, type TaskDraft } from '../../../src/sessions/tasks/task-records.ts';
import type { TaskRecord } from '../../../src/model/tasks/task-record.ts';

let folder = '';
let now = Date.parse('2026-11-29T12:00:00.000Z');
/** Processes that run. */
const running = new Set<number>();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deskterity-tasks-'));
  running.clear();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function records(pid = 1, limits: Partial<typeof TASK_LIMITS> = {}) {
  running.add(pid);
  const identity = {
    self: () => ({ pid, startTime: '1', bootId: 'b' }),
    isRunning: (of: { readonly pid: number }) => running.has(of.pid),
  };
  return new TaskRecords(
    { folder, identity, locked: withFileLock },
    { limits: { ...TASK_LIMITS, ...limits }, now: () => now },
  );
}

function draft(changes: Partial<TaskDraft> = {}): TaskDraft {
  return {
    principal: 'p',
    owner: 'o',
    tool: 'desktop_wait',
    keep_ms: 60_000,
    created_at: new Date(now).toISOString(),
    ...changes,
  };
}

function ended(record: TaskRecord): TaskRecord {
  const at = new Date(now).toISOString();
  return { ...record, status: 'completed', updated_at: at, ended_at: at, result: { content: [] } };
}

describe('a task', () => {
  it('is on disk, for its user only, when its id is known', async () => {
    const store = records();
    const { task_id: id } = await store.create(draft());
    expect(readdirSync(folder)).toEqual([`${id}.json`]);
    expect(statSync(join(folder, `${id}.json`)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8'))).toMatchObject({
      task_id: id,
      status: 'working',
      runner: { pid: 1 },
    });
    expect(await records(2).find(id)).toMatchObject({ task_id: id });
  });

  it('is found until it expires, and its file is removed then', async () => {
    const store = records();
    store.enter('o');
    const record = await store.create(draft());
    now += 3_600_000;
    expect(await store.find(record.task_id)).toBeDefined();
    await store.save(ended(record));
    now += 59_000;
    expect(await store.find(record.task_id)).toMatchObject({ status: 'completed' });
    now += 1000;
    expect(await store.find(record.task_id)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(['../secret', '/etc/passwd', 'task-../x', `..${'/'.repeat(30)}`, ''])(
    'with the id %j is not looked for',
    async (id) => {
      writeFileSync(join(folder, '..', 'secret.json'), '{}');
      try {
        expect(await records().find(id)).toBeUndefined();
      } finally {
        rmSync(join(folder, '..', 'secret.json'));
      }
    },
  );

  it.each(['', '{', '[]', '{"format":1}', '{"__proto__":{"format":1}}'])(
    'whose file has %j does not exist',
    async (text) => {
      const store = records();
      const { task_id: id } = await store.create(draft());
      writeFileSync(join(folder, `${id}.json`), text);
      expect(await store.find(id)).toBeUndefined();
    },
  );

  it('under the name of another one does not exist', async () => {
    const store = records();
    const [one, other] = [await store.create(draft()), await store.create(draft())];
    writeFileSync(join(folder, `${one.task_id}.json`), JSON.stringify(other));
    expect(await store.find(one.task_id)).toBeUndefined();
  });

  it('that cannot be written is not created, and keeps its end in memory', async () => {
    const store = records();
    store.enter('o');
    const record = await store.create(draft());
    rmSync(folder, { recursive: true });
    await expect(store.create(draft())).rejects.toMatchObject({ code: 'ENOENT' });
    await store.save(ended(record));
    expect(await store.find(record.task_id)).toMatchObject({ status: 'completed' });
  });

  it('ends as it was last saved, however fast', async () => {
    const store = records();
    const record = await store.create(draft());
    await Promise.all([1, 2, 3, 4, 5].map((n) => store.save({ ...record, status_message: `${n}` })));
    expect(await store.find(record.task_id)).toMatchObject({ status_message: '5' });
    expect(readdirSync(folder)).toHaveLength(1);
  });
});

describe('a connection', () => {
  it('holds its tasks until it has left, or its process has ended', async () => {
    const [here, there] = [records(1), records(2)];
    here.enter('o');
    const record = await here.create(draft());
    expect([here.isHeld(record), there.isHeld(record)]).toEqual([true, true]);
    here.leave('o');
    expect(here.isHeld(record)).toBe(false);
    here.enter('o');
    running.delete(1);
    expect(there.isHeld(record)).toBe(false);
    const adopted = await there.adopt(record, 'other');
    there.enter('other');
    expect(adopted !== undefined && there.isHeld(adopted)).toBe(true);
    expect(await here.find(record.task_id)).toMatchObject({ owner: 'other', runner: { pid: 2 } });
  });

  it('alone adopts a task that two ask for at once', async () => {
    const store = records();
    const record = await store.create(draft());
    for (const owner of ['a', 'b']) store.enter(owner);
    const adopted = await Promise.all(['a', 'b'].map((owner) => store.adopt(record, owner)));
    expect(adopted.map((each) => each?.owner)).toEqual(['a', undefined]);
    expect(await store.adopt(record, 'b')).toBeUndefined();
    expect(await store.find(record.task_id)).toMatchObject({ owner: 'a' });
  });
});

describe('limits', () => {
  it('of 10,000 tasks only as many are recorded as are allowed', async () => {
    const store = records(1, { mostTasks: 20 });
    const made = await Promise.allSettled(Array.from({ length: 10_000 }, () => store.create(draft())));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    const refused = made.find((one) => one.status === 'rejected');
    expect(refused).toMatchObject({ reason: { code: 'RATE_LIMITED', delivered: false } });
    expect(readdirSync(folder)).toHaveLength(20);
  });

  it('what has expired makes room, even if another process left it', async () => {
    const old = records(1, { mostTasks: 3 });
    for (let count = 0; count < 3; count += 1) await old.save(ended(await old.create(draft())));
    await expect(records(2, { mostTasks: 3 }).create(draft())).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    now += 60_000;
    await records(2, { mostTasks: 3 }).create(draft());
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('their records take no more than so much on disk', async () => {
    const store = records(1, { mostBytes: 1000 });
    await store.create(draft({ status_message: 'x'.repeat(1000) }));
    await expect(store.create(draft())).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('a file that is too long is not read', async () => {
    const store = records(1, { longestBytes: 100 });
    const { task_id: id } = await store.create(draft());
    expect(await store.find(id)).toBeUndefined();
  });
});
