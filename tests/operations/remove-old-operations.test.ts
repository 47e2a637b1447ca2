import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { OperationRecord } from '../../src/model/tools/operation.ts';
import { makeOperationFolder, writeFirstRecord } from '../../src/operations/operation-folder.ts';
import { OperationRecords, removeOldOperations } from '../../src/operations/operation-records.ts';
import { outputFolder } from '../../src/operations/record-folders.ts';
import { inFolder } from './support/streams.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const KEEP_ALL = { maxAgeMs: 1e12, maxBytes: 1e12, maxCount: 1000 };
const HOUR_MS = 3_600_000;

interface Given {
  readonly hoursAgo: number;
  readonly status?: OperationRecord['status'];
  readonly bytes?: number;
  /** Of the holder. */
  readonly isHeld?: boolean;
}

async function make(
  state: string,
  { hoursAgo, status = 'succeeded', bytes = 0, isHeld = true }: Given,
): Promise<string> {
  const { id: operationId, folder } = makeOperationFolder(state);
  const time = new Date(NOW - hoursAgo * HOUR_MS).toISOString();
  writeFirstRecord(folder, {
    format: 1,
    operation_id: operationId,
    tool: 't',
    status,
    steps: [],
    cwd: '/',
    scope: '/',
    sandbox: 'none',
    session: 's',
    started_at: time,
    ...(status === 'running' ? {} : { ended_at: time }),
    output: 'merged',
    budget_bytes: 1,
    holder: { socket: '', pid: isHeld ? 1 : 2, start_time: '', boot_id: '' },
  });
  await mkdir(outputFolder(folder));
  await writeFile(join(outputFolder(folder), 'merged-0-0'), Buffer.alloc(bytes));
  return operationId;
}

/** The ids that are left, of all that were made. */
async function left(given: readonly Given[], retention: Partial<typeof KEEP_ALL>): Promise<number[]> {
  return inFolder(async (state) => {
    const ids: string[] = [];
    for (const each of given) ids.push(await make(state, each));
    const identity = {
      self: () => ({ pid: 1, startTime: '', bootId: '' }),
      isRunning: ({ pid }: { pid: number }) => pid === 1,
    };
    const records = new OperationRecords(state, identity);
    await removeOldOperations(records, { ...KEEP_ALL, ...retention }, NOW);
    const names = await readdir(join(state, 'operations'));
    expect(names.filter((name) => name.startsWith('gone'))).toEqual([]);
    return ids.flatMap((id, index) => (names.includes(id) ? [index] : []));
  });
}

it('removes old operations, but never a running one', async () => {
  const given = [{ hoursAgo: 1 }, { hoursAgo: 50 }, { hoursAgo: 50, status: 'running' as const }];
  expect(await left(given, { maxAgeMs: 40 * HOUR_MS })).toEqual([0, 2]);
});

it('treats lost operations as ended', async () => {
  const lost = { hoursAgo: 50, status: 'running' as const, isHeld: false };
  expect(await left([lost, { hoursAgo: 1 }], { maxAgeMs: 40 * HOUR_MS })).toEqual([1]);
});

it('keeps the newest within the limits', async () => {
  const given = [1, 2, 3, 4].map((hoursAgo) => ({ hoursAgo, bytes: 1000 }));
  expect(await left(given, { maxBytes: 2500 })).toEqual([0, 1]);
  expect(await left(given, { maxCount: 3 })).toEqual([0, 1, 2]);
  expect(
    await left([...given, { hoursAgo: 9, bytes: 9000, status: 'running' as const }], { maxBytes: 4000 }),
  ).toEqual([0, 1, 2, 3, 4]);
});

it('removes abandoned folders, but not new ones', async () => {
  await inFolder(async (state) => {
    const old = makeOperationFolder(state);
    const young = makeOperationFolder(state);
    await mkdir(join(state, 'operations', 'gone-op-aaaaaa'));
    await utimes(old.folder, new Date(NOW - 2 * HOUR_MS), new Date(NOW - 2 * HOUR_MS));
    await utimes(young.folder, new Date(NOW), new Date(NOW));
    const identity = { self: () => ({ pid: 1, startTime: '', bootId: '' }), isRunning: () => true };
    const removed = await removeOldOperations(new OperationRecords(state, identity), KEEP_ALL, NOW);
    expect(removed).toEqual([old.id]);
    expect(await readdir(join(state, 'operations'))).toEqual([young.id]);
  });
});

it('does not reuse a taken id', async () => {
  await inFolder(async (state) => {
    const ids = ['op-aaaaaa', 'op-aaaaaa', 'op-aaaaaa', 'op-bbbbbb'];
    makeOperationFolder(state, () => ids.shift() ?? '');
    expect(makeOperationFolder(state, () => ids.shift() ?? '').id).toBe('op-bbbbbb');
  });
});
